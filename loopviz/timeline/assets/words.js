// Sentences and page elements. Texts of a run only ever become text nodes.

function element(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** The cell of a letter as on the timeline; `state` null is a plain grey cell. */
function swatch(letter, period, state, colours) {
  const node = element("span", "lv-swatch", letter);
  const hue = hueIndex(period);
  if (state === OVER) Object.assign(node.style, { background: colours.hues[hue], color: colours.onHues[hue] });
  else if (state === COUNTED) Object.assign(node.style, { background: colours.tints[hue], color: colours.ink });
  else Object.assign(node.style, { border: `1.25px dashed ${colours.hues[hue]}`, color: colours.hueTexts[hue], fontWeight: "400" });
  return node;
}

const LONGEST_NAME = 48;

function partNode(part, tl) {
  if (part.kind === "swatch") return swatch(part.text, part.period, part.state, tl.colours);
  const tag = part.action ? "button" : part.kind === "strong" ? "strong" : "span";
  const node = element(tag, `lv-${part.kind}`, part.kind === "code" ? visible(part.text) : part.text);
  if (part.kind === "code") node.dir = "auto";
  if (part.brief && part.text.length > LONGEST_NAME) {
    node.textContent = cutMiddle(graphemes(part.text), LONGEST_NAME - 1);
    node.title = part.text;
  }
  if (part.action) {
    node.type = "button";
    node.classList.add("lv-action");
    node.addEventListener("click", () => tl.hooks.onAction?.(part.action));
  }
  return node;
}

/** A name that would not be seen stands in quotes. */
function visible(name) {
  return name.trim() ? name : JSON.stringify(name);
}

const LONG_NAME = 28;

/** Fill `node` with the pieces of a sentence; a letter stays on the line of the name that it stands for. */
function fill(node, parts, tl) {
  node.replaceChildren();
  let pair = null;
  for (const part of parts) {
    const piece = partNode(part, tl);
    if (pair && part.kind === "code" && part.text.length < LONG_NAME) pair.append(piece);
    else node.append(piece);
    pair = null;
    if (part.kind !== "swatch") continue;
    pair = element("span", "lv-pair");
    piece.replaceWith(pair);
    pair.append(piece);
  }
}

const text = (words) => ({ kind: "text", text: words });
const strong = (words) => ({ kind: "strong", text: words });
const muted = (words) => ({ kind: "muted", text: words });
const code = (words) => ({ kind: "code", text: words, brief: true });
const letter = (place, offset) => ({ kind: "swatch", text: letterOf(offset), period: place.period, state: place.state });
const dot = () => ({ kind: "mark", text: " · " });

function toolName(model, call) {
  return model.payload.tools[model.row[call]]?.name ?? "unknown";
}

/** The selected call in one line, everything that its column shows. */
function statusParts(model, call) {
  const parts = [strong(`Call ${figure(call + 1)}`)];
  const add = (...more) => parts.push(dot(), ...more);
  if (model.turn[call] >= 0) add(text(`turn ${figure(model.turn[call] + 1)}`));
  add(code(toolName(model, call)));
  add(text(stepWords(model, call)));
  const place = placeInCycle(model, model.step[call]);
  if (place) add(...placeParts(place));
  for (const words of factWords(model, call)) add(text(words));
  if (model.step[call] >= 0) add(text(`ladder level ${levelWords(model.level[call])}`));
  const alike = alikeWords(model, call);
  if (alike) add(text(alike));
  if (model.identical[call] > 1) add(text(`${figure(model.identical[call])} identical`));
  const seen = seenWords(model, call);
  if (seen) add(text(seen));
  return parts;
}

/** Which of the calls that hold what is looked for this is, and whether the keys have begun again at the other end. */
function hitParts({ hits }, call, begunAgain) {
  const at = hitAt(hits, call);
  if (at < 0) return [];
  const again = begunAgain > 0 ? ", went on from the first" : begunAgain < 0 ? ", went on from the last" : "";
  return [dot(), text(`hit ${figure(at + 1)} of ${figure(hits.length)}${again}`)];
}

function stepWords(model, call) {
  const step = model.step[call];
  if (step < 0) return "not watched, so no step";
  const others = callsOfStep(model, step) - 1;
  const shared = others > 0 ? `, with ${others} more ${others === 1 ? "call" : "calls"}` : "";
  return `step ${figure(step + 1)} of ${figure(model.nSteps)}${shared}`;
}

function callsOfStep(model, step) {
  let count = 0;
  for (let call = model.stepFirst[step]; call <= model.stepLast[step]; call++) if (model.step[call] === step) count++;
  return count;
}

function placeParts(place) {
  const pattern = Array.from({ length: place.period }, (_, offset) => letter(place, offset));
  const copies = place.started ? ", a started copy that does not count" : `, copy ${figure(place.copy)} of ${figure(place.occurrences)}`;
  const counted = place.state === NOT_COUNTED ? ", not counted" : "";
  return [letter(place, place.letter), text(" in "), ...pattern, text(copies + counted)];
}

function factWords(model, call) {
  const words = [];
  if (model.flags[call] & ERROR) words.push("error");
  if (model.flags[call] & EMPTY) words.push("empty output");
  if (model.flags[call] & UNKNOWN) words.push("arguments or output not recorded");
  return words;
}

function seenWords(model, call) {
  const [args, output] = [model.sameArguments[call], model.sameOutput[call]];
  if (args >= 0 && args === output) return `same arguments and output as call ${figure(args + 1)}`;
  const words = [];
  if (args >= 0) words.push(`same arguments as call ${figure(args + 1)}`);
  if (output >= 0) words.push(`same output as call ${figure(output + 1)}`);
  return words.join(", ");
}

/** The hover card: the same facts, four short lines. */
function cardLines(model, scale, call, sharing) {
  const head = [strong(`Call ${figure(call + 1)}`)];
  if (model.turn[call] >= 0) head.push(muted(` turn ${figure(model.turn[call] + 1)}`));
  head.push(text(" "), code(toolName(model, call)));
  const lines = [head];
  const place = placeInCycle(model, model.step[call]);
  const facts = factWords(model, call);
  const second = place ? placeParts(place) : model.step[call] < 0 ? [text("not watched")] : [text(stepWords(model, call))];
  for (const words of facts) second.push(dot(), text(words));
  lines.push(second);
  const seen = seenWords(model, call);
  if (seen) lines.push([muted(seen)]);
  if (model.step[call] >= 0) lines.push([muted(guardWords(model, call))]);
  const alike = alikeWords(model, call);
  if (alike) lines.push([muted(alike)]);
  if (scale.kind === "time") lines.push([muted(`${duration(scale.began[call])} after the start`)]);
  if (sharing > 1) lines.push([muted(`one of ${figure(sharing)} calls here; zoom in for the others`)]);
  return lines;
}

const LEVELS = ["", " (replan)", " (explore)", " (force-done)"];

function levelWords(level) {
  return `${level}${LEVELS[level]}`;
}

function guardWords(model, call) {
  return `ladder ${levelWords(model.level[call])} · thrash ${figure(model.identical[call])} of ${figure(model.payload.thrash.n)}`;
}

/** `0.83 like call 18, the first of this stretch; 0.75 needed`; empty where the ladder compared nothing. */
function alikeWords(model, call) {
  const against = model.against[call];
  if (against < 0) return "";
  const which = model.score[call] & BEGINS ? "the stretch before" : "this stretch";
  const score = ((model.score[call] % BEGINS) / 100).toFixed(2);
  return `${score} like call ${figure(against + 1)}, the first of ${which}; ${model.payload.ladder.similarity} needed`;
}

function stretchParts({ first, last }, answer) {
  const one = first === last;
  const marked = `${one ? "Call" : "Calls"} ${figures(first + 1, last + 1)} marked`;
  const size = text(`${figure(last - first + 1)} ${one ? "call" : "calls"}, Escape clears`);
  return [strong(marked), dot(), ...(answer ? [...answer.lines[0], dot()] : []), size];
}

/** Keep head and tail of a name that is too long: both tell tools with a common prefix apart. */
function shorten(name, width, measure) {
  if (measure(name) <= width) return name;
  const pieces = graphemes(name);
  let kept = 0;
  for (let step = 1 << Math.floor(Math.log2(pieces.length || 1)); step; step >>= 1) {
    if (kept + step < pieces.length && measure(cutMiddle(pieces, kept + step)) <= width) kept += step;
  }
  return cutMiddle(pieces, kept);
}

function cutMiddle(pieces, kept) {
  const head = Math.ceil(kept * 0.6);
  return pieces.slice(0, head).join("") + "…" + (kept > head ? pieces.slice(head - kept).join("") : "");
}

function graphemes(name) {
  if (!Intl.Segmenter) return Array.from(name);
  return Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name), (piece) => piece.segment);
}
