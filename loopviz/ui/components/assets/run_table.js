// The table of runs. A row is a link: a click opens it here, the browser's own gestures open it elsewhere.

const NARROW = window.matchMedia("(max-width: 900px)");
const FIRST_COLUMNS = 2;

export default function (component) {
  const view = mount(component);
  if (!view.draw) {
    view.draw = () => draw(view);
    NARROW.addEventListener("change", () => view.root.isConnected && view.draw());
  }
  view.data = component.data;
  if (view.changed) view.draw();
}

function draw(view) {
  const act = (action) => view.act(action);
  const places = NARROW.matches ? narrowOrder(view.data.columns) : [...view.data.columns.keys()];
  const table = element("table");
  table.append(headings(view.data, places, act), body(view.data, places, act));
  view.scroll ??= view.root.appendChild(scroller());
  const focused = view.scroll.querySelector("button:focus")?.dataset.sort;
  view.scroll.replaceChildren(table);
  view.scroll.scrollTop = 0;
  if (focused) view.scroll.querySelector(`button[data-sort=${focused}]`)?.focus();
}

function scroller() {
  const node = element("div", "scroll");
  node.tabIndex = 0;
  node.setAttribute("role", "region");
  node.setAttribute("aria-label", "Runs");
  return node;
}

/** On a narrow page the verdict stands right beside the name; what else the run is called goes to the end. */
function narrowOrder(columns) {
  const all = [...columns.keys()];
  const own = all.filter((place) => columns[place].group === columns[0].group);
  const late = own.slice(FIRST_COLUMNS);
  return [...all.filter((place) => !late.includes(place)), ...late];
}

function headings({ columns, sort }, places, act) {
  const head = element("thead");
  const groups = element("tr", "groups");
  const names = element("tr", "names");
  let last = null;
  for (const place of places) {
    const column = columns[place];
    if (last?.title !== column.group) {
      last = { title: column.group, cell: element("th", "", column.group), span: 0 };
      last.cell.scope = "colgroup";
      groups.appendChild(last.cell);
    }
    last.span += 1;
    last.cell.colSpan = last.span;
    names.appendChild(heading(column, sort, act));
  }
  head.append(groups, names);
  return head;
}

function heading(column, sort, act) {
  const cell = element("th", `is-${column.kind}`);
  cell.scope = "col";
  const button = element("button", "", column.title);
  button.type = "button";
  button.dataset.sort = column.name;
  const sorted = sort.column === column.name;
  if (sorted) button.appendChild(element("span", "sign", sort.descending ? " ↓" : " ↑"));
  cell.setAttribute("aria-sort", sorted ? (sort.descending ? "descending" : "ascending") : "none");
  button.title = [column.tip, "Click to sort all runs by it."].filter(Boolean).join(" ");
  button.onclick = () => act(`sort=${column.name}`);
  cell.appendChild(button);
  return cell;
}

function body({ columns, rows }, places, act) {
  const part = element("tbody");
  for (const row of rows) part.appendChild(line(row, columns, places, act));
  return part;
}

function line(row, columns, places, act) {
  const node = element("tr");
  for (const place of places) {
    const { kind } = columns[place];
    const cell = element(place === 0 ? "th" : "td", `is-${kind}`);
    if (place === 0) {
      cell.scope = "row";
      if (row.pick) cell.appendChild(pickBox(row, act));
      const link = actionLink("name", { text: row.cells[place], ...row }, act);
      link.title = row.cells[place];
      cell.appendChild(link);
    } else if (kind === "hits" && row.cells[place].href) {
      cell.appendChild(actionLink("hits", row.cells[place], act));
    } else {
      cell.append(content(kind, row.cells[place]));
    }
    node.appendChild(cell);
  }
  node.onclick = (event) => {
    if (!event.target.closest("a, input") && !String(getSelection())) act(row.action);
  };
  return node;
}

function pickBox(row, act) {
  const box = element("input");
  Object.assign(box, { type: "checkbox", checked: row.pick.on });
  box.setAttribute("aria-label", `Pick ${row.cells[0]}`);
  box.onchange = () => act(row.pick.action);
  return box;
}

function content(kind, value) {
  if (typeof value === "string") return kind === "text" ? words(value) : value;
  if (value.strong) return element("span", "strong", value.text);
  if (kind === "verdict") return badge(value);
  if (kind === "pattern") return pattern(value);
  if (kind === "said") return badge({ ...value, look: value.apart ? "apart" : "" });
  return ladder(value);
}

function words(value) {
  const node = element("span", "text", value);
  node.title = value;
  return node;
}

function ladder({ level, text }) {
  const node = element("span", "rungs");
  for (const rung of [1, 2, 3]) node.appendChild(element("span", `rung r${rung}${rung <= level ? ` on l${level}` : ""}`));
  node.appendChild(element("span", "figure", text));
  return node;
}
