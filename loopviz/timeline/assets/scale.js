// Where calls stand from left to right: one column each, or by the time they began. Both give every call a start and an
// end in units of their own; a view is the part of those units in sight.

const FEWEST_COLUMNS = 12;
const MOST_BREAKS = 12;
const LONG_WAIT = 8;
const LONG_SHARE = 0.03;

function callScale(n) {
  const start = new Float64Array(n);
  const end = new Float64Array(n);
  for (let call = 0; call < n; call++) {
    start[call] = call;
    end[call] = call + 1;
  }
  return { kind: "calls", start, end, length: Math.max(n, FEWEST_COLUMNS), waits: [] };
}

/** Unknown and backward times take the time before them, so that calls never change their order. */
function risingTimes(times, n) {
  const rising = new Float64Array(n);
  let now = 0;
  for (let call = 0; call < n; call++) {
    if (times[call] > now) now = times[call];
    rising[call] = now;
  }
  return rising;
}

/** The usual gap, and the wait from which on one is cut: far above it, a good part of the whole, and such that few are. */
function gapLimits(gaps) {
  const sorted = gaps.filter((gap) => gap > 0).sort();
  if (!sorted.length) return { usual: 1, cut: Infinity };
  const usual = sorted[sorted.length >> 1];
  const shown = sorted.reduce((sum, gap) => sum + Math.min(gap, LONG_WAIT * usual), 0);
  return { usual, cut: Math.max(LONG_WAIT * usual, LONG_SHARE * shown, sorted[Math.max(sorted.length - 1 - MOST_BREAKS, 0)]) };
}

function timeScale(times, n) {
  const began = risingTimes(times.start, n);
  const gaps = Float64Array.from(began, (time, call) => (call ? time - began[call - 1] : 0));
  const { usual, cut } = gapLimits(gaps);
  const start = new Float64Array(n);
  const waits = [];
  let now = 0;
  for (let call = 0; call < n; call++) {
    if (gaps[call] > cut) waits.push({ from: now, to: now + cut, seconds: gaps[call] });
    now += Math.min(gaps[call], cut);
    start[call] = now;
  }
  const length = now + usual;
  const end = Float64Array.from(start, (from, call) => {
    const next = call + 1 < n ? start[call + 1] : length;
    return Math.min(next, from + callTook(times, call, gaps[call + 1] > cut ? usual : Infinity));
  });
  return { kind: "time", start, end, began, length, waits };
}

/** How long a call took, in seconds; `unknown` where the run does not say. */
function callTook({ start, end }, call, unknown) {
  return end && end[call] > start[call] ? end[call] - start[call] : unknown;
}

/** Index of the last start at or before `unit`, -1 before the first. */
function callBefore(scale, unit) {
  let low = 0;
  let high = scale.start.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (scale.start[middle] <= unit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Calls in sight as [first, last + 1], with those that reach in from the left. */
function callsInView(scale, view) {
  const first = Math.max(callBefore(scale, view.from), 0);
  const stop = Math.min(callBefore(scale, view.to - 1e-9) + 1, scale.start.length);
  return [first, Math.max(stop, first)];
}

function wholeView(scale) {
  return { from: 0, to: scale.length };
}

function isWhole(scale, view) {
  return view.to - view.from >= scale.length * (1 - 1e-9);
}

/** The narrowest view: a few columns, so that no cell grows beyond reason. */
function leastSpan(scale) {
  return scale.length * Math.min(FEWEST_COLUMNS / Math.max(scale.start.length, 1), 1);
}

/** Keep a view inside the run and no narrower than a few calls. */
function fitView(scale, view) {
  const span = Math.min(Math.max(view.to - view.from, leastSpan(scale)), scale.length);
  const middle = (view.from + view.to) / 2;
  const from = Math.min(Math.max(middle - span / 2, 0), scale.length - span);
  return { from, to: from + span };
}

/** Zoom by `factor` (below 1 comes closer) so that `unit` stays where it is on the screen. */
function zoomView(scale, view, unit, factor) {
  const span = view.to - view.from;
  const wanted = Math.min(Math.max(span * factor, leastSpan(scale)), scale.length);
  const share = (unit - view.from) / span;
  const from = Math.min(Math.max(unit - share * wanted, 0), scale.length - wanted);
  return { from, to: from + wanted };
}

/** Move the view as little as needed to show a call, with a little room round it. */
function viewShowing(scale, view, call) {
  const span = view.to - view.from;
  const room = Math.min(span * 0.08, (scale.length / Math.max(scale.start.length, 1)) * 2);
  const first = Math.max(scale.start[call] - room, 0);
  const last = Math.min(scale.end[call] + room, scale.length);
  if (first < view.from) return fitView(scale, { from: first, to: first + span });
  if (last > view.to) return fitView(scale, { from: last - span, to: last });
  return view;
}

/** The view of a stretch of calls, both ends included. */
function viewOfCalls(scale, first, last) {
  return fitView(scale, { from: scale.start[first], to: scale.end[last] });
}

const NICE = [1, 2, 5];

/** The smallest of 1, 2, 5, 10, 20 … that is at least `least`. */
function niceStep(least) {
  for (let power = 1; ; power *= 10) {
    for (const factor of NICE) if (factor * power >= least) return factor * power;
  }
}

const CLOCK_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400];

function clockStep(least) {
  return CLOCK_STEPS.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
}

/** Seconds as a person says them: `0.4 s`, `3 min 12 s`, `2 h 05 min`. */
function duration(seconds) {
  if (seconds < 60) return `${seconds < 10 ? Number(seconds.toFixed(seconds < 1 ? 2 : 1)) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  const pad = (value) => String(value).padStart(2, "0");
  if (whole < 3600) return whole % 60 ? `${Math.floor(whole / 60)} min ${pad(whole % 60)} s` : `${whole / 60} min`;
  const minutes = Math.floor((whole % 3600) / 60);
  return minutes ? `${Math.floor(whole / 3600)} h ${pad(minutes)} min` : `${Math.floor(whole / 3600)} h`;
}
