// Where every lane stands from top to bottom, in CSS pixels, and the sheet that all drawing functions share.

const GUTTER = 136;
const NARROW_GUTTER = 92;
const FIGURE_GAP = 14;
const RIGHT_PAD = 6;
const NARROW_BELOW = 640;
const ROW = 18;
const MOST_ROWS = 16;
const STRIP = 22;
const AXIS = 24;
const LABEL = { top: 26, height: 19 };
const BRACKET = { top: 51, bottom: 77 };
const CELL = { top: 81, height: 28 };
const BAR_HEIGHT = 33;
const LETTERS_FROM = 9;
const CELLS_FROM = 6;
const NOTE_SIZE = 12;
const FIGURE_SIZE = 12.5;

/** Rows beyond the most that are drawn share the last one. */
function shownRows(tools) {
  return Math.min(tools.length, MOST_ROWS);
}

function layLanes(nRows, zoomed) {
  const top = zoomed ? STRIP + 11 : 0;
  const rowsTop = top + 135;
  const rowsEnd = rowsTop + ROW * nRows;
  const seen = { top: rowsEnd + 8, height: 12 };
  const ladder = { top: seen.top + 24, base: seen.top + 54 };
  const thrash = { top: ladder.base + 8, base: ladder.base + 24 };
  const events = { middle: thrash.base + 21 };
  const bottom = thrash.base + 34;
  return {
    strip: zoomed ? { top: 0, middle: STRIP / 2 } : null,
    axis: { top, middle: top + AXIS / 2, bottom: top + AXIS },
    label: { top: top + LABEL.top, middle: top + LABEL.top + LABEL.height / 2, height: LABEL.height },
    bracket: { top: top + BRACKET.top, bottom: top + BRACKET.bottom },
    cells: { top: top + CELL.top, height: CELL.height, bottom: top + CELL.top + CELL.height, middle: top + CELL.top + CELL.height / 2 },
    breaks: { middle: top + 119 },
    rows: { top: rowsTop, end: rowsEnd, count: nRows, middle: (row) => rowsTop + ROW * row + 9 },
    seen, ladder, thrash, events, bottom,
    hairlines: [top + 130, rowsEnd + 2, seen.top + 18, thrash.base + 7],
    height: bottom + 2,
  };
}

/** Everything a drawing function needs to know, for one frame. */
function makeSheet(tl, ctx) {
  const { model, scale, view, size } = tl;
  const narrow = size.width < NARROW_BELOW;
  const left = narrow ? NARROW_GUTTER : GUTTER;
  const right = Math.max(size.width - RIGHT_PAD, left + 1);
  const perUnit = (right - left) / (view.to - view.from);
  const [first, stop] = callsInView(scale, view);
  const column = (right - left) / Math.max(averageCalls(scale, view), 1e-9);
  return {
    ctx, model, scale, view, narrow, left, right, width: right - left, pixels: Math.ceil(right - left), perUnit, first, stop, column,
    colours: tl.colours, fonts: tl.fonts, lanes: tl.lanes, ratio: size.ratio, total: size.width,
    dense: column < CELLS_FROM, letters: column >= LETTERS_FROM,
    end: scale.kind === "calls" ? Math.min(left + (model.n - view.from) * perUnit, right) : right,
    x: (unit) => left + (unit - view.from) * perUnit,
    unit: (x) => view.from + (x - left) / perUnit,
  };
}

/** How many calls the view holds; a column each on the axis of calls, so fractions count there. */
function averageCalls(scale, view) {
  if (scale.kind === "calls") return view.to - view.from;
  const [first, stop] = callsInView(scale, view);
  return Math.max(stop - first, 1);
}

/** To whole device pixels, so that edges are sharp. */
function snap(sheet, x) {
  return Math.round(x * sheet.ratio) / sheet.ratio;
}

/** Marks end with the lanes; texts may use the room to the right of them. */
function clipLanes(sheet, draw, right = sheet.right) {
  const { ctx, left, lanes } = sheet;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, 0, right - left, lanes.height);
  ctx.clip();
  draw();
  ctx.restore();
}

/** Free room along one line of text: what is reserved first stays, what would touch it is left out. */
class Room {
  constructor(from, to) {
    this.from = from;
    this.to = to;
    this.taken = [];
  }

  free(from, to) {
    return from >= this.from && to <= this.to && !this.taken.some((span) => from < span.to && to > span.from);
  }

  take(from, to, gap = 0) {
    if (!this.free(from, to)) return false;
    this.taken.push({ from: from - gap, to: to + gap });
    return true;
  }

  block(from, to) {
    this.taken.push({ from, to });
  }
}

function font(sheet, size, weight = 400, family = "sans") {
  return `${weight} ${size}px ${sheet.fonts[family]}`;
}

/** Write text with its middle on `y`; returns its width. */
function write(sheet, text, x, y, { size = NOTE_SIZE, weight = 400, colour = sheet.colours.muted, align = "left", spacing = 0 } = {}) {
  const { ctx } = sheet;
  ctx.font = font(sheet, size, weight);
  if ("letterSpacing" in ctx) ctx.letterSpacing = `${spacing}px`;
  ctx.fillStyle = colour;
  ctx.textAlign = align;
  ctx.textBaseline = "alphabetic";
  ctx.fillText(text, x, y + size * 0.34);
  if ("letterSpacing" in ctx) ctx.letterSpacing = "0px";
}

function textWidth(sheet, text, { size = NOTE_SIZE, weight = 400, spacing = 0 } = {}) {
  sheet.ctx.font = font(sheet, size, weight);
  return sheet.ctx.measureText(text).width + spacing * text.length;
}

/** An ink pennant with a swallowtail; `turned` hangs it to the left of its pole. */
function pennant(sheet, x, top, width, height, turned = false) {
  const { ctx, colours } = sheet;
  const side = turned ? -1 : 1;
  ctx.fillStyle = colours.ink;
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x + side * width, top);
  ctx.lineTo(x + side * (width - height * 0.28), top + height / 2);
  ctx.lineTo(x + side * width, top + height);
  ctx.lineTo(x, top + height);
  ctx.fill();
}

function roundRect(ctx, x, y, width, height, radius) {
  ctx.beginPath();
  ctx.roundRect(x, y, Math.max(width, 0.5), height, Math.max(Math.min(radius, width / 2, height / 2), 0));
}

function strokeLine(ctx, x0, y0, x1, y1) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}

/** `1,268`, and `1,268–1,309` for two ends. */
function figure(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

function figures(first, last) {
  return first === last ? figure(first) : `${figure(first)}–${figure(last)}`;
}
