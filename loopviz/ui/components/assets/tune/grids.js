// The share of runs that fails, as a grid for each match mode: rows are longest patterns, columns limits.

const RAMPS = {
  light: ["#F8F4F7", "#EBD6E3", "#C48AAE", "#6A0F4B"],
  dark: ["#1A1D24", "#3A3325", "#8A743C", "#FFF2A8"],
};
const STOPS = [0, 0.25, 0.55, 1];
const STEPS = 24;

function drawGrids({ title, rings, caption, limits, wide, grids, foot, more }, view) {
  const head = element("div", "head");
  const legend = element("p", "legend", caption);
  legend.prepend(...rings.map(ringKey));
  head.append(element("h2", "", title), legend);
  const all = element("div", wide ? "grids wide" : "grids");
  for (const grid of grids) all.appendChild(drawShareGrid(grid, limits, view));
  return [head, all, element("p", "foot", foot), moreButton(more, view)];
}

function ringKey(word) {
  const key = element("span", "key");
  key.append(element("span", `ring ${word}`), word);
  return key;
}

function drawShareGrid({ label, match, axis, rows }, limits, view) {
  const block = element("div", "share");
  const title = element("h3", "", label);
  title.appendChild(element("small", "", ` (${match})`));
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", `${label}: share of runs that fail, in percent`);
  const table = element("table");
  const head = table.createTHead().insertRow();
  head.appendChild(heading("", "col"));
  for (const limit of limits) head.appendChild(heading(String(limit), "col"));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    line.appendChild(heading(row.label, "row"));
    for (const cell of row.cells) line.insertCell().appendChild(shareCell(cell, view));
  }
  scroll.appendChild(table);
  block.append(title, element("p", "axis", axis ?? "allowed in a row (max) →"), scroll);
  return block;
}

function drawGuards({ title, caption, limits, grids, more }, view) {
  const two = element("div", "half");
  for (const grid of grids) two.appendChild(drawShareGrid(grid, limits, view));
  return [element("h2", "", title), element("p", "caption", caption), two, moreButton(more, view)];
}

function heading(text, scope) {
  const cell = element("th", "", text);
  cell.scope = scope;
  return cell;
}

function shareCell({ text, step, tip, action, current, candidate }, view) {
  const button = element(action ? "button" : "div", "cell", text);
  button.style.background = ramp(step / STEPS, view.dark);
  button.style.color = inkOn(button.style.background);
  showTip(button, tip);
  if (!action) return button;
  button.type = "button";
  button.classList.toggle("current", current);
  button.classList.toggle("candidate", candidate);
  button.setAttribute("aria-pressed", String(candidate));
  button.setAttribute("aria-label", tip.join(", "));
  button.onclick = () => view.act(action);
  return button;
}

/** What a cell says, beside it while it is pointed at or has the focus. */
function showTip(cell, lines) {
  const show = () => {
    const tip = element("div", "tip");
    tip.setAttribute("aria-hidden", "true"); // The label of the cell says the same.
    lines.forEach((line, place) => tip.appendChild(element("div", place === 1 ? "strong" : "", line)));
    hideTip(cell);
    const root = cell.closest(".look");
    root.appendChild(tip);
    const [at, frame] = [cell.getBoundingClientRect(), root.getBoundingClientRect()];
    const left = Math.min(at.left - frame.left, frame.width - tip.offsetWidth - 4);
    tip.style.left = `${Math.max(0, left)}px`;
    tip.style.top = `${at.bottom - frame.top + 6}px`;
  };
  cell.addEventListener("pointerenter", show);
  cell.addEventListener("focus", show);
  cell.addEventListener("pointerleave", () => hideTip(cell));
  cell.addEventListener("blur", () => hideTip(cell));
}

function hideTip(cell) {
  cell.closest(".look")?.querySelector(":scope > .tip")?.remove();
}

function ramp(share, dark) {
  const colours = RAMPS[dark ? "dark" : "light"].map(channels);
  const next = Math.max(1, STOPS.findIndex((stop) => share <= stop));
  const part = (share - STOPS[next - 1]) / (STOPS[next] - STOPS[next - 1]);
  const mixed = colours[next].map((value, place) => Math.round(value * part + colours[next - 1][place] * (1 - part)));
  return `rgb(${mixed.join(" ")})`;
}

/** Black or white, whichever is the stronger contrast. */
function inkOn(colour) {
  const light = luminance(colour.match(/\d+/g).slice(0, 3).map(Number));
  return (light + 0.05) / (luminance(channels("#000000")) + 0.05) >= 1.05 / (light + 0.05) ? "#000000" : "#FFFFFF";
}

function luminance(colour) {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour) {
  return colour.match(/[0-9a-f]{2}/gi).map((pair) => parseInt(pair, 16));
}
