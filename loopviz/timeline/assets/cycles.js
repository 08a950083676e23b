// The lane of cycles: brackets while columns are wide, bars as high as times in a row when they are not, their labels,
// the band of what is over the limit, and the flag of the first failing step.

const RAISED = 4.5;
const LOW_BRACKET = 5;
const MOST_BARS = 400;
const BAR_WIDTH = 4;
const FLAG_REACH = 220;

function cycleEdges(sheet, cycle) {
  const { model } = sheet;
  const [from, counted] = cellEdges(sheet, cycleFirstCall(model, cycle), cycleCountedLastCall(model, cycle));
  const [, to] = cellEdges(sheet, cycleLastCall(model, cycle));
  return { from, counted, to };
}

/** Cycles in sight, weakest first, as the payload orders them. */
function visibleCycles(sheet) {
  const { model, scale, view } = sheet;
  const visible = [];
  for (let cycle = 0; cycle < model.nCycles; cycle++) {
    if (scale.end[cycleLastCall(model, cycle)] > view.from && scale.start[cycleFirstCall(model, cycle)] < view.to) visible.push(cycle);
  }
  return visible;
}

function drawBands(sheet, cycles) {
  const { ctx, colours, lanes, model } = sheet;
  const spans = new Room(-Infinity, Infinity);
  for (const cycle of cycles.slice().reverse()) {
    if (model.cycles.state[cycle] !== OVER) continue;
    const { from, to } = cycleEdges(sheet, cycle);
    const end = sheet.dense ? Math.max(to, from + 2) : to + 2;
    if (!spans.take(from, end)) continue;
    ctx.fillStyle = colours.bands[hueIndex(model.cycles.period[cycle])];
    roundRect(ctx, from - 1, lanes.bracket.top - 4, end - from + 1, lanes.bottom - lanes.bracket.top + 4, 4);
    ctx.fill();
  }
}

/** Strongest first: what overlaps one already placed goes above it when it reaches further, under it when it does not. */
function placeBrackets(sheet, cycles) {
  const placed = [];
  for (const cycle of cycles.slice().reverse()) {
    const edges = cycleEdges(sheet, cycle);
    const under = placed.filter((other) => other.level >= 0 && edges.from < other.to && edges.to > other.from);
    const level = bracketLevel(edges, under);
    if (level !== null) placed.push({ cycle, ...edges, level, under });
  }
  return placed.reverse();
}

function bracketLevel(edges, under) {
  if (!under.length) return 0;
  const inside = under.some((other) => other.from <= edges.from && other.to >= edges.to);
  if (inside) return -1;
  return under.every((other) => other.level === 0) ? 1 : null;
}

function drawBrackets(sheet, placed) {
  for (const bracket of placed) if (bracket.level < 0) drawLowBracket(sheet, bracket);
  for (const bracket of placed) if (bracket.level >= 0) drawBracket(sheet, bracket);
}

function bracketStroke(sheet, cycle) {
  const { ctx, colours, model } = sheet;
  const state = model.cycles.state[cycle];
  ctx.strokeStyle = colours.hues[hueIndex(model.cycles.period[cycle])];
  ctx.lineWidth = state === OVER ? 3 : 1.75;
  ctx.setLineDash(state === NOT_COUNTED ? [3.5, 2] : []);
}

function drawLowBracket(sheet, { cycle, from, counted }) {
  const { ctx, lanes } = sheet;
  bracketStroke(sheet, cycle);
  ctx.lineWidth = 1.25;
  ctx.beginPath();
  ctx.moveTo(from + 1, lanes.bracket.bottom);
  ctx.lineTo(from + 1, lanes.bracket.bottom - LOW_BRACKET);
  ctx.lineTo(counted - 1, lanes.bracket.bottom - LOW_BRACKET);
  ctx.lineTo(counted - 1, lanes.bracket.bottom);
  ctx.stroke();
  ctx.setLineDash([]);
}

function drawBracket(sheet, bracket) {
  const { ctx, lanes } = sheet;
  const { cycle, from, counted, to, level } = bracket;
  bracketStroke(sheet, cycle);
  const half = ctx.lineWidth / 2;
  const top = lanes.bracket.top + half - level * RAISED;
  const free = (x) => !bracket.under.some((other) => x > other.from && x < other.to);
  ctx.beginPath();
  if (free(from)) ctx.moveTo(from + half, lanes.bracket.bottom);
  else ctx.moveTo(from + half, top + RAISED);
  ctx.lineTo(from + half, top);
  ctx.lineTo(counted - half, top);
  ctx.lineTo(counted - half, free(counted) ? lanes.bracket.bottom : top + RAISED);
  ctx.stroke();
  if (to > counted + 1) drawStartedCopy(sheet, top, counted, to);
  drawCopies(sheet, bracket, top, free);
  ctx.setLineDash([]);
}

function drawStartedCopy(sheet, top, counted, to) {
  const { ctx } = sheet;
  ctx.setLineDash(ctx.lineWidth > 2 ? [3, 2] : [3.5, 2]);
  strokeLine(ctx, counted + 2, top, to, top);
}

function drawCopies(sheet, bracket, top, free) {
  const { ctx, lanes, model } = sheet;
  const { cycle } = bracket;
  const { start, period, occurrences, state } = model.cycles;
  ctx.setLineDash(state[cycle] === NOT_COUNTED ? [3.5, 2] : []);
  for (let copy = firstCopyInSight(sheet, cycle); copy <= occurrences[cycle]; copy++) {
    const step = start[cycle] + (copy - 1) * period[cycle];
    const [from] = columnEdges(sheet, model.stepFirst[step]);
    if (from > sheet.right) break;
    const [, to] = cellEdges(sheet, lastCallOf(model.stepLast, step, step + period[cycle]));
    if (copy > 1 && free(from)) {
      bracketTick(sheet, cycle);
      strokeLine(ctx, from - 1, top, from - 1, lanes.bracket.bottom);
    }
    if (free(from + 1) && free(to - 1)) writeCopyNumber(sheet, cycle, copy, (from + to) / 2, to - from, top);
  }
}

function bracketTick(sheet, cycle) {
  sheet.ctx.strokeStyle = sheet.colours.hues[hueIndex(sheet.model.cycles.period[cycle])];
  sheet.ctx.lineWidth = sheet.model.cycles.state[cycle] === OVER ? 1.75 : 1.25;
}

function firstCopyInSight(sheet, cycle) {
  const { model } = sheet;
  const step = firstStepFrom(model, sheet.first);
  return Math.max(Math.floor((step - model.cycles.start[cycle]) / model.cycles.period[cycle]), 1);
}

function firstStepFrom(model, call) {
  while (call < model.n && model.step[call] < 0) call++;
  return call < model.n ? model.step[call] : model.nSteps;
}

function writeCopyNumber(sheet, cycle, copy, middle, width, top) {
  const { ctx, colours, model } = sheet;
  const hue = hueIndex(model.cycles.period[cycle]);
  const y = top + 14;
  const filled = model.cycles.state[cycle] === OVER && copy > model.payload.limit;
  const needed = textWidth(sheet, figure(copy), { size: FIGURE_SIZE, weight: 700 }) + (filled ? 4 : 2);
  if (needed > width) return;
  if (filled) {
    ctx.fillStyle = colours.hues[hue];
    const radius = Math.min(9, width / 2);
    roundRect(ctx, middle - Math.max(radius, needed / 2), y - 8.5, Math.max(radius * 2, needed), 17, 9);
    ctx.fill();
  }
  const colour = filled ? colours.onHues[hue] : colours.hueTexts[hue];
  write(sheet, figure(copy), middle, y, { size: FIGURE_SIZE, weight: 700, colour, align: "center" });
}

/** What would have followed without an empty step: dotted on from the bracket, up to where another one begins. */
function drawWouldBe(sheet, placed) {
  const brackets = placed.filter((bracket) => bracket.level >= 0);
  for (const extra of sheet.model.payload.would_be) {
    const [from, to] = cellEdges(sheet, extra.first, extra.last);
    if (to < sheet.left || from > sheet.right) continue;
    const end = Math.min(to, ...brackets.filter((bracket) => bracket.from > from).map((bracket) => bracket.from - 3));
    drawDottedBracket(sheet, hueIndex(extra.period), from - 2, end, end === to);
    extra.copies.forEach(([first, last], at) => {
      const [start, stop] = cellEdges(sheet, first, last);
      if (!brackets.some((bracket) => start < bracket.to && stop > bracket.from)) writeWouldBe(sheet, extra, at, (start + stop) / 2);
    });
  }
}

function writeWouldBe(sheet, { number, period }, at, middle) {
  const colour = sheet.colours.hueTexts[hueIndex(period)];
  write(sheet, figure(number + at), middle, sheet.lanes.bracket.top + 14.9, { size: FIGURE_SIZE, colour, align: "center" });
}

function drawDottedBracket(sheet, hue, from, to, closed) {
  const { ctx, colours, lanes } = sheet;
  const top = lanes.bracket.top + 0.9;
  ctx.strokeStyle = colours.hues[hue];
  ctx.lineWidth = 1.25;
  ctx.setLineDash([2.5, 2]);
  ctx.beginPath();
  ctx.moveTo(from, top);
  ctx.lineTo(to - 0.6, top);
  if (closed) ctx.lineTo(to - 0.6, lanes.bracket.bottom);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A bar's height for times in a row: even steps up to 8, closer and closer together beyond. */
function barHeight(occurrences) {
  const even = 9.5 + 2.25 * Math.min(occurrences, 8);
  return occurrences <= 8 ? even : even + (BAR_HEIGHT - even) * (1 - 8 / occurrences);
}

function drawBars(sheet, cycles) {
  const shown = cycles.length > MOST_BARS ? strongestBars(sheet, cycles) : cycles.map((cycle) => barOf(sheet, cycle));
  for (const bar of shown) drawBar(sheet, bar);
  return shown;
}

function barOf(sheet, cycle) {
  const { from, to } = cycleEdges(sheet, cycle);
  const { state, period, occurrences } = sheet.model.cycles;
  const [hue, height] = [hueIndex(period[cycle]), barHeight(occurrences[cycle])];
  return { cycle, from, to: Math.max(to, from + BAR_WIDTH), state: state[cycle], hue, height };
}

/** Of many bars the strongest in each slot, the higher of two alike. */
function strongestBars(sheet, cycles) {
  const slots = new Map();
  for (const cycle of cycles) {
    const bar = barOf(sheet, cycle);
    const slot = Math.floor(bar.from / (BAR_WIDTH + 1));
    const before = slots.get(slot);
    if (!before || bar.state > before.state || (bar.state === before.state && bar.height >= before.height)) slots.set(slot, bar);
  }
  return Array.from(slots.values()).sort((a, b) => a.state - b.state);
}

function drawBar(sheet, { from, to, state, hue, height }) {
  const { ctx, colours, lanes } = sheet;
  const base = lanes.cells.top - 2;
  ctx.fillStyle = state === OVER ? colours.hues[hue] : colours.denseTints[hue];
  ctx.strokeStyle = colours.hues[hue];
  ctx.lineWidth = 1.25;
  if (state === OVER) roundRect(ctx, from, base - height, to - from, height, 1);
  else roundRect(ctx, from + 0.6, base - height + 0.6, to - from - 1.2, height - 1.2, 1.5);
  if (state !== NOT_COUNTED) ctx.fill();
  ctx.setLineDash(state === NOT_COUNTED ? [2.5, 1.75] : []);
  if (state !== OVER) ctx.stroke();
  ctx.setLineDash([]);
}

function drawLimitLine(sheet) {
  const { ctx, colours, lanes, model } = sheet;
  ctx.strokeStyle = colours.faint;
  ctx.lineWidth = 1;
  ctx.setLineDash([2, 3]);
  const y = snap(sheet, limitLineAt(lanes, model.payload.limit)) + 0.5;
  strokeLine(ctx, sheet.left, y, sheet.right, y);
  ctx.setLineDash([]);
}

function limitLineAt(lanes, limit) {
  return lanes.cells.top - 2 - barHeight(limit) - 1.5;
}
