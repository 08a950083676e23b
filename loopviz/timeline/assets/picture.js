// One frame: the lanes on one canvas, what moves with pointer and selection on one below and one above it.

function sizeCanvas(canvas, size, height) {
  const width = Math.round(size.width * size.ratio);
  const tall = Math.round(height * size.ratio);
  if (canvas.width !== width || canvas.height !== tall) {
    canvas.width = width;
    canvas.height = tall;
    canvas.style.width = `${size.width}px`;
    canvas.style.height = `${height}px`;
  }
  const ctx = canvas.getContext("2d");
  ctx.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  ctx.clearRect(0, 0, size.width, height);
  return ctx;
}

/** Chromium prints a canvas that was drawn for paper stroke by stroke, and loses what was clipped; pixels it keeps. */
function keepPixels(canvas) {
  const ctx = canvas.getContext("2d");
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.putImageData(ctx.getImageData(0, 0, canvas.width, canvas.height), 0, 0);
}

function drawLanes(tl) {
  const sheet = makeSheet(tl, sizeCanvas(tl.dom.base, tl.size, tl.lanes.height));
  if (!tl.model.n) return;
  drawHairlines(sheet);
  const cycles = visibleCycles(sheet);
  let shown = [];
  clipLanes(sheet, () => (shown = drawMarksOfLanes(sheet, cycles)));
  clipLanes(sheet, () => drawHits(sheet));
  clipLanes(sheet, () => drawTexts(sheet, forbiddenSpans(sheet, cycles), shown), sheet.total);
  if (sheet.lanes.strip) drawStrip(tl, sheet);
}

function drawMarksOfLanes(sheet, cycles) {
  drawBands(sheet, cycles);
  drawLaneGrounds(sheet);
  if (sheet.scale.waits.length) drawWaits(sheet);
  return sheet.dense ? drawDense(sheet, cycles) : drawWide(sheet, cycles);
}

function drawTexts(sheet, forbidden, shown) {
  drawEvents(sheet, forbidden);
  drawBreaks(sheet, forbidden);
  drawFires(sheet, forbidden);
  drawThrashTexts(sheet, forbidden);
  drawLabels(sheet, shown);
}

/** Where no note may stand: in the loops over the limit, and across a wait that was cut. */
function forbiddenSpans(sheet, cycles) {
  const { period, state } = sheet.model.cycles;
  const over = cycles.filter((cycle) => state[cycle] === OVER);
  const loops = over.map((cycle) => ({ ...cycleEdges(sheet, cycle), band: sheet.colours.bands[hueIndex(period[cycle])] }));
  const cuts = sheet.scale.waits.map((wait) => ({ from: waitX(sheet, wait) - 5, to: waitX(sheet, wait) + 5 }));
  return [...loops, ...cuts];
}

function drawDense(sheet, cycles) {
  const strongest = strongestPerPixel(sheet);
  drawDenseSteps(sheet, strongest);
  drawDenseRows(sheet, strongest);
  drawDenseSeen(sheet, strongest);
  drawDenseLadder(sheet, strongest);
  drawDenseThrash(sheet, strongest);
  drawLimitLine(sheet);
  return drawBars(sheet, cycles);
}

function drawWide(sheet, cycles) {
  drawCells(sheet);
  drawMarks(sheet);
  drawSeenCells(sheet);
  drawLadderCells(sheet);
  drawThrashCells(sheet);
  const placed = placeBrackets(sheet, cycles);
  drawWouldBe(sheet, placed);
  drawBrackets(sheet, placed);
  return placed;
}

function drawHairlines(sheet) {
  const { ctx, colours, lanes } = sheet;
  ctx.fillStyle = colours.line;
  for (const y of lanes.hairlines) ctx.fillRect(0, y, sheet.total, 1);
}

/** Grounds and base lines of the lanes, from the first to the last call. */
function drawLaneGrounds(sheet) {
  const { ctx, colours, lanes, left, end: right } = sheet;
  ctx.fillStyle = colours.soft;
  roundRect(ctx, left, lanes.seen.top, right - left, lanes.seen.height, 2);
  ctx.fill();
  for (let row = 1; row < lanes.rows.count; row++) ctx.fillRect(left, lanes.rows.top + ROW * row, right - left, 1);
  ctx.fillStyle = colours.line;
  ctx.fillRect(left, lanes.ladder.base, right - left, 1);
  ctx.fillRect(left, lanes.thrash.base, right - left, 1);
  ctx.strokeStyle = colours.faint;
  ctx.lineWidth = 1;
  ctx.setLineDash([2, 3]);
  strokeLine(ctx, left, lanes.thrash.top + 0.5, right, lanes.thrash.top + 0.5);
  ctx.setLineDash([]);
}

/** On the axis of time: where a long wait was cut, a break through all lanes. */
function drawWaits(sheet) {
  const { ctx, colours, lanes } = sheet;
  ctx.strokeStyle = colours.faint;
  ctx.lineWidth = 1;
  for (const wait of sheet.scale.waits) {
    const x = waitX(sheet, wait);
    if (x < sheet.left || x > sheet.right) continue;
    ctx.setLineDash([3, 4]);
    for (const side of [-2, 2]) strokeLine(ctx, x + side, lanes.cells.top - 4, x + side, lanes.bottom);
    ctx.setLineDash([]);
  }
}

function waitX(sheet, wait) {
  return snap(sheet, sheet.x((wait.from + wait.to) / 2)) + 0.5;
}

/** The whole run in one line, kept while neither run nor width changes. */
function stripPixels(tl, sheet) {
  const kept = tl.strip;
  if (kept && kept.model === tl.model && kept.scale === tl.scale && kept.pixels === sheet.pixels) return kept.values;
  const values = new Uint8Array(sheet.pixels);
  const perUnit = sheet.pixels / tl.scale.length;
  for (let call = 0; call < tl.model.n; call++) {
    const from = Math.floor(tl.scale.start[call] * perUnit);
    const to = Math.min(Math.max(Math.ceil(tl.scale.end[call] * perUnit) - 1, from), sheet.pixels - 1);
    const key = tl.model.keys.cell[call];
    for (let x = from; x <= to; x++) if (key > values[x]) values[x] = key;
  }
  tl.strip = { model: tl.model, scale: tl.scale, pixels: sheet.pixels, values };
  return values;
}

function drawStrip(tl, sheet) {
  const { ctx, colours, left, width, lanes } = sheet;
  const top = lanes.strip.middle - 7;
  ctx.save();
  roundRect(ctx, left, top, width, 14, 2);
  ctx.clip();
  ctx.fillStyle = colours.cell;
  ctx.fillRect(left, top, width, 14);
  eachRun(stripPixels(tl, sheet), 0, sheet.pixels, (from, to, key) => {
    if (key < FIRST_CYCLE_KEY) return;
    ctx.fillStyle = denseCellColour(colours, key);
    ctx.fillRect(left + from, top, to - from, 14);
    if (keyState(key) !== NOT_COUNTED) return;
    ctx.strokeStyle = colours.hues[keyHue(key)];
    ctx.lineWidth = 1;
    ctx.strokeRect(left + from + 0.5, top + 0.5, Math.max(to - from - 1, 1), 13);
  });
  ctx.restore();
  drawStripHits(tl, sheet);
}

/** What moves with pointer and selection: outlines and badges above the lanes, their grounds below, so no mark is dimmed. */
function drawMoving(tl) {
  const below = makeSheet(tl, sizeCanvas(tl.dom.under, tl.size, tl.lanes.height));
  const above = makeSheet(tl, sizeCanvas(tl.dom.over, tl.size, tl.lanes.height));
  if (!tl.model.n) return;
  clipAxis(below, () => drawGrounds(tl, below));
  if (above.lanes.strip) drawWindow(tl, above);
  const room = new Room(above.left - 8, above.total);
  clipAxis(above, () => {
    if (tl.stretch) drawStretch(above, tl.stretch, room);
    if (tl.selected !== null) drawSelected(above, tl.selected, room);
    drawAxis(above, room);
  });
}

function drawGrounds(tl, sheet) {
  const { ctx, colours, lanes } = sheet;
  const column = (first, last, top, colour) => {
    const [from, to] = frameEdges(sheet, first, last);
    ctx.fillStyle = colour;
    ctx.fillRect(from - 1, top, to - from + 2, lanes.bottom - top);
  };
  if (tl.hover >= 0 && !tl.drag) column(tl.hover, tl.hover, lanes.axis.bottom - 2, colours.column);
  if (tl.stretch) column(tl.stretch.first, tl.stretch.last, lanes.axis.top + 4, colours.frame);
  if (tl.selected !== null) column(tl.selected, tl.selected, lanes.axis.bottom - 1, colours.frame);
}

/** Badges on the axis may reach a little into the gutter, nothing else. */
function clipAxis(sheet, draw) {
  const { ctx, left, total, lanes } = sheet;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left - 14, lanes.axis.top, total - left + 14, lanes.height - lanes.axis.top);
  ctx.clip();
  draw();
  ctx.restore();
}

function drawWindow(tl, sheet) {
  const { ctx, colours, left, width, lanes } = sheet;
  const from = left + (tl.view.from / tl.scale.length) * width;
  const to = Math.max(left + (tl.view.to / tl.scale.length) * width, from + 6);
  ctx.fillStyle = colours.frame;
  ctx.strokeStyle = colours.ink;
  ctx.lineWidth = 1.5;
  roundRect(ctx, Math.min(from, left + width - 6) + 0.75, lanes.strip.top + 0.75, to - from - 1.5, STRIP - 1.5, 4);
  ctx.fill();
  ctx.stroke();
}

/** The edges of a call's frame: its column, and wide enough to see when many share a pixel. */
function frameEdges(sheet, first, last = first) {
  const [from, to] = cellEdges(sheet, first, last);
  const spare = Math.max(4 - (to - from), 0) / 2;
  return [from - spare, to + spare];
}

function drawStretch(sheet, { first, last }, room) {
  const { ctx, colours, lanes } = sheet;
  const [from, to] = frameEdges(sheet, first, last);
  if (to < sheet.left || from > sheet.right) return;
  ctx.fillStyle = colours.ink;
  for (const x of [from - 1.75, to + 0.25]) ctx.fillRect(snap(sheet, x), lanes.axis.top + 4, 1.5, lanes.bottom - lanes.axis.top - 4);
  const text = `${first === last ? "call" : "calls"} ${figures(first + 1, last + 1)}`;
  badge(sheet, text, (Math.max(from, sheet.left) + Math.min(to, sheet.right)) / 2, room);
}

function drawSelected(sheet, call, room) {
  const { ctx, colours, lanes } = sheet;
  const [from, to] = frameEdges(sheet, call);
  if (to < sheet.left || from > sheet.right) return;
  const top = lanes.axis.bottom - 3;
  ctx.strokeStyle = colours.ink;
  ctx.lineWidth = 1.5;
  roundRect(ctx, from - 1.25, top, to - from + 2.5, lanes.bottom - 0.75 - top, 4);
  ctx.stroke();
  badge(sheet, figure(call + 1), (from + to) / 2, room);
}

/** White on ink on the axis; ticks near it give way. */
function badge(sheet, text, middle, room) {
  const { ctx, colours, lanes } = sheet;
  const width = textWidth(sheet, text, { size: 13, weight: 700 }) + 14;
  const from = Math.min(Math.max(middle - width / 2, sheet.left - 8), sheet.total - width);
  if (!room.take(from, from + width, 6)) return;
  ctx.fillStyle = colours.ink;
  roundRect(ctx, from, lanes.axis.top + 2, width, 19, 4);
  ctx.fill();
  write(sheet, text, from + width / 2, lanes.axis.middle - 0.5, { size: 13, weight: 700, colour: colours.onInk, align: "center" });
}

function drawAxis(sheet, room) {
  if (sheet.scale.kind === "time") drawTimeAxis(sheet, room);
  else drawCallAxis(sheet, room);
}

function drawCallAxis(sheet, room) {
  const { first, stop, column } = sheet;
  const widest = textWidth(sheet, figure(stop), { size: FIGURE_SIZE }) + 15;
  const step = niceStep(Math.max(34, widest) / column);
  const place = (call) => (sheet.dense ? snap(sheet, sheet.x(call + 0.5)) : cellEdges(sheet, call).reduce((a, b) => (a + b) / 2));
  if (first === 0) axisTick(sheet, room, figure(1), place(0));
  for (let number = Math.ceil((first + 1) / step) * step; number <= stop; number += step) {
    axisTick(sheet, room, figure(number), place(number - 1));
  }
}

function axisTick(sheet, room, text, middle) {
  const { ctx, colours, lanes } = sheet;
  const width = textWidth(sheet, text, { size: FIGURE_SIZE });
  const from = Math.min(Math.max(middle - width / 2, sheet.left), sheet.total - width);
  if (middle < sheet.left || middle > sheet.right || !room.take(from, from + width, 3)) return;
  write(sheet, text, from, lanes.axis.middle, { size: FIGURE_SIZE });
  if (!sheet.dense) return;
  ctx.fillStyle = colours.faint;
  ctx.fillRect(snap(sheet, middle), lanes.axis.bottom - 4, 1, 4);
}

function drawTimeAxis(sheet, room) {
  const { scale, first, stop } = sheet;
  for (const wait of scale.waits) drawWaitLabel(sheet, wait, room);
  const step = clockStep(74 / sheet.perUnit);
  for (let call = first; call < stop; call++) {
    const shown = (call + 1 < scale.start.length ? scale.start[call + 1] : scale.length) - scale.start[call];
    for (let tick = Math.ceil(scale.began[call] / step); tick * step < scale.began[call] + shown; tick++) {
      const x = sheet.x(scale.start[call] + tick * step - scale.began[call]);
      axisTick(sheet, room, duration(tick * step), snap(sheet, x));
    }
  }
}

/** How long the wait was that is cut here, behind two strokes. */
function drawWaitLabel(sheet, wait, room) {
  const { ctx, colours, lanes } = sheet;
  const x = waitX(sheet, wait);
  const words = sheet.narrow ? "" : duration(wait.seconds);
  const width = 10 + textWidth(sheet, words);
  const from = Math.min(Math.max(x - width / 2, sheet.left), sheet.total - width);
  if (x < sheet.left || x > sheet.right || !room.take(from, from + width, 8)) return;
  ctx.strokeStyle = colours.muted;
  ctx.lineWidth = 1.25;
  const y = lanes.axis.middle;
  for (const side of [0, 3.5]) strokeLine(ctx, from + side, y + 4.5, from + side + 3.5, y - 4.5);
  write(sheet, words, from + 11, y, { colour: colours.faint });
}
