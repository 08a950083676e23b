// The timeline: `mount(root, payload, options)` draws it into an element and answers `{ update, print, zoom, destroy }`.
//
// Options: `theme` ("light", "dark" or "auto"), and what to call on the person's own acts, never on mounting or updating:
// `onSelect(call)`, `onStretch(stretch or null)`, `onView({ first, last })`, `onAxis("calls" or "time")`, `onAction(text)`.
// For tests, `root.loopviz.state()` tells what is shown and `root.loopviz.x(call)` where a call stands.

const SETTLE_MS = 120;
const VIEW_SETTLE_MS = 300;

class Timeline {
  constructor(root, payload, options) {
    this.root = root;
    this.stop = new AbortController();
    this.reader = new ColumnReader();
    this.teller = new Teller({
      select: () => this.selected,
      stretch: () => this.stretch && { first: this.stretch.first, last: this.stretch.last },
      view: () => this.callsShown(),
      axis: () => this.axis,
    });
    this.pageScrolledAt = -Infinity;
    this.wheeledAt = -Infinity;
    this.size = { width: root.clientWidth, ratio: window.devicePixelRatio || 1 };
    this.hover = -1;
    this.drag = null;
    this.dom = buildPage(root);
    this.pen = document.createElement("canvas").getContext("2d");
    this.update(payload, options);
    listen(this);
    this.watch();
  }

  /** Redraw when the width, the screen or the fonts change. */
  watch() {
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.root);
    const options = { signal: this.stop.signal };
    window.addEventListener("resize", () => this.resized(), options);
    document.fonts?.addEventListener("loadingdone", () => this.show(), options);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.show(), options);
  }

  resized() {
    const ratio = window.devicePixelRatio || 1;
    const width = this.root.clientWidth;
    if (this.paper || !width || (width === this.size.width && ratio === this.size.ratio)) return;
    const crossed = width < NARROW_BELOW !== this.size.width < NARROW_BELOW;
    this.size = { width, ratio };
    if (crossed && !this.zoomedByHand) this.view = this.openingView();
    if (crossed) this.show();
    else this.redraw();
  }

  update(payload, options = this.options) {
    const newRun = payload.run !== this.payload?.run;
    const wasWhole = newRun || isWhole(this.scale, this.view);
    this.payload = payload;
    this.options = options;
    this.hooks = this.teller.hooks = options;
    this.model = buildModel(payload, this.reader);
    if (newRun) this.startRun();
    else this.keepRun(wasWhole);
    this.adoptSelection(newRun);
    this.adoptStretch(newRun);
    this.show();
  }

  startRun() {
    this.axis = this.payload.times && this.payload.axis === "time" ? "time" : "calls";
    this.selected = null;
    this.stretch = null;
    this.zoomedByHand = Boolean(this.payload.view);
    this.teller.forget();
    this.setScale();
    this.view = this.openingView();
  }

  keepRun(wasWhole) {
    if (!this.payload.times) this.axis = "calls";
    const calls = this.scale.start.length;
    this.setScale();
    if (calls !== this.model.n) this.view = wasWhole ? wholeView(this.scale) : fitView(this.scale, this.view);
    if (this.selected >= this.model.n) this.selected = null;
    if (this.stretch?.last >= this.model.n) this.stretch = null;
    if (this.hover >= this.model.n) this.hover = -1;
  }

  setScale() {
    const { n, times } = this.model;
    const kept = this.scale;
    const source = this.axis === "time" ? times.start : null;
    if (kept && kept.start.length === n && kept.source === source) return;
    this.scale = source ? timeScale(times, n) : callScale(n);
    this.scale.source = source;
  }

  /** The part that a link asks for; else the whole run; on a narrow screen the deciding cycle, where letters can be read. */
  openingView() {
    const { view } = this.payload;
    if (view && view.last < this.model.n) return viewOfCalls(this.scale, view.first, view.last);
    const whole = wholeView(this.scale);
    const cycle = decidingCycle(this.model);
    const { left, right } = this.edges();
    if (this.size.width >= NARROW_BELOW || cycle < 0 || (right - left) / this.model.n >= 12) return whole;
    const fits = Math.max(Math.floor((right - left) / LETTERS_FROM) - 1, 4);
    const first = Math.max(cycleFirstCall(this.model, cycle) - 2, 0);
    const last = Math.min(cycleLastCall(this.model, cycle) + 2, this.model.n - 1);
    if (last - first < fits) return viewOfCalls(this.scale, first, last);
    const flag = this.payload.flag ? this.payload.flag.call : first + fits / 2;
    const from = Math.round(Math.min(Math.max(flag - fits / 2, first), last - fits));
    return viewOfCalls(this.scale, from, from + fits - 1);
  }

  /** Python's choice counts when its number changes; until then the person's own stays. */
  adoptSelection(newRun) {
    const { call, seq } = this.payload.selected;
    if (!newRun && seq === this.selectedSeq) return;
    this.selectedSeq = seq;
    this.begunAgain = 0;
    this.selected = call === null || call >= this.model.n ? null : call;
    this.teller.heard("select");
    if (this.selected !== null) this.view = viewShowing(this.scale, this.view, this.selected);
  }

  /** The same of the stretch that Python marks; a new run begins with it. */
  adoptStretch(newRun) {
    const { span, seq } = this.payload.marked ?? { span: null, seq: 0 };
    if (!newRun && seq === this.stretchSeq) return;
    this.stretchSeq = seq;
    const [first, last] = span ?? [0, Infinity];
    this.stretch = last < this.model.n ? { first, last, anchor: first, head: last } : null;
    this.teller.heard("stretch");
    if (this.stretch && !newRun) this.view = [last, first].reduce((view, call) => viewShowing(this.scale, view, call), this.view);
  }

  edges() {
    return { left: this.size.width < NARROW_BELOW ? NARROW_GUTTER : GUTTER, right: this.size.width - RIGHT_PAD };
  }

  /** Draw at once as paper wants it, the whole run in light, `width` px wide and `ratio` times as sharp; null: the screen. */
  print(paper) {
    if (paper && !this.paper) this.onScreen = { size: this.size, view: this.view };
    else if (!paper && !this.paper) return;
    this.size = paper ?? this.onScreen.size;
    this.view = paper ? wholeView(this.scale) : this.onScreen.view;
    this.paper = paper;
    this.hover = -1;
    hideCard(this);
    this.show();
    cancelAnimationFrame(this.frame);
    this.draw();
    if (paper) for (const canvas of [this.dom.under, this.dom.base, this.dom.over]) keepPixels(canvas);
    else this.resized();
  }

  // What the person does.

  select(call, settleMs, begunAgain = 0) {
    this.selected = call;
    this.begunAgain = begunAgain;
    showStatus(this);
    this.bringIntoView(call);
    this.send("select", settleMs);
  }

  bringIntoView(call) {
    const before = this.view;
    this.view = viewShowing(this.scale, before, call);
    this.redraw({ lanes: this.view !== before });
  }

  walk(by) {
    const from = this.selected ?? (by > 0 ? callsInView(this.scale, this.view)[0] - 1 : callsInView(this.scale, this.view)[1]);
    this.select(Math.min(Math.max(from + by, 0), this.model.n - 1), SETTLE_MS);
  }

  walkCycles(by) {
    const { model } = this;
    const from = this.selected ?? (by > 0 ? -1 : model.n);
    const starts = model.byStart.map((cycle) => cycleFirstCall(model, cycle));
    const next = by > 0 ? starts.find((call) => call > from) : starts.findLast((call) => call < from);
    if (next !== undefined) this.select(next, SETTLE_MS);
  }

  /** To the next call that holds what is looked for; behind the last one it goes on from the first, and says so. */
  walkHits(by) {
    const { hits } = this.model;
    if (!hits.length) return;
    const from = this.selected ?? (by > 0 ? -1 : this.model.n);
    const at = by > 0 ? firstHitFrom(hits, from + 1) : firstHitFrom(hits, from) - 1;
    const begunAgain = at < 0 || at >= hits.length;
    const begun = begunAgain && this.selected !== null ? by : 0;
    this.select(hits[begunAgain ? (by > 0 ? 0 : hits.length - 1) : at], SETTLE_MS, begun);
  }

  /** Move the end of the stretch that began at the selected call. */
  extend(by) {
    const anchor = this.stretch?.anchor ?? this.selected ?? callsInView(this.scale, this.view)[0];
    const head = this.stretch ? this.stretch.head : anchor;
    this.mark(anchor, Math.min(Math.max(head + by, 0), this.model.n - 1), true);
  }

  mark(anchor, head, byKey) {
    this.stretch = { first: Math.min(anchor, head), last: Math.max(anchor, head), anchor, head };
    showStatus(this);
    this.bringIntoView(head);
    if (byKey) this.send("stretch", SETTLE_MS);
  }

  clearStretch() {
    if (!this.stretch) return;
    this.stretch = null;
    showStatus(this);
    this.redraw({ lanes: false });
    this.send("stretch", 0);
  }

  setView(view) {
    this.view = view;
    this.zoomedByHand = true;
    this.hover = -1;
    hideCard(this);
    this.redraw();
    this.send("view", VIEW_SETTLE_MS);
  }

  reset() {
    this.clearStretch();
    this.setView(wholeView(this.scale));
  }

  zoomAboutSelection(factor) {
    const about = this.selected === null ? (this.view.from + this.view.to) / 2 : this.scale.start[this.selected];
    const unit = Math.min(Math.max(about, this.view.from), this.view.to);
    this.setView(zoomView(this.scale, this.view, unit, factor));
  }

  chooseAxis(kind) {
    if (kind === this.axis) return;
    const whole = isWhole(this.scale, this.view);
    const [first, last] = wholeCallsInView(this);
    this.axis = kind;
    this.setScale();
    this.view = whole ? wholeView(this.scale) : viewOfCalls(this.scale, first, last);
    this.show();
    this.send("axis", 0);
  }

  setHover(call, place) {
    if (call < 0) hideCard(this);
    else showCard(this, cardLines(this.model, this.scale, call, callsSharing(this, call)), place.x, place.y);
    if (call === this.hover) return;
    this.hover = call;
    this.redraw({ lanes: false });
  }

  send(what, settleMs) {
    this.teller.send(what, settleMs);
  }

  // What is shown.

  show() {
    this.colours = paletteOf(this.paper ? "light" : themeName(this.root, this.options.theme));
    dress(this.root, this.colours);
    const style = getComputedStyle(this.root);
    this.fonts = { sans: style.fontFamily, code: style.getPropertyValue("--lv-code-font") || "monospace" };
    const help = "Arrow keys walk, n and p go from cycle to cycle, plus and minus zoom.";
    this.dom.stage.setAttribute("aria-label", `Timeline of ${figure(this.model.n)} calls. ${help}`);
    const narrow = this.size.width < NARROW_BELOW;
    this.root.classList.toggle("lv-narrow", narrow);
    this.root.classList.toggle("lv-wide", !narrow);
    this.root.classList.toggle("lv-empty", !this.model.n);
    showLegend(this);
    showVerdict(this);
    showStatus(this);
    this.gutterKey = null;
    this.redraw();
  }

  /** Draw in the next frame; all canvases unless only what moves has changed. */
  redraw({ lanes = true } = {}) {
    this.stale = { lanes: lanes || Boolean(this.stale?.lanes) };
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.frame = 0;
    const began = performance.now();
    this.layOut();
    if (this.stale.lanes) drawLanes(this);
    drawMoving(this);
    this.stale = null;
    this.showAnswer();
    this.drawMs = performance.now() - began;
  }

  layOut() {
    const zoomed = this.model.n > 0 && !isWhole(this.scale, this.view);
    this.lanes = layLanes(shownRows(this.payload.tools), zoomed);
    this.dom.stage.style.height = `${this.lanes.height}px`;
    const { left, right } = this.edges();
    this.column = (right - left) / averageCalls(this.scale, this.view);
    this.dense = this.column < CELLS_FROM;
    const key = [this.model.n, zoomed, this.dense, this.size.width, axisFigure(this)].join("|");
    if (key !== this.gutterKey) showGutter(this);
    this.gutterKey = key;
  }

  /** The answer about exactly the stretch that is marked, if Python has given one. */
  answer() {
    const { payload, stretch } = this;
    const fits = stretch && payload.stretch?.first === stretch.first && payload.stretch.last === stretch.last;
    return fits ? payload.stretch : null;
  }

  /** Its card stands beside the stretch, and pales while the pointer is over the lanes that it may cover. */
  showAnswer() {
    const answer = this.drag ? null : this.answer();
    this.dom.answer.hidden = !answer;
    this.dom.answer.classList.toggle("lv-pale", this.hover >= 0);
    if (!answer) return;
    const { left, right } = this.edges();
    const card = this.dom.answer;
    const at = (unit) => left + ((unit - this.view.from) / (this.view.to - this.view.from)) * (right - left);
    const [from, to] = [at(this.scale.start[answer.first]), at(this.scale.end[answer.last])];
    showCard(this, answer.lines, Math.min(Math.max(to, left), right), this.lanes.rows.top + 40, card);
    const before = from - 16 - card.offsetWidth;
    if (to + 16 + card.offsetWidth > this.dom.stage.clientWidth && before >= left) card.style.left = `${before}px`;
  }

  measure(words, wanted) {
    this.pen.font = wanted;
    return this.pen.measureText(words).width;
  }

  /** The part of the run that somebody chose to see; null where nobody did, or all of it is shown. */
  zoom() {
    return this.zoomedByHand && !isWhole(this.scale, this.view) ? this.callsShown() : null;
  }

  callsShown() {
    const [first, last] = wholeCallsInView(this);
    return { first, last };
  }

  x(call) {
    const { left, right } = this.edges();
    const middle = (this.scale.start[call] + this.scale.end[call]) / 2;
    return left + ((middle - this.view.from) / (this.view.to - this.view.from)) * (right - left);
  }

  state() {
    const { selected, stretch, axis, hover, column, dense, drawMs, lanes } = this;
    return {
      run: this.payload.run, selected, stretch: stretch && { first: stretch.first, last: stretch.last }, axis, hover, column, dense,
      drawMs, hits: Array.from(this.model.hits.subarray(0, 1000)), view: this.callsShown(), whole: isWhole(this.scale, this.view), theme: this.colours.name, lanes: lanes && {
        axis: lanes.axis.middle, cycles: lanes.bracket.top + 12, steps: lanes.cells.middle, rows: lanes.rows.top, rowHeight: ROW,
        seen: lanes.seen.top + 6, strip: lanes.strip && lanes.strip.middle, height: lanes.height,
      },
    };
  }

  destroy() {
    this.teller.forget();
    cancelAnimationFrame(this.frame);
    this.stop.abort();
    this.observer.disconnect();
    this.root.replaceChildren();
    delete this.root.loopviz;
  }
}

function mount(root, payload, options = {}) {
  root.classList.add("loopviz");
  const timeline = new Timeline(root, payload, options);
  root.loopviz = { state: () => timeline.state(), x: (call) => timeline.x(call) };
  return {
    update: (next, changed) => timeline.update(next, changed ? { ...timeline.options, ...changed } : timeline.options),
    print: (paper) => timeline.print(paper),
    zoom: () => timeline.zoom(),
    destroy: () => timeline.destroy(),
  };
}
