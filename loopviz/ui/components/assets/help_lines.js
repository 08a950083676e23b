// The lines of the ladder's example: the words of each, those shared with the line it was held against filled.

export default function (component) {
  const view = mount(component);
  if (!view.changed) return;
  view.root.classList.add("lines");
  view.root.replaceChildren(...component.data.map(line));
}

function line({ n, tool, words, score, against, stretch, level, rank }) {
  const row = element("div", "line");
  const name = element("div", "name");
  name.append(element("span", "muted", n), element("span", "mono", tool));
  const chips = element("div", "words");
  for (const [word, shared] of words) chips.append(element("code", shared ? "shared" : "own", word));
  if (!words.length) chips.append(element("span", "muted", "nothing to compare"));
  const answer = element("div", "answer");
  answer.append(element("span", "score", score || "first"), element("span", "muted", against));
  const length = element("div", "length");
  length.append(element("span", "muted", "stretch"), element("span", "strong", stretch));
  if (level) length.append(element("span", `level l${rank}`, level));
  row.append(name, chips, answer, length);
  return row;
}
