// The sections below the timeline: how the figure came about, the whole grid, the chosen call, the cycles.
// Python decides every word and number; this only lays them out. Texts become text nodes, never markup.

const sections = new WeakMap();

function drawEvidence({ data, parentElement, setTriggerValue }) {
  let view = sections.get(parentElement);
  if (!view) {
    const root = element("div", "evidence look");
    parentElement.appendChild(root);
    view = { root, drawn: {} };
    sections.set(parentElement, view);
  }
  view.act = (action) => setTriggerValue("action", action);
  view.root.classList.toggle("dark", isDark(parentElement));
  for (const [name, draw] of Object.entries(SECTIONS)) place(view, name, draw, data[name]);
}

/** Draws a section anew only when what it shows has changed, so that open folds and scroll positions stay. */
function place(view, name, draw, content) {
  const written = JSON.stringify(content ?? null);
  if (view.drawn[name]?.written === written) return;
  const section = view.drawn[name]?.section ?? view.root.appendChild(element("section"));
  section.dataset.section = name;
  section.hidden = content == null;
  section.replaceChildren(...(content == null ? [] : draw(content, view)));
  view.drawn[name] = { written, section };
}

const PIECE = 8000;
const SECTIONS = { figures: drawFigures, call: drawCall, cycles: drawCycles, run: drawRun };

function drawFigures({ funnel, foot, grid }, view) {
  const two = element("div", "two");
  two.append(drawFunnel(funnel, foot), drawGrid(grid, view));
  return [two];
}

function drawFunnel(rows, foot) {
  const block = element("div");
  const list = element("div", "funnel");
  for (const row of rows) {
    const bar = element("div", row.period ? `bar hue p${Math.min(row.period, 4)}` : "bar");
    bar.style.width = `${Math.max(row.share * 100, 2)}%`;
    const track = element("div");
    track.appendChild(bar);
    list.append(element("div", "n", row.n), element("div", "", row.label), track, element("div", "note", row.note));
  }
  block.append(element("h2", "", "How it got there"), list);
  for (const line of foot) block.appendChild(element("p", "", line));
  return block;
}

function drawGrid({ rows, caption }, view) {
  const block = element("div");
  const title = element("h2", "", "The whole grid");
  title.appendChild(element("small", "", caption));
  const grid = element("div", "grid");
  grid.appendChild(element("div", "head first", "Longest pattern"));
  rows[0].cells.forEach((_, place) => grid.appendChild(element("div", "head", String(place + 1))));
  for (const row of rows) {
    const label = element("div", "label", row.label);
    label.appendChild(element("code", "", row.match));
    grid.appendChild(label);
    row.cells.forEach((cell, place) => grid.appendChild(gridCell(row, cell, place + 1, view)));
  }
  block.append(title, grid);
  return block;
}

function gridCell(row, cell, bound, view) {
  const button = element("button", cell.over ? `over p${Math.min(cell.period, 4)}` : "", cell.n);
  button.type = "button";
  button.classList.toggle("now", cell.now);
  button.setAttribute("aria-pressed", String(cell.now));
  button.setAttribute("aria-label", `${row.label}, longest pattern ${bound}: ${cell.n} in a row`);
  button.title = button.getAttribute("aria-label");
  button.onclick = () => view.act(`match=${row.match}&max_cycle_period=${bound}`);
  return button;
}

function drawCall({ title, tool, chips, blocks, folds }, view) {
  const head = element("h2", "", `${title} · `);
  head.appendChild(element("code", "", tool));
  const row = element("div", "chips");
  for (const chip of chips) row.appendChild(drawChip(chip));
  const parts = [head, row];
  for (const block of blocks) parts.push(...drawBlock(block, view));
  for (const fold of folds) parts.push(drawFold(fold, view));
  return parts;
}

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

function drawFold({ title, preview, text, more, note }, view) {
  const fold = element("details");
  fold.dataset.fold = title;
  const head = element("summary", "", title);
  head.appendChild(element("span", "preview mono", preview));
  fold.append(head, longText(text), ...drawRest({ more, note }, view));
  fold.open = view.open?.has(title) ?? false;
  fold.ontoggle = () => {
    view.open ??= new Set();
    if (fold.open) view.open.add(title);
    else view.open.delete(title);
  };
  return fold;
}

const COLUMNS = [
  ["Pattern", ""], ["Times in a row", "num strong"], ["Tools", "tools mono"], ["Pattern length", "num"], ["Calls", "num"],
  ["Turns", "num"], ["Steps", "num"], ["Ended by", ""], ["Under these settings", "note"],
];

function drawCycles({ rows, caption, more }, view) {
  const title = element("h2", "", "Cycles");
  if (caption) title.appendChild(element("small", "", caption));
  if (!rows.length) return [title, element("p", "", "Nothing repeats directly, whatever counts as the same.")];
  const table = element("table");
  const head = table.createTHead().insertRow();
  for (const [name, style] of COLUMNS) head.appendChild(element("th", style.includes("num") ? "num" : "", name));
  const body = table.createTBody();
  for (const row of rows) body.appendChild(cycleRow(row, view));
  const scroll = element("div", "scroll");
  scroll.appendChild(table);
  return more ? [title, scroll, moreButton(more, view)] : [title, scroll];
}

function cycleRow(row, view) {
  const line = element("tr");
  line.tabIndex = 0;
  const letters = element("td");
  for (const place of Array(row.period).keys()) {
    letters.appendChild(swatch({ text: String.fromCharCode(97 + place), period: row.period, state: row.state }));
  }
  line.appendChild(letters);
  row.cells.forEach((text, place) => line.appendChild(element("td", COLUMNS[place + 1][1], text)));
  const open = () => view.act(`call=${row.call}`);
  line.onclick = open;
  line.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open();
    }
  };
  return line;
}

const RESULT_COLUMNS = [["Grader", ""], ["Type", ""], ["Said", ""], ["Score", "num"], ["Evidence", "note"]];

function drawRun({ folds, recorded, problems }, view) {
  const parts = [element("h2", "", "As recorded in the file")];
  for (const fold of folds) parts.push(drawFold(fold, view));
  if (recorded.length) parts.push(recordedTable(recorded));
  if (problems.length) {
    parts.push(element("h3", "", `Could not be used as it stood: ${problems.length}`));
    parts.push(element("pre", "", problems.join("\n")));
  }
  return parts;
}

function recordedTable(results) {
  const table = element("table", "quiet");
  const head = table.createTHead().insertRow();
  for (const [name, style] of RESULT_COLUMNS) head.appendChild(element("th", style, name));
  const body = table.createTBody();
  for (const { depth, cells } of results) {
    const line = body.insertRow();
    cells.forEach((text, place) => line.appendChild(element("td", RESULT_COLUMNS[place][1], text)));
    line.cells[0].style.paddingLeft = `${depth * 18}px`;
  }
  const scroll = element("div", "scroll");
  scroll.appendChild(table);
  return scroll;
}

function swatch({ text, period, state }) {
  return element("span", `swatch p${Math.min(period, 4)} ${["hollow", "counted", "over"][state]}`, text);
}
