// Two sets of runs: which trials fail anew, which pass again, and the share over time.

function drawSets({ counts, groups, trend, shares, foot }, view) {
  const parts = [];
  const top = element("div", "middle");
  const left = element("div");
  for (const group of groups) left.append(...drawGroup(group, view));
  if (!groups.length) left.appendChild(element("p", "foot", counts));
  const right = element("div");
  right.append(...figureTable(shares));
  if (trend) right.append(...drawTrend(trend));
  top.append(left, right);
  parts.push(top);
  for (const words of foot) parts.push(element("p", "foot", words));
  return parts;
}

function drawGroup({ title, rows, more, words }, view) {
  const head = element("h2", "", title);
  if (words) head.appendChild(element("small", "", words));
  if (!rows.length) return more ? [head, actButton("more", more, view)] : [head];
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  const table = element("table", "rows pairs");
  const line = table.createTHead().insertRow();
  for (const [name, kind] of [["Run", ""], ["A", ""], ["B", ""], ["", ""]]) {
    line.appendChild(Object.assign(element("th", kind, name), { scope: "col" }));
  }
  const body = table.createTBody();
  for (const row of rows) body.appendChild(drawPairRow(row, view));
  scroll.appendChild(table);
  const parts = [head, scroll];
  if (more) parts.push(actButton("more", more, view));
  return parts;
}

function drawPairRow({ name, aside, a, b, compare }, view) {
  const line = element("tr");
  const run = element("td", "run");
  run.append(element("span", "", name));
  if (aside) run.append(element("small", "", aside));
  line.appendChild(run);
  for (const [letter, cell] of [["A", a], ["B", b]]) {
    const place = element("td");
    if (!cell) place.textContent = "–";
    else {
      const button = actButton("link", { label: cell.words, action: cell.action }, view);
      button.setAttribute("aria-label", `Inspect ${letter} of ${name}: ${cell.words}`);
      if (cell.over) button.classList.add("strong");
      place.appendChild(button);
    }
    line.appendChild(place);
  }
  const act = element("td");
  if (compare) {
    const button = actButton("more row", { label: "Compare", action: compare }, view);
    button.setAttribute("aria-label", `Compare both runs of ${name}`);
    act.appendChild(button);
  }
  line.appendChild(act);
  return line;
}

const TREND = { wide: 360, high: 120, left: 34, right: 12, top: 16, bottom: 22 };

/** Share that fails over the sets in the order of their start; the two that are compared are filled. */
function drawTrend({ title, note, points, top, words }) {
  const { wide, high, left, right } = TREND;
  const svg = svgElement("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": words, class: "trend" });
  const x = (at) => left + ((wide - left - right) * (at + 0.5)) / points.length;
  const y = (share) => high - TREND.bottom - ((high - TREND.top - TREND.bottom) * share) / top;
  for (const share of [0, top]) {
    svg.appendChild(svgElement("line", { x1: left, x2: wide - right, y1: y(share), y2: y(share), class: "axis" }));
    svg.appendChild(svgText(left - 6, y(share) + 4, `${Math.round(share * 100)} %`, "end"));
  }
  svg.appendChild(svgElement("polyline", { points: points.map(({ share }, at) => `${x(at)},${y(share)}`).join(" "), class: "line" }));
  points.forEach(({ share, letter, label, tip }, at) => {
    const dot = svgElement("circle", { cx: x(at), cy: y(share), r: letter ? 5 : 3.5, class: letter ? "dot on" : "dot" });
    dot.appendChild(svgElement("title", {}, tip));
    svg.appendChild(dot);
    if (letter) svg.appendChild(svgText(x(at), y(share) - 9, letter, "middle", "strong"));
    if (label) svg.appendChild(svgText(x(at), high - 6, label, "middle"));
  });
  return [element("h2", "", title), svg, element("p", "foot", note)];
}

function svgElement(name, values, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(values)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  return node;
}

function svgText(x, y, words, anchor, style = "") {
  return svgElement("text", { x, y, "text-anchor": anchor, class: style }, words);
}
