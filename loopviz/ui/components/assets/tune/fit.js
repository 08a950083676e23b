// How both settings fit what people say, what a wrong stop would cost, and how often each figure occurs.

function drawFit({ title, caption, rows, foot }) {
  const block = element("div");
  const table = element("div", "fit");
  const axis = element("div", "track ticks");
  for (const at of [0, 25, 50, 75, 100]) {
    const tick = element("span", "", at === 100 ? "100 %" : String(at));
    tick.style.left = `${at}%`;
    axis.appendChild(tick);
  }
  table.append(element("span"), axis, element("span"), element("span"), element("span"));
  for (const row of rows) {
    row.lines.forEach((line, place) => {
      const name = element("div", "name");
      if (!place) name.append(element("strong", "", row.title), element("small", "", row.of));
      if (!place && row.lines.length > 1) name.style.gridRow = `span ${row.lines.length}`;
      const strong = line.name === "candidate" ? " strong" : "";
      if (!place) table.appendChild(name);
      table.append(
        intervalTrack(line, row.title),
        element("div", `num${strong}`, line.count),
        element("div", `num${strong}`, line.percent),
        element("div", "num muted", line.interval),
      );
    });
  }
  block.append(element("h2", "", title), element("p", "caption", caption), table, element("p", "foot", foot));
  return block;
}

function intervalTrack({ name, at, low, high, count, interval }, title) {
  const track = element("div", "track");
  track.setAttribute("role", "img");
  track.setAttribute("aria-label", `${title}, ${name}: ${count}, interval ${interval}`);
  track.title = `${name}: ${count}, ${interval}`;
  const line = element("span", `interval ${name}`);
  line.style.left = `${100 * low}%`;
  line.style.width = `${100 * (high - low)}%`;
  track.appendChild(line);
  if (at != null) {
    const dot = element("span", `dot ${name}`);
    dot.style.left = `${100 * at}%`;
    track.appendChild(dot);
  }
  return track;
}

function drawCost({ title, caption, columns, rows }) {
  const block = element("div");
  const table = element("table", "rows cost");
  const head = table.createTHead().insertRow();
  for (const name of ["", ...columns]) head.appendChild(Object.assign(heading(name, "col"), { className: name ? "num" : "" }));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    line.insertCell().textContent = row.title;
    row.cells.forEach((cell, place) => {
      Object.assign(line.insertCell(), { className: place === columns.length - 1 ? "num strong" : "num", textContent: cell });
    });
  }
  const scroll = element("div", "scroll");
  scroll.appendChild(table);
  block.append(element("h2", "", title), element("p", "caption", caption), scroll);
  return block;
}

function drawEvidence({ fit, cost }) {
  const two = element("div", "half");
  if (fit) two.appendChild(drawFit(fit));
  if (cost) two.appendChild(drawCost(cost));
  return [two];
}

function drawCounts({ title, caption, line, limit, bars, none }) {
  const block = element("div");
  const chart = element("div", "bars");
  chart.setAttribute("role", "group");
  chart.setAttribute("aria-label", title);
  const highest = Math.sqrt(Math.max(1, ...bars.map((bar) => bar.count)));
  let marked = false;
  for (const bar of bars) {
    const column = element("div", bar.fails ? "bar fails" : "bar");
    const body = element("div", "body");
    body.style.height = `${Math.max(bar.count ? 3 : 1, 96 * Math.sqrt(bar.count) / highest)}px`;
    column.append(element("span", bar.fails ? "strong" : "", bar.count.toLocaleString("en")), body, element("span", "axis", String(bar.figure)));
    if (bar.fails && !marked) {
      marked = true;
      column.classList.add("first");
    }
    chart.appendChild(column);
  }
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  scroll.appendChild(chart);
  block.append(element("h2", "", title), element("p", "caption", caption), element("p", "line", line), scroll);
  if (none) block.appendChild(element("p", "foot", none));
  return block;
}

const SVG = "http://www.w3.org/2000/svg";
const PLOT = { width: 520, height: 150, left: 30, right: 24, top: 26, bottom: 44 };

function drawCurve({ title, caption, x, y, width, height, curves }) {
  const block = element("div");
  const plot = shape("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height + PLOT.top + PLOT.bottom}`, role: "img" });
  plot.setAttribute("aria-label", `${title}. ${curves.map((curve) => curveInWords(curve)).join(" ")}`);
  const across = (value) => PLOT.left + ((PLOT.width - PLOT.left - PLOT.right) * value) / Math.max(width, 1);
  const up = (value) => PLOT.top + PLOT.height - (PLOT.height * value) / Math.max(height, 1);
  for (const value of ticks(height)) {
    plot.append(shape("line", { x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: up(value), y2: up(value), class: "grid-line" }));
    plot.append(label(PLOT.left - 8, up(value) + 4, String(value), "end"));
  }
  for (const value of ticks(width)) plot.append(label(across(value), up(0) + 18, String(value), "middle"));
  plot.append(label(0, 11, y, "start"), label(PLOT.width - PLOT.right, up(0) + 38, x, "end"));
  for (const { name, dots } of curves) {
    const path = dots.map(({ x: at, y: found }) => `${across(at)},${up(found)}`).join(" ");
    plot.append(shape("polyline", { points: path, class: `curve ${name}` }));
    for (const dot of dots) plot.append(curveDot(dot, name, across(dot.x), up(dot.y)));
  }
  plot.append(...curveNames(curves, across, up));
  block.append(element("h2", "", title), element("p", "caption", caption), plot);
  return block;
}

/** 0, the whole and what lies between, in whole numbers. */
function ticks(most) {
  return [...new Set([0, Math.round(most / 2), most])];
}

/** The names of the chosen dots, each beside its own and clear of the other, of the axis and of the edge. */
function curveNames(curves, across, up) {
  const named = curves.map(({ name, dots }) => {
    const dot = dots.find((one) => one.chosen);
    return { name, text: `${name}: max ${dot.max}`, x: across(dot.x), y: up(dot.y) };
  });
  const taken = [];
  return named.reverse().map(({ name, text, x, y }) => {
    const right = x > PLOT.width / 2;
    const [below, above] = [y + 20, y - 11];
    const clear = (at) => at > 24 && at < up(0) - 2 && taken.every((other) => Math.abs(other - at) >= 15);
    const at = [above, below, above - 16, below + 16, above - 32].find(clear) ?? above;
    taken.push(at);
    return label(x + (right ? -4 : 4), at, text, right ? "end" : "start", name);
  });
}

function curveDot({ x, y, max, chosen }, name, cx, cy) {
  const dot = shape("circle", { cx, cy, r: chosen ? 5.5 : 3, class: `dot ${name}${chosen ? " chosen" : ""}` });
  const tip = shape("title", {});
  tip.textContent = `${name}, max ${max}: ${y} found, ${x} flagged`;
  dot.append(tip);
  return dot;
}

function curveInWords({ name, dots }) {
  return `${name}: ${dots.map(({ x, y, max }) => `max ${max} finds ${y} and flags ${x}`).join(", ")}.`;
}

function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

function label(x, y, text, anchor, style = "") {
  const node = shape("text", { x, y, "text-anchor": anchor, class: style });
  node.textContent = text;
  return node;
}
