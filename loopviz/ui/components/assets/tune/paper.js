// Texts to take along: YAML, a diff with its lines tinted, text for a pull request; each with a button that copies it.

function drawPaper({ title, text, kind }) {
  const block = element("div", "paper-block");
  const head = element("div", "paper-head");
  head.appendChild(element("span", "", title));
  const copy = element("button", "more", "Copy");
  copy.type = "button";
  copy.setAttribute("aria-label", `Copy: ${title}`);
  copy.onclick = () => copyText(text, copy);
  head.appendChild(copy);
  const paper = element("pre", "paper");
  paper.tabIndex = 0;
  paper.setAttribute("aria-label", title);
  if (kind === "diff") paper.append(...diffLines(text));
  else paper.textContent = text;
  block.append(head, paper);
  return [block];
}

function diffLines(text) {
  return text.replace(/\n$/, "").split("\n").map((line, place) => {
    const head = place < 2 || line.startsWith("@@");
    const style = head ? "muted" : { "+": "added", "-": "removed" }[line[0]] ?? "";
    return element("span", `line-of ${style}`, `${line}\n`);
  });
}
