// Near-repeats: groups of calls that are the same but for a little; a row opens the comparison of the first two.

const NEAR_COLUMNS = [
  ["Tool", ""], ["Calls", "num"], ["Between calls", "num"], ["In a row", "num"], ["Arguments", "words"], ["Output", "words"], ["Same with", ""],
];

function drawNear({ rows, caption, more }, view) {
  const title = element("h2", "", "Near-repeats");
  title.appendChild(element("small", "", caption));
  const drawn = [title];
  if (rows.length) {
    const table = element("table", "near stack");
    const head = table.createTHead().insertRow();
    for (const [name, style] of NEAR_COLUMNS) head.appendChild(element("th", style.includes("num") ? "num" : "", name));
    const body = table.createTBody();
    for (const row of rows) body.appendChild(nearRow(row, view));
    const scroll = element("div", "scroll");
    scroll.appendChild(table);
    drawn.push(scroll);
  }
  if (more) drawn.push(moreButton(more, view));
  return drawn;
}

function nearRow(row, view) {
  const line = element("tr");
  const cells = [[row.tool, "mono"], [row.n, "num strong"], [row.calls, "num"], [row.row, "num"]];
  cells.push([row.arguments, "words"], [row.outputs, "words"], [row.same, ""]);
  cells.forEach(([content, style], place) => {
    const cell = element("td", style);
    cell.dataset.name = NEAR_COLUMNS[place][0];
    const words = element("span");
    words.append(...(typeof content === "string" ? [content] : sentence(content)));
    cell.appendChild(words);
    line.appendChild(cell);
  });
  line.title = row.tip;
  opens(line, row.action, view);
  return line;
}
