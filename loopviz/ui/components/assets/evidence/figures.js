// How the figure came about, and the whole grid.

function drawFigures({ funnel, foot, grid }, view) {
  const two = element("div", "two");
  two.append(drawFunnel(funnel, foot), drawGrid(grid, view));
  return [two];
}

function drawFunnel(rows, foot) {
  const block = element("div");
  const list = element("div", "funnel");
  for (const row of rows) {
    const bar = element("div", row.period ? `bar hue p${Math.min(row.period, 4)}` : "bar");
    bar.style.width = `${Math.max(row.share * 100, 2)}%`;
    const track = element("div");
    track.appendChild(bar);
    list.append(element("div", "n", row.n), element("div", "", row.label), track, element("div", "note", row.note));
  }
  block.append(element("h2", "", "How it got there"), list);
  for (const line of foot) block.appendChild(element("p", "", line));
  return block;
}

function drawGrid({ rows, caption }, view) {
  const block = element("div");
  const title = element("h2", "", "The whole grid");
  title.appendChild(element("small", "", caption));
  const grid = element("div", "grid");
  grid.appendChild(element("div", "head first", "Longest pattern"));
  rows[0].cells.forEach((_, place) => grid.appendChild(element("div", "head", String(place + 1))));
  for (const row of rows) {
    const label = element("div", "label", row.label);
    label.appendChild(element("code", "", row.match));
    grid.appendChild(label);
    row.cells.forEach((cell, place) => grid.appendChild(gridCell(row, cell, place + 1, view)));
  }
  block.append(title, grid);
  return block;
}

function gridCell(row, cell, bound, view) {
  const button = element("button", cell.over ? `over p${Math.min(cell.period, 4)}` : "", cell.n);
  button.type = "button";
  button.classList.toggle("now", cell.now);
  button.setAttribute("aria-pressed", String(cell.now));
  button.setAttribute("aria-label", `${row.label}, longest pattern ${bound}: ${cell.n} in a row`);
  button.title = button.getAttribute("aria-label");
  button.onclick = () => view.act(`match=${row.match}&max_cycle_period=${bound}`);
  return button;
}
