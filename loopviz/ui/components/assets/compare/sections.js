// What stands around the picture: both verdicts, the calls of a column, figures, texts that differ, the table of words.

function drawLine(parts) {
  const line = element("p", "lead");
  line.append(...sentence(parts));
  return [line];
}

function drawVerdict({ letter, name, badge, passed, sentence: parts, over, trial, recorded }, view) {
  const line = element("p", "verdict");
  line.append(element("strong", "", letter), element("span", "name", name));
  line.append(element("span", passed === false ? "badge fail" : "badge", badge));
  const said = element("span", "muted");
  said.append(...sentence(parts));
  line.append(said);
  if (over) {
    const link = element("button", "link", over.text);
    link.type = "button";
    link.onclick = () => view.act(over.action);
    said.append(" Over the limit at ", link);
  }
  for (const words of [recorded, trial]) if (words) said.append(` · ${words}`);
  return line;
}

function drawFoot(lines) {
  return lines.filter(Boolean).map((words) => element("p", "foot", words));
}

function drawMiddle({ column, figures, settings }, view) {
  const two = element("div", "middle");
  if (column) two.appendChild(drawColumn(column, view));
  const right = element("div");
  const left = column ? right : element("div");
  if (settings) left.append(...threeColumns(settings.title, ["", "A", "B"], settings.rows));
  if (left.childNodes.length && left !== right) two.appendChild(left);
  if (figures) right.append(...figureTable(figures));
  two.appendChild(right);
  return [two];
}

function drawColumn({ title, back, sides }, view) {
  const block = element("div");
  const head = element("div", "head");
  head.appendChild(element("h2", "", title));
  if (back) head.appendChild(actButton("more", back, view));
  const both = element("div", "both");
  for (const side of sides) both.appendChild(drawDone(side, view));
  block.append(head, both);
  return block;
}

function actButton(style, { label, action }, view) {
  const button = element("button", style, label);
  button.type = "button";
  button.onclick = () => view.act(action);
  return button;
}

function drawDone({ letter, head, note, calls, more, inspect }, view) {
  const block = element("div", "done");
  const title = element("h3");
  if (letter) title.append(element("strong", "", letter), " ");
  title.append(head);
  if (inspect) title.appendChild(actButton("link", inspect, view));
  block.appendChild(title);
  if (note) block.appendChild(element("p", "foot", note));
  for (const call of calls) block.append(...drawCall(call));
  if (more) block.appendChild(element("p", "foot", more));
  return block;
}

function drawCall({ tool, place, id, arguments: asked, output, missing }) {
  const name = element("p", "call");
  name.append(element("b", "mono", tool), ` · ${place}`);
  if (id) name.append(" · ", element("span", "mono", id));
  const text = element("pre", "mono");
  text.tabIndex = 0;
  text.append(element("span", "asked", asked), "\n", element("span", missing ? "output none" : "output", output));
  return [name, text];
}

function figureTable({ title, rows }) {
  return threeColumns(title, ["", "A", "B", "B − A"], rows);
}

function threeColumns(title, heads, rows) {
  const table = element("table", heads.length > 3 ? "figures" : "figures words");
  const head = table.createTHead().insertRow();
  for (const words of heads) head.appendChild(Object.assign(element("th", "", words), { scope: "col" }));
  const body = table.createTBody();
  for (const { name, a, b, more, strong } of rows) {
    const line = body.insertRow();
    line.appendChild(Object.assign(element("th", "", name), { scope: "row" }));
    [a, b].forEach((words, at) => (Object.assign(line.insertCell(), { textContent: words, className: strong?.[at] ? "strong" : "" })));
    if (heads.length > 3) line.insertCell().textContent = more;
  }
  return [element("h2", "", title), table];
}

function drawUnlike({ title, aside, tabs, heads, sign, texts }, view) {
  const head = element("div", "head");
  const name = element("h2", "", title);
  if (aside) name.appendChild(element("small", "", aside));
  head.appendChild(name);
  if (tabs.length) head.appendChild(drawTabs(tabs, view));
  const parts = [head];
  const two = element("div", "texts");
  heads.forEach(({ letter, words, tool }, at) => {
    const side = element("div");
    const line = element("p", "foot", `${letter} · ${words} · `);
    line.appendChild(element("span", "mono", tool));
    side.appendChild(line);
    for (const text of texts) side.append(...drawText(text, at, texts.length > 1 || text.title !== "output"));
    if (!texts.length) side.appendChild(element("p", "foot", sign));
    two.appendChild(side);
  });
  parts.push(two);
  return parts;
}

function drawTabs(tabs, view) {
  const row = element("div", "tabs");
  for (const { label, action, on } of tabs) {
    const button = element("button", on ? "on" : "", label);
    button.type = "button";
    button.setAttribute("aria-pressed", String(on));
    button.onclick = () => view.act(action);
    row.appendChild(button);
  }
  return row;
}

/** One side of a comparison: what both have, and what this side has more, tinted. */
function drawText({ title, rows, note }, side, named) {
  const own = side ? "+" : "−";
  const box = element("div", `lines side-${side} mono`);
  box.tabIndex = 0;
  for (const { sign, pieces, skipped } of rows) {
    if (sign && sign !== " " && sign !== own) continue;
    const line = element("div", skipped ? "skipped" : sign === own ? "own" : "");
    if (skipped) line.textContent = `⋯ ${skipped}`;
    for (const [words, marked] of pieces) line.appendChild(element(marked ? "mark" : "span", "", words));
    if (!line.textContent) line.textContent = "\u00a0";
    box.appendChild(line);
  }
  if (!box.childNodes.length) box.appendChild(element("div", "skipped", "nothing"));
  const parts = named ? [element("h3", "mono", title), box] : [box];
  return note ? [...parts, element("p", "foot", note)] : parts;
}

function drawWords({ title, note, ...table }) {
  const fold = element("details");
  fold.append(element("summary", "", title), wordTable(table));
  if (note) fold.appendChild(element("p", "foot", note));
  return [fold];
}

function drawPatterns({ title, aside, note, ...table }) {
  const head = element("h2", "", title);
  head.appendChild(element("small", "", aside));
  return [head, wordTable(table), ...(note ? [element("p", "foot", note)] : [])];
}

function wordTable({ heads, rows }) {
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  const table = element("table", "rows");
  const head = table.createTHead().insertRow();
  for (const words of heads) head.appendChild(Object.assign(element("th", "", words), { scope: "col" }));
  const body = table.createTBody();
  for (const cells of rows) {
    const line = body.insertRow();
    for (const words of cells) line.insertCell().textContent = words;
  }
  scroll.appendChild(table);
  return scroll;
}
