// What sections share: chips, swatches, buttons, texts in full length or cut.

const PIECE = 8000;

function drawChip(chip) {
  const node = element("span", chip.mono ? "chip mono" : "chip");
  if (chip.swatch) node.appendChild(swatch(chip.swatch));
  node.appendChild(document.createTextNode(chip.text));
  return node;
}

function drawBlock(block, view) {
  const title = element("h3", "", block.title);
  if (block.aside) title.appendChild(element("small", "", block.aside));
  const body = block.fields ? drawFields(block.fields) : drawText(block);
  return [title, body, ...drawRest(block, view)];
}

/** What is said below a text that is cut. */
function drawRest({ more, note }, view) {
  if (more) return [moreButton(more, view)];
  return note ? [element("p", "cut", note)] : [];
}

function drawText(block) {
  return longText(block.text, block.missing ? "none" : "");
}

/** A text in pieces, of which the browser lays out only those in sight. */
function longText(text, style = "") {
  const node = element("pre", style);
  for (let from = 0; from < text.length || !from; ) {
    const line = text.indexOf("\n", from + PIECE);
    const to = line < 0 || line > from + 2 * PIECE ? from + PIECE : line + 1;
    node.appendChild(element("div", "piece", text.slice(from, to).replace(/\n$/, to < text.length ? "" : "\n")));
    from = to;
  }
  return node;
}

function drawFields(fields) {
  const list = element("div", "fields mono");
  for (const [name, value] of fields) list.append(element("div", "name", name), longText(value));
  return list;
}

function moreButton(more, view) {
  const button = element("button", "more", more.label);
  button.type = "button";
  button.onclick = () => view.act(more.action);
  return button;
}

function drawFold({ title, preview, text, more, note, save }, view) {
  const fold = element("details");
  fold.dataset.fold = title;
  const head = element("summary", "", title);
  head.appendChild(element("span", "preview mono", preview));
  fold.append(head, longText(text), ...drawRest({ more, note }, view));
  if (save) fold.appendChild(saveButton(save, view));
  fold.open = view.open?.has(title) ?? false;
  fold.ontoggle = () => {
    view.open ??= new Set();
    if (fold.open) view.open.add(title);
    else view.open.delete(title);
  };
  return fold;
}

function swatch({ text, period, state }) {
  return element("span", `swatch p${Math.min(period, 4)} ${["hollow", "counted", "over"][state]}`, text);
}
