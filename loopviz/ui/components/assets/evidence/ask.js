// Asking about a stretch of calls: a form that needs no dragging, and below it the answer about what is marked.

function drawAsk({ form, about }, view) {
  if (!about) return [askForm(form, view)];
  const title = element("h2", "", about.title);
  title.appendChild(element("small", "", about.aside));
  const head = element("div", "ask-head");
  head.append(title, askForm(form, view));
  const parts = [head, askLine("ask-lead", [{ kind: "strong", text: about.lead }, { kind: "text", text: " " }, ...about.reason], view)];
  if (about.facts.length) parts.push(askFacts(about.facts, view));
  if (about.neighbours) parts.push(askLine("", about.neighbours, view));
  if (about.suggestions.length) parts.push(...askNearest(about, view));
  for (const line of [about.none, about.elsewhere]) if (line) parts.push(askLine("", line, view));
  parts.push(askFoot(about.foot, view));
  return parts;
}

/** From call … to call …: for those who do not drag. */
function askForm({ calls, first, last }, view) {
  const form = element("form", "ask-form");
  const number = (label, value) => {
    const input = element("input");
    Object.assign(input, { type: "number", min: "1", max: String(calls), step: "1", required: true });
    input.value = value ?? "";
    input.setAttribute("aria-label", label);
    return input;
  };
  const [from, to] = [number("First call of the stretch", first), number("Last call of the stretch", last)];
  const ask = element("button", "more", "Ask");
  form.append(element("span", "", "Ask about calls"), from, element("span", "", "to"), to, ask);
  if (first !== null) {
    const clear = element("button", "more", "Clear");
    clear.type = "button";
    clear.onclick = () => view.act("ask=");
    form.append(clear);
  }
  form.onsubmit = (event) => {
    event.preventDefault();
    view.act(`ask=${from.value - 1}-${to.value - 1}`);
  };
  return form;
}

function askFoot(text, view) {
  const fold = element("details", "ask-foot");
  fold.append(element("summary", "", "How this is decided"), element("p", "", text));
  fold.open = view.askFoot ?? false;
  fold.ontoggle = () => (view.askFoot = fold.open);
  return fold;
}

function askFacts(facts, view) {
  const list = element("ul", "ask-facts");
  for (const parts of facts) list.appendChild(element("li")).append(...askParts(parts, view));
  return list;
}

/** The settings that would count it, nearest first, each with what else it does. */
function askNearest({ suggestions, others, look }, view) {
  const list = element("div", "ask-nearest");
  suggestions.forEach((suggestion, place) => list.appendChild(askOption(suggestion, others?.effects?.[place], others?.head, view)));
  const parts = [element("h3", "", suggestions.length > 1 ? "Nearest settings that would count it" : "Nearest setting that would count it"), list];
  if (look) parts.push(askLook(look, view));
  if (others?.refused) parts.push(element("p", "", others.refused));
  return parts;
}

function askOption({ changes, loop, here, action }, effects, head, view) {
  const card = element("div", "ask-option");
  const setting = element("div", "ask-setting");
  for (const parts of changes) setting.appendChild(askLine("", parts, view));
  const apply = element("button", "more", "Apply");
  apply.type = "button";
  apply.onclick = () => view.act(action);
  setting.appendChild(apply);
  const effect = element("dl");
  const row = (name, node) => effect.append(element("dt", "", name), node);
  row("Counts here", askLine("", loop, view, "dd"));
  row("Also flags", askLine("", here, view, "dd"));
  if (effects) row(head, askEffects(effects, view));
  card.append(setting, effect);
  return card;
}

function askEffects(effects, view) {
  const cell = element("dd");
  for (const { words, runs, more } of effects) {
    const line = cell.appendChild(element("div", "", words));
    runs.forEach((run, place) => {
      line.append(place ? ", " : ": ", askLink(run, view));
    });
    if (more) line.append(` ${more}`);
  }
  return cell;
}

function askLink(run, view) {
  const link = actionLink("", run, view.act);
  link.title = "Opens the run under these settings";
  return link;
}

/** Answers at once that it is at work: the runs may be many. */
function askLook({ label, busy, action }, view) {
  const button = element("button", "more", label);
  button.type = "button";
  button.onclick = () => {
    button.disabled = true;
    button.classList.add("busy");
    button.textContent = busy;
    view.act(action);
  };
  return button;
}

function askLine(style, parts, view, tag = "p") {
  const line = element(tag, style);
  line.append(...askParts(parts, view));
  return line;
}

function askParts(parts, view) {
  return parts.map((part) => {
    if (part.kind === "swatch") return swatch(part);
    if (!part.action) return element(part.kind === "code" ? "code" : "span", part.kind === "code" ? "" : part.kind, part.text);
    const button = element("button", `ask-action ${part.kind}`, part.text);
    button.type = "button";
    button.onclick = () => view.act(part.action);
    return button;
  });
}
