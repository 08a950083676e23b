// Runs whose verdict differs between both settings, and the whole set by model and stimulus.

function drawFlips({ title, tabs, columns, rows, caption, more }, view) {
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
  if (rows.length) parts.push(flipTable(columns, rows, view));
  parts.push(element("p", "foot", caption));
  if (more) parts.push(moreButton(more, view));
  return parts;
}

function flipTable(columns, rows, view) {
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
  for (const column of columns) names.appendChild(sortHeading(column, view));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    line.tabIndex = 0;
    line.onclick = () => view.act(row.action);
    line.onkeydown = (event) => {
      if (event.key === "Enter") view.act(row.action);
    };
    for (const { key, style } of columns) {
      const cell = line.insertCell();
      cell.className = style;
      if (key === "pattern") {
        if (row.pattern.letters.length) cell.appendChild(pattern(row.pattern));
      } else if (key === "label" && row.label) cell.appendChild(element("span", "chip", row.label));
      else cell.textContent = row[key];
    }
  }
  scroll.appendChild(table);
  return scroll;
}

/** The name of a column, by which a click or a key sorts all flips. */
function sortHeading({ title, style, sorted, label, action }, view) {
  const cell = heading("", "col");
  cell.className = style;
  cell.setAttribute("aria-sort", sorted);
  const button = element("button", "sort", title);
  button.type = "button";
  button.setAttribute("aria-label", label);
  button.onclick = () => view.act(action);
  if (sorted !== "none") button.appendChild(element("span", "sign", sorted === "descending" ? " ↓" : " ↑"));
  cell.appendChild(button);
  return cell;
}

/** How many columns in a row share a group heading. */
function spans(columns) {
  const found = [];
  for (const { group } of columns) {
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
