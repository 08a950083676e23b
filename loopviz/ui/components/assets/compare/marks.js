// What is written on the picture of two runs: brackets over the cycles, the flag of the limit, where the runs part.

/** Brackets over the cycles: those over the limit first, others where there is room. */
function drawBrackets(sheet, at) {
  const { ctx, model, lanes, look, zoom, wide } = sheet;
  const side = model.sides[at];
  const { start, stop, occurrences, state, period } = side.brackets;
  const base = lanes.sides[at].cells - 4;
  const flag = flagBox(sheet, at);
  const taken = [];
  for (let cycle = start.length - 1; cycle >= 0 && taken.length < 60; cycle--) {
    const from = xOf(zoom, lanes, side.columnOf[start[cycle]]);
    const to = xOf(zoom, lanes, side.columnOf[stop[cycle] - 1]) + wide;
    if (to < lanes.left || from > lanes.right || to - from < 4) continue;
    if (taken.some(([left, right]) => from < right + 4 && to > left - 4)) continue;
    taken.push([from, to]);
    const over = state[cycle] === OVER;
    ctx.strokeStyle = over ? look.ink : look.muted;
    ctx.lineWidth = over ? 2 : 1.25;
    ctx.beginPath();
    ctx.moveTo(from + 2, base);
    ctx.lineTo(from + 2, base - BRACKET_HIGH + 1);
    ctx.lineTo(to - 2, base - BRACKET_HIGH + 1);
    ctx.lineTo(to - 2, base);
    if (wide * period[cycle] > 10 && occurrences[cycle] < 200) {
      for (let copy = 1; copy < occurrences[cycle]; copy++) {
        const x = xOf(zoom, lanes, side.columnOf[start[cycle] + copy * period[cycle]] ?? 0);
        ctx.moveTo(x, base - BRACKET_HIGH + 1);
        ctx.lineTo(x, base - 3);
      }
    }
    ctx.stroke();
    const letters = Array.from({ length: Math.min(period[cycle], 10) }, (_, place) => String.fromCharCode(97 + place)).join(" ");
    bracketLabel(sheet, at, { from: Math.max(from, lanes.left), to, over, words: `${letters} × ${occurrences[cycle].toLocaleString("en")}`, flag });
  }
  if (flag) drawFlag(sheet, flag);
}

function bracketLabel(sheet, at, { from, to, over, words, flag }) {
  const { ctx, model, lanes, look } = sheet;
  const y = lanes.sides[at].cells - BRACKET_HIGH - LABEL_HIGH / 2 - 4;
  ctx.textAlign = "left";
  ctx.font = fontOf(sheet, 13, over ? 600 : 400);
  const wide = ctx.measureText(words).width;
  const stopAt = flag && flag.x > from && y > flag.y - 14 ? flag.x : Infinity;
  if (wide > to - from + 40 && !over) return;
  const x = from + wide + 6 > stopAt ? Math.max(stopAt - wide - 8, lanes.left) : from + 4;
  ctx.fillStyle = look.ground;
  ctx.fillRect(x - 3, y - 9, wide + 6, 17);
  ctx.fillStyle = over ? look.ink : look.muted;
  ctx.fillText(words, x, y);
  const allowed = model.sides[at].allowed;
  ctx.font = fontOf(sheet, 13);
  const more = ctx.measureText(allowed).width;
  if (!over || lanes.narrow || x + wide + 10 + more + 4 > stopAt) return;
  ctx.fillStyle = look.ground;
  ctx.fillRect(x + wide + 6, y - 9, more + 8, 17);
  ctx.fillStyle = look.muted;
  ctx.fillText(allowed, x + wide + 10, y);
}

function flagBox(sheet, at) {
  const { ctx, model, lanes, zoom } = sheet;
  const side = model.sides[at];
  if (!side.flag) return null;
  const x = xOf(zoom, lanes, side.columnOf[side.flag.step] + 1); // behind its step, as on the timeline
  if (x < lanes.left - 1 || x > lanes.right) return null;
  ctx.font = fontOf(sheet, 12.5, 600);
  const words = lanes.narrow ? side.flag.short : side.flag.text;
  const wide = ctx.measureText(words).width + 18;
  const y = lanes.sides[at].cells - BRACKET_HIGH - 8 - 18;
  return { x, y, words, wide, left: x + wide > lanes.right + PAD_RIGHT, bottom: lanes.sides[at].cells + CELL_HIGH + 3 };
}

function drawFlag({ ctx, look, ...sheet }, { x, y, words, wide, left, bottom }) {
  const at = Math.round(x);
  ctx.fillStyle = look.ground;
  ctx.fillRect(at - 2.5, y, 5, bottom - y);
  ctx.fillStyle = look.ink;
  ctx.fillRect(at - 1, y, 2, bottom - y);
  const from = left ? at - wide + 1 : at - 1;
  ctx.beginPath();
  ctx.moveTo(from, y);
  ctx.lineTo(from + wide, y);
  ctx.lineTo(from + wide - (left ? 0 : 5), y + 9);
  ctx.lineTo(from + wide, y + 18);
  ctx.lineTo(from, y + 18);
  if (left) ctx.lineTo(from + 5, y + 9);
  ctx.fill();
  ctx.fillStyle = look.onInk;
  ctx.textAlign = "left";
  ctx.font = fontOf(sheet, 12.5, 600);
  ctx.fillText(words, from + (left ? 11 : 7), y + 9.5);
}

/** The first difference: a line through both runs, with its flag on top. */
function drawMark(sheet) {
  const { ctx, model, lanes, look, zoom } = sheet;
  if (!model.mark) return;
  const x = Math.round(xOf(zoom, lanes, model.mark.column));
  if (x < lanes.left - 1 || x > lanes.right) return;
  ctx.fillStyle = look.ground;
  ctx.fillRect(x - 3, FLAG_HIGH, 6, lanes.bottom - FLAG_HIGH);
  ctx.fillStyle = look.ink;
  ctx.fillRect(x - 1, 0, 2, lanes.bottom);
  ctx.font = fontOf(sheet, 13, 600);
  ctx.textAlign = "left";
  const room = Math.max(lanes.right + PAD_RIGHT - x, x - lanes.left);
  const words = ctx.measureText(model.mark.text).width + 20 > room ? model.mark.short : model.mark.text;
  const wide = ctx.measureText(words).width + 20;
  const from = x + wide > lanes.right + PAD_RIGHT ? x - wide + 1 : x - 1;
  ctx.fillRect(from, 0, wide, FLAG_HIGH);
  ctx.fillStyle = look.onInk;
  ctx.fillText(words, from + 10, FLAG_HIGH / 2 + 0.5);
}
