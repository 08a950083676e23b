// Lanes while a column is wide enough to see: a cell a step, a mark a call.

/** Left and right edge of a call's column, whole device pixels, at least one pixel wide. */
function columnEdges(sheet, call) {
  const from = snap(sheet, sheet.x(sheet.scale.start[call]));
  const to = snap(sheet, sheet.x(sheet.scale.end[call]));
  return [from, Math.max(to, from + 1)];
}

/** Edges of what is drawn in a column: it leaves 2 px to the next. */
function cellEdges(sheet, first, last = first) {
  const [from] = columnEdges(sheet, first);
  const [, to] = columnEdges(sheet, last);
  return [from, Math.max(to - Math.min(2, (to - from) / 3), from + 1)];
}

/** Calls in sight that stand side by side in one step, as [first, last]. */
function* stepPieces(sheet) {
  const { step } = sheet.model;
  let first = sheet.first;
  while (first > 0 && step[first] >= 0 && step[first - 1] === step[first]) first--;
  for (let call = first; call < sheet.stop; ) {
    let last = call;
    while (last + 1 < step.length && step[call] >= 0 && step[last + 1] === step[call]) last++;
    yield [call, last];
    call = last + 1;
  }
}

function drawCells(sheet) {
  for (const [first, last] of stepPieces(sheet)) {
    const step = sheet.model.step[first];
    if (step < 0) drawNoStep(sheet, first);
    else drawStep(sheet, step, first, last);
  }
}

function drawStep(sheet, step, first, last) {
  const place = placeInCycle(sheet.model, step);
  const [from, to] = cellEdges(sheet, first, last);
  if (!place) {
    drawPlainCell(sheet, step, first, last, from, to);
    return;
  }
  const { colours, ctx, lanes } = sheet;
  const hue = hueIndex(place.period);
  if (place.state === NOT_COUNTED) dashedCell(sheet, from, to, colours.hues[hue], 1.25);
  else {
    ctx.fillStyle = place.state === OVER && !place.started ? colours.hues[hue] : colours.tints[hue];
    roundRect(ctx, from, lanes.cells.top, to - from, CELL.height, 3);
    ctx.fill();
  }
  if (sheet.letters) writeLetter(sheet, place, (from + to) / 2, to - from);
}

function writeLetter(sheet, place, middle, width) {
  if (width < LETTERS_FROM - 2) return;
  const { colours, lanes } = sheet;
  const hue = hueIndex(place.period);
  const solid = place.state === OVER && !place.started;
  const colour = solid ? colours.onHues[hue] : place.state === NOT_COUNTED ? colours.hueTexts[hue] : colours.ink;
  const weight = place.state === NOT_COUNTED ? 400 : 600;
  write(sheet, letterOf(place.letter), middle, lanes.cells.middle, { size: width < 10 ? 11.5 : 13, weight, colour, align: "center" });
}

function drawPlainCell(sheet, step, first, last, from, to) {
  const { ctx, colours, lanes, model } = sheet;
  if (model.isEmpty[step]) {
    dashedCell(sheet, from, to, colours.muted, 1.25);
    return;
  }
  ctx.fillStyle = colours.cell;
  roundRect(ctx, from, lanes.cells.top, to - from, CELL.height, 3);
  ctx.fill();
  const words = `${last - first + 1} calls`;
  if (last === first || textWidth(sheet, words) + 8 > to - from) return;
  write(sheet, words, (from + to) / 2, lanes.cells.middle, { align: "center" });
}

function dashedCell(sheet, from, to, colour, thickness) {
  const { ctx, lanes } = sheet;
  ctx.strokeStyle = colour;
  ctx.lineWidth = thickness;
  ctx.setLineDash([3.5, 2]);
  const inset = thickness / 2;
  roundRect(ctx, from + inset, lanes.cells.top + inset, to - from - thickness, CELL.height - thickness, 3);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A call that is not watched makes no step: a dash, or a line in the loop's colour where the pattern joins across it. */
function drawNoStep(sheet, call) {
  const { ctx, colours, lanes, model } = sheet;
  const key = model.keys.cell[call];
  const joins = key >= FIRST_CYCLE_KEY && keyState(key) > NOT_COUNTED;
  const [from, to] = columnEdges(sheet, call);
  const inset = Math.min((to - from) * 0.2, 8);
  ctx.strokeStyle = joins ? colours.hues[keyHue(key)] : colours.mark;
  ctx.lineWidth = joins && keyState(key) === OVER ? 2 : 1.25;
  const y = lanes.cells.middle;
  if (joins) strokeLine(ctx, from - 2, y, to, y);
  else if (to - from > 3) strokeLine(ctx, from + inset, y, to - inset - 2, y);
}

function drawMarks(sheet) {
  for (let call = sheet.first; call < sheet.stop; call++) {
    const [from, to] = columnEdges(sheet, call);
    const width = Math.min(Math.max(to - from - 6, Math.min(to - from - 2, 3), 1), 16);
    drawMark(sheet, call, (from + to - 2) / 2, width);
  }
}

function drawMark(sheet, call, middle, width) {
  const { ctx, colours, lanes, model } = sheet;
  const key = model.keys.mark[call];
  const over = key >= FIRST_CYCLE_KEY && keyState(key) === OVER;
  const y = lanes.rows.middle(Math.min(model.row[call], lanes.rows.count - 1));
  if (!(model.flags[call] & WATCHED)) {
    hollowMark(sheet, middle, y, width, model.flags[call] & ERROR);
    return;
  }
  if (model.flags[call] & ERROR) {
    const colour = key < FIRST_CYCLE_KEY ? colours.mark : colours.hues[keyHue(key)];
    cross(ctx, middle, y, Math.min(over ? 6 : 5, Math.max(width / 2 + 1, 2.5)), over ? 2.5 : 2, colour);
    return;
  }
  const height = over ? 14 : 10;
  ctx.fillStyle = markColour(colours, key);
  roundRect(ctx, snap(sheet, middle - width / 2), y - height / 2, width, height, 2);
  ctx.fill();
}

function markColour(colours, key) {
  if (key < FIRST_CYCLE_KEY) return colours.mark;
  return keyState(key) === OVER ? colours.hues[keyHue(key)] : colours.countedMarks[keyHue(key)];
}

function hollowMark(sheet, middle, y, width, failed) {
  const { ctx, colours } = sheet;
  if (failed) {
    cross(ctx, middle, y, Math.min(4, width / 2 + 1), 1.25, colours.mark);
    return;
  }
  ctx.strokeStyle = colours.mark;
  ctx.lineWidth = 1.25;
  roundRect(ctx, middle - width / 2 + 0.5, y - 4.5, Math.max(width - 1, 1), 9, 2.5);
  ctx.stroke();
}

function cross(ctx, x, y, reach, thickness, colour) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = thickness;
  ctx.lineCap = "round";
  ctx.beginPath();
  ctx.moveTo(x - reach, y - reach);
  ctx.lineTo(x + reach, y + reach);
  ctx.moveTo(x + reach, y - reach);
  ctx.lineTo(x - reach, y + reach);
  ctx.stroke();
  ctx.lineCap = "butt";
}

function drawSeenCells(sheet) {
  const { ctx, colours, lanes, model } = sheet;
  for (let call = sheet.first; call < sheet.stop; call++) {
    const degree = model.seen[call];
    if (!degree) continue;
    const [from, to] = cellEdges(sheet, call);
    ctx.fillStyle = degree === 2 ? colours.seenBoth : colours.seenOne;
    roundRect(ctx, from, lanes.seen.top, to - from, lanes.seen.height, 2);
    ctx.fill();
  }
}

function letterOf(offset) {
  return String.fromCharCode(97 + offset);
}

function lettersOf(period) {
  return Array.from({ length: period }, (_, offset) => letterOf(offset)).join(" ");
}
