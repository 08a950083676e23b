// The runs worth a look: their pattern, what happened in one sentence, and the place where it went over the limit.

export default function (component) {
  const view = mount(component);
  const act = (action) => view.act(action);
  if (!view.changed) return;
  const { title, items, more } = component.data;
  const parts = items.map((item) => finding(item, act));
  if (title) parts.unshift(element("h2", "", title));
  if (more) parts.push(moreButton(more, act));
  view.root.classList.add("findings");
  view.root.replaceChildren(...parts);
}

function finding(item, act) {
  const row = element("div", "finding");
  const letters = element("div", "gutter");
  if (item.pattern.letters) letters.appendChild(pattern(item.pattern));
  const body = element("div", "body");
  const head = element("div", "head");
  head.appendChild(actionLink("title", { text: item.title, ...item }, act));
  if (item.mark) head.appendChild(element("span", "badge apart", item.mark));
  const words = element("div", "words");
  words.append(...sentence(item.sentence));
  if (item.place) words.append(" Over the limit at ", actionLink("place", item.place, act), ".");
  body.append(head, words, element("div", "trial", item.trial));
  row.append(letters, body);
  return row;
}

function moreButton(text, act) {
  const button = element("button", "more", text);
  button.type = "button";
  button.onclick = () => act("more");
  return button;
}
