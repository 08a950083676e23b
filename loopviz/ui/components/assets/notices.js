// Lines that say something of the page: how what was typed or linked was read, what changed on disk. Texts become text nodes.

export default function (component) {
  const view = mount(component);
  if (!view.changed) return;
  const { lines, floats } = component.data;
  view.root.classList.toggle("floats", floats);
  view.root.hidden = !lines.length;
  view.root.setAttribute("role", "status");
  const all = element("div", "lines");
  for (const parts of lines) all.appendChild(line(parts, view));
  view.root.replaceChildren(all, ...(lines.length ? [dismiss(view)] : []));
}

function line(parts, view) {
  const node = element("div", "line");
  for (const part of parts) node.appendChild(part.action ? action(part, view) : sentence([part])[0]);
  return node;
}

function action({ text, action }, view) {
  const node = element("button", "action", text);
  node.type = "button";
  node.onclick = () => view.act(action);
  return node;
}

function dismiss(view) {
  const node = element("button", "dismiss", "×");
  node.type = "button";
  node.title = "Put away";
  node.setAttribute("aria-label", "Put away");
  node.onclick = () => view.act("dismiss=");
  return node;
}
