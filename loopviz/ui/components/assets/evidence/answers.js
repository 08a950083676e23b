// Three questions, three answers; where they part; what came before.

function drawAnswers({ columns, parting, before }, view) {
  const three = element("div", "three");
  for (const column of columns) three.appendChild(drawAnswer(column, view));
  const why = element("p", "parting");
  why.append(...linked(parting, view));
  const parts = [element("h2", "", "Three questions, three answers"), three, why];
  for (const block of before) parts.push(...drawBefore(block, view));
  return parts;
}

function drawAnswer({ who, role, question, answer, lines }, view) {
  const column = element("div", "answer");
  const name = element("div", "who");
  name.append(element("strong", "", who), `, ${role}`);
  column.append(name, element("div", "question", question), element("h3", "", answer));
  for (const line of lines) column.appendChild(element("p")).append(...linked(line, view));
  return column;
}

/** What came just before a pattern began: described, never blamed. */
function drawBefore({ title, aside, lines }, view) {
  const head = element("h3", "before", title);
  head.appendChild(element("small", "", aside));
  const parts = [head];
  for (const line of lines) {
    const words = element("p", "before");
    words.append(...linked(line, view));
    parts.push(words);
  }
  return parts;
}

/** The pieces of a sentence; one with an action is a button that looks like a link. */
function linked(parts, view) {
  return sentence(parts).map((node, place) => {
    const { text, kind, action } = parts[place];
    if (!action) return node;
    const button = element("button", kind === "strong" ? "link strong" : "link", text);
    button.type = "button";
    button.onclick = () => view.act(action);
    return button;
  });
}
