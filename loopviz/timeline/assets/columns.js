// From the payload to typed arrays: everything that drawing and words look up. Nothing here detects anything.

const ERROR = 1;
const EMPTY = 2;
const WATCHED = 4;
const SEEN_ARGUMENTS = 8;
const SEEN_OUTPUT = 16;
const UNKNOWN = 32;

const NOT_GUARDED = 127;
const BEGINS = 128;
const NOT_COMPARED = 255;

const NOT_COUNTED = 0;
const COUNTED = 1;
const OVER = 2;

// Strength of a mark where several share a pixel: plain, error, then four hues each of the three states, so that the
// larger number always wins.
const PLAIN = 1;
const FAILED = 2;
const FIRST_CYCLE_KEY = 3;

function cycleKey(state, period) {
  return FIRST_CYCLE_KEY + state * 4 + hueIndex(period);
}

function keyState(key) {
  return (key - FIRST_CYCLE_KEY) >> 2;
}

function keyHue(key) {
  return (key - FIRST_CYCLE_KEY) & 3;
}

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

const COLUMN_TYPES = { u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array, i4: Int32Array, f4: Float32Array };

/** Read what `loopviz.timeline.contract.encode` wrote. */
function decodeColumn(text) {
  const kind = text.slice(0, 2);
  const bytes = bytesOf(text.slice(3));
  if (kind !== "d1") return new COLUMN_TYPES[kind](bytes.buffer, bytes.byteOffset);
  const differences = new Int8Array(bytes.buffer, bytes.byteOffset);
  const values = new Int32Array(differences.length);
  let value = 0;
  for (let at = 0; at < differences.length; at++) values[at] = value += differences[at];
  return values;
}

/** Decode columns by name, taking over those of the last payload that have not changed. */
class ColumnReader {
  constructor() {
    this.kept = new Map();
  }

  read(name, text) {
    const kept = this.kept.get(name);
    if (kept && kept.text === text) return kept.values;
    const values = decodeColumn(text);
    this.kept.set(name, { text, values });
    return values;
  }

  /** What is made of columns alone is made anew only when one of them is new. */
  derive(name, inputs, make) {
    const kept = this.kept.get(name);
    if (kept && inputs.every((input, at) => input === kept.inputs[at])) return kept.values;
    const values = make(...inputs);
    this.kept.set(name, { inputs, values });
    return values;
  }

  all(prefix, columns) {
    return Object.fromEntries(Object.entries(columns).map(([name, text]) => [name, this.read(prefix + name, text)]));
  }
}

/** One entry for each flagged call, spread out over all calls; -1 elsewhere. */
function spread(flags, bit, values) {
  const spreadOut = new Int32Array(flags.length).fill(-1);
  let next = 0;
  for (let call = 0; call < flags.length && next < values.length; call++) {
    if (flags[call] & bit) spreadOut[call] = values[next++];
  }
  return spreadOut;
}

/** 0 unseen, 1 the same arguments or the same output as an earlier call, 2 both. */
function seenDegrees(flags) {
  return Uint8Array.from(flags, (bits) => (bits & SEEN_ARGUMENTS ? 1 : 0) + (bits & SEEN_OUTPUT ? 1 : 0));
}

/** The call that the ladder held each call against: the first of the stretch before it; -1 where it compared nothing. */
function heldAgainst(score) {
  const against = new Int32Array(score.length).fill(-1);
  let first = -1;
  for (let call = 0; call < score.length; call++) {
    if (score[call] === NOT_GUARDED) continue;
    if (score[call] !== NOT_COMPARED) against[call] = first;
    if (score[call] & BEGINS) first = call;
  }
  return against;
}

/** First and last call of each step. */
function stepSpans(step, nSteps) {
  const first = new Int32Array(nSteps).fill(-1);
  const last = new Int32Array(nSteps).fill(-1);
  for (let call = 0; call < step.length; call++) {
    const at = step[call];
    if (at < 0) continue;
    if (first[at] < 0) first[at] = call;
    last[at] = call;
  }
  return { first, last };
}

/** Last call of the steps from one to before another: where turns of several agents interleave, not always of the last. */
function lastCallOf(stepLast, start, stop) {
  let last = stepLast[start];
  for (let step = start + 1; step < stop; step++) last = Math.max(last, stepLast[step]);
  return last;
}

/** Last call of each cycle, and of its complete copies, before a started one. */
function lastCallsOf({ start, stop, period, occurrences }, stepLast) {
  const whole = new Int32Array(start.length);
  const counted = new Int32Array(start.length);
  for (let cycle = 0; cycle < start.length; cycle++) {
    const complete = start[cycle] + period[cycle] * occurrences[cycle];
    counted[cycle] = lastCallOf(stepLast, start[cycle], complete);
    whole[cycle] = complete < stop[cycle] ? Math.max(counted[cycle], lastCallOf(stepLast, complete, stop[cycle])) : counted[cycle];
  }
  return { whole, counted };
}

/** Which cycle each step takes its look from: the last one in the payload that covers it. */
function paintCycles(cycles, nSteps) {
  const cycleOf = new Int32Array(nSteps).fill(-1);
  for (let at = 0; at < cycles.start.length; at++) cycleOf.fill(at, cycles.start[at], cycles.stop[at]);
  return cycleOf;
}

/**
 * Strength of each call's mark in the steps lane and in its tool row, where "not counted" stays grey. In the steps lane a
 * call that is not watched has the key of the cycle that joins across it, else none.
 */
function markKeys({ n, step, flags, cycleOf, cycles }) {
  const cell = new Uint8Array(n);
  const mark = new Uint8Array(n);
  let before = -1;
  let cycleBefore = -1;
  for (let call = 0; call < n; call++) {
    mark[call] = flags[call] & ERROR ? FAILED : PLAIN;
    if (step[call] < 0) continue;
    const cycle = cycleOf[step[call]];
    const key = cycle < 0 ? PLAIN : cycleKey(cycles.state[cycle], cycles.period[cycle]);
    cell[call] = key;
    if (cycle >= 0 && cycle === cycleBefore) cell.fill(key, before + 1, call);
    if (cycle >= 0 && cycles.state[cycle] > NOT_COUNTED) mark[call] = key;
    before = call;
    cycleBefore = cycle;
  }
  return { cell, mark };
}

function buildModel(payload, reader) {
  const calls = reader.all("calls.", payload.calls);
  const cycles = reader.all("cycles.", payload.cycles);
  const n = payload.n_calls;
  const nSteps = payload.n_steps;
  const { step, flags, row, turn, level, identical } = calls;
  const spans = reader.derive("spans", [step, nSteps], stepSpans);
  const emptySteps = reader.read("empty", payload.empty_steps);
  const model = {
    payload, n, nSteps, cycles, nCycles: cycles.start.length, step, row, turn, flags, level, identical, emptySteps,
    stepFirst: spans.first, stepLast: spans.last, cycleOf: paintCycles(cycles, nSteps), byStart: inOrderOfStart(cycles),
    cycleLast: lastCallsOf(cycles, spans.last),
    sameArguments: reader.derive("args", [flags, SEEN_ARGUMENTS, calls.same_arguments], spread),
    sameOutput: reader.derive("output", [flags, SEEN_OUTPUT, calls.same_output], spread),
    score: calls.score, against: reader.derive("against", [calls.score], heldAgainst),
    seen: reader.derive("seen", [flags], seenDegrees),
    isEmpty: reader.derive("isEmpty", [emptySteps, nSteps], markSteps),
    fires: { call: reader.read("fire", payload.ladder.fire_calls), level: reader.read("level", payload.ladder.fire_levels) },
    times: timesOf(payload, reader),
    hits: payload.hits ? reader.read("hits", payload.hits) : new Uint8Array(0),
  };
  model.keys = markKeys(model);
  return model;
}

function inOrderOfStart({ start }) {
  return Array.from(start.keys()).sort((a, b) => start[a] - start[b] || a - b);
}

function markSteps(steps, nSteps) {
  const marked = new Uint8Array(nSteps);
  for (const step of steps) marked[step] = 1;
  return marked;
}

function timesOf({ times }, reader) {
  if (!times) return null;
  return { start: reader.read("start", times.start), end: times.end ? reader.read("end", times.end) : null };
}

function cycleFirstCall(model, cycle) {
  return model.stepFirst[model.cycles.start[cycle]];
}

function cycleLastCall(model, cycle) {
  return model.cycleLast.whole[cycle];
}

/** Last call of the complete copies, before a started one. */
function cycleCountedLastCall(model, cycle) {
  return model.cycleLast.counted[cycle];
}

/** Where a step stands in the cycle it takes its look from; null outside every cycle. */
function placeInCycle(model, step) {
  const cycle = step < 0 ? -1 : model.cycleOf[step];
  if (cycle < 0) return null;
  const period = model.cycles.period[cycle];
  const offset = step - model.cycles.start[cycle];
  const copy = Math.floor(offset / period) + 1;
  const occurrences = model.cycles.occurrences[cycle];
  return {
    cycle, period, occurrences, state: model.cycles.state[cycle], letter: offset % period, copy, started: copy > occurrences,
  };
}

/** The cycle that decides the verdict: the payload hands it over last. */
function decidingCycle(model) {
  const last = model.nCycles - 1;
  return last >= 0 && model.cycles.state[last] > NOT_COUNTED ? last : -1;
}
