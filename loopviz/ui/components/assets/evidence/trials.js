// The other trials of this stimulus: a card each, this one framed, with the way to set both beside each other.

function drawTrials({ caption, cards, more }, view) {
  const title = element("h2", "", "The other trials of this stimulus");
  title.appendChild(element("small", "", caption));
  const strip = element("div", "trials");
  for (const card of cards) strip.appendChild(trialCard(card, view));
  const here = strip.querySelector("[aria-current]");
  if (here) requestAnimationFrame(() => (strip.scrollLeft = here.offsetLeft - strip.offsetLeft - strip.clientWidth / 2 + 64));
  return more ? [title, strip, element("p", "", more)] : [title, strip];
}

function trialCard({ name, aside, figure, blocks, period, over, verdict, action, tip, compare }, view) {
  const card = element(action ? "button" : "div", "trial");
  if (action) {
    card.type = "button";
    card.onclick = () => view.act(action);
  } else card.setAttribute("aria-current", "true");
  if (tip) card.title = tip;
  card.append(element("span", "name", name), element("span", "aside", aside), element("span", "figure", figure));
  const row = element("span", over ? `blocks p${Math.min(period, 4)} over` : "blocks");
  for (let place = 0; place < blocks; place++) row.appendChild(element("i"));
  card.append(row, element("span", over ? "said over" : "said", verdict));
  const slot = element("div", "slot");
  slot.appendChild(card);
  if (compare) {
    const beside = moreButton(compare, view);
    beside.setAttribute("aria-label", `${compare.label} ${name} ${aside}`.trim());
    slot.appendChild(beside);
  }
  return slot;
}
