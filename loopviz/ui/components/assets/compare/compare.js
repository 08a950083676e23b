// The Compare page, section by section. Python decides every word and number; this only lays them out.

const SECTIONS = { line: drawLine, picture: drawPair, foot: drawFoot, patterns: drawPatterns, middle: drawMiddle, unlike: drawUnlike, words: drawWords, sets: drawSets };

export default function (component) {
  const view = mount(component);
  view.root.classList.add("compare");
  if (!view.changed) return;
  view.sections ??= {};
  const turned = view.darkBefore !== view.dark;
  view.darkBefore = view.dark;
  for (const [name, draw] of Object.entries(SECTIONS)) placeSection(view, name, draw, component.data[name], turned);
}

/** Draws a section anew only when what it shows has changed, so that folds, zoom and focus stay. */
function placeSection(view, name, draw, content, anew) {
  const written = JSON.stringify(content ?? null);
  const known = view.sections[name];
  if (known?.written === written && !anew) return;
  const section = known?.section ?? view.root.appendChild(element("section"));
  const open = section.querySelector("details")?.open;
  const focus = focusWithin(section);
  section.dataset.section = name;
  section.hidden = content == null;
  const drawn = content == null ? [] : draw(content, view, section);
  if (drawn) section.replaceChildren(...drawn);
  const fold = section.querySelector("details");
  if (fold && open) fold.open = true;
  view.sections[name] = { written, section };
  if (focus) [...section.querySelectorAll("button")].find((button) => button.textContent === focus)?.focus();
}

/** The words of the button that has the focus, by which it is found again. */
function focusWithin(section) {
  const active = section.getRootNode().activeElement;
  return active?.tagName === "BUTTON" && section.contains(active) ? active.textContent : null;
}

/** Both verdicts with the picture between them; the picture itself is never made anew, since it holds zoom and focus. */
function drawPair({ verdicts, picture, selected }, view, section) {
  if (!view.stage) {
    makeStage(view);
    view.heads = [element("div"), element("div")];
    section.replaceChildren(view.heads[0], view.stage, view.heads[1], view.below);
  }
  verdicts.forEach((verdict, at) => view.heads[at].replaceChildren(drawVerdict(verdict, view)));
  view.stage.hidden = view.below.hidden = !picture;
  if (picture) showPicture(view, picture, selected);
  return null;
}
