// The table of cycles: the same content as the picture, as text.

const COLUMNS = [
  ["Pattern", ""], ["Times in a row", "num strong"], ["Tools", "tools mono"], ["Pattern length", "num"], ["Calls", "num"],
  ["Turns", "num"], ["Steps", "num"], ["Ended by", "wrap"], ["Under these settings", "note"],
];

function drawCycles({ rows, caption, more }, view) {
  const title = element("h2", "", "Cycles");
  if (caption) title.appendChild(element("small", "", caption));
  if (!rows.length) return [title, element("p", "", "Nothing repeats directly, whatever counts as the same.")];
  const table = element("table", "stack");
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
  const letters = element("td");
  letters.dataset.name = COLUMNS[0][0];
  const swatches = letters.appendChild(element("span"));
  for (const place of Array(row.period).keys()) {
    swatches.appendChild(swatch({ text: String.fromCharCode(97 + place), period: row.period, state: row.state }));
  }
  line.appendChild(letters);
  row.cells.forEach((text, place) => line.appendChild(named(COLUMNS[place + 1], text)));
  line.title = row.tip;
  opens(line, `call=${row.call}`, view);
  return line;
}

/** A cell that carries its column's name, for where the table stands as blocks. */
function named([name, style], text) {
  const cell = element("td", style, text);
  cell.dataset.name = name;
  return cell;
}

/** A row of a table that does something when it is clicked, or chosen by a key. */
function opens(line, action, view) {
  line.tabIndex = 0;
  line.onclick = () => view.act(action);
  line.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      view.act(action);
    }
  };
}
