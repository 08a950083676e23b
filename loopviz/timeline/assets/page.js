// The parts of the component that are page and not canvas: verdict, gutter, card, status line, legend.

function buildPage(root) {
  const dom = {
    verdict: element("div", "lv-verdict"), stage: element("div", "lv-stage"), gutter: element("div", "lv-gutter"),
    under: element("canvas"), base: element("canvas"), over: element("canvas", "lv-over"), card: element("div", "lv-card"),
    answer: element("div", "lv-answer"),
    status: element("div", "lv-status"), legend: element("div", "lv-legend"), axis: element("div", "lv-axis"),
  };
  dom.stage.tabIndex = 0;
  dom.stage.setAttribute("role", "application");
  dom.stage.setAttribute("aria-roledescription", "timeline");
  dom.status.setAttribute("role", "status");
  dom.status.setAttribute("aria-live", "polite");
  for (const canvas of [dom.under, dom.base, dom.over]) canvas.setAttribute("aria-hidden", "true");
  dom.card.hidden = dom.answer.hidden = true;
  dom.stage.append(dom.under, dom.base, dom.over, dom.gutter, dom.answer, dom.card);
  root.replaceChildren(dom.verdict, dom.stage, dom.status, dom.legend);
  return dom;
}

function showVerdict(tl) {
  const { verdict } = tl.payload;
  const { verdict: node } = tl.dom;
  node.hidden = !verdict && !tl.payload.times;
  node.replaceChildren();
  if (verdict) {
    node.append(badgeNode(verdict), sentenceNode(tl, verdict));
    for (const row of verdict.rows) node.append(...rowNodes(tl, row));
  }
  showAxisSwitch(tl);
}

function badgeNode(verdict) {
  const failed = verdict.passed === false;
  const node = element("div", `lv-badge ${failed ? "lv-fail" : "lv-open"}`);
  node.append(signNode(verdict.passed), element("span", "", verdict.badge));
  return node;
}

/** A cross, a tick, or a dash for what could not be judged, in the colour of the badge's text. */
function signNode(passed) {
  const SVG = "http://www.w3.org/2000/svg";
  const node = document.createElementNS(SVG, "svg");
  node.setAttribute("class", "lv-sign");
  node.setAttribute("viewBox", "0 0 16 16");
  node.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", passed === false ? "M2.5 2.5 13.5 13.5M13.5 2.5 2.5 13.5" : passed ? "M3 9 6.5 14 13 2" : "M2 8H14");
  const look = { fill: "none", stroke: "currentColor", "stroke-width": passed === false ? "3.2" : "2.4" };
  for (const [name, value] of Object.entries(look)) path.setAttribute(name, value);
  node.append(path);
  return node;
}

function sentenceNode(tl, verdict) {
  const node = element("div", "lv-sentence");
  node.setAttribute("role", "heading");
  node.setAttribute("aria-level", "2");
  fill(node, verdict.sentence, tl);
  return node;
}

function rowNodes(tl, row) {
  const value = element("div", "lv-row");
  fill(value, row.parts, tl);
  return [element("div", "lv-row-label", row.label), value];
}

function showAxisSwitch(tl) {
  const { axis } = tl.dom;
  axis.hidden = !tl.payload.times || !tl.model.n;
  axis.setAttribute("role", "group");
  axis.setAttribute("aria-label", "Axis");
  axis.replaceChildren(...["calls", "time"].map((kind) => axisButton(tl, kind)));
  const narrow = tl.size.width < NARROW_BELOW;
  axis.classList.toggle("lv-alone", !tl.payload.verdict?.rows.length);
  (narrow ? tl.dom.legend : tl.dom.verdict).append(axis);
}

function axisButton(tl, kind) {
  const button = element("button", "", kind);
  button.type = "button";
  button.setAttribute("aria-pressed", String(tl.axis === kind));
  button.addEventListener("click", () => tl.chooseAxis(kind));
  return button;
}

/** Names and figures of the lanes, as page text, so that it can be found, read out and told in full by a tooltip. */
function showGutter(tl) {
  const { lanes, payload, dom } = tl;
  const narrow = tl.size.width < NARROW_BELOW;
  const width = (narrow ? NARROW_GUTTER : GUTTER) - FIGURE_GAP + (narrow ? 10 : 0);
  dom.gutter.style.width = `${width}px`;
  dom.gutter.replaceChildren();
  if (!tl.model.n) return;
  const lane = (name, figureText, middle, className = "") => {
    dom.gutter.append(laneNode(tl, name, narrow ? "" : figureText, middle, className, width));
  };
  if (lanes.strip) lane("Whole run", payload.figures.call, lanes.strip.middle);
  lane(tl.axis === "time" ? "Time" : "Call", axisFigure(tl), lanes.axis.middle, "lv-axis-lane");
  if (tl.dense && !narrow) lane("", `limit ${figure(payload.limit)}`, lanes.bracket.top - 2);
  lane("Cycles", payload.figures.cycles, lanes.bracket.top + 14);
  lane("Steps", payload.figures.steps, lanes.cells.middle);
  lane("Breaks", payload.figures.breaks, lanes.breaks.middle);
  for (let row = 0; row < lanes.rows.count; row++) toolLane(tl, row, lane);
  lane("Seen before", payload.figures.seen, lanes.seen.top + 6);
  lane("Ladder", payload.figures.ladder, lanes.ladder.base - 9);
  lane("Thrash", payload.figures.thrash, lanes.thrash.base - 8);
  lane("Events", payload.figures.events, lanes.events.middle);
}

function toolLane(tl, row, lane) {
  const { tools } = tl.payload;
  const middle = tl.lanes.rows.middle(row);
  const hidden = tools.length - tl.lanes.rows.count;
  if (row === tl.lanes.rows.count - 1 && hidden > 0) lane(`${hidden + 1} more tools`, "", middle, "lv-tool lv-unwatched");
  else lane(tools[row].name, tools[row].figure, middle, tools[row].watched ? "lv-tool" : "lv-tool lv-unwatched");
}

function laneNode(tl, name, figureText, middle, className, width) {
  const node = element("div", `lv-lane ${className}`);
  node.style.top = `${middle - 9}px`;
  const tool = className.includes("lv-tool");
  const family = tool ? tl.fonts.code : tl.fonts.sans;
  const spare = width - (figureText ? tl.measure(figureText, `400 12.5px ${tl.fonts.sans}`) + 8 : 0);
  const shown = tool ? shorten(visible(name), spare, (words) => tl.measure(words, `400 12.5px ${family}`)) : name;
  const label = element("span", "lv-name", shown);
  label.dir = "auto";
  if (shown !== name) label.title = name;
  node.append(label, element("span", "lv-figure", figureText));
  return node;
}

/** What the axis shows now: all, or the part in sight. */
function axisFigure(tl) {
  if (tl.axis === "time") return tl.model.n ? duration(tl.scale.began[tl.model.n - 1]) : "";
  if (isWhole(tl.scale, tl.view)) return tl.payload.figures.call;
  const [first, last] = wholeCallsInView(tl);
  return figures(first + 1, last + 1);
}

/** First and last call of which at least half is in sight. */
function wholeCallsInView(tl) {
  const [first, stop] = callsInView(tl.scale, tl.view);
  const middle = (call) => (tl.scale.start[call] + tl.scale.end[call]) / 2;
  const from = first + 1 < stop && middle(first) < tl.view.from ? first + 1 : first;
  const to = stop - 1 > from && middle(stop - 1) > tl.view.to ? stop - 2 : stop - 1;
  return [from, Math.max(to, from)];
}

function showStatus(tl) {
  const { model, stretch, selected, dom } = tl;
  const parts = stretch ? stretchParts(stretch, tl.answer()) : [];
  const more = selected === null ? (stretch ? [] : idleParts(tl)) : [...statusParts(model, selected), ...hitParts(model, selected, tl.begunAgain)];
  if (parts.length && more.length) parts.push(dot());
  fill(dom.status, [...parts, ...more], tl);
  dom.status.classList.toggle("lv-quiet", selected === null && !stretch && !tl.payload.idle.length);
}

function idleParts({ payload, model }) {
  if (payload.idle.length) return payload.idle;
  return [muted(model.n ? "Choose a call by click or arrow key: what is known of it stands here." : "No calls in this run.")];
}

const LEGEND = [
  ["over the limit", "over"], ["within the limit", "counted"], ["found, not counted", "hollow"],
  ["empty step", "empty"], ["error", "error"], ["not watched", "unwatched"],
];

function showLegend(tl) {
  const marks = element("div", "lv-marks");
  const found = tl.model.hits.length ? [["holds what you look for", "hit"]] : [];
  for (const [words, kind] of [...LEGEND, ...found]) {
    const item = element("span", "lv-item");
    item.append(legendMark(tl, kind), element("span", "", words));
    marks.append(item);
  }
  marks.append(lengthsItem(tl));
  tl.dom.legend.replaceChildren(marks, hintsNode(found.length > 0));
}

/** Hue is the length of a pattern: said once, with the four hues. */
function lengthsItem(tl) {
  const item = element("span", "lv-item lv-lengths");
  item.append(element("span", "", "length"));
  for (const [at, hue] of tl.colours.hues.entries()) {
    const chip = element("span", "lv-length", at === 3 ? "4+" : String(at + 1));
    Object.assign(chip.style, { background: hue, color: tl.colours.onHues[at] });
    item.append(chip);
  }
  return item;
}

function legendMark(tl, kind) {
  const canvas = element("canvas", "lv-legend-mark");
  canvas.width = canvas.height = 32;
  canvas.setAttribute("aria-hidden", "true");
  const ctx = canvas.getContext("2d");
  ctx.scale(2, 2);
  LEGEND_MARKS[kind](ctx, tl.colours);
  return canvas;
}

function filledMark(ctx, colour) {
  ctx.fillStyle = colour;
  roundRect(ctx, 0.5, 0.5, 15, 15, 3);
  ctx.fill();
}

const LEGEND_MARKS = {
  hit(ctx, colours) {
    ctx.fillStyle = colours.ink;
    pin(ctx, 8, 12, 11);
  },
  over: (ctx, colours) => filledMark(ctx, colours.hues[2]),
  counted: (ctx, colours) => filledMark(ctx, colours.tints[1]),
  hollow(ctx, colours) {
    ctx.strokeStyle = colours.hues[0];
    ctx.lineWidth = 1.25;
    ctx.setLineDash([2.5, 1.75]);
    roundRect(ctx, 1, 1, 14, 14, 3);
    ctx.stroke();
  },
  empty: (ctx, colours) => diamond(ctx, 8, 8, 5, colours.ink),
  error: (ctx, colours) => cross(ctx, 8, 8, 4.5, 2.5, colours.mark),
  unwatched(ctx, colours) {
    ctx.strokeStyle = colours.mark;
    ctx.lineWidth = 1.25;
    roundRect(ctx, 3, 3, 10, 10, 2.5);
    ctx.stroke();
  },
};

/** What keys and pointer do; a finger has no keys to show. */
function hintsNode(hits) {
  const hints = element("div", "lv-hints");
  const keys = (names, words) => {
    const item = element("span", "lv-hint lv-for-mouse");
    item.append(...names.map((name) => element("kbd", "", name)), element("span", "", words));
    return item;
  };
  hints.append(keys(["←", "→"], "walk"), keys(["n", "p"], "cycles"));
  if (hits) hints.append(keys(["f", "F"], "hits"));
  for (const words of ["drag marks", "wheel zooms"]) hints.append(element("span", "lv-hint lv-for-mouse", words));
  for (const words of ["tap selects", "pinch zooms", "hold, then drag marks"]) hints.append(element("span", "lv-hint lv-for-touch", words));
  return hints;
}

function showCard(tl, lines, x, y, card = tl.dom.card) {
  const { stage } = tl.dom;
  if (card.lines !== lines) {
    card.replaceChildren(...lines.map((parts) => {
      const line = element("div", "lv-card-line");
      fill(line, parts, tl);
      return line;
    }));
  }
  card.lines = lines;
  card.hidden = false;
  const [width, height] = [card.offsetWidth, card.offsetHeight];
  const right = x + 16 + width <= stage.clientWidth;
  card.style.left = `${Math.max(right ? x + 16 : x - 16 - width, 0)}px`;
  card.style.top = `${Math.max(Math.min(y + 14, tl.lanes.height - height), 0)}px`;
}

function hideCard(tl) {
  tl.dom.card.hidden = true;
}
