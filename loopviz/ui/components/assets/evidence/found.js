// Where what was looked for stands: a list in pieces, each a click away, and marks in the texts of the chosen call.

function drawFound({ caption, at, notice, steps, rows, pages }, view) {
  const title = element("h2", "", "Found");
  title.appendChild(element("small", "", caption));
  const bar = element("div", "found-bar");
  if (steps) bar.append(foundButton("← Previous hit", "hit=previous", "F", view), foundButton("Next hit →", "hit=next", "f", view));
  bar.appendChild(element("span", "found-at", [at, notice].filter(Boolean).join(". ")));
  bar.appendChild(foundButton("Clear", "find=", "", view));
  const list = element("div", "found-list");
  for (const row of rows) list.appendChild(foundRow(row, view));
  const parts = [title, bar, list];
  if (pages.length) parts.push(foundPages(pages, view));
  return parts;
}

function foundButton(label, action, key, view) {
  const button = moreButton({ label, action }, view);
  button.disabled = action === null;
  if (key) button.title = `${key} on the timeline`;
  return button;
}

function foundRow(row, view) {
  const node = element("button", row.now ? "found-row now" : "found-row");
  node.type = "button";
  if (row.now) node.setAttribute("aria-current", "true");
  const where = element("span", "found-where");
  if (row.call) where.append(element("span", "found-call", `call ${row.call}`), element("code", "", row.tool));
  const place = element("span", "found-place", row.place);
  if (row.field) place.append(" ", element("code", "", row.field));
  const words = element("span", "found-words mono");
  words.append(row.before, element("mark", "", row.hit), row.after);
  node.append(where, place, words);
  node.disabled = !row.action && !row.fold;
  node.onclick = () => (row.action ? view.act(row.action) : openFold(row.fold, view));
  return node;
}

/** A text of the whole run: unfold it where it stands. */
function openFold(title, view) {
  const fold = view.root.querySelector(`section:not([hidden]) details[data-fold="${title}"]`);
  if (!fold) return;
  fold.open = true;
  fold.scrollIntoView({ block: "center" });
}

function foundPages(pages, view) {
  const bar = element("div", "found-bar");
  for (const { label, action } of pages) {
    bar.appendChild(action === "" ? element("span", "found-at", label) : foundButton(label, action, "", view));
  }
  return bar;
}

const MOST_MARKED = 500_000;
const MOST_MARKS = 2_000;

/** Mark what was looked for in the texts on the page, without touching them; browsers that cannot leave it out. */
function markFound(view, found) {
  if (!globalThis.CSS?.highlights || !globalThis.Highlight) return;
  const ranges = [];
  let left = MOST_MARKED;
  const texts = found ? view.root.querySelectorAll('[data-section="call"] pre, [data-section="run"] details pre') : [];
  for (const node of texts) {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && left > 0 && ranges.length < MOST_MARKS) {
      left -= walker.currentNode.length;
      for (const words of found.marks) ranges.push(...rangesOf(walker.currentNode, words));
    }
  }
  if (ranges.length) CSS.highlights.set("loopviz-found", new Highlight(...ranges.slice(0, MOST_MARKS)));
  else CSS.highlights.delete("loopviz-found");
}

function rangesOf(node, words) {
  const [text, wanted] = [node.data.toLowerCase(), words.toLowerCase()];
  const ranges = [];
  if (text.length !== node.length || !wanted) return ranges;
  for (let at = text.indexOf(wanted); at >= 0 && ranges.length < MOST_MARKS; at = text.indexOf(wanted, at + wanted.length)) {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + wanted.length);
    ranges.push(range);
  }
  return ranges;
}
