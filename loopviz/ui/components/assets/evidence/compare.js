// One call against another: a sentence, and what differs line by line, white space shown as dots.

function drawCompare({ title, aside, choices, sentence: parts, signs, texts, note }, view) {
  const head = element("h2", "", aside ? `${title}, ${aside}` : title);
  const drawn = [head, said(parts)];
  if (choices.length) drawn.push(drawChoices(choices, view));
  if (texts.length) {
    const legend = element("p", "signs");
    for (const sign of signs) legend.appendChild(element("span", "", sign));
    drawn.push(legend);
  }
  for (const text of texts) drawn.push(...drawDiff(text));
  if (note) drawn.push(element("p", "cut", note));
  return drawn;
}

/** The calls that it can be set against. */
function drawChoices(choices, view) {
  const row = element("div", "choices");
  for (const { label, action, now } of choices) {
    const button = element("button", "", label);
    button.type = "button";
    button.setAttribute("aria-pressed", String(now));
    button.onclick = () => view.act(action);
    row.appendChild(button);
  }
  return row;
}

function drawDiff({ title, rows, note }) {
  const name = element("h3", "mono", title);
  const table = element("div", "diff mono");
  for (const row of rows) table.appendChild(drawDiffRow(row));
  return note ? [name, table, element("p", "cut", note)] : [name, table];
}

function drawDiffRow({ sign, pieces, skipped }) {
  const line = element("div", { "−": "removed", "+": "added" }[sign] ?? "");
  line.appendChild(element("span", "sign", skipped ? "⋯" : sign));
  const text = element("span", skipped ? "skipped" : "text", skipped ?? "");
  const dotted = sign === "−" || sign === "+";
  for (const [words, marked] of pieces) text.appendChild(marked ? markedPiece(words) : plainPiece(words, dotted));
  if (dotted && pieces.every(([words]) => words === "")) text.appendChild(element("span", "space", "⏎"));
  line.appendChild(text);
  return line;
}

function markedPiece(words) {
  const mark = element("mark");
  mark.appendChild(plainPiece(words, true));
  return mark;
}

/** Text in which white space is seen, if it is to be. */
function plainPiece(words, dotted) {
  const piece = document.createDocumentFragment();
  if (!dotted) {
    piece.appendChild(document.createTextNode(words));
    return piece;
  }
  for (const part of words.split(/(\s+)/u)) {
    if (part && !part.trim()) piece.append(element("span", "space", shownSpace(part)), element("wbr"));
    else piece.appendChild(document.createTextNode(part));
  }
  return piece;
}

function shownSpace(space) {
  return space.replaceAll("\t", "→\t").replaceAll("\r", "␍").replace(/[^\S\t]/gu, "·");
}
