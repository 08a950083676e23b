// The sample cards: the verdict, a strip of the steps that decide it, what the sample teaches.

export default function (component) {
  const view = mount(component);
  const act = (action) => view.act(action);
  if (!view.changed) return;
  view.root.classList.add("cards");
  view.root.replaceChildren(...component.data.map((item) => card(item, view, act)));
}

function card(item, view, act) {
  const node = element("article", "card");
  const head = element("div", "head");
  head.append(badge(item.badge), element("span", "figure", item.figure));
  const title = element("h3", "", item.title);
  const open = actionLink("open", { text: "Open", ...item }, act);
  open.setAttribute("aria-label", `Open: ${item.title}`);
  node.append(head, item.marks ? trials(item.marks) : strip(item.strip, view), title, element("p", "", item.lesson), open);
  return node;
}

function strip({ light, dark, cut, alt }, view) {
  const frame = element("div", `strip${cut.map((side) => ` cut-${side}`).join("")}`);
  frame.setAttribute("role", "img");
  frame.setAttribute("aria-label", alt);
  frame.appendChild(drawing(view.dark ? dark : light));
  return frame;
}

/** Our own drawing from its data address, as part of the page, so that its letters take the page's font. */
function drawing(address) {
  const text = new TextDecoder().decode(Uint8Array.from(atob(address.split(",")[1]), (sign) => sign.charCodeAt(0)));
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

/** One mark a trial, as in the dot chart. */
function trials(marks) {
  const row = element("div", "trials");
  for (const { look, tip } of marks) {
    const mark = element("span", `trial ${look}`, look === "fail" ? "✗" : "");
    mark.title = tip;
    row.appendChild(mark);
  }
  return row;
}
