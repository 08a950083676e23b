// What people say of the run: a loop or not, of the whole of it or of the marked stretch; and pins.

function drawLabel({ run, stretch, rows, stale, fault, where, draft, more }, view) {
  if (view.labelling?.draft !== draft) leaveRunList();
  view.markedStretch = stretch;
  const head = element("h2", "", "Is it a loop?");
  head.appendChild(element("small", "", "what people say; settings are held against it on Tune"));
  const ofRun = labelLine("The run", run, false, draftName(draft, run), view);
  if (more) ofRun.appendChild(nextToLabel(view));
  const parts = [head, ofRun];
  if (stretch) parts.push(labelLine(capital(stretch.title), stretch, true, draftName(draft, stretch), view));
  if (rows.length) parts.push(labelList(rows, view));
  for (const [text, style] of [[stale, "warning"], [fault, "warning"], [where, "muted"]]) {
    if (text) parts.push(element("p", style, text));
  }
  view.labelling = { run, stretch, draft };
  listenForLabels(view);
  return parts;
}

function labelLine(title, { said, was, pin, note, calls }, isStretch, name, view) {
  const line = element("div", "label-line");
  line.appendChild(element("span", "label-what", title));
  const field = element("input");
  field.value = unsaid(name, said, note) ?? note;
  field.placeholder = "note, optional";
  field.setAttribute("aria-label", `Note on ${title.toLowerCase()}`);
  const act = (verdict, pinned) => {
    if (!verdict) writeDraft(name, null);
    view.act(labelAction(verdict, calls, pinned, field.value, was));
  };
  const keep = keepNote(() => act(said, Boolean(pin)));
  const offerToKeep = () => (keep.hidden = !said || field.value.trim() === note);
  offerToKeep();
  field.oninput = () => {
    writeDraft(name, field.value);
    offerToKeep();
  };
  field.onkeydown = (event) => {
    if (event.key === "Enter" && !keep.hidden) keep.click();
  };
  const offers = [["loop", "l", "loop", false], ["not a loop", "o", "not a loop", false]];
  if (isStretch) offers.push(["pin: must be caught", "", "loop", true], ["pin: must be left alone", "", "not a loop", true]);
  for (const [words, key, verdict, pinned] of offers) {
    const on = said === verdict && Boolean(pin) === pinned;
    const button = element("button", on ? "more on" : "more", words);
    button.type = "button";
    button.setAttribute("aria-pressed", String(on));
    if (key && isStretch === Boolean(view.markedStretch)) button.appendChild(element("kbd", "", key));
    button.onclick = () => act(on && keep.hidden ? "" : verdict, pinned);
    line.appendChild(button);
  }
  line.append(field, keep);
  return line;
}

/** Shown where a label stands and its note reads otherwise by now. */
function keepNote(act) {
  const button = element("button", "more", "Keep note");
  button.type = "button";
  button.onclick = act;
  return button;
}

function nextToLabel(view) {
  const button = element("button", "more next-to-label", "Next to label →");
  button.type = "button";
  button.title = "The run that Tune would offer next";
  button.onclick = () => view.act("label-next=");
  return button;
}

/** The list of runs keeps the focus once one is picked, and would take the keys of the page for itself. */
function leaveRunList() {
  const focused = document.activeElement;
  if (focused?.closest?.(".st-key-run-list")) focused.blur();
}

function draftName(draft, { calls }) {
  return calls ? `${draft}:${calls}` : draft;
}

/** `was` is what this page shows: where somebody else has said otherwise since, that stays. */
function labelAction(verdict, calls, pinned, note, was) {
  const fields = new URLSearchParams({ say: verdict, was });
  if (calls) fields.set("calls", calls);
  if (pinned) fields.set("pin", "1");
  if (note.trim()) fields.set("note", note.trim());
  return fields.toString();
}

function labelList(rows, view) {
  const list = element("ul", "label-list");
  for (const { what, was, pin, words, note, calls } of rows) {
    const item = element("li");
    const open = element("button", "ask-action", pin ? `pinned: ${what}` : what);
    open.type = "button";
    open.onclick = () => view.act(`ask=${calls}`);
    const drop = element("button", "more", "Remove");
    drop.type = "button";
    drop.onclick = () => view.act(labelAction("", calls, false, "", was));
    item.append(open, element("span", "", ` · ${words}`), element("span", "muted", note ? ` · ${note}` : ""), drop);
    list.appendChild(item);
  }
  return list;
}

/** `l` and `o` label the marked stretch, or the run where none is marked. */
function listenForLabels(view) {
  if (view.listensForLabels) return;
  view.listensForLabels = true;
  document.addEventListener("keydown", (event) => {
    const verdict = { l: "loop", o: "not a loop" }[event.key];
    if (!verdict || !view.root.isConnected || event.metaKey || event.ctrlKey || event.altKey || event.repeat) return;
    if (event.composedPath().some((node) => node.matches?.("input, textarea, select, [contenteditable]"))) return;
    const { run, stretch } = view.labelling;
    const on = stretch ?? run;
    if (on.pin) return; // What a run is held to in CI is not undone by a stray key.
    const note = readDraft(draftName(view.labelling.draft, on)) ?? on.note;
    const takesBack = on.said === verdict && note.trim() === on.note;
    view.act(labelAction(takesBack ? "" : verdict, on.calls, false, note, on.was));
  });
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** What was typed and is not kept yet; forgotten as soon as it is, not before, since a label file may refuse it. */
function unsaid(name, said, note) {
  const draft = readDraft(name);
  if (!said || draft?.trim() !== note) return draft;
  writeDraft(name, null);
  return null;
}

/** What was typed and not yet said lives in the browser, so that a lost connection takes nothing. */
function readDraft(name) {
  try {
    return localStorage.getItem(`loopviz.note.${name}`);
  } catch {
    return null;
  }
}

function writeDraft(name, text) {
  try {
    if (text) localStorage.setItem(`loopviz.note.${name}`, text);
    else localStorage.removeItem(`loopviz.note.${name}`);
  } catch {
    // A browser that keeps nothing still takes labels.
  }
}
