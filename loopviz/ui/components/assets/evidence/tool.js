// One tool left out, or given a limit of its own: what is written, and what it changes.

function drawTool({ title, refused, limit, rows, others, warning, cycles, written, apply }, view) {
  const head = element("h2");
  head.append(...sentence(title));
  if (refused) return [head, element("p", "", refused), buttonRow([{ label: "Close", action: "treat=" }], view)];
  const left = element("div");
  left.append(toolFacts(rows, limit, others, view));
  if (warning) left.appendChild(element("p", "warning")).append(...sentence(warning));
  const right = element("div", "written");
  right.append(element("h3", "", written.title), longText(written.text));
  const actions = [...(apply ? [{ ...apply, strong: true }] : []), { label: "Copy", copy: written.text }, { label: "Close", action: "treat=" }];
  right.appendChild(buttonRow(actions, view));
  const two = element("div", "two even");
  two.append(left, right);
  return [head, two, ...changedCycles(cycles, view)];
}

function toolFacts(rows, limit, others, view) {
  const list = element("dl", "tool-facts");
  if (limit) list.append(element("dt", "", "Its limit"), limitStepper(limit, view));
  for (const { label, mono, parts } of rows) {
    list.appendChild(element("dt", mono ? "mono" : "", label));
    list.appendChild(element("dd")).append(...sentence(parts));
  }
  if (others) {
    list.appendChild(element("dt", "", "Other runs"));
    const cell = others.groups.length ? askEffects(others.groups, view) : element("dd");
    cell.prepend(element("div", "", others.lead));
    list.appendChild(cell);
  }
  return list;
}

function limitStepper({ n, less, more }, view) {
  const cell = element("dd", "stepper");
  const step = (sign, name, action) => {
    const button = element("button", "more", sign);
    button.type = "button";
    button.setAttribute("aria-label", name);
    button.disabled = !action;
    button.onclick = () => view.act(action);
    return button;
  };
  const value = element("output", "", n);
  cell.append(step("−", "Allow one fewer", less), value, step("+", "Allow one more", more), element("span", "muted", "allowed in a row"));
  return cell;
}

function changedCycles({ title, rows, foot }, view) {
  if (!rows.length) return [element("p", "", foot)];
  const table = element("table");
  const head = table.createTHead().insertRow();
  for (const [name, style] of [["Cycle", ""], ["Tools", ""], ["Now", "num"], ["Then", "num"], ["Calls", "num"]]) {
    head.appendChild(element("th", style, name));
  }
  const body = table.createTBody();
  for (const row of rows) body.appendChild(changedCycle(row, view));
  const scroll = element("div", "scroll");
  scroll.append(table);
  const parts = [element("h3", "", title), scroll];
  return foot ? [...parts, element("p", "", foot)] : parts;
}

function changedCycle({ fate, strong, pattern, was, then, calls, action }, view) {
  const line = element("tr", strong ? "turns" : "");
  line.tabIndex = 0;
  const cells = [[fate, ""], [pattern, "tools mono"], [was, "num"], [then, "num"], [calls, "num"]];
  for (const [text, style] of cells) line.appendChild(element("td", style, text));
  line.onclick = () => view.act(action);
  line.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    view.act(action);
  };
  return line;
}

/** Buttons side by side: each asks for its action, or copies a text and says so. */
function buttonRow(buttons, view) {
  const row = element("div", "button-row");
  for (const { label, action, copy, link, strong } of buttons) {
    const button = row.appendChild(element("button", strong ? "more strong" : "more", label));
    button.type = "button";
    if (link) button.onclick = () => copyText(zoomedLink(view.link, view.linkOf), button);
    else button.onclick = copy === undefined ? () => view.act(action) : () => copyText(copy, button);
  }
  return row;
}
