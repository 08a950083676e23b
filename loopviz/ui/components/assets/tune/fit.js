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
const PLOT = { width: 520, least: 320, height: 150, left: 30, right: 24, top: 26, bottom: 44 };

function drawCurve({ title, caption, x, y, width, height, curves }, room) {
  const frame = { ...PLOT, width: Math.min(PLOT.width, Math.max(PLOT.least, room || PLOT.width)) };
  const block = element("div");
  const plot = shape("svg", { viewBox: `0 0 ${frame.width} ${frame.height + frame.top + frame.bottom}`, role: "img" });
  plot.setAttribute("aria-label", `${title}. ${curves.map((curve) => curveInWords(curve)).join(" ")}`);
  const across = (value) => frame.left + ((frame.width - frame.left - frame.right) * value) / Math.max(width, 1);
  const up = (value) => frame.top + frame.height - (frame.height * value) / Math.max(height, 1);
  for (const value of ticks(height)) {
    plot.append(shape("line", { x1: frame.left, x2: frame.width - frame.right, y1: up(value), y2: up(value), class: "grid-line" }));
    plot.append(label(frame.left - 8, up(value) + 4, String(value), "end"));
  }
  for (const value of ticks(width)) plot.append(label(across(value), up(0) + 18, String(value), "middle"));
  plot.append(label(0, 11, y, "start"), label(frame.width - frame.right, up(0) + 38, x, "end"));
  const drawn = curves.map((curve) => ({ ...curve, points: curve.dots.map((dot) => ({ ...dot, cx: across(dot.x), cy: up(dot.y) })) }));
  for (const { name, points } of drawn) {
    plot.append(shape("polyline", { points: points.map(({ cx, cy }) => `${cx},${cy}`).join(" "), class: `curve ${name}` }));
    for (const point of points) plot.append(curveDot(point, name));
  }
  plot.append(...curveNames(drawn, frame));
  block.append(element("h2", "", title), element("p", "caption", caption), plot);
  return block;
}

/** 0, the whole and what lies between, in whole numbers. */
function ticks(most) {
  return [...new Set([0, Math.round(most / 2), most])];
}

/** The names of the chosen dots, each as near to its own as it is clear of lines, dots, the other name and the edges. */
function curveNames(curves, frame) {
  const obstacles = curves.flatMap(({ points }) => points.map(({ cx, cy }, place) => [points[Math.max(0, place - 1)], { cx, cy }]));
  const taken = [];
  return [...curves].reverse().map(({ name, label: text, points }) => {
    const own = points.find(({ chosen }) => chosen);
    const box = { width: text.length * LETTER.width, height: LETTER.height };
    const places = spotsAround(own, box, frame).filter((spot) => taken.every((other) => gap(spot, other) >= CLEAR));
    const spot = places.find((one) => obstacles.every(([from, to]) => lineGap(one, from, to) >= CLEAR)) ?? places[0];
    taken.push(spot);
    return label(spot.left, spot.bottom - LETTER.descent, text, "start", name);
  });
}

const LETTER = { width: 7, height: 13, descent: 3 };
const CLEAR = 7; // A chosen dot has a radius of 5.5.
const STEP = 6;

/** Boxes within the plot, those nearest to a point first. */
function spotsAround({ cx, cy }, { width, height }, frame) {
  const spots = [];
  for (let left = frame.left + 2; left + width <= frame.width; left += STEP) {
    for (let top = frame.top - 8; top + height <= frame.top + frame.height - 3; top += STEP) {
      spots.push({ left, top, right: left + width, bottom: top + height });
    }
  }
  const far = (spot) => Math.hypot(outside(cx, spot.left, spot.right), outside(cy, spot.top, spot.bottom));
  return spots.sort((one, other) => far(one) - far(other));
}

/** How far a value lies from a span. */
function outside(value, low, high) {
  return Math.max(0, low - value, value - high);
}

function gap(one, other) {
  return Math.max(one.left - other.right, other.left - one.right, one.top - other.bottom, other.top - one.bottom);
}

/** How near a line comes to a box, looked at every few pixels. */
function lineGap(box, from, to) {
  const steps = Math.max(1, Math.ceil(Math.hypot(to.cx - from.cx, to.cy - from.cy) / 2));
  let nearest = Infinity;
  for (let step = 0; step <= steps; step += 1) {
    const x = from.cx + ((to.cx - from.cx) * step) / steps;
    const y = from.cy + ((to.cy - from.cy) * step) / steps;
    nearest = Math.min(nearest, Math.hypot(outside(x, box.left, box.right), outside(y, box.top, box.bottom)));
  }
  return nearest;
}

function curveDot({ tip, chosen, cx, cy }, name) {
  const dot = shape("circle", { cx, cy, r: chosen ? 5.5 : 3, class: `dot ${name}${chosen ? " chosen" : ""}` });
  const words = shape("title", {});
  words.textContent = tip;
  dot.append(words);
  return dot;
}

function curveInWords({ dots }) {
  return dots.map(({ tip }) => `${tip}.`).join(" ");
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
