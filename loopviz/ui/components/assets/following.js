// The line of a file that is followed. It asks Python for a look about once a second, but not while a person clicks or
// types: a look that meets the way to another page could leave that page blank.

const EVERY_MS = 1000;
const STILL_MS = 1500;
const PATIENCE_MS = 10000;

export default function (component) {
  const view = mount(component);
  if (!view.beat) begin(view);
  if (view.answered !== component.data.answered) {
    view.answered = component.data.answered;
    view.waitsUntil = 0;
  }
  if (view.changed) draw(view, component.data);
  return () => end(view);
}

function begin(view) {
  Object.assign(view, { asked: Date.now(), waitsUntil: 0, stillUntil: 0, line: element("span", "line"), said: element("span", "said") });
  view.said.setAttribute("role", "status");
  view.said.setAttribute("aria-live", "polite");
  view.root.replaceChildren(view.line, view.said);
  view.still = () => (view.stillUntil = Date.now() + STILL_MS);
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, view.still, true);
  view.beat = setInterval(() => ask(view), EVERY_MS / 4);
}

function end(view) {
  clearInterval(view.beat);
  view.beat = null;
  for (const kind of ["pointerdown", "keydown"]) document.removeEventListener(kind, view.still, true);
}

function ask(view) {
  const now = Date.now();
  if (!view.root.isConnected) return end(view);
  if (document.hidden || now < view.stillUntil || now < view.waitsUntil || now < view.asked + EVERY_MS) return;
  view.asked = now;
  view.waitsUntil = now + PATIENCE_MS;
  view.act(`look=${now}`);
}

function draw(view, { line, said }) {
  view.line.replaceChildren(...sentence(line));
  // What was told stays the very same element, so that a screen reader speaks of what is new and of nothing else.
  const told = new Map([...view.said.children].map((node) => [node.textContent, node]));
  const nodes = said.map((parts) => happened(parts)).map((node) => told.get(node.textContent) ?? node);
  for (const node of told.values()) if (!nodes.includes(node)) node.remove();
  nodes.forEach((node, place) => {
    if (view.said.children[place] !== node) view.said.insertBefore(node, view.said.children[place] ?? null);
  });
}

function happened(parts) {
  const node = element("span", "happened");
  node.replaceChildren(...sentence(parts));
  return node;
}
