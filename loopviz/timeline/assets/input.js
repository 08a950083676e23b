// Pointer, wheel and keys. They change the timeline's own state at once; what Python hears of it goes through `send`.

const DRAG_FROM = 4;
const HOLD_MS = 450;
const SNAP_TO_MARK = 4;
const PAGE_SCROLL_MS = 180;
const WHEEL_GOES_ON_MS = 400;

function listen(tl) {
  const { stage, over } = tl.dom;
  const pointers = new Map();
  const on = (target, type, handler, options) => target.addEventListener(type, handler, { signal: tl.stop.signal, ...options });
  on(over, "pointerdown", (event) => pointerDown(tl, pointers, event));
  on(over, "pointermove", (event) => pointerMove(tl, pointers, event));
  on(over, "pointerup", (event) => pointerUp(tl, pointers, event));
  on(over, "pointercancel", (event) => pointerUp(tl, pointers, event, true));
  on(over, "pointerleave", () => tl.setHover(-1));
  on(over, "contextmenu", (event) => tl.drag?.kind === "mark" && event.preventDefault());
  on(over, "dblclick", () => tl.reset());
  on(over, "wheel", (event) => wheel(tl, event), { passive: false });
  on(stage, "keydown", (event) => keyDown(tl, event));
  on(stage, "focus", () => stage.classList.toggle("lv-ring", !pointers.size));
  on(stage, "blur", () => stage.classList.remove("lv-ring"));
  on(window, "scroll", () => (tl.pageScrolledAt = performance.now()), { capture: true, passive: true });
}

function placeOf(tl, event) {
  const box = tl.dom.over.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function unitAt(tl, x) {
  const { left, right } = tl.edges();
  return tl.view.from + ((x - left) / (right - left)) * (tl.view.to - tl.view.from);
}

function inStrip(tl, place) {
  return tl.lanes.strip !== null && place.y < tl.lanes.axis.top - 3;
}

/** The call under the pointer: where many share a pixel, the nearest of the tool row pointed at, else the strongest. */
function callAt(tl, { x, y }) {
  const { left, right } = tl.edges();
  if (!tl.model.n || x < left - 2 || x > right + RIGHT_PAD) return -1;
  const nearest = Math.min(Math.max(callBefore(tl.scale, unitAt(tl, x)), 0), tl.model.n - 1);
  return tl.dense ? strongestNear(tl, x, rowAt(tl, y), nearest) : nearest;
}

function rowAt(tl, y) {
  const { rows } = tl.lanes;
  return y >= rows.top && y < rows.end ? Math.floor((y - rows.top) / ROW) : -1;
}

function strongestNear(tl, x, row, nearest) {
  const { model, scale } = tl;
  const reach = row < 0 ? 0.5 : SNAP_TO_MARK;
  const from = Math.max(callBefore(scale, unitAt(tl, x - reach)), 0);
  const to = Math.min(callBefore(scale, unitAt(tl, x + reach)), model.n - 1);
  const wanted = unitAt(tl, x);
  let best = nearest;
  let rank = -Infinity;
  for (let call = from; call <= to; call++) {
    const shownRow = Math.min(model.row[call], tl.lanes.rows.count - 1);
    if (row >= 0 && shownRow !== row) continue;
    const value = row < 0 ? model.keys.cell[call] * 2 + (model.flags[call] & ERROR) : -Math.abs(scale.start[call] - wanted);
    if (value > rank) [best, rank] = [call, value];
  }
  return best;
}

function callsSharing(tl, call) {
  if (!tl.dense) return 1;
  const { left, right } = tl.edges();
  const perPixel = (tl.view.to - tl.view.from) / (right - left);
  const from = callBefore(tl.scale, tl.scale.start[call] - perPixel / 2);
  const to = callBefore(tl.scale, tl.scale.start[call] + perPixel / 2);
  return Math.max(to - from, 1);
}

function pointerDown(tl, pointers, event) {
  if (event.button !== 0) return;
  const place = placeOf(tl, event);
  pointers.set(event.pointerId, place);
  tl.dom.over.setPointerCapture(event.pointerId);
  tl.dom.stage.classList.remove("lv-ring");
  tl.dom.stage.focus({ preventScroll: true });
  if (pointers.size === 2) tl.drag = { kind: "pinch", ...pinch(pointers), view: tl.view };
  else tl.drag = press(tl, place, event.pointerType === "touch");
  if (tl.drag.touch) hold(tl, tl.drag);
  if (tl.drag.strip) centreOn(tl, place.x, true);
}

function press(tl, place, touch) {
  return { kind: "press", start: place, call: callAt(tl, place), strip: inStrip(tl, place), touch, view: tl.view };
}

/** A finger that rests marks from where it is; one that moves at once moves the picture. */
function hold(tl, drag) {
  setTimeout(() => {
    if (tl.drag !== drag || drag.kind !== "press" || drag.strip || drag.call < 0) return;
    drag.touch = false;
    drag.kind = "mark";
    tl.mark(drag.call, drag.call, false);
  }, HOLD_MS);
}

function pointerMove(tl, pointers, event) {
  const place = placeOf(tl, event);
  if (!pointers.has(event.pointerId)) {
    if (event.pointerType !== "touch") hoverAt(tl, place);
    return;
  }
  pointers.set(event.pointerId, place);
  const { drag } = tl;
  if (!drag) return;
  if (drag.kind === "pinch") pinchMove(tl, pointers);
  else if (drag.strip) centreOn(tl, place.x, false);
  else dragMove(tl, place);
}

function hoverAt(tl, place) {
  tl.dom.over.style.cursor = inStrip(tl, place) ? "grab" : "crosshair";
  tl.setHover(inStrip(tl, place) || place.y < tl.lanes.axis.top ? -1 : callAt(tl, place), place);
}

function dragMove(tl, place) {
  const { drag } = tl;
  if (drag.kind === "press" && Math.hypot(place.x - drag.start.x, place.y - drag.start.y) < DRAG_FROM) return;
  if (drag.touch) panTo(tl, drag, place);
  else if (drag.call >= 0) {
    drag.kind = "mark";
    const call = callAt(tl, { x: Math.min(Math.max(place.x, tl.edges().left), tl.edges().right), y: -1 });
    tl.mark(drag.call, call, false);
  }
}

function panTo(tl, drag, place) {
  drag.kind = "pan";
  const { left, right } = tl.edges();
  const moved = ((drag.start.x - place.x) / (right - left)) * (drag.view.to - drag.view.from);
  tl.setView(fitView(tl.scale, { from: drag.view.from + moved, to: drag.view.to + moved }));
}

function pointerUp(tl, pointers, event, cancelled = false) {
  pointers.delete(event.pointerId);
  const { drag } = tl;
  tl.drag = null;
  if (drag?.kind === "mark") tl.send("stretch", 0);
  if (!drag || cancelled || pointers.size) return;
  if (drag.kind === "press" && !drag.strip && drag.call >= 0) click(tl, drag.call);
}

/** A click inside a marked stretch keeps it, one outside lets it go. */
function click(tl, call) {
  if (tl.stretch && (call < tl.stretch.first || call > tl.stretch.last)) tl.clearStretch();
  tl.select(call, 0);
}

/** On the strip: take the window where it is, or bring its middle to the pointer. */
function centreOn(tl, x, begins) {
  const { left, right } = tl.edges();
  const unit = ((x - left) / (right - left)) * tl.scale.length;
  const span = tl.view.to - tl.view.from;
  if (begins) tl.drag.grip = unit >= tl.view.from && unit <= tl.view.to ? unit - tl.view.from : span / 2;
  tl.setView(fitView(tl.scale, { from: unit - tl.drag.grip, to: unit - tl.drag.grip + span }));
}

function pinch(pointers) {
  const [a, b] = [...pointers.values()];
  return { distance: Math.max(Math.abs(a.x - b.x), 12), middle: (a.x + b.x) / 2 };
}

function pinchMove(tl, pointers) {
  if (pointers.size < 2) return;
  const now = pinch(pointers);
  const { drag } = tl;
  const { left, right } = tl.edges();
  const unit = drag.view.from + ((drag.middle - left) / (right - left)) * (drag.view.to - drag.view.from);
  tl.setView(zoomView(tl.scale, drag.view, unit, drag.distance / now.distance));
}

/** Zoom about the pointer; sideways moves. The page keeps the wheel while it scrolls, or when there is nothing to widen. */
function wheel(tl, event) {
  const place = placeOf(tl, event);
  const whole = isWhole(tl.scale, tl.view);
  const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
  const now = performance.now();
  const zooming = event.ctrlKey || now - tl.wheeledAt < WHEEL_GOES_ON_MS;
  const scrolling = !zooming && now - tl.pageScrolledAt < PAGE_SCROLL_MS;
  if (!tl.model.n || scrolling || (whole && (sideways || event.deltaY > 0))) return;
  event.preventDefault();
  tl.wheeledAt = now;
  const lines = event.deltaMode === 1 ? 16 : 1;
  const moved = (sideways ? event.deltaX || event.deltaY : event.deltaY) * lines;
  if (sideways) {
    const { left, right } = tl.edges();
    const units = (moved / (right - left)) * (tl.view.to - tl.view.from);
    tl.setView(fitView(tl.scale, { from: tl.view.from + units, to: tl.view.to + units }));
    return;
  }
  tl.setView(zoomView(tl.scale, tl.view, unitAt(tl, place.x), Math.exp(moved * (event.ctrlKey ? 0.01 : 0.0016))));
}

const KEYS = {
  ArrowRight: (tl, event) => (event.shiftKey ? tl.extend(1) : tl.walk(1)),
  ArrowLeft: (tl, event) => (event.shiftKey ? tl.extend(-1) : tl.walk(-1)),
  Home: (tl) => tl.walk(-Infinity),
  End: (tl) => tl.walk(Infinity),
  n: (tl) => tl.walkCycles(1),
  p: (tl) => tl.walkCycles(-1),
  f: (tl) => tl.walkHits(1),
  F: (tl) => tl.walkHits(-1),
  "+": (tl) => tl.zoomAboutSelection(0.5),
  "=": (tl) => tl.zoomAboutSelection(0.5),
  "-": (tl) => tl.zoomAboutSelection(2),
  0: (tl) => tl.reset(),
  Escape: (tl) => tl.clearStretch(),
};

function keyDown(tl, event) {
  const act = KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || !tl.model.n) return;
  event.preventDefault();
  event.stopPropagation();
  tl.dom.stage.classList.add("lv-ring");
  act(tl, event);
}
