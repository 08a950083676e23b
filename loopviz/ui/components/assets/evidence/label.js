// What people say of the run: a loop or not, of the whole of it or of the marked stretch; and pins.

function drawLabel({ run, stretch, rows, stale, fault, where, draft }, view) {
  view.markedStretch = stretch;
  const head = element("h2", "", "Is it a loop?");
  head.appendChild(element("small", "", "what people say; settings are held against it on Tune"));
  const parts = [head, labelLine("The run", run, false, `${draft}`, view)];
  if (stretch) parts.push(labelLine(capital(stretch.title), stretch, true, `${draft}:${stretch.calls}`, view));
  if (rows.length) parts.push(labelList(rows, view));
  for (const [text, style] of [[stale, "warning"], [fault, "warning"], [where, "muted"]]) {
    if (text) parts.push(element("p", style, text));
  }
  view.labelling = { run, stretch };
  listenForLabels(view);
  return parts;
}

function labelLine(title, { said, pin, note, calls }, isStretch, name, view) {
  const line = element("div", "label-line");
  line.appendChild(element("span", "label-what", title));
  const field = element("input");
  field.value = readDraft(name) ?? note;
  field.placeholder = "note, optional";
  field.setAttribute("aria-label", `Note on ${title.toLowerCase()}`);
  field.oninput = () => writeDraft(name, field.value);
  const act = (verdict, pinned) => {
    writeDraft(name, null);
    view.act(labelAction(verdict, calls, pinned, field.value));
  };
  const offers = [["loop", "l", "loop", false], ["not a loop", "o", "not a loop", false]];
  if (isStretch) offers.push(["pin: must be caught", "", "loop", true], ["pin: must be left alone", "", "not a loop", true]);
  for (const [words, key, verdict, pinned] of offers) {
    const on = said === verdict && Boolean(pin) === pinned;
    const button = element("button", on ? "more on" : "more", words);
    button.type = "button";
    button.setAttribute("aria-pressed", String(on));
    if (key && isStretch === Boolean(view.markedStretch)) button.appendChild(element("kbd", "", key));
    button.onclick = () => act(on ? "" : verdict, pinned);
    line.appendChild(button);
  }
  line.appendChild(field);
  return line;
}

function labelAction(verdict, calls, pinned, note) {
  const fields = new URLSearchParams({ say: verdict });
  if (calls) fields.set("calls", calls);
  if (pinned) fields.set("pin", "1");
  if (note.trim()) fields.set("note", note.trim());
  return fields.toString();
}

function labelList(rows, view) {
  const list = element("ul", "label-list");
  for (const { what, pin, words, note, calls } of rows) {
    const item = element("li");
    const open = element("button", "ask-action", pin ? `pinned: ${what}` : what);
    open.type = "button";
    open.onclick = () => view.act(`ask=${calls}`);
    const drop = element("button", "more", "Remove");
    drop.type = "button";
    drop.onclick = () => view.act(labelAction("", calls, false, ""));
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
    view.act(labelAction(on.said === verdict ? "" : verdict, on.calls, false, on.note));
  });
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
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
