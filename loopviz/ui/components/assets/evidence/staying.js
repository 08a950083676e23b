// Where a person is: the focus stays where it was when a section is drawn anew, and a call that was asked for comes
// into sight.

const CHOOSES_CALL = /^call=/;
const HEADER = 72;

/** Where in the sections the focus is, by what is written there; null when it is elsewhere on the page. */
function focusIn(view) {
  const node = view.root.getRootNode().activeElement;
  const section = node?.closest("section[data-section]");
  if (!section || !view.root.contains(section)) return null;
  return { node, section, sort: node.tagName, label: labelOf(node), place: namesakes(section, node.tagName, labelOf(node)).indexOf(node) };
}

/** Gives the focus to the namesake of the node that was drawn anew; else to the heading of its section. */
function giveBack(view, focus) {
  if (!focus || (focus.node.isConnected && !focus.section.hidden)) return;
  const section = focus.section.hidden ? shownBefore(view, focus.section) : focus.section;
  if (!section) return;
  const same = namesakes(section, focus.sort, focus.label);
  const node = same[focus.place] ?? same[0] ?? section.querySelector("h2, h3");
  if (node?.tagName.startsWith("H")) node.tabIndex = -1;
  node?.focus({ preventScroll: true });
}

function namesakes(section, sort, label) {
  return [...section.querySelectorAll(sort)].filter((node) => labelOf(node) === label && !node.disabled);
}

function labelOf(node) {
  return node.getAttribute("aria-label") ?? node.textContent;
}

function shownBefore(view, section) {
  const shown = [...view.root.querySelectorAll("section[data-section]")].filter((one) => !one.hidden || one === section);
  const at = shown.indexOf(section);
  return shown[at - 1] ?? shown[at + 1];
}

/** Notes that a call is asked for in the sections, to be brought into sight once it is drawn, and at once if it is. */
function expectCall(view, action) {
  view.awaited = CHOOSES_CALL.test(action);
  if (view.awaited) reveal(view.drawn.call?.section);
}

function showCall(view) {
  if (!view.awaited) return;
  view.awaited = false;
  reveal(view.drawn.call?.section);
}

/** Scrolls to the head of a section, unless that is in sight. */
function reveal(section) {
  if (!section || section.hidden) return;
  const { top } = section.getBoundingClientRect();
  if (top >= HEADER && top < innerHeight - 2 * HEADER) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  section.style.scrollMarginTop = `${HEADER}px`;
  section.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
}
