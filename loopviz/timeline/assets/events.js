// The lane of events: an icon each, the weaker ones of a crowd merged into a count.

const EVENT_RANK = { compaction: 6, error: 5, cut: 4, agent: 3, user: 2, other: 1 };

// Above the cycles: a pin for every call that holds what the person looks for.

const PIN = { width: 8, height: 6, thin: 3 };

/** In ink, as the interface is. Of calls that share a pixel one pin stands for all; side by side they merge to a band. */
function drawHits(sheet) {
  const { ctx, colours, lanes, model, scale } = sheet;
  const { hits } = model;
  let last = -1;
  ctx.fillStyle = colours.ink;
  for (let at = firstHitFrom(hits, sheet.first); at < hits.length && hits[at] < sheet.stop; at++) {
    const [from, to] = sheet.dense ? [sheet.x(scale.start[hits[at]]), sheet.x(scale.end[hits[at]])] : cellEdges(sheet, hits[at]);
    const x = Math.round((from + to) / 2);
    if (x !== last) pin(ctx, x, lanes.axis.bottom + 1, sheet.dense ? PIN.width : Math.min(PIN.width, to - from));
    last = x;
  }
}

function pin(ctx, x, foot, width) {
  ctx.beginPath();
  ctx.moveTo(x - width / 2, foot - PIN.height);
  ctx.lineTo(x + width / 2, foot - PIN.height);
  ctx.lineTo(x, foot);
  ctx.fill();
}

/** The same on the strip of the whole run, below its band. */
function drawStripHits(tl, sheet) {
  const { ctx, colours, left, width, lanes } = sheet;
  const perUnit = width / tl.scale.length;
  ctx.fillStyle = colours.ink;
  for (const call of tl.model.hits) {
    const x = Math.min(Math.floor(left + tl.scale.start[call] * perUnit), left + width - PIN.thin);
    ctx.fillRect(x, lanes.strip.middle + 8, PIN.thin, 3);
  }
}

/** Place of the first hit at this call or later. */
function firstHitFrom(hits, call) {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hits[middle] < call) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Which hit a call is, from 0; -1 for none. */
function hitAt(hits, call) {
  const at = firstHitFrom(hits, call);
  return hits[at] === call ? at : -1;
}

function drawEvents(sheet, forbidden) {
  const crowds = eventCrowds(sheet);
  const room = new Room(sheet.left - 14, sheet.total + 2);
  for (const crowd of crowds) room.block(crowd.from - 3, crowd.to + 3);
  for (const crowd of crowds) drawCrowd(sheet, crowd);
  if (sheet.narrow || sheet.dense) return;
  for (const crowd of crowds) writeEvent(sheet, crowd, room, forbidden);
}

/** Events in sight, left to right; those whose icons and counts would touch stand together. */
function eventCrowds(sheet) {
  const crowds = [];
  for (const event of sheet.model.payload.events) {
    const x = eventX(sheet, event.call);
    if (x < sheet.left - 1 || x > sheet.right + 1) continue;
    const next = placeCrowd(sheet, x, [event]);
    const before = crowds[crowds.length - 1];
    if (before && next.from < before.to + 2) crowds[crowds.length - 1] = placeCrowd(sheet, before.x, [...before.events, event]);
    else crowds.push(next);
  }
  return crowds;
}

/** Between the call before and the one it stands at. */
function eventX(sheet, call) {
  const { scale, model } = sheet;
  if (call >= model.n) return snap(sheet, sheet.x(model.n ? scale.end[model.n - 1] : 0));
  return snap(sheet, sheet.x(scale.start[call])) - (sheet.dense || call === 0 ? 0 : 1);
}

function placeCrowd(sheet, x, events) {
  const kind = events.reduce((best, event) => (EVENT_RANK[event.kind] > EVENT_RANK[best] ? event.kind : best), "other");
  const count = events.length > 1 ? figure(events.length) : "";
  const width = ICON + (count ? textWidth(sheet, count, { size: 12, weight: 600 }) + 3 : 0);
  const wanted = kind === "compaction" ? x - ICON / 2 : x;
  const from = Math.min(Math.max(wanted, sheet.left), sheet.total - width);
  return { x, from, to: from + width, kind, count, events };
}

function drawCrowd(sheet, crowd) {
  const { ctx, colours, lanes } = sheet;
  const y = lanes.events.middle;
  if (crowd.events.some((event) => event.kind === "compaction")) dottedLine(sheet, crowd.x);
  ctx.strokeStyle = colours.ink;
  ctx.lineWidth = 1.5;
  ctx.lineJoin = "round";
  EVENT_ICONS[crowd.kind](ctx, crowd.from, y, colours);
  ctx.lineJoin = "miter";
  if (crowd.count) write(sheet, crowd.count, crowd.from + ICON + 3, y, { size: 12, weight: 600, colour: colours.ink });
}

/** Up to the steps: what the agent still knew ends here. */
function dottedLine(sheet, x) {
  const { ctx, colours, lanes } = sheet;
  ctx.strokeStyle = colours.muted;
  ctx.lineWidth = 1;
  ctx.setLineDash([1, 3]);
  strokeLine(ctx, x, lanes.cells.top, x, lanes.events.middle + 6);
  ctx.setLineDash([]);
}

const EVENT_ICONS = {
  user(ctx, x, y) {
    ctx.beginPath();
    ctx.moveTo(x + 0.75, y - 5.25);
    ctx.lineTo(x + 12.25, y - 5.25);
    ctx.lineTo(x + 12.25, y + 2.75);
    ctx.lineTo(x + 6, y + 2.75);
    ctx.lineTo(x + 3, y + 5.75);
    ctx.lineTo(x + 3, y + 2.75);
    ctx.lineTo(x + 0.75, y + 2.75);
    ctx.closePath();
    ctx.stroke();
  },
  compaction(ctx, x, y) {
    ctx.lineWidth = 1.75;
    ctx.beginPath();
    ctx.moveTo(x + 0.5, y - 5);
    ctx.lineTo(x + 5, y);
    ctx.lineTo(x + 0.5, y + 5);
    ctx.moveTo(x + 12.5, y - 5);
    ctx.lineTo(x + 8, y);
    ctx.lineTo(x + 12.5, y + 5);
    ctx.stroke();
  },
  cut(ctx, x, y) {
    strokeLine(ctx, x, y - 5, x + 12, y - 5);
    strokeLine(ctx, x, y - 1, x + 8.5, y - 1);
    ctx.setLineDash([2.5, 1.75]);
    strokeLine(ctx, x, y + 3, x + 12, y + 3);
    ctx.setLineDash([]);
  },
  agent(ctx, x, y) {
    ctx.beginPath();
    ctx.moveTo(x + 2, y - 5.5);
    ctx.lineTo(x + 2, y + 5.5);
    ctx.moveTo(x + 2, y - 1.5);
    ctx.quadraticCurveTo(x + 2, y + 2.5, x + 7, y + 2.5);
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(x + 9.5, y + 2.5, 2.25, 0, 2 * Math.PI);
    ctx.stroke();
  },
  error(ctx, x, y) {
    ctx.beginPath();
    ctx.moveTo(x + 6.5, y - 5.5);
    ctx.lineTo(x + 12, y + 4.5);
    ctx.lineTo(x + 1, y + 4.5);
    ctx.closePath();
    ctx.stroke();
    strokeLine(ctx, x + 6.5, y - 1.5, x + 6.5, y + 1.5);
  },
  other(ctx, x, y) {
    ctx.beginPath();
    ctx.arc(x + 6, y, 3.5, 0, 2 * Math.PI);
    ctx.stroke();
  },
};

/** Left of its mark, so that the text does not run into the loop after it; right where there is no room. */
function writeEvent(sheet, crowd, room, forbidden) {
  const text = crowd.events.length === 1 ? crowd.events[0].label : "";
  if (!text) return;
  const width = textWidth(sheet, text);
  const sides = crowd.kind === "compaction" ? ["left", "right"] : ["right", "left"];
  for (const side of sides) {
    const from = side === "left" ? crowd.from - 5 - width : crowd.to + 5;
    if (from < sheet.left || from + width > sheet.right + 4) continue;
    if (forbidden.some((span) => from < span.to && from + width > span.from)) continue;
    if (!room.take(from, from + width, 6)) continue;
    write(sheet, text, from, sheet.lanes.events.middle);
    return;
  }
}
