// Runs whose verdict differs between both settings, and the whole set by model and stimulus.

const FLIP_COLUMNS = [
  ["", "Flip", "flip"],
  ["Run", "Stimulus", "stimulus"],
  ["Run", "Trial", "trial", "num"],
  ["Run", "Model", "model"],
  ["First over the limit", "Line", "line", "num"],
  ["First over the limit", "Turn", "turn", "num"],
  ["First over the limit", "Call", "call", "num"],
  ["What repeats", "Pattern", "pattern"],
  ["Times in a row", "Current", "current", "num"],
  ["Times in a row", "Candidate", "candidate", "num strong"],
  ["What is known", "Ended", "ended"],
  ["What is known", "Label", "label"],
  ["What is known", "Pin", "pin"],
];

function drawFlips({ title, tabs, rows, caption, more }, view) {
  const head = element("div", "head");
  head.appendChild(element("h2", "", title));
  const choice = element("div", "tabs");
  for (const tab of tabs) {
    const button = element("button", tab.on ? "on" : "", tab.label);
    button.type = "button";
    button.setAttribute("aria-pressed", String(tab.on));
    button.onclick = () => view.act(tab.action);
    choice.appendChild(button);
  }
  head.appendChild(choice);
  const parts = [head];
  if (rows.length) parts.push(flipTable(rows, view));
  parts.push(element("p", "foot", caption));
  if (more) parts.push(moreButton(more, view));
  return parts;
}

function flipTable(rows, view) {
  const columns = FLIP_COLUMNS.filter(([, , key]) => rows.some((row) => filled(row[key])));
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  const table = element("table", "rows");
  const groups = table.createTHead().insertRow();
  for (const [group, count] of spans(columns)) {
    const cell = heading(group, "colgroup");
    cell.colSpan = count;
    groups.appendChild(cell);
  }
  const names = table.tHead.insertRow();
  for (const [, name, , kind] of columns) names.appendChild(Object.assign(heading(name, "col"), { className: kind ?? "" }));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    line.tabIndex = 0;
    line.onclick = () => view.act(row.action);
    line.onkeydown = (event) => {
      if (event.key === "Enter") view.act(row.action);
    };
    for (const [, , key, kind] of columns) {
      const cell = line.insertCell();
      cell.className = kind ?? "";
      if (key === "pattern") {
        if (row.pattern.letters.length) cell.appendChild(pattern(row.pattern));
      } else if (key === "label" && row.label) cell.appendChild(element("span", "chip", row.label));
      else cell.textContent = row[key];
    }
  }
  scroll.appendChild(table);
  return scroll;
}

function filled(value) {
  return typeof value === "string" ? value !== "" : value.letters.length > 0;
}

/** How many columns in a row share a group heading. */
function spans(columns) {
  const found = [];
  for (const [group] of columns) {
    if (found.length && found.at(-1)[0] === group) found.at(-1)[1] += 1;
    else found.push([group, 1]);
  }
  return found;
}

function drawGroups({ title, summary, tables }) {
  if (!tables.length) return [];
  const fold = element("details");
  const head = element("summary", "", title);
  head.appendChild(element("small", "", summary));
  const two = element("div", "halves inside");
  for (const table of tables) two.appendChild(groupTable(table));
  fold.append(head, two);
  return [fold];
}

/** How many trials of each fail, now and under the candidate. */
function groupTable({ title, rows }) {
  const table = element("table", "rows");
  const head = table.createTHead().insertRow();
  for (const [word, kind] of [[title, ""], ["Fail now", "num"], ["", "arrow"], ["Would fail", "num strong"]]) {
    head.appendChild(Object.assign(heading(word, "col"), { className: kind }));
  }
  const body = table.createTBody();
  for (const { name, current, candidate, differs } of rows) {
    const line = body.insertRow();
    line.insertCell().textContent = name;
    for (const [value, kind] of [[current, "num"], [differs ? "→" : "", "arrow"], [candidate, differs ? "num strong" : "num"]]) {
      Object.assign(line.insertCell(), { className: kind, textContent: value });
    }
  }
  return table;
}
