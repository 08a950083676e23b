// The chosen call with what was said around it, and beside it a column of blocks: what it is set against, and why it
// counts or does not.
//
// `beside` is a list of blocks, drawn in its order; BESIDE names the kinds:
//   {kind: "compare", …}                          the call against another one: see compare.js
//   {kind: "lines", title, aside, lines: [[Part]]}  sentences under a heading
//   {kind: "before", title, aside, lines: [[Part]]} the same, with calls to click: see answers.js
// `buttons` stand below them: [{label, action}].

const BESIDE = { compare: drawCompare, lines: drawLines, before: drawBefore };

function drawCall({ title, tool, chips, blocks, folds, beside, buttons }, view) {
  const head = element("h2", "", `${title} · `);
  head.appendChild(element("code", "", tool));
  const row = element("div", "chips");
  for (const chip of chips) row.appendChild(drawChip(chip));
  const left = element("div");
  left.append(head, row);
  for (const block of blocks) left.append(...drawBlock(block, view));
  for (const fold of folds) left.appendChild(drawFold(fold, view));
  const right = element("div", "beside");
  for (const block of beside ?? []) right.append(...BESIDE[block.kind](block, view));
  if (buttons?.length) right.appendChild(buttonRow(buttons, view));
  const columns = element("div", "call-columns");
  columns.append(left, right);
  return [columns];
}

function drawLines({ title, aside, lines }) {
  const head = element("h3", "", title);
  if (aside) head.appendChild(element("small", "", aside));
  return [head, ...lines.map((parts) => said(parts))];
}

/** A sentence as a paragraph of its own. */
function said(parts) {
  const line = element("p", "said");
  line.append(...sentence(parts));
  return line;
}
