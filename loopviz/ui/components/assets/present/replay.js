// Walks a run call by call: classes on the cells of the picture, words in the line below, and the keys to both.

const WIDTHS = { u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array, i4: Int32Array };

/** A column as `loopviz.timeline.contract.encode` writes it. */
function decode(text) {
  const [kind, body] = text.split(":");
  const bytes = Uint8Array.from(atob(body), (sign) => sign.charCodeAt(0));
  if (kind !== "d1") return new WIDTHS[kind](bytes.buffer);
  let sum = 0;
  return Int32Array.from(new Int8Array(bytes.buffer), (step) => (sum += step));
}

/** Brings the controls of a story to life; `from` is what an earlier replay of the same run left. */
function bindReplay(root, told, from = {}) {
  const replay = { told, root, at: from.at ?? null, speed: from.speed ?? 2, timer: null, columns: {} };
  for (const name of ["tool", "asked", "result", "fires", "copy"]) replay.columns[name] = decode(told[name]);
  replay.calls = [...root.querySelectorAll("[data-call]")].map((node) => ({
    node, first: Number(node.dataset.call), last: Number(node.dataset.to),
  }));
  replay.slider = root.querySelector(".where");
  replay.line = root.querySelector(".call-line");
  replay.intro = replay.line.textContent;
  for (const part of root.querySelectorAll(".controls, .below")) part.hidden = false;
  for (const button of root.querySelectorAll("[data-do]")) button.onclick = () => act(replay, button.dataset.do);
  replay.slider.oninput = () => goTo(replay, Number(replay.slider.value) - 1);
  for (const button of root.querySelectorAll("[data-speed]")) {
    button.onclick = () => setSpeed(replay, Number(button.dataset.speed));
  }
  root.querySelector(".speeds").onkeydown = (event) => moveSpeed(replay, event);
  const onKey = (event) => {
    if (!root.isConnected) document.removeEventListener("keydown", onKey);
    else keyDown(replay, event);
  };
  document.addEventListener("keydown", onKey);
  replay.end = () => {
    pause(replay);
    document.removeEventListener("keydown", onKey);
  };
  setSpeed(replay, replay.speed);
  show(replay);
  return replay;
}

function act(replay, what) {
  const n = replay.told.n_calls, at = replay.at ?? n - 1;
  if (what === "play") return replay.timer ? pause(replay) : play(replay);
  pause(replay);
  goTo(replay, { first: 0, back: at - 1, forward: at + 1, last: n - 1 }[what]);
}

function goTo(replay, call) {
  replay.at = Math.min(Math.max(call, 0), replay.told.n_calls - 1);
  show(replay);
}

/** Plays on from the call at hand, from the first one where the run is over; a cell of many calls passes in one go. */
function play(replay) {
  const n = replay.told.n_calls;
  if (replay.at === null || replay.at >= n - 1) goTo(replay, 0);
  replay.timer = setInterval(() => {
    if (!replay.root.isConnected || replay.at >= n - 1) return pause(replay);
    goTo(replay, replay.told.rests.find((call) => call > replay.at) ?? n - 1);
    if (replay.at >= n - 1) pause(replay);
  }, 1000 / replay.speed);
  tellCall(replay);
}

function pause(replay) {
  clearInterval(replay.timer);
  replay.timer = null;
  tellCall(replay);
}

function setSpeed(replay, speed) {
  replay.speed = speed;
  for (const button of replay.root.querySelectorAll("[data-speed]")) {
    const chosen = Number(button.dataset.speed) === speed;
    button.setAttribute("aria-checked", String(chosen));
    button.tabIndex = chosen ? 0 : -1;
  }
  if (replay.timer) {
    clearInterval(replay.timer);
    play(replay);
  }
}

function moveSpeed(replay, event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const buttons = [...replay.root.querySelectorAll("[data-speed]")];
  const at = buttons.findIndex((button) => button.tabIndex === 0);
  const next = buttons[(at + step + buttons.length) % buttons.length];
  setSpeed(replay, Number(next.dataset.speed));
  next.focus();
}

const KEYS = { " ": "play", ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

/** Keys hold for the whole page, save where one is typed into, or does something of its own. */
function keyDown(replay, event) {
  const what = KEYS[event.key], on = event.composedPath()[0];
  if (!what || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const tag = on instanceof Element ? on.localName : "";
  const slider = on === replay.slider;
  if ((tag === "input" && !slider) || tag === "textarea" || tag === "select" || on.isContentEditable) return;
  if (on instanceof Element && on.closest("[role=listbox], [role=dialog], [role=menu], [role=combobox]")) return;
  if (what === "play" ? ["button", "summary", "a"].includes(tag) : slider) return;
  event.preventDefault();
  act(replay, what);
}

function show(replay) {
  const n = replay.told.n_calls, at = replay.at ?? n - 1;
  for (const { node, first, last } of replay.calls) {
    node.classList.toggle("todo", first > at);
    node.classList.toggle("now", replay.at !== null && first <= at && at <= last);
  }
  replay.slider.value = String(at + 1);
  replay.slider.style.setProperty("--done", `${n > 1 ? (100 * at) / (n - 1) : 100}%`);
  tellCall(replay);
}

/** The line of the call at hand, and what the button and the slider are called meanwhile. */
function tellCall(replay) {
  const playing = replay.timer !== null, button = replay.root.querySelector("[data-do=play]");
  button.classList.toggle("playing", playing);
  button.setAttribute("aria-label", playing ? "Pause" : "Play");
  button.title = playing ? "Pause" : "Play";
  // While it plays, each call would be read out over the one before.
  replay.line.setAttribute("aria-live", playing ? "off" : "polite");
  if (replay.at === null) return replay.line.replaceChildren(replay.intro);
  const { told, columns, at } = replay;
  const where = `Call ${(at + 1).toLocaleString("en")} of ${told.n_calls.toLocaleString("en")}`;
  const tool = told.tools[columns.tool[at]], asked = told.texts[columns.asked[at]] ?? "";
  const result = told.texts[columns.result[at]] ?? "";
  const again = told.again[Math.min(columns.copy[at], told.again.length - 1)] ?? "";
  const level = told.levels[columns.fires[at]] ?? "";
  const stop = told.stop && told.stop[0] === at ? told.stop[1] : "";
  const called = document.createElement("span");
  called.className = "called";
  called.append(piece("code", "", asked ? `${tool} ${asked}` : tool));
  if (result) called.append(" ", piece("span", "result", `→ ${result}`));
  const rest = [again, level, stop].filter(Boolean);
  replay.line.replaceChildren(piece("strong", "", where), " ", called, " ", piece("span", "", rest.join(" · ")));
  replay.slider.setAttribute("aria-valuetext", [where, tool, ...rest].join(", "));
}

function piece(tag, style, words) {
  const node = document.createElement(tag);
  if (style) node.className = style;
  node.textContent = words;
  return node;
}
