// What the file says of the run as a whole.

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
  const table = element("table", "quiet stack");
  const head = table.createTHead().insertRow();
  for (const [name, style] of RESULT_COLUMNS) head.appendChild(element("th", style, name));
  const body = table.createTBody();
  for (const { depth, cells } of results) {
    const line = body.insertRow();
    cells.forEach((text, place) => line.appendChild(named(RESULT_COLUMNS[place], text)));
    line.cells[0].style.paddingLeft = `${depth * 18}px`;
  }
  const scroll = element("div", "scroll");
  scroll.appendChild(table);
  return scroll;
}
