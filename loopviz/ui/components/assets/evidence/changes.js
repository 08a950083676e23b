// What would change it: a row a change, in two tables; a click or Enter applies it.

function drawChanges({ caption, settings, tools, more }, view) {
  const title = element("h2", "", "What would change it");
  title.appendChild(element("small", "", caption));
  const halves = element("div", "halves");
  const right = element("div");
  if (tools.length) right.appendChild(changeTable("Watched tools", tools, view));
  if (more) right.appendChild(moreButton(more, view));
  halves.append(changeTable("Setting", settings, view), right);
  keepFocus(view, "changes");
  return [title, halves];
}

function changeTable(name, rows, view) {
  const table = element("table", "changes");
  const head = table.createTHead().insertRow();
  head.append(element("th", "", name), element("th", "num", "In a row"), element("th", "", "Verdict"));
  const body = table.createTBody();
  for (const row of rows) body.appendChild(changeRow(row, view));
  return table;
}

function changeRow({ parts, n, verdict, aside, action }, view) {
  const line = element("tr", action ? (aside ? "turns" : "") : "now");
  const words = element(action ? "button" : "span");
  words.append(...sentence(parts));
  line.appendChild(element("td", "setting")).appendChild(words);
  line.appendChild(element("td", "num", n));
  const outcome = line.appendChild(element("td", "outcome", verdict));
  if (aside) outcome.append(" ", element("small", "", aside));
  if (action) {
    words.type = "button";
    line.onclick = () => view.act(action);
  } else line.setAttribute("aria-current", "true");
  return line;
}

/** Where a button of a section had the focus, gives it to the one with the same words when the section is drawn anew. */
function keepFocus(view, name) {
  const section = view.drawn[name]?.section;
  const focused = section?.getRootNode().activeElement;
  if (!focused || !section.contains(focused)) return;
  const buttons = () => [...section.querySelectorAll("button")];
  const place = buttons().indexOf(focused);
  queueMicrotask(() => {
    const now = buttons();
    (now.find((button) => button.textContent === focused.textContent) ?? now[place] ?? now.at(-1))?.focus();
  });
}
