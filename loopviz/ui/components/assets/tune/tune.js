// The sections of the Tune page, in their order. Python decides every word and number; this only lays them out.

const SECTIONS = {
  graders: drawGraders,
  grids: drawGrids,
  evidence: drawEvidence,
  flips: drawFlips,
  groups: drawGroups,
  labels: drawLabels,
  spread: drawSpread,
  guards: drawGuards,
  said: drawSaid,
  paper: drawPaper,
};

export default function (component) {
  const view = mount(component);
  view.queue = component.data.spread?.queue;
  settle(view);
  if (!view.changed) return;
  view.root.classList.add("tune");
  view.sections ??= {};
  const themeTurned = view.darkBefore !== view.dark;
  view.darkBefore = view.dark;
  for (const [name, draw] of Object.entries(SECTIONS)) placeSection(view, name, draw, component.data[name], themeTurned);
}

/** Draws a section anew only when what it shows has changed, so that folds and scroll positions stay. */
function placeSection(view, name, draw, content, anew) {
  const written = JSON.stringify(content ?? null);
  const known = view.sections[name];
  if (known?.written === written && !anew) return;
  const section = known?.section ?? view.root.appendChild(element("section"));
  section.closest(".look").querySelector(":scope > .tip")?.remove();
  const focus = section.contains(document.activeElement ?? null) ? null : focusWithin(section);
  section.dataset.section = name;
  section.replaceChildren(...(content == null ? [] : draw(content, view)));
  section.hidden = !section.childNodes.length;
  view.sections[name] = { written, section };
  if (focus) section.querySelector(`[aria-label="${CSS.escape(focus)}"]`)?.focus();
}

/** The label of the control that has the focus, by which it is found again. */
function focusWithin(section) {
  const active = section.getRootNode().activeElement;
  return active && section.contains(active) ? active.getAttribute("aria-label") : null;
}

function moreButton({ label, action }, view) {
  const button = element("button", "more", label);
  button.type = "button";
  button.onclick = () => view.act(action);
  return button;
}
