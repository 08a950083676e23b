// Ties the timeline to the page: a call that is chosen in one is shown in the other.

const page = {
  root: document.getElementById("timeline"),
  panel: document.getElementById("chosen"),
  payload: JSON.parse(document.getElementById("picture").textContent),
};

/** The call that the address names, from 0; null where it names none. */
function callOfAddress() {
  const named = /^#call-([1-9]\d*)$/.exec(location.hash);
  const call = named ? Number(named[1]) - 1 : -1;
  return call >= 0 && call < page.payload.n_calls ? call : null;
}

function bodyOf(number) {
  return document.getElementById(`call-${number}`);
}

/** Below the timeline, the texts of the chosen call, those in full that are only linked elsewhere. */
function showChosen(call) {
  const { panel } = page;
  panel.hidden = call === null;
  panel.replaceChildren();
  if (call === null) return;
  const body = bodyOf(call + 1);
  if (!body) {
    panel.append(element("p", "", `The texts of call ${figure(call + 1)} are not in this file; the recorded run holds them.`));
    return;
  }
  const who = body.closest(".call").querySelector(".who");
  const head = element("div", "who");
  head.append(...who.cloneNode(true).childNodes);
  const content = body.cloneNode(true);
  content.removeAttribute("id");
  for (const part of content.querySelectorAll("[data-same]")) fillIn(part);
  panel.append(head, content);
}

/** The texts that a call shares with another, put beside the words that only link to them. */
function fillIn(part) {
  const wanted = part.dataset.part ? `:scope > [data-part=${part.dataset.part}]` : ":scope > [data-part]:not(.said)";
  const found = bodyOf(part.dataset.same)?.querySelectorAll(wanted) ?? [];
  if (part.dataset.part !== "said") part.append(...[...found].map((one) => one.cloneNode(true)));
}

/** Open what folds over a call, so that it can be seen; of one that is not in the file, the words that say so. */
function reveal(call) {
  const body = bodyOf(call + 1);
  if (!body) page.panel.scrollIntoView({ block: "center" });
  for (const part of body?.querySelectorAll(":scope > [data-same]") ?? []) {
    fillIn(part);
    delete part.dataset.same;
  }
  for (let node = body; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
  body?.closest(".call").scrollIntoView({ block: "start" });
}

function choose(call) {
  showChosen(call);
  if (callOfAddress() === call) return;
  history.replaceState(null, "", call === null ? location.pathname + location.search : `#call-${call + 1}`);
}

function follow() {
  const call = callOfAddress();
  page.payload.selected = { call, seq: page.payload.selected.seq + 1 };
  page.timeline.update(page.payload);
  showChosen(call);
  if (call !== null) reveal(call);
}

/** Keys that walk from cycle to cycle work wherever the page has the focus. */
function passOn(event) {
  const stage = page.root.querySelector(".lv-stage");
  if (!["n", "p"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey || stage.contains(event.target)) return;
  stage.focus({ preventScroll: true });
  stage.dispatchEvent(new KeyboardEvent("keydown", { key: event.key }));
  page.root.scrollIntoView({ block: "nearest" });
  event.preventDefault();
}

/** What an A4 page with its margins holds, at the size that the style sheet gives the timeline there; four times as sharp. */
const PAPER = { width: 682 / 0.74, ratio: 4 };

page.payload.selected = { call: callOfAddress(), seq: 0 };
page.timeline = mount(page.root, page.payload, { theme: "auto", onSelect: choose });
document.documentElement.classList.add("live");
if (page.payload.selected.call !== null) follow();
addEventListener("hashchange", follow);
document.addEventListener("keydown", passOn);
addEventListener("beforeprint", () => page.timeline.print(PAPER));
addEventListener("afterprint", () => page.timeline.print(null));
