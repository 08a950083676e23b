// Where everything stands: lanes from top to bottom, and columns from left to right.

const GUTTER = 104;
const NARROW_GUTTER = 78;
const PAD_RIGHT = 6;
const ROW_HIGH = 20;
const CELL_HIGH = 31;
const LABEL_HIGH = 18;
const BRACKET_HIGH = 9;
const GAP_HIGH = 65;
const TURN_HIGH = 24;
const FLAG_HIGH = 22;
const STRIP_HIGH = 10;
const LETTERS_FROM = 12;
const CELLS_FROM = 5;

function laneOf(model, width, zoomed) {
  const narrow = width < 560;
  const rows = model.rows.length * ROW_HIGH;
  const hasBracket = model.sides.map((side) => side.brackets.start.length > 0);
  let y = model.mark ? FLAG_HIGH + 2 : 2;
  const take = (high) => (y += high) - high;
  const lanes = { narrow, left: narrow ? NARROW_GUTTER : GUTTER, width, top: 0 };
  lanes.sides = [{}, {}];
  lanes.sides[0].turn = take(TURN_HIGH);
  lanes.sides[0].rows = take(rows);
  lanes.sides[0].bracket = take(hasBracket[0] ? LABEL_HIGH + BRACKET_HIGH + 6 : 6);
  lanes.sides[0].cells = take(CELL_HIGH);
  lanes.gap = y;
  take(model.settings ? 10 : 22);
  lanes.sides[1].bracket = take(hasBracket[1] ? LABEL_HIGH + BRACKET_HIGH + 8 : 8);
  y = Math.max(y, lanes.gap + (model.settings ? 24 : GAP_HIGH));
  lanes.sides[1].bracket = hasBracket[1] ? y - LABEL_HIGH - BRACKET_HIGH - 4 : y;
  lanes.sides[1].cells = take(CELL_HIGH);
  take(6);
  lanes.sides[1].rows = model.settings ? y : take(rows);
  lanes.sides[1].turn = model.settings ? -100 : take(TURN_HIGH);
  lanes.bottom = y;
  lanes.strip = zoomed ? take(STRIP_HIGH + 10) + 6 : null;
  lanes.height = y + 2;
  lanes.right = width - PAD_RIGHT;
  return lanes;
}

function columnWidth(view, lanes) {
  return (lanes.right - lanes.left) / Math.max(view.to - view.from, 1e-9);
}

function xOf(view, lanes, column) {
  return lanes.left + (column - view.from) * columnWidth(view, lanes);
}

function columnAt(view, lanes, x) {
  return Math.floor(view.from + (x - lanes.left) / columnWidth(view, lanes));
}

/** The view, kept inside the picture; it never shows fewer than eight columns, unless there are fewer. */
function clampView({ from, to }, n) {
  const wide = Math.min(Math.max(to - from, Math.min(8, n)), n);
  const start = Math.min(Math.max(from, 0), n - wide);
  return { from: start, to: start + wide };
}
