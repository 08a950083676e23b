// Copy link and Print.

export default function (component) {
  const view = mount(component);
  view.link = component.data.link;
  if (view.root.childElementCount) return;
  view.root.classList.add("buttons");
  const copy = button("Copy link", () => copyText(new URL(view.link, document.baseURI).href, copy));
  view.root.append(copy, button("Print", () => window.print()));
}

function button(label, act) {
  const node = element("button", "", label);
  node.type = "button";
  node.onclick = act;
  return node;
}
