// The sections below the timeline: how the figure came about, the whole grid, the chosen call, the cycles.
// Python decides every word and number; this only lays them out. Texts become text nodes, never markup.

const sections = new WeakMap();

function drawEvidence({ data, parentElement, setTriggerValue }) {
  let view = sections.get(parentElement);
  if (!view) {
    const root = element("div", "evidence look");
    parentElement.appendChild(root);
    view = { root, drawn: {} };
    sections.set(parentElement, view);
  }
  view.act = (action) => {
    expectCall(view, action);
    setTriggerValue("action", action);
  };
  view.root.classList.toggle("dark", isDark(parentElement));
  const focus = focusIn(view);
  for (const [name, draw] of Object.entries(SECTIONS)) place(view, name, draw, data[name]);
  giveBack(view, focus);
  showCall(view);
  markFound(view, data.found);
  view.link = data.link;
  view.linkOf = data.link_of;
  saveFile(view, data.save);
}

/** Draws a section anew only when what it shows has changed, so that open folds and scroll positions stay. */
function place(view, name, draw, content) {
  const written = JSON.stringify(content ?? null);
  if (view.drawn[name]?.written === written) return;
  const section = view.drawn[name]?.section ?? view.root.appendChild(element("section"));
  section.dataset.section = name;
  section.hidden = content == null;
  section.replaceChildren(...(content == null ? [] : draw(content, view)));
  view.drawn[name] = { written, section };
}

const SECTIONS = { found: drawFound, ask: drawAsk, figures: drawFigures, call: drawCall, tool: drawTool, label: drawLabel, changes: drawChanges, cycles: drawCycles, near: drawNear, trials: drawTrials, answers: drawAnswers, seen: drawSeen, run: drawRun };
