// The picture of two runs: tools, steps, what is common, what one of them alone has. The strongest mark of a pixel wins.

function drawPicture(view) {
  const { canvas, model, lanes, zoom, dark } = view;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(lanes.width * ratio);
  canvas.height = Math.round(lanes.height * ratio);
  canvas.style.height = `${lanes.height}px`;
  const ctx = canvas.getContext("2d");
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(view.root);
  const sheet = {
    ctx, model, lanes, zoom, look: paletteOf(dark ? "dark" : "light"), wide: columnWidth(zoom, lanes),
    sans: style.fontFamily, first: Math.max(Math.floor(zoom.from), 0), stop: Math.min(Math.ceil(zoom.to), model.n),
    selected: view.selected, hover: view.hover,
  };
  sheet.hatch = hatching(sheet);
  ctx.textBaseline = "middle";
  drawNames(sheet);
  ctx.save();
  ctx.beginPath();
  ctx.rect(lanes.left - 1, 0, lanes.right - lanes.left + PAD_RIGHT, lanes.height);
  ctx.clip();
  drawBands(sheet);
  if (!model.settings) drawConnectors(sheet);
  for (const at of [0, 1]) drawSide(sheet, at);
  drawMark(sheet);
  ctx.restore();
  if (lanes.strip !== null) drawStrip(sheet);
}

function fontOf(sheet, size, weight = 400) {
  return `${weight} ${size}px ${sheet.sans}`;
}

function drawNames({ ctx, model, lanes, look, ...sheet }) {
  ctx.textAlign = "right";
  const x = lanes.left - 12;
  lanes.sides.forEach((lane, at) => {
    ctx.fillStyle = look.muted;
    ctx.font = fontOf(sheet, 12.5);
    ctx.fillText("turn", x, lane.turn + TURN_HIGH / 2);
    ctx.font = fontOf(sheet, 13, 600);
    ctx.fillStyle = look.ink;
    ctx.fillText(model.settings ? `steps ${"AB"[at]}` : "steps", x, lane.cells + CELL_HIGH / 2);
    if (model.settings && at) return;
    ctx.font = fontOf(sheet, 13);
    model.rows.forEach((name, row) => {
      const y = lane.rows + (row + 0.5) * ROW_HIGH;
      ctx.fillStyle = look.ink;
      ctx.fillText(fitted(ctx, name, x - 2), x, y);
      ctx.fillStyle = look.line;
      ctx.fillRect(lanes.left, y - 0.5, lanes.right - lanes.left, 1);
    });
  });
}

function fitted(ctx, text, wide) {
  if (ctx.measureText(text).width <= wide) return text;
  let kept = text.length;
  while (kept > 1 && ctx.measureText(`${text.slice(0, kept)}…`).width > wide) kept--;
  return `${text.slice(0, kept)}…`;
}

/** The column under the pointer as a pale band, the chosen one with an edge of ink. */
function drawBands({ ctx, lanes, look, zoom, wide, hover, selected }) {
  const top = lanes.sides[0].turn;
  for (const column of [hover, selected]) {
    if (column == null || column < 0) continue;
    ctx.fillStyle = look.column;
    const x = xOf(zoom, lanes, column);
    ctx.fillRect(x, top, Math.max(wide, 2), lanes.bottom - top);
    if (column !== selected) continue;
    ctx.strokeStyle = look.ink;
    ctx.lineWidth = 1.25;
    rounded(ctx, x + 0.6, top + 0.6, Math.max(wide, 3) - 1.2, lanes.bottom - top - 1.2, 4);
    ctx.stroke();
  }
}

/** A line from one run to the other where the step is common; a sign on it where it is not quite the same. */
function drawConnectors(sheet) {
  if (sheet.wide < CELLS_FROM) return drawDenseConnectors(sheet);
  const { ctx, model, lanes, look, zoom, wide, first, stop } = sheet;
  const [from, to] = [lanes.gap + 2, lanes.sides[1].cells - 2];
  let free = -Infinity;
  for (let column = first; column < stop; column++) {
    const kind = model.kind[column];
    if (kind >= ONLY_A) continue;
    const x = Math.round(xOf(zoom, lanes, column) + wide / 2) + 0.5;
    ctx.lineWidth = 1.2;
    ctx.strokeStyle = kind === SAME ? look.mark : look.ink;
    ctx.setLineDash(kind === SAME ? [] : [2.5, 2.5]);
    ctx.beginPath();
    ctx.moveTo(x, from);
    ctx.lineTo(x, to);
    ctx.stroke();
    ctx.setLineDash([]);
    if (kind === SAME || x < free) continue;
    drawSign(sheet, x, (from + to) / 2, model.signs[kind]);
    free = x + 22;
  }
}

/** Many columns to a pixel: a pale line where a step is common, with a dark middle where one is not quite the same. */
function drawDenseConnectors({ ctx, model, lanes, look, zoom, wide, first, stop }) {
  const pixels = Math.ceil(lanes.right - lanes.left);
  const found = new Uint8Array(pixels);
  for (let column = first; column < stop; column++) {
    if (model.kind[column] >= ONLY_A) continue;
    const x = Math.min(Math.max(Math.floor((column + 0.5 - zoom.from) * wide), 0), pixels - 1);
    found[x] = Math.max(found[x], model.kind[column] === SAME ? 1 : 2);
  }
  const [from, to] = [lanes.gap + 2, lanes.sides[1].cells - 2];
  const middle = (from + to) / 2;
  for (let x = 0; x < pixels; x++) {
    if (!found[x]) continue;
    ctx.fillStyle = look.cell;
    ctx.fillRect(lanes.left + x, from, 1, to - from);
    if (found[x] === 1) continue;
    ctx.fillStyle = look.mark;
    ctx.fillRect(lanes.left + x, middle - 5, 1, 10);
  }
}

function drawSign({ ctx, look, ...sheet }, x, y, sign) {
  ctx.beginPath();
  ctx.arc(x, y, 9.5, 0, 7);
  ctx.fillStyle = look.ground;
  ctx.fill();
  ctx.lineWidth = 1.3;
  ctx.strokeStyle = look.ink;
  ctx.stroke();
  ctx.fillStyle = look.ink;
  ctx.font = fontOf(sheet, 13, 600);
  ctx.textAlign = "center";
  ctx.fillText(sign, x, y + 0.5);
}

function drawSide(sheet, at) {
  if (sheet.wide < CELLS_FROM) drawDenseSide(sheet, at);
  else {
    drawCells(sheet, at);
    if (!(sheet.model.settings && at)) drawTools(sheet, at);
  }
  drawTurns(sheet, at);
  drawBrackets(sheet, at);
}

function cellFill(look, side, step) {
  const hue = hueIndex(side.period[step]);
  if (!side.look[step]) return look.cell;
  return side.look[step] === OVER ? look.hues[hue] : look.tints[hue];
}

function drawCells(sheet, at) {
  const { ctx, model, lanes, look, zoom, wide, first, stop } = sheet;
  const side = model.sides[at];
  const y = lanes.sides[at].cells;
  const own = at ? ONLY_B : ONLY_A;
  const pad = wide > 14 ? 2 : 0.75;
  for (let column = first; column < stop; column++) {
    const step = side.stepOf[column];
    const x = xOf(zoom, lanes, column) + pad;
    const cell = () => rounded(ctx, x, y, wide - 2 * pad, CELL_HIGH, Math.min(3, wide / 4));
    if (step < 0) {
      cell();
      ctx.fillStyle = sheet.hatch;
      ctx.fill();
      continue;
    }
    cell();
    ctx.fillStyle = unwatched(side, step) ? look.soft : cellFill(look, side, step);
    ctx.fill();
    if (model.kind[column] === own && !side.look[step]) outlined(ctx, x, y, wide - 2 * pad, look.ink);
    const letter = side.letter[step];
    if (letter === NO_LETTER || wide < LETTERS_FROM) continue;
    ctx.fillStyle = side.look[step] === OVER ? look.onHues[hueIndex(side.period[step])] : look.ink;
    ctx.font = fontOf(sheet, 13, 600);
    ctx.textAlign = "center";
    ctx.fillText(String.fromCharCode(97 + letter), x + wide / 2 - pad, y + CELL_HIGH / 2 + 0.5);
  }
}

function unwatched(side, step) {
  return callsOf(side, step).every((call) => side.flags[call] & CALL_UNWATCHED);
}

function rounded(ctx, x, y, wide, high, radius) {
  ctx.beginPath();
  ctx.roundRect(x, y, Math.max(wide, 0.5), high, radius);
}

function outlined(ctx, x, y, wide, colour) {
  ctx.beginPath();
  ctx.roundRect(x + 0.75, y + 0.75, Math.max(wide - 1.5, 0.5), CELL_HIGH - 1.5, 2.5);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

function drawTools(sheet, at) {
  const { ctx, model, lanes, look, zoom, wide, first, stop } = sheet;
  const side = model.sides[at];
  const top = lanes.sides[at].rows;
  const size = Math.min(wide - 2, 10);
  for (let column = first; column < stop; column++) {
    const step = side.stepOf[column];
    if (step < 0) continue;
    const x = xOf(zoom, lanes, column) + wide / 2;
    const over = side.look[step] === OVER;
    for (const call of callsOf(side, step)) {
      const y = top + (side.row[call] + 0.5) * ROW_HIGH;
      const mark = over ? Math.min(size * 1.4, wide - 1, 13) : size;
      ctx.fillStyle = side.flags[call] & CALL_UNWATCHED ? look.cell : over ? look.hues[hueIndex(side.period[step])] : look.mark;
      rounded(ctx, x - mark / 2, y - Math.min(mark, 13) / 2, mark, Math.min(Math.max(mark, 8), 13), 2);
      ctx.fill();
      if (side.flags[call] & CALL_FAILED && wide > 9) crossed(ctx, x, y, look.ground);
    }
  }
}

function crossed(ctx, x, y, colour) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.6;
  ctx.beginPath();
  ctx.moveTo(x - 3, y - 3);
  ctx.lineTo(x + 3, y + 3);
  ctx.moveTo(x + 3, y - 3);
  ctx.lineTo(x - 3, y + 3);
  ctx.stroke();
}

/** Many columns to a pixel: one pass fills the pixels, in each the strongest mark wins. */
function drawDenseSide(sheet, at) {
  const { ctx, model, lanes, look, zoom, wide, first, stop } = sheet;
  const side = model.sides[at];
  const own = at ? ONLY_B : ONLY_A;
  const pixels = Math.ceil(lanes.right - lanes.left);
  const cells = new Uint8Array(pixels);
  const rows = new Uint8Array(pixels * model.rows.length);
  for (let column = first; column < stop; column++) {
    const step = side.stepOf[column];
    const from = Math.min(Math.max(Math.floor((column - zoom.from) * wide), 0), pixels - 1);
    const to = Math.min(Math.max(Math.ceil((column + 1 - zoom.from) * wide) - 1, from), pixels - 1);
    const key = step < 0 ? 2 : side.look[step] ? 4 + side.look[step] * 4 + hueIndex(side.period[step]) : model.kind[column] === own ? 3 : 1;
    for (let x = from; x <= to; x++) if (key > cells[x]) cells[x] = key;
    if (step < 0) continue;
    for (const call of callsOf(side, step)) {
      const place = side.row[call] * pixels + from;
      rows[place] = Math.max(rows[place], side.look[step] === OVER ? 2 + hueIndex(side.period[step]) : 1);
    }
  }
  paintDense(sheet, at, cells, pixels, (key) => (key === 1 ? look.cell : key === 2 ? sheet.hatch : key === 3 ? look.mark : key >= 12 ? look.hues[key - 12] : look.denseTints[(key - 8) & 3]));
  if (model.settings && at) return;
  for (let row = 0; row < model.rows.length; row++) {
    const y = lanes.sides[at].rows + (row + 0.5) * ROW_HIGH - 4;
    for (let x = 0; x < pixels; x++) {
      const key = rows[row * pixels + x];
      if (!key) continue;
      ctx.fillStyle = key > 1 ? look.hues[key - 2] : look.mark;
      ctx.fillRect(lanes.left + x, y, 1, 8);
    }
  }
}

function paintDense({ ctx, lanes }, at, cells, pixels, colour) {
  for (let x = 0; x < pixels; ) {
    let to = x + 1;
    while (to < pixels && cells[to] === cells[x]) to++;
    if (cells[x]) {
      ctx.fillStyle = colour(cells[x]);
      ctx.fillRect(lanes.left + x, lanes.sides[at].cells, to - x, CELL_HIGH);
    }
    x = to;
  }
}

function drawTurns(sheet, at) {
  const { ctx, model, lanes, look, zoom, wide, first, stop } = sheet;
  const side = model.sides[at];
  const y = lanes.sides[at].turn + TURN_HIGH / 2;
  ctx.font = fontOf(sheet, 12.5);
  ctx.textAlign = "center";
  ctx.fillStyle = look.muted;
  let free = -Infinity;
  const stride = Math.max(1, Math.floor(24 / wide));
  for (let column = first - (first % stride); column < stop; column += stride) {
    const step = side.stepOf[column];
    if (column < first || step < 0 || side.turn[step] <= 0) continue;
    const label = side.turn[step].toLocaleString("en");
    const x = xOf(zoom, lanes, column) + wide / 2;
    const half = ctx.measureText(label).width / 2;
    if (x - half < free || x + half > lanes.right + PAD_RIGHT) continue;
    ctx.fillText(label, x, y);
    free = x + half + 8;
  }
}

/** The whole picture below the part in sight. */
function drawStrip({ ctx, model, lanes, look, zoom }) {
  const pixels = Math.ceil(lanes.right - lanes.left);
  const strongest = new Uint8Array(pixels);
  const [a, b] = model.sides;
  for (let column = 0; column < model.n; column++) {
    const x = Math.min(Math.floor((column / model.n) * pixels), pixels - 1);
    const to = Math.min(Math.max(Math.ceil(((column + 1) / model.n) * pixels), x + 1), pixels);
    const over = [a, b].some((side) => side.stepOf[column] >= 0 && side.look[side.stepOf[column]] === OVER);
    const key = over ? 3 : model.kind[column] >= ONLY_A ? 2 : 1;
    for (let at = x; at < to; at++) if (key > strongest[at]) strongest[at] = key;
  }
  for (let x = 0; x < pixels; x++) {
    ctx.fillStyle = [look.ground, look.cell, look.mark, look.ink][strongest[x]];
    ctx.fillRect(lanes.left + x, lanes.strip, 1, STRIP_HIGH);
  }
  const scale = (lanes.right - lanes.left) / model.n;
  ctx.strokeStyle = look.ink;
  ctx.lineWidth = 1.5;
  const from = lanes.left + zoom.from * scale;
  ctx.strokeRect(from + 0.75, lanes.strip - 2, Math.max((zoom.to - zoom.from) * scale - 1.5, 4), STRIP_HIGH + 4);
}

/** Slanted lines on the page's ground, for what is not there. */
function hatching({ ctx, look }) {
  const tile = document.createElement("canvas");
  const ratio = window.devicePixelRatio || 1;
  const size = 6;
  tile.width = tile.height = size * ratio;
  const pen = tile.getContext("2d");
  pen.scale(ratio, ratio);
  pen.fillStyle = look.ground;
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = look.mark;
  pen.lineWidth = 1;
  for (const shift of [-size, 0, size]) {
    pen.beginPath();
    pen.moveTo(shift, size);
    pen.lineTo(shift + size, 0);
    pen.stroke();
  }
  const made = ctx.createPattern(tile, "repeat");
  made.setTransform(new DOMMatrix().scale(1 / ratio));
  return made;
}
