// Texts of the cycles lane: chips and labels, what is allowed, the flag. The stronger text stays, a weaker one that
// would touch it is left out; its bracket still tells.

function drawLabels(sheet, shown) {
  const room = new Room(sheet.left - 2, sheet.total);
  const ordered = shown.slice().reverse().sort((a, b) => labelRank(sheet, b) - labelRank(sheet, a));
  const over = ordered.filter((item) => stateOf(sheet, item) === OVER);
  const chips = over.map((item) => drawChip(sheet, item, room)).filter(Boolean);
  drawFlag(sheet, room, chips);
  if (!sheet.narrow && !sheet.dense) for (const chip of chips) drawAllowed(sheet, chip, room);
  for (const item of ordered) if (stateOf(sheet, item) !== OVER) drawLabel(sheet, item, room, shown);
}

function stateOf(sheet, item) {
  return sheet.model.cycles.state[item.cycle];
}

/** The deciding cycle first, then by state, then by times in a row. */
function labelRank(sheet, item) {
  const { model } = sheet;
  const deciding = item.cycle === model.nCycles - 1 ? 1e9 : 0;
  return deciding + stateOf(sheet, item) * 1e6 + Math.min(model.cycles.occurrences[item.cycle], 1e5);
}

function labelText(sheet, cycle) {
  const { period, occurrences } = sheet.model.cycles;
  return `${lettersOf(period[cycle])} × ${figure(occurrences[cycle])}`;
}

/** Where a label begins: over its bracket, or at the edge while the bracket reaches in from the left. */
function labelStart(sheet, item) {
  return Math.max(item.from, sheet.left);
}

const LABEL_STYLE = { size: 13, weight: 600, spacing: 1 };

function drawChip(sheet, item, room) {
  const { ctx, colours, lanes, model } = sheet;
  const text = labelText(sheet, item.cycle);
  const width = textWidth(sheet, text, LABEL_STYLE) + 15;
  const from = Math.min(labelStart(sheet, item), sheet.total - width);
  if (!room.take(from, from + width, 4)) return null;
  const hue = hueIndex(model.cycles.period[item.cycle]);
  ctx.fillStyle = colours.hues[hue];
  roundRect(ctx, from, lanes.label.top, width, lanes.label.height, 4);
  ctx.fill();
  write(sheet, text, from + 8, lanes.label.middle, { ...LABEL_STYLE, colour: colours.onHues[hue] });
  return { from, to: from + width };
}

function drawAllowed(sheet, chip, room) {
  const text = `${figure(sheet.model.payload.limit)} allowed`;
  const width = textWidth(sheet, text);
  if (room.take(chip.to + 8, chip.to + 8 + width, 6)) write(sheet, text, chip.to + 8, sheet.lanes.label.middle);
}

/** A label in ink and hue. When bars stand for brackets, only for what reaches the limit, right above its bar. */
function drawLabel(sheet, item, room, shown) {
  const { colours, model, lanes } = sheet;
  const counted = stateOf(sheet, item) === COUNTED;
  if (item.level === -1) return;
  if (sheet.dense && (!counted || model.cycles.occurrences[item.cycle] < Math.max(model.payload.limit, 2))) return;
  const text = labelText(sheet, item.cycle);
  const style = sheet.dense ? { size: FIGURE_SIZE } : LABEL_STYLE;
  const width = textWidth(sheet, text, style);
  const from = labelStart(sheet, item);
  const y = sheet.dense ? lanes.cells.top - item.height - 10.5 : lanes.label.middle;
  if (sheet.dense && hitsHigherBar(item, shown, from, from + width)) return;
  if (!room.take(from, from + width, 7)) return;
  write(sheet, text, from, y, { ...style, colour: colours.hueTexts[hueIndex(model.cycles.period[item.cycle])] });
  if (!counted) writeAside(sheet, "not counted", from + width + 6, room);
}

function hitsHigherBar(item, shown, from, to) {
  return shown.some((bar) => bar !== item && bar.height > item.height && bar.from < to && bar.to > from);
}

function writeAside(sheet, text, from, room) {
  if (sheet.narrow) return;
  const spare = room.taken.pop();
  const width = textWidth(sheet, text);
  const fits = room.free(from - 4, from + width) && from + width < sheet.right;
  room.taken.push(spare);
  if (!fits) return;
  room.block(from, from + width + 7);
  write(sheet, text, from, sheet.lanes.label.middle);
}

/** A pole at the end of the first failing step, its pennant beside whatever chip stands there. */
function drawFlag(sheet, room, chips) {
  const { flag } = sheet.model.payload;
  if (!flag) return;
  const pole = flagPole(sheet, flag);
  if (pole < sheet.left - 2 || pole > sheet.right + 2) return;
  const covering = chips.find((chip) => pole > chip.from - 2 && pole < chip.to + 2);
  drawPole(sheet, pole, covering ? sheet.lanes.label.top + sheet.lanes.label.height : sheet.lanes.label.top);
  const texts = sheet.narrow ? [flag.short] : [flag.text, flag.short];
  for (const text of texts) if (placePennant(sheet, text, pole, covering, room)) return;
}

function flagPole(sheet, flag) {
  if (sheet.dense) return snap(sheet, sheet.x(sheet.scale.end[flag.call]));
  const [, to] = columnEdges(sheet, flag.call);
  return to - 1;
}

function drawPole(sheet, x, top) {
  const { ctx, colours, lanes } = sheet;
  ctx.fillStyle = colours.ink;
  const width = sheet.dense ? 1.5 : 2;
  ctx.fillRect(snap(sheet, x - width / 2), top, width, lanes.hairlines[0] - 1.5 - top);
}

function placePennant(sheet, text, pole, covering, room) {
  const width = textWidth(sheet, text, { weight: 600 }) + 19;
  const places = covering
    ? [{ at: covering.to + 4, turned: false }, { at: covering.from - 4, turned: true }]
    : [{ at: pole - 1, turned: false }, { at: pole + 1, turned: true }];
  for (const { at, turned } of places) {
    const from = turned ? at - width : at;
    if (Math.abs(at - pole) > FLAG_REACH || !room.take(from, from + width, 6)) continue;
    pennant(sheet, at, sheet.lanes.label.top, width, sheet.lanes.label.height, turned);
    write(sheet, text, turned ? from + 12 : from + 7, sheet.lanes.label.middle, { weight: 600, colour: sheet.colours.onInk });
    return true;
  }
  return false;
}
