// Files that gave nothing, places in files that could not be used, and which reader reads each.

export default function (component) {
  const view = mount(component);
  if (!view.changed) return;
  view.root.classList.add("files");
  const { lists, formats } = component.data;
  view.opened ??= new Map();
  view.root.replaceChildren(...lists.map((list) => fold(list, { view, formats })));
}

function fold({ name, title, note, open, columns, rows, more }, page) {
  const { opened } = page.view;
  const node = element("details");
  node.open = opened.get(name) ?? open;
  node.ontoggle = () => node.isConnected && opened.set(name, node.open);
  const head = element("summary");
  head.append(element("span", "strong", title), element("span", "muted", note ? ` · ${note}` : ""));
  const table = element("table");
  const names = table.createTHead().insertRow();
  for (const column of columns) names.appendChild(element("th", "", column));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    row.forEach((cell, place) => line.appendChild(typeof cell === "string" ? words(cell, place) : choice(cell, page)));
  }
  node.append(head, table);
  if (more) node.appendChild(element("p", "muted", more));
  return node;
}

function words(text, place) {
  return element("td", place === 0 ? "mono" : "", text);
}

/** How a file is read, and the way to choose another reader. */
function choice({ file, chosen, automatic, label }, { view, formats }) {
  const cell = element("td", "choice");
  const select = cell.appendChild(element("select"));
  select.setAttribute("aria-label", label);
  for (const [name, title] of [["", automatic], ...formats]) select.add(new Option(title, name, false, name === chosen));
  select.onchange = () => view.act(new URLSearchParams({ file, format: select.value }).toString());
  return cell;
}
