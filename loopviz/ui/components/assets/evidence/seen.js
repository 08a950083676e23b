// What the run repeats anywhere: figures, distinct calls over time, the calls that came most often.

const SVG = "http://www.w3.org/2000/svg";
const LINE_WIDTH = 320;
const LINE_HEIGHT = 96;

function drawSeen({ lines, line, rows }, view) {
  const title = element("h2", "", "Seen before");
  title.appendChild(element("small", "", "a description, never a verdict"));
  const words = element("div");
  for (const parts of lines) words.appendChild(element("p", "seen-line")).append(...linked(parts, view));
  const two = element("div", "two seen");
  two.append(distinctLine(line), words);
  if (rows.length) words.append(element("h3", "", "Came most often"), repeatedRows(rows, view));
  return [title, two];
}

/** Distinct calls so far against calls; the dotted line is a run in which every call is new. */
function distinctLine({ x, y, label }) {
  const figure = element("figure", "distinct");
  const picture = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`, role: "img", "aria-label": label })) {
    picture.setAttribute(name, value);
  }
  const at = (across, up) => `${(across * LINE_WIDTH).toFixed(1)} ${((1 - up) * LINE_HEIGHT).toFixed(1)}`;
  const steps = x.map((across, place) => `L${at(across, y[place])}`).join("");
  picture.append(
    path("area", `M${at(0, 0)}${steps}L${at(1, 0)}Z`),
    path("new", `M${at(0, 0)}L${at(1, 1)}`),
    path("line", `M${at(0, 0)}${steps}`),
  );
  const caption = element("figcaption", "", "Distinct calls so far: ");
  caption.append(element("strong", "", label), ". It rises with each new call and stays level where one was seen before; dotted: every call new.");
  figure.append(picture, caption);
  return figure;
}

function path(style, shape) {
  const node = document.createElementNS(SVG, "path");
  node.setAttribute("class", style);
  node.setAttribute("d", shape);
  return node;
}

function repeatedRows(rows, view) {
  const list = element("div", "repeated");
  for (const { times, what, calls, row } of rows) {
    const name = element("div", "what");
    name.append(...linked(what, view));
    const where = element("div", "where", `${row}: calls `);
    where.append(...linked(calls, view));
    list.append(element("div", "n", `${times} ×`), name, where);
  }
  return list;
}
