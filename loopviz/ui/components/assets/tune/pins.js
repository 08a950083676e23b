// Pinned stretches under both settings, and the run that is worth a label next.

function drawPins({ title, caption, rows, foot }, view) {
  const block = element("div");
  block.append(element("h2", "", title), element("p", "caption", caption));
  if (!rows.length) return block;
  const both = rows.some((row) => row.current);
  const table = element("table", "rows");
  const head = table.createTHead().insertRow();
  for (const name of ["Run", "Pinned", ...(both ? ["Current"] : []), "Candidate"]) head.appendChild(heading(name, "col"));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    const cell = line.insertCell();
    const open = element("button", "link", row.run);
    open.type = "button";
    open.onclick = () => view.act(row.action);
    cell.append(open, element("small", "muted", row.model ? ` ${row.model}` : ""));
    const pinned = line.insertCell();
    pinned.textContent = row.pinned;
    if (row.note) pinned.title = row.note;
    if (both) line.insertCell().textContent = row.current;
    Object.assign(line.insertCell(), { className: "strong", textContent: row.candidate });
  }
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  scroll.appendChild(table);
  block.append(scroll, element("p", "foot", foot));
  return block;
}

function drawQueue({ title, caption, count, told, kept, next, nothing }, view) {
  const block = element("div");
  block.append(element("h2", "", title), element("p", "caption", caption));
  const box = element("div", "queue");
  box.appendChild(element("strong", "", count));
  if (told) box.appendChild(element("p", "told", told));
  if (next) box.append(...drawOffer(next, view));
  else box.appendChild(element("p", "muted", nothing));
  if (kept) box.appendChild(element("p", "kept muted", kept));
  block.appendChild(box);
  return block;
}

function drawOffer({ title, model, why, answers, open }, view) {
  const line = element("p", "", "Next: ");
  line.append(element("bdi", "", title), element("small", "muted", model ? ` ${model}` : ""));
  const row = element("div", "buttons");
  for (const { words, key } of answers) {
    const button = element("button", "more", words);
    button.type = "button";
    button.appendChild(element("kbd", "", key));
    button.setAttribute("aria-keyshortcuts", key);
    button.onclick = () => answer(view, key);
    row.appendChild(button);
  }
  row.appendChild(moreButton({ label: "Open in Inspect", action: open }, view));
  return [line, element("p", "muted", why), row];
}

function drawLabels({ pins, counts }, view) {
  const two = element("div", "half");
  two.append(drawPins(pins, view), drawCounts(counts));
  return [two];
}

function drawSpread({ curve, queue }, view) {
  const two = element("div", "half");
  if (curve) two.appendChild(drawCurve(curve, view.root.clientWidth));
  two.appendChild(drawQueue(queue, view));
  listenForLabels(view);
  return [two];
}

const RESEND_MS = 4_000;

/** The keys of the answers hold for the run that is offered, wherever the focus is but in a field. */
function listenForLabels(view) {
  if (view.listens) return;
  view.listens = true;
  document.addEventListener("keydown", (event) => {
    if (!view.root.isConnected || event.metaKey || event.ctrlKey || event.altKey || event.repeat) return;
    if (event.composedPath().some((node) => node.matches?.("input, textarea, select, [contenteditable]"))) return;
    if (view.queue?.next?.answers.some(({ key }) => key === event.key)) answer(view, event.key);
  });
}

/** Answers once for the run that is offered: until Python has taken that, a second press is not meant for it. */
function answer(view, key) {
  if (view.pending) return;
  const { next, answers } = view.queue;
  view.pending = { key, of: next.of, after: answers };
  view.root.querySelector(".queue").classList.add("taking");
  view.act(actionOf(next, key));
  clearInterval(view.resending);
  view.resending = setInterval(() => resend(view), RESEND_MS);
}

/** An answer may be lost with the connection; Python takes none twice. */
function resend(view) {
  if (!view.pending || !view.root.isConnected) return clearInterval(view.resending);
  const box = view.root.querySelector(".queue");
  if (!box.querySelector(".waiting")) box.appendChild(element("p", "waiting", view.queue.waiting));
  view.pending.after = view.queue.answers;
  view.act(actionOf(view.queue.next, view.pending.key));
}

/** Forgets an answer that Python has taken, or whose run is not offered any more. */
function settle(view) {
  const { pending, queue } = view;
  if (!pending || (queue?.next?.of === pending.of && queue.answers <= pending.after)) return;
  view.pending = null;
  view.root.querySelector(".queue")?.classList.remove("taking");
  view.root.querySelector(".queue .waiting")?.remove();
}

function actionOf({ answers }, key) {
  return answers.find((one) => one.key === key).action;
}
