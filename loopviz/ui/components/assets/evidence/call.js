// The chosen call, with what was said around it.

function drawCall({ title, tool, chips, blocks, folds }, view) {
  const head = element("h2", "", `${title} · `);
  head.appendChild(element("code", "", tool));
  const row = element("div", "chips");
  for (const chip of chips) row.appendChild(drawChip(chip));
  const parts = [head, row];
  for (const block of blocks) parts.push(...drawBlock(block, view));
  for (const fold of folds) parts.push(drawFold(fold, view));
  return parts;
}
