// The box "Go to". What is typed stays in the browser until Enter; Python then says what it was read as.

export default function (component) {
  const view = mount(component);
  if (!view.input) build(view);
  view.data = component.data;
  if (view.seq === view.data.seq) return;
  view.seq = view.data.seq;
  view.asked = view.input.value = view.data.words;
  setPattern(view, view.data.pattern);
}

function build(view) {
  const box = element("div", "box");
  view.input = element("input");
  view.input.type = "text";
  view.input.setAttribute("aria-label", "Go to");
  view.input.spellcheck = false;
  view.input.autocomplete = "off";
  view.clear = button("clear", "×", "Clear", () => clear(view));
  view.pattern = button("pattern mono", ".*", "", () => {
    setPattern(view, !isPattern(view));
    if (view.input.value.trim()) ask(view);
    view.input.focus();
  });
  view.input.onkeydown = (event) => keyDown(view, event);
  view.input.oninput = () => showClear(view);
  box.append(view.input, view.clear, view.pattern);
  view.root.appendChild(box);
}

function button(style, sign, label, act) {
  const node = element("button", style, sign);
  node.type = "button";
  if (label) node.title = label;
  if (label) node.setAttribute("aria-label", label);
  node.onclick = act;
  return node;
}

/** Keys stay in the box: the page has shortcuts of its own. */
function keyDown(view, event) {
  event.stopPropagation();
  if (event.isComposing) return;
  if (event.key === "Enter") enter(view, event.shiftKey);
  else if (event.key === "Escape") clear(view);
}

function enter(view, back) {
  const same = view.input.value === view.asked;
  if (same && view.data.searching && view.asked) view.act(back ? "hit=previous" : "hit=next");
  else ask(view);
}

function ask(view) {
  const fields = new URLSearchParams({ find: view.input.value });
  if (isPattern(view) && view.input.value.trim()) fields.set("as", "pattern");
  view.asked = view.input.value;
  view.act(fields.toString());
}

function clear(view) {
  const had = view.input.value || view.asked;
  view.input.value = "";
  showClear(view);
  view.input.focus();
  if (had) ask(view);
}

function isPattern(view) {
  return view.pattern.getAttribute("aria-pressed") === "true";
}

function setPattern(view, on) {
  view.pattern.setAttribute("aria-pressed", String(on));
  const label = on ? "Read as a pattern (ECMAScript); click for text" : "Read as text; click for a pattern (ECMAScript)";
  view.pattern.title = label;
  view.pattern.setAttribute("aria-label", "Pattern");
  view.input.placeholder = on ? "Pattern, as in ^exit [1-9]" : "Go to call, turn, id, text…";
  showClear(view);
}

function showClear(view) {
  view.clear.hidden = !view.input.value;
}
