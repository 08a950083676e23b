// What of the labels needs a person: runs that have changed since, lines that are no label, labels of runs not open.

function drawSaid({ stale, faults, notes }, view) {
  const parts = [];
  for (const fault of faults) parts.push(element("p", "warning", fault));
  if (stale) parts.push(staleTable(stale, view));
  for (const note of notes) parts.push(element("p", "foot", note));
  return parts;
}

function staleTable({ title, rows }, view) {
  const block = element("div");
  const table = element("table", "rows");
  const head = table.createTHead().insertRow();
  for (const name of ["Run", "Said before", "Now", ""]) head.appendChild(heading(name, "col"));
  const body = table.createTBody();
  for (const { run, said, now, again, forget } of rows) {
    const line = body.insertRow();
    for (const text of [run, said, now]) line.insertCell().textContent = text;
    const cell = line.insertCell();
    for (const [words, action] of [["Say again", again], ["Forget", forget]]) {
      if (!action) continue;
      const button = element("button", "link", words);
      button.type = "button";
      button.setAttribute("aria-label", `${words}: ${said} of ${run}`);
      button.onclick = () => view.act(action);
      cell.append(button, " ");
    }
  }
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  scroll.appendChild(table);
  block.append(element("h3", "", title), scroll);
  return block;
}
