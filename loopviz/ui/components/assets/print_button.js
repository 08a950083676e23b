// Print.

export default function (component) {
  const view = mount(component);
  if (view.root.childElementCount) return;
  view.root.classList.add("buttons");
  const button = element("button", "", "Print");
  button.type = "button";
  button.onclick = () => window.print();
  view.root.append(button);
}
