// The picture as an element: canvas, what is said of a column, and buttons for those who have neither wheel nor keys.

function makeStage(view) {
  view.stage = element("div", "stage");
  view.stage.tabIndex = 0;
  view.stage.setAttribute("role", "group");
  view.canvas = element("canvas");
  view.canvas.setAttribute("aria-hidden", "true");
  view.status = element("p", "status");
  view.status.setAttribute("aria-live", "polite");
  view.buttons = element("div", "buttons");
  view.stage.append(view.canvas);
  view.below = element("div", "below");
  view.below.append(view.status, view.buttons);
  listen(view);
  new ResizeObserver(() => resized(view)).observe(view.stage);
}

/** Takes over a payload: zoom and selection stay for as long as it is a picture of the same two runs. */
function showPicture(view, picture, selected) {
  const written = picture.kind + JSON.stringify(picture.sides) + picture.id + JSON.stringify(picture.mark);
  if (view.written !== written) {
    view.model = readPicture(picture);
    view.written = written;
    if (view.id !== picture.id) [view.zoom, view.hover] = [null, -1];
    view.id = picture.id;
  }
  view.selected = selected;
  view.stage.setAttribute("aria-label", view.model.label);
  resized(view);
}

function resized(view) {
  const width = view.stage.clientWidth;
  if (!width || !view.model) return;
  view.width = width;
  const narrow = laneOf(view.model, width, false);
  view.zoom ??= firstView(view, narrow);
  redraw(view);
  tell(view);
  fillButtons(view);
}

/** The whole where each step has room, or where it is very long; else what stands around the step that matters. */
function firstView({ model, selected }, lanes) {
  const fits = Math.floor((lanes.right - lanes.left) / LETTERS_FROM);
  const whole = model.n <= fits || (selected == null && !lanes.narrow && model.n > 4 * fits);
  if (whole) return clampView({ from: 0, to: model.n }, model.n);
  const at = selected ?? model.mark?.column ?? 0;
  return clampView({ from: at - fits / 3, to: at + (2 * fits) / 3 }, model.n);
}

function redraw(view) {
  const zoomed = view.zoom.to - view.zoom.from < view.model.n - 0.01;
  view.lanes = laneOf(view.model, view.width, zoomed);
  cancelAnimationFrame(view.frame);
  view.frame = requestAnimationFrame(() => drawPicture(view));
}

function tell(view) {
  const column = view.hover >= 0 ? view.hover : view.selected;
  const { model } = view;
  view.status.textContent = column != null && column >= 0 && column < model.n ? columnInWords(model, column) : model.idle;
}

function fillButtons(view) {
  const { model, zoom } = view;
  const zoomed = zoom.to - zoom.from < model.n - 0.01;
  const room = columnWidth(zoom, view.lanes) < 40 && model.n > 8;
  const wanted = [
    ["← Difference", () => nextDifference(view, -1), model.differences.length > 1],
    ["Difference →", () => nextDifference(view, 1), model.differences.length > 0],
    ["Zoom in", () => zoomAround(view, middleOf(view), 0.5, view.zoom), room],
    ["Whole", () => zoomTo(view, { from: 0, to: model.n }), zoomed],
  ];
  const labels = wanted.filter(([, , shown]) => shown).map(([label]) => label).join();
  if (view.labels === labels) return;
  view.labels = labels;
  const focused = view.buttons.getRootNode().activeElement?.textContent;
  view.buttons.replaceChildren();
  for (const [label, act, shown] of wanted) {
    if (!shown) continue;
    const button = element("button", "small", label);
    button.type = "button";
    button.onclick = act;
    view.buttons.appendChild(button);
    if (label === focused) button.focus({ preventScroll: true });
  }
}
