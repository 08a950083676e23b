// The lower lanes: breaks, ladder, thrash, events.

const ICON = 13;
const NEXT_DIAMOND = 5;
const FEWEST_IDENTICAL = 2;

function drawBreaks(sheet, forbidden) {
  const { model, lanes } = sheet;
  const room = new Room(sheet.left - 2, sheet.total);
  let lastMark = -Infinity;
  for (const step of model.emptySteps) {
    const call = model.stepFirst[step];
    if (call < sheet.first || call >= sheet.stop) continue;
    const x = columnMiddle(sheet, call);
    if (x - lastMark < NEXT_DIAMOND) continue;
    diamond(sheet.ctx, x, lanes.breaks.middle, 4.5, sheet.colours.ink);
    room.block(x - 6, x + 6);
    lastMark = x;
  }
  if (!sheet.narrow) for (const note of model.payload.break_notes) writeBreakNote(sheet, note, room, forbidden);
}

function columnMiddle(sheet, call) {
  const [from, to] = sheet.dense ? columnEdges(sheet, call) : cellEdges(sheet, call);
  return (from + to) / 2;
}

function diamond(ctx, x, y, reach, colour) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(x, y - reach);
  ctx.lineTo(x + reach, y);
  ctx.lineTo(x, y + reach);
  ctx.lineTo(x - reach, y);
  ctx.closePath();
  ctx.stroke();
}

function writeBreakNote(sheet, note, room, forbidden) {
  if (sheet.dense || note.call < sheet.first || note.call >= sheet.stop) return;
  const x = columnMiddle(sheet, note.call);
  writeBeside(sheet, note.text, x, 10, sheet.lanes.breaks.middle, room, forbidden, ["right", "left"]);
}

/** Write a note on the first of the given sides that is free and outside what is forbidden; reserve its place. */
function writeBeside(sheet, text, x, gap, y, room, forbidden, sides) {
  if (!text) return null;
  const width = textWidth(sheet, text);
  for (const side of sides) {
    const from = side === "right" ? x + gap : x - gap - width;
    if (from < sheet.left || from + width > sheet.right + 4) continue;
    if (forbidden.some((span) => from < span.to && from + width > span.from)) continue;
    if (!room.take(from, from + width, 4)) continue;
    write(sheet, text, from, y);
    return { from, to: from + width };
  }
  return null;
}

function levelBar(sheet, from, width, level) {
  const { ctx, colours, lanes } = sheet;
  const height = 7 * level;
  ctx.fillStyle = colours.levels[level];
  ctx.fillRect(from, lanes.ladder.base - height, width, height);
  ctx.fillStyle = colours.ink;
  ctx.fillRect(from, lanes.ladder.base - height, width, 1.2);
}

function drawLadderCells(sheet) {
  for (let call = sheet.first; call < sheet.stop; call++) {
    const level = sheet.model.level[call];
    if (!level) continue;
    const [from, to] = cellEdges(sheet, call);
    levelBar(sheet, from, to - from, level);
  }
}

/** Flags where a level fires; of those that would touch, the highest level stays. */
function drawFires(sheet, forbidden) {
  const { model, lanes } = sheet;
  const { ladder } = model.payload;
  const room = new Room(sheet.left - 2, sheet.total);
  const fires = [];
  for (let at = 0; at < model.fires.call.length; at++) {
    const call = model.fires.call[at];
    if (call >= sheet.first && call < sheet.stop) fires.push({ x: columnEdges(sheet, call)[0], level: model.fires.level[at] });
  }
  fires.sort((a, b) => b.level - a.level || a.x - b.x);
  const shown = fires.filter((fire) => room.take(fire.x - 1, fire.x + 14.5));
  for (const fire of shown) drawFire(sheet, fire);
  const stop = ladder.stop ? drawStop(sheet, ladder.stop, lanes.ladder.base - 22, lanes.ladder.base, room, forbidden) : false;
  if (stop || sheet.narrow || sheet.dense || !shown.length) return;
  const first = Math.min(...shown.map((fire) => fire.x));
  const last = Math.max(...shown.map((fire) => fire.x));
  const y = lanes.ladder.top + 5;
  if (!writeBeside(sheet, ladder.note, first, 8, y, room, forbidden, ["left"])) {
    writeBeside(sheet, ladder.note, last, 22, y, room, forbidden, ["right"]);
  }
}

function drawFire(sheet, { x, level }) {
  const { ctx, colours, lanes } = sheet;
  const top = lanes.ladder.top - 2;
  pennant(sheet, x, top, 14, 12);
  ctx.fillStyle = colours.ink;
  ctx.fillRect(snap(sheet, x - 0.25), top, 1.25, lanes.ladder.base - top);
  write(sheet, String(level), x + 5.5, top + 6, { size: 11, weight: 700, colour: colours.onInk, align: "center" });
}

function thrashBar(sheet, from, width, count) {
  const { ctx, colours, lanes, model } = sheet;
  const height = Math.min(16 * count / model.payload.thrash.n, 16);
  ctx.fillStyle = colours.mark;
  ctx.fillRect(from, lanes.thrash.base - height, width, height);
}

function drawThrashCells(sheet) {
  for (let call = sheet.first; call < sheet.stop; call++) {
    if (sheet.model.identical[call] < FEWEST_IDENTICAL) continue;
    const [from, to] = cellEdges(sheet, call);
    thrashBar(sheet, from, to - from, sheet.model.identical[call]);
  }
}

function drawThrashTexts(sheet, forbidden) {
  const { thrash } = sheet.model.payload;
  const { lanes } = sheet;
  const room = new Room(sheet.left - 2, sheet.total);
  if (thrash.stop) drawStop(sheet, thrash.stop, lanes.thrash.top, lanes.thrash.base, room, forbidden);
  else if (!sheet.narrow && !sheet.dense && inSight(sheet, thrash.note_call)) {
    const [from, to] = cellEdges(sheet, thrash.note_call);
    const y = lanes.thrash.top + 9;
    if (writeBeside(sheet, thrash.note, from, 6, y, room, forbidden, ["left"])) return;
    writeBeside(sheet, thrash.note, to, 6, y, room, forbidden, ["right"]);
  }
}

function inSight(sheet, call) {
  return call !== null && call >= sheet.first && call < sheet.stop;
}

/** A guard's stop: a flag, and hatching over its own lane up to the end of the run. */
function drawStop(sheet, stop, top, base, room, bands) {
  const x = snap(sheet, sheet.x(sheet.scale.end[stop.call]));
  if (x > sheet.right) return false;
  hatch(sheet, Math.max(x, sheet.left), top, sheet.end, base);
  if (x < sheet.left - 2) return true;
  const { ctx, colours } = sheet;
  ctx.fillStyle = colours.ink;
  ctx.fillRect(x - 1, top - 2, 1.5, base - top + 2);
  if (!sheet.narrow) writeStop(sheet, stop, x - 1, top, base, room, bands);
  return true;
}

function writeStop(sheet, stop, x, top, base, room, bands) {
  const { ctx, colours } = sheet;
  const middle = (top + base) / 2;
  const width = textWidth(sheet, stop.text, { weight: 600 }) + 20;
  const turned = x + width > sheet.right;
  if (!room.take(turned ? x - width : x, turned ? x : x + width)) return;
  pennant(sheet, x, middle - 8, width, 16, turned);
  write(sheet, stop.text, turned ? x - width + 12 : x + 7, middle, { weight: 600, colour: colours.onInk });
  const from = x + width + 5;
  const after = textWidth(sheet, stop.after);
  if (turned || from + after > sheet.right || !room.take(from, from + after)) return;
  wipe(sheet, from - 5, top + 1, from + after + 7, base, bands);
  write(sheet, stop.after, from, middle);
}

/** Back to the page's ground, and to that of the bands that pass there. */
function wipe(sheet, from, top, to, base, bands) {
  const { ctx } = sheet;
  ctx.fillStyle = sheet.colours.ground;
  ctx.fillRect(from, top, to - from, base - top);
  for (const band of bands) {
    const [left, right] = [Math.max(from, band.from - 1), Math.min(to, band.to + 2)];
    if (!band.band || right <= left) continue;
    ctx.fillStyle = band.band;
    ctx.fillRect(left, top, right - left, base - top);
  }
}

function hatch(sheet, from, top, to, base) {
  const { ctx, colours } = sheet;
  ctx.save();
  ctx.beginPath();
  ctx.rect(from, top, to - from, base - top);
  ctx.clip();
  ctx.strokeStyle = colours.faint;
  ctx.lineWidth = 0.9;
  ctx.beginPath();
  const height = base - top;
  for (let x = from - height; x < to; x += 7) {
    ctx.moveTo(x, base);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}
