// From the payload to typed arrays: which step of either run stands in which column, and what is drawn of it.

const UNRECORDED = 4;
const ONLY_A = 5;
const ONLY_B = 6;
const SAME = 0;
const CALL_FAILED = 1;
const CALL_UNWATCHED = 2;
const NO_LETTER = 255;
const MOST_TOOLS = 4;

function readPicture(picture) {
  const kind = decodeColumn(picture.kind);
  const sides = picture.sides.map((side, at) => readSide(side, kind, at ? ONLY_A : ONLY_B));
  return { ...picture, kind, n: kind.length, sides, differences: differencesOf(kind, sides, picture.settings) };
}

/** One run: its columns, and for each step its calls, `calls[first[step]]` to before `calls[first[step + 1]]`. */
function readSide(side, kind, absent) {
  const read = {};
  for (const name of ["turn", "call", "step", "row", "flags", "look", "period", "letter"]) read[name] = decodeColumn(side[name]);
  read.name = side.name ? decodeColumn(side.name) : read.row;
  const n = read.call.length;
  const stepOf = new Int32Array(kind.length).fill(-1);
  const columnOf = new Int32Array(n);
  for (let column = 0, step = 0; column < kind.length; column++) {
    if (kind[column] === absent) continue;
    stepOf[column] = step;
    columnOf[step++] = column;
  }
  const brackets = {};
  for (const [name, values] of Object.entries(side.brackets)) brackets[name] = decodeColumn(values);
  return { ...read, n, stepOf, columnOf, brackets, flag: side.flag, allowed: side.allowed, ...byStep(read.step, n) };
}

function byStep(step, n) {
  const first = new Int32Array(n + 1);
  for (const at of step) if (at >= 0) first[at + 1]++;
  for (let at = 0; at < n; at++) first[at + 1] += first[at];
  const next = first.slice();
  const calls = new Int32Array(step.length);
  step.forEach((at, call) => at >= 0 && (calls[next[at]++] = call));
  return { first, calls };
}

/** Where a stretch of columns begins that are not the same on both sides. */
function differencesOf(kind, sides, settings) {
  const found = [];
  const [a, b] = sides;
  const key = settings ? (at) => (a.look[at] === b.look[at] && a.period[at] === b.period[at] ? 0 : 1) : (at) => (kind[at] === UNRECORDED ? SAME : kind[at]);
  for (let at = 0; at < kind.length; at++) {
    if (key(at) !== 0 && (!at || key(at - 1) !== key(at))) found.push(at);
  }
  return found;
}

function callsOf(side, step) {
  return side.calls.subarray(side.first[step], side.first[step + 1]);
}

/** `turn 10`, or the call where it stands in no turn. */
function placeOfStep(side, step) {
  const turn = side.turn[step];
  return turn > 0 ? `turn ${turn.toLocaleString("en")}` : `call ${(side.call[step] + 1).toLocaleString("en")}`;
}

function toolsOfStep(model, side, step) {
  const names = new Set();
  for (const call of callsOf(side, step)) names.add(model.names[side.name[call]]);
  return names.size > MOST_TOOLS ? `${[...names].slice(0, MOST_TOOLS).join(" + ")} + …` : [...names].join(" + ");
}

/** A column in words, for the status line and the hover card. */
function columnInWords(model, column) {
  const parts = model.sides.map((side, at) => {
    const step = side.stepOf[column];
    const letter = "AB"[at];
    return step < 0 ? `${letter} –` : `${letter} ${placeOfStep(side, step)} ${toolsOfStep(model, side, step)}`;
  });
  return model.settings ? parts[0].slice(2) : `${parts.join(" · ")} · ${model.words[model.kind[column]]}`;
}
