// Texts of the cycles lane: chips and labels, what is allowed, the flag. The stronger text stays, a weaker one that
// would touch it is left out; its bracket still tells.

function drawLabels(sheet, shown) {
  const ordered = shown.slice().reverse().sort((a, b) => labelRank(sheet, b) - labelRank(sheet, a));
  const over = ordered.filter((item) => stateOf(sheet, item) === OVER);
  const { room, chips } = placeOver(sheet, over);
  for (const chip of chips) drawChip(sheet, chip);
  if (!sheet.narrow && !sheet.dense) for (const chip of chips) drawAllowed(sheet, chip, room);
  for (const item of ordered) if (stateOf(sheet, item) !== OVER) drawLabel(sheet, item, room, shown);
}

/** Chips first, then the flag; where these leave it no room it comes first, but for the strongest and where it stands. */
function placeOver(sheet, over) {
  const placed = placeChips(sheet, over, [], ["text", "short"]);
  const { flag, words } = placed;
  if (!flag || words) {
    drawFlag(sheet, placed);
    return placed;
  }
  const first = over.filter((item, at) => !at || (item.from < flag.pole + 2 && item.to > flag.pole - 2));
  const again = placeChips(sheet, first, over.filter((item) => !first.includes(item)), ["short"]);
  drawFlag(sheet, again);
  return again;
}

function placeChips(sheet, first, later, texts) {
  const room = new Room(sheet.left - 2, sheet.total);
  const chips = first.map((item) => placeChip(sheet, item, room)).filter(Boolean);
  const flag = flagInSight(sheet, chips);
  const words = flag ? placeFlag(sheet, flag, room, texts) : null;
  if (flag && !flag.covering) room.block(flag.pole - 4, flag.pole + 4);
  chips.push(...later.map((item) => placeChip(sheet, item, room)).filter(Boolean));
  return { room, chips, flag, words };
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

function placeChip(sheet, item, room) {
  const text = labelText(sheet, item.cycle);
  const width = textWidth(sheet, text, LABEL_STYLE) + 15;
  const from = Math.min(labelStart(sheet, item), sheet.total - width);
  return room.take(from, from + width, 4) ? { cycle: item.cycle, text, from, to: from + width } : null;
}

function drawChip(sheet, { cycle, text, from, to }) {
  const { ctx, colours, lanes, model } = sheet;
  const hue = hueIndex(model.cycles.period[cycle]);
  ctx.fillStyle = colours.hues[hue];
  roundRect(ctx, from, lanes.label.top, to - from, lanes.label.height, 4);
  ctx.fill();
  write(sheet, text, from + 8, lanes.label.middle, { ...LABEL_STYLE, colour: colours.onHues[hue] });
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

/** Where the pole of the flag stands, and the chip above it; null out of sight. */
function flagInSight(sheet, chips) {
  const { flag } = sheet.model.payload;
  if (!flag) return null;
  const pole = flagPole(sheet, flag);
  if (pole < sheet.left - 2 || pole > sheet.right + 2) return null;
  return { pole, covering: chips.find((chip) => pole > chip.from - 2 && pole < chip.to + 2) };
}

/** A pole at the end of the first failing step, its pennant beside whatever chip stands there. */
function drawFlag(sheet, { flag, words }) {
  if (!flag) return;
  drawPole(sheet, flag.pole, flag.covering ? sheet.lanes.label.top + sheet.lanes.label.height : sheet.lanes.label.top);
  if (!words) return;
  const { at, width, turned, text } = words;
  pennant(sheet, at, sheet.lanes.label.top, width, sheet.lanes.label.height, turned);
  write(sheet, text, turned ? at - width + 12 : at + 7, sheet.lanes.label.middle, { weight: 600, colour: sheet.colours.onInk });
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

/** The first of the texts that finds room, on the one side or the other. */
function placeFlag(sheet, { pole, covering }, room, texts) {
  const places = covering
    ? [{ at: covering.to + 4, turned: false }, { at: covering.from - 4, turned: true }]
    : [{ at: pole - 1, turned: false }, { at: pole + 1, turned: true }];
  for (const name of sheet.narrow ? ["short"] : texts) {
    const text = sheet.model.payload.flag[name];
    const width = textWidth(sheet, text, { weight: 600 }) + 19;
    for (const { at, turned } of places) {
      const from = turned ? at - width : at;
      if (Math.abs(at - pole) <= FLAG_REACH && room.take(from, from + width, 6)) return { at, width, turned, text };
    }
  }
  return null;
}
