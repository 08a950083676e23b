// Pointer, wheel and keys of the picture. Zoom and selection live here; Python hears of a chosen column once it settles.

const SETTLE_MS = 140;
const SCROLL_REST_MS = 200;
const DRAG_FROM = 4;

function listen(view) {
  const { stage, canvas } = view;
  const pointers = new Map();
  canvas.addEventListener("pointerdown", (event) => pointerDown(view, pointers, event));
  canvas.addEventListener("pointermove", (event) => pointerMove(view, pointers, event));
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => pointerUp(view, pointers, event));
  canvas.addEventListener("pointerleave", () => hoverOver(view, -1));
  canvas.addEventListener("dblclick", () => zoomTo(view, { from: 0, to: view.model.n }));
  canvas.addEventListener("wheel", (event) => wheel(view, event), { passive: false });
  stage.addEventListener("keydown", (event) => keyDown(view, event));
  const stop = new AbortController();
  const scrolled = () => (view.root.isConnected ? (view.scrolledAt = performance.now()) : stop.abort());
  window.addEventListener("scroll", scrolled, { capture: true, passive: true, signal: stop.signal });
}

function xIn(view, event) {
  return event.clientX - view.canvas.getBoundingClientRect().left;
}

function pointerDown(view, pointers, event) {
  if (event.button !== 0) return;
  const box = view.canvas.getBoundingClientRect();
  const y = event.clientY - box.top;
  pointers.set(event.pointerId, event.clientX);
  view.canvas.setPointerCapture(event.pointerId);
  const strip = view.lanes.strip !== null && y > view.lanes.bottom;
  view.drag = { x: event.clientX, zoom: view.zoom, moved: false, strip };
  if (pointers.size === 2) view.drag = { pinch: fingersApart(pointers), zoom: view.zoom, moved: true, middle: xIn(view, event) };
  if (strip) centreOn(view, xIn(view, event));
}

function fingersApart(pointers) {
  const [one, other] = [...pointers.values()];
  return Math.max(Math.abs(one - other), 8);
}

function pointerMove(view, pointers, event) {
  if (!pointers.has(event.pointerId)) return hoverOver(view, columnUnder(view, event));
  pointers.set(event.pointerId, event.clientX);
  const { drag } = view;
  if (!drag) return;
  if (drag.pinch && pointers.size === 2) return zoomAround(view, drag.middle, drag.pinch / fingersApart(pointers), drag.zoom);
  if (drag.strip) return centreOn(view, xIn(view, event));
  const moved = event.clientX - drag.x;
  if (!drag.moved && Math.abs(moved) < DRAG_FROM) return;
  drag.moved = true;
  const by = -moved / columnWidth(drag.zoom, view.lanes);
  zoomTo(view, { from: drag.zoom.from + by, to: drag.zoom.to + by });
}

function pointerUp(view, pointers, event) {
  pointers.delete(event.pointerId);
  const { drag } = view;
  if (!pointers.size) view.drag = null;
  if (!drag || drag.moved || drag.strip || event.type !== "pointerup") return;
  choose(view, columnUnder(view, event));
}

/** The column under the pointer; where many share a pixel, the strongest of those. */
function columnUnder(view, event) {
  const { model, zoom, lanes } = view;
  const x = xIn(view, event);
  if (x < lanes.left || x > lanes.right) return -1;
  const wide = columnWidth(zoom, lanes);
  const at = Math.min(Math.max(columnAt(zoom, lanes, x), 0), model.n - 1);
  if (wide >= 1) return at;
  const stop = Math.min(at + Math.ceil(1 / wide), model.n);
  let best = at;
  for (let column = at; column < stop; column++) if (strength(model, column) > strength(model, best)) best = column;
  return best;
}

function strength(model, column) {
  const over = model.sides.some((side) => side.stepOf[column] >= 0 && side.look[side.stepOf[column]] === OVER);
  return (over ? 8 : 0) + model.kind[column];
}

function hoverOver(view, column) {
  if (view.hover === column) return;
  view.hover = column;
  redraw(view);
  tell(view);
}

function wheel(view, event) {
  if (performance.now() - (view.scrolledAt ?? -1e9) < SCROLL_REST_MS && !event.ctrlKey) return;
  const whole = view.zoom.to - view.zoom.from >= view.model.n;
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    if (whole) return;
    event.preventDefault();
    const by = event.deltaX / columnWidth(view.zoom, view.lanes);
    return zoomTo(view, { from: view.zoom.from + by, to: view.zoom.to + by });
  }
  if ((whole && event.deltaY > 0) || view.model.n <= 24) return;
  event.preventDefault();
  zoomAround(view, xIn(view, event), Math.exp(Math.min(Math.max(event.deltaY, -120), 120) / 300), view.zoom);
}

function zoomAround(view, x, factor, zoom) {
  const { lanes } = view;
  const share = Math.min(Math.max((x - lanes.left) / (lanes.right - lanes.left), 0), 1);
  const wide = (zoom.to - zoom.from) * factor;
  const centre = zoom.from + (zoom.to - zoom.from) * share;
  zoomTo(view, { from: centre - wide * share, to: centre + wide * (1 - share) });
}

function centreOn(view, x) {
  const { lanes, model, zoom } = view;
  const half = (zoom.to - zoom.from) / 2;
  const centre = ((x - lanes.left) / (lanes.right - lanes.left)) * model.n;
  zoomTo(view, { from: centre - half, to: centre + half });
}

function zoomTo(view, zoom) {
  view.zoom = clampView(zoom, view.model.n);
  redraw(view);
  fillButtons(view);
}

const KEYS = {
  ArrowLeft: (view) => walkTo(view, current(view) - 1),
  ArrowRight: (view) => walkTo(view, current(view) + 1),
  Home: (view) => walkTo(view, 0),
  End: (view) => walkTo(view, view.model.n - 1),
  n: (view) => nextDifference(view, 1),
  p: (view) => nextDifference(view, -1),
  "+": (view) => zoomAround(view, middleOf(view), 0.6, view.zoom),
  "-": (view) => zoomAround(view, middleOf(view), 1 / 0.6, view.zoom),
  0: (view) => zoomTo(view, { from: 0, to: view.model.n }),
};

function keyDown(view, event) {
  const act = KEYS[event.key];
  if (!act || event.altKey || event.ctrlKey || event.metaKey || !view.model.n) return;
  event.preventDefault();
  event.stopPropagation();
  act(view);
}

function current(view) {
  return view.selected ?? view.model.mark?.column ?? 0;
}

function middleOf(view) {
  const { lanes, zoom, selected } = view;
  if (selected != null && selected >= zoom.from && selected < zoom.to) return xOf(zoom, lanes, selected + 0.5);
  return (lanes.left + lanes.right) / 2;
}

function walkTo(view, column) {
  choose(view, Math.min(Math.max(column, 0), view.model.n - 1));
}

/** The beginning of the next stretch that is not the same on both sides, or of the one before. */
function nextDifference(view, step) {
  const { differences } = view.model;
  if (!differences.length) return;
  const from = view.selected ?? (step > 0 ? -1 : view.model.n);
  const found = step > 0 ? differences.find((at) => at > from) : differences.findLast((at) => at < from);
  if (found !== undefined) choose(view, found);
}

function choose(view, column) {
  if (column < 0 || column >= view.model.n) return;
  view.selected = column;
  showColumn(view, column);
  redraw(view);
  tell(view);
  fillButtons(view);
  clearTimeout(view.settling);
  view.settling = setTimeout(() => view.act(`at=${column}`), SETTLE_MS);
}

/** Moves the picture so that a column is in sight; from far off so near that its steps can be told apart. */
function showColumn(view, column) {
  const { lanes, model } = view;
  let { from, to } = view.zoom;
  const fits = (lanes.right - lanes.left) / LETTERS_FROM;
  if (to - from > 4 * fits) [from, to] = [column - fits / 2, column + fits / 2];
  else if (column < from || column + 1 > to) {
    const half = (to - from) / 2;
    [from, to] = [column + 0.5 - half, column + 0.5 + half];
  }
  view.zoom = clampView({ from, to }, model.n);
}
