// Lanes when many calls share a pixel: one pass over the calls in sight fills typed arrays, a column a CSS pixel, and
// in each the strongest mark wins, so that nothing vanishes at 100,000 calls.

/** The strongest of every lane in each pixel column; in `rows` the lowest bit says that several calls share it. */
function strongestPerPixel(sheet) {
  const { pixels, lanes } = sheet;
  const strongest = {
    steps: new Uint8Array(pixels), seen: new Uint8Array(pixels), level: new Uint8Array(pixels), identical: new Uint16Array(pixels),
    rows: new Uint8Array(pixels * lanes.rows.count),
  };
  const columns = pixelColumns(sheet);
  fillStrongest(strongest.steps, columns, sheet.model.keys.cell.subarray(sheet.first, sheet.stop));
  fillStrongest(strongest.seen, columns, sheet.model.seen.subarray(sheet.first, sheet.stop));
  fillStrongest(strongest.level, columns, sheet.model.level.subarray(sheet.first, sheet.stop));
  fillStrongest(strongest.identical, columns, sheet.model.identical.subarray(sheet.first, sheet.stop), FEWEST_IDENTICAL);
  fillRows(strongest.rows, columns, sheet);
  return strongest;
}

/** First and last pixel column of each call in sight. */
function pixelColumns(sheet) {
  const { first, stop, perUnit, pixels } = sheet;
  const { start, end } = sheet.scale;
  const origin = sheet.view.from;
  const from = new Int32Array(stop - first);
  const to = new Int32Array(stop - first);
  for (let call = first; call < stop; call++) {
    const left = Math.max(Math.floor((start[call] - origin) * perUnit), 0);
    from[call - first] = Math.min(left, pixels - 1);
    to[call - first] = Math.min(Math.max(Math.ceil((end[call] - origin) * perUnit) - 1, left), pixels - 1);
  }
  return { from, to };
}

function fillStrongest(pixels, { from, to }, values, least = 1) {
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value < least) continue;
    for (let x = from[at]; x <= to[at]; x++) if (value > pixels[x]) pixels[x] = value;
  }
}

/** Marks stand where a call begins, so that many short calls stay apart. */
function fillRows(rows, { from }, { model, lanes, pixels, first, stop }) {
  const { row } = model;
  const { mark } = model.keys;
  const last = lanes.rows.count - 1;
  for (let call = first; call < stop; call++) {
    const at = Math.min(row[call], last) * pixels + from[call - first];
    const before = rows[at];
    rows[at] = before ? Math.max(before >> 1, mark[call]) * 2 + 1 : mark[call] * 2;
  }
}

/** Call `draw(from, to, value)` for each run of equal, non-zero values. */
function eachRun(values, offset, length, draw) {
  for (let x = 0; x < length; ) {
    const value = values[offset + x];
    let to = x + 1;
    while (to < length && values[offset + to] === value) to++;
    if (value) draw(x, to, value);
    x = to;
  }
}

function drawDenseSteps(sheet, strongest) {
  const { ctx, colours, lanes, left } = sheet;
  eachRun(strongest.steps, 0, sheet.pixels, (from, to, key) => {
    ctx.fillStyle = key < FIRST_CYCLE_KEY ? colours.cell : denseCellColour(colours, key);
    ctx.fillRect(left + from, lanes.cells.top, to - from, CELL.height);
    if (key >= FIRST_CYCLE_KEY && keyState(key) === NOT_COUNTED) edgeHollow(sheet, left + from, to - from, keyHue(key));
  });
}

function denseCellColour(colours, key) {
  const state = keyState(key);
  if (state === OVER) return colours.hues[keyHue(key)];
  return state === COUNTED ? colours.denseTints[keyHue(key)] : colours.ground;
}

function edgeHollow(sheet, x, width, hue) {
  const { ctx, colours, lanes } = sheet;
  ctx.fillStyle = colours.hues[hue];
  ctx.fillRect(x, lanes.cells.top, width, 1.25);
  ctx.fillRect(x, lanes.cells.bottom - 1.25, width, 1.25);
}

function drawDenseRows(sheet, strongest) {
  for (let row = 0; row < sheet.lanes.rows.count; row++) drawDenseRow(sheet, strongest, row);
}

function drawDenseRow(sheet, strongest, row) {
  const { ctx, colours, lanes, pixels, left } = sheet;
  const middle = lanes.rows.middle(row);
  eachRun(strongest.rows, row * pixels, pixels, (from, to, value) => {
    const key = value >> 1;
    const tall = key === FAILED || (key >= FIRST_CYCLE_KEY && keyState(key) === OVER);
    ctx.fillStyle = denseMarkColour(colours, key, value & 1);
    ctx.fillRect(left + from, middle - (tall ? 7 : 5), to - from, tall ? 14 : 10);
  });
}

function denseMarkColour(colours, key, crowded) {
  if (key === FAILED) return colours.ink;
  if (key === PLAIN) return crowded ? colours.mark : colours.markThin;
  return colours.hues[keyHue(key)];
}

function drawDenseSeen(sheet, strongest) {
  const { ctx, colours, lanes, left } = sheet;
  eachRun(strongest.seen, 0, sheet.pixels, (from, to, degree) => {
    ctx.fillStyle = degree === 2 ? colours.seenBoth : colours.seenOne;
    ctx.fillRect(left + from, lanes.seen.top, to - from, lanes.seen.height);
  });
}

function drawDenseLadder(sheet, strongest) {
  const { left } = sheet;
  eachRun(strongest.level, 0, sheet.pixels, (from, to, level) => levelBar(sheet, left + from, Math.max(to - from, 3), level));
}

function drawDenseThrash(sheet, strongest) {
  const { left } = sheet;
  eachRun(strongest.identical, 0, sheet.pixels, (from, to, count) => {
    thrashBar(sheet, left + from, Math.max(to - from, 1.5), count);
  });
}
