// What would change it: a row a change, in two tables; a click or Enter applies it.

function drawChanges({ caption, settings, tools, untold, more }, view) {
  const title = element("h2", "", "What would change it");
  title.appendChild(element("small", "", caption));
  const halves = element("div", "halves");
  const right = element("div");
  if (tools.length) right.appendChild(changeTable("Watched tools", tools, view));
  else if (more) right.append(element("h3", "", "Watched tools"), element("p", "", untold));
  if (more) right.appendChild(moreButton(more, view));
  halves.append(changeTable("Setting", settings, view), right);
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
