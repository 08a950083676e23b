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

function drawQueue({ title, caption, count, met, next, nothing }, view) {
  const block = element("div");
  block.append(element("h2", "", title), element("p", "caption", caption));
  const box = element("div", "queue");
  box.appendChild(element("strong", "", count));
  if (met) box.appendChild(element("p", "", met));
  if (next) {
    box.append(element("p", "", `Next: ${next.title}`), element("p", "muted", `${next.why} · ${next.figures}`));
    const row = element("div", "buttons");
    for (const [words, key, action] of [
      ["loop", "l", `label=loop&of=${next.run}`],
      ["not a loop", "n", `label=not a loop&of=${next.run}`],
      ["skip", "s", `skip=${next.run}`],
      ["Open in Inspect", "", next.open],
    ]) {
      const button = element("button", "more", words);
      button.type = "button";
      if (key) {
        button.appendChild(element("kbd", "", key));
        button.setAttribute("aria-keyshortcuts", key);
      }
      button.onclick = () => view.act(action);
      row.appendChild(button);
    }
    box.appendChild(row);
  } else box.appendChild(element("p", "muted", nothing));
  block.appendChild(box);
  return block;
}

function drawLabels({ pins, counts }, view) {
  const two = element("div", "half");
  two.append(drawPins(pins, view), drawCounts(counts));
  return [two];
}

function drawSpread({ curve, queue }, view) {
  const two = element("div", "half");
  if (curve) two.appendChild(drawCurve(curve));
  two.appendChild(drawQueue(queue, view));
  listenForLabels(view);
  return [two];
}

const SETTLED_MS = 800;

/** `l`, `n` and `s` answer for the run that is offered, wherever the focus is but in a field. */
function listenForLabels(view) {
  if (view.listens) return;
  view.listens = true;
  document.addEventListener("keydown", (event) => {
    if (!view.root.isConnected || !view.offered || event.metaKey || event.ctrlKey || event.altKey || event.repeat) return;
    if (event.composedPath().some((node) => node.matches?.("input, textarea, select, [contenteditable]"))) return;
    const offered = view.offered;
    const { run } = offered;
    const action = { l: `label=loop&of=${run}`, n: `label=not a loop&of=${run}`, s: `skip=${run}` }[event.key];
    if (action) {
      view.offered = null; // Until the next one is there: a second press is not meant for it.
      view.act(action);
      setTimeout(() => (view.offered ??= offered), SETTLED_MS); // Where it could not be said, there is no next one.
    }
  });
}
