// Files that gave nothing, and places in files that could not be used.

export default function (component) {
  const view = mount(component);
  if (!view.changed) return;
  view.root.classList.add("files");
  view.root.replaceChildren(...component.data.map((list) => fold(list)));
}

function fold({ title, note, open, columns, rows, more }) {
  const node = element("details");
  node.open = open;
  const head = element("summary");
  head.append(element("span", "strong", title), element("span", "muted", note ? ` · ${note}` : ""));
  const table = element("table");
  const names = table.createTHead().insertRow();
  for (const column of columns) names.appendChild(element("th", "", column));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    row.forEach((text, place) => line.appendChild(element("td", place === 0 ? "mono" : "", text)));
  }
  node.append(head, table);
  if (more) node.appendChild(element("p", "muted", more));
  return node;
}
