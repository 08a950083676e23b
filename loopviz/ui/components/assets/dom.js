// Building blocks of the page's small components. Texts become text nodes, never markup.

const mounted = new WeakMap();

/** The component's root, made once, the way back to Python, and whether what it shows, or the theme, has changed. */
function mount({ data, parentElement, setTriggerValue }) {
  let view = mounted.get(parentElement);
  if (!view) {
    const root = element("div", "look");
    parentElement.appendChild(root);
    view = { root, drawn: null };
    mounted.set(parentElement, view);
  }
  view.act = (action) => setTriggerValue?.("action", action);
  view.dark = isDark(parentElement);
  view.root.classList.toggle("dark", view.dark);
  const written = `${view.dark}${JSON.stringify(data)}`;
  view.changed = view.drawn !== written;
  view.drawn = written;
  return view;
}

function element(tag, style = "", text = "") {
  const node = document.createElement(tag);
  if (style) node.className = style;
  if (text !== "") node.textContent = text;
  return node;
}

/** A link that answers a plain click itself and leaves new tabs and windows to the browser. */
function actionLink(style, { text = "", href, action }, act) {
  const link = element("a", style, text);
  link.href = new URL(href, document.baseURI).href;
  link.onclick = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    act(action);
  };
  return link;
}

/** The letters of a pattern as the timeline's cells, and how often it came in a row. */
function pattern({ letters, period, state, text, tip }) {
  const node = element("span", "pattern");
  for (const letter of letters) {
    if (letter === "…") node.appendChild(element("span", "gap", letter));
    else node.appendChild(element("span", `swatch h${Math.min(period, 4)} ${["hollow", "counted", "over"][state]}`, letter));
  }
  node.appendChild(element("span", state === 2 ? "times strong" : "times", text));
  if (tip) node.title = tip;
  return node;
}

/** The pieces of a sentence, as `loopviz.timeline.contract.Part` has them. */
function sentence(parts) {
  return parts.map(({ kind, text }) => element(kind === "code" ? "code" : "span", kind === "code" ? "" : kind, text));
}

/** An address of the app as a whole one, with the zoom of the timeline that shows `run`; calls count from 1 in it. */
function zoomedLink(address, run) {
  const link = new URL(address, document.baseURI);
  const part = globalThis.loopviz?.zooms?.get(run)?.();
  if (part) {
    link.searchParams.set("from", part.first + 1);
    link.searchParams.set("to", part.last + 1);
  }
  return link.href;
}

/** Copies a text and says so; where the browser does not allow that, the text is shown, to be copied by hand. */
async function copyText(text, button) {
  button.parentElement.querySelector("input.by-hand")?.remove();
  if (await copied(text)) say(button, "Copied");
  else button.after(byHand(text));
  button.parentElement.querySelector("input.by-hand")?.select();
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedTheOldWay(text);
  }
}

/** On another host without https there is no clipboard for scripts, but a marked text can still be copied. */
function copiedTheOldWay(text) {
  const area = element("textarea");
  area.value = text;
  area.style.cssText = "position: fixed; opacity: 0";
  document.body.appendChild(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

function byHand(text) {
  const field = element("input", "by-hand mono");
  field.readOnly = true;
  field.value = text;
  field.setAttribute("aria-label", "To be copied by hand");
  return field;
}

/** For a moment a button says that it has been done. */
function say(button, words) {
  button.dataset.label ??= button.textContent;
  button.textContent = words;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => (button.textContent = button.dataset.label), 2000);
}

function badge({ text, look, tip }) {
  const node = element("span", `badge ${look}`, text);
  if (tip) node.title = tip;
  return node;
}

function isDark(parent) {
  const page = getComputedStyle(parent.host ?? parent).getPropertyValue("--st-background-color").trim();
  const channels = page.match(/[0-9a-f]{2}/gi) ?? ["ff", "ff", "ff"];
  return channels.slice(0, 3).reduce((sum, channel) => sum + parseInt(channel, 16), 0) < 384;
}
