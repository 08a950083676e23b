// Undo and redo. Presses are counted here, and the count is handed on: of quick ones none is lost.

const MOST_STEPS = 200;
const KEYS = { undo: "Alt+Z", redo: "Alt+Shift+Z" };

export default function (component) {
  const view = mount(component);
  view.tell = (pressed) => component.setStateValue("pressed", pressed);
  if (!view.undo) build(view, component.data.n);
  view.n = Math.max(view.n, component.data.n);
  view.undo.disabled = !component.data.undo;
  view.redo.disabled = !component.data.redo;
}

function build(view, n) {
  Object.assign(view, { n, steps: "", undo: button("Undo", "↶", view), redo: button("Redo", "↷", view) });
  view.root.append(view.undo, view.redo);
  const onKey = (event) => {
    if (!view.root.isConnected) document.removeEventListener("keydown", onKey, true);
    else if (event.code === "KeyZ" && event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      press(view, event.shiftKey ? "r" : "u");
    }
  };
  document.addEventListener("keydown", onKey, true);
}

function button(name, sign, view) {
  const node = element("button", "", `${sign} ${name}`);
  node.type = "button";
  node.title = KEYS[name.toLowerCase()];
  node.setAttribute("aria-label", name);
  node.setAttribute("aria-keyshortcuts", KEYS[name.toLowerCase()]);
  node.onclick = () => press(view, name[0].toLowerCase());
  return node;
}

function press(view, step) {
  view.n += 1;
  view.steps = (view.steps + step).slice(-MOST_STEPS);
  view.tell({ n: view.n, steps: view.steps });
}
