// The graders of the candidate, each with its verdict, and what to mind about them.

function drawGraders({ title, summary, open, caption, rows, together, warnings }, view) {
  const fold = element("details");
  fold.open = open;
  const head = element("summary", "", title);
  head.appendChild(element("small", "", summary));
  const inside = element("div", "inside");
  const table = element("table", "rows graders");
  const names = table.createTHead().insertRow();
  for (const [word, kind] of [["", ""], ["Name", ""], ["Settings", ""], ["Watches", ""], ["Runs fail", "num"], ["", ""]]) {
    names.appendChild(Object.assign(heading(word, "col"), { className: kind }));
  }
  const body = table.createTBody();
  for (const row of rows) body.appendChild(graderRow(row, rows.length, view));
  if (together) {
    const line = body.insertRow();
    for (const text of ["", "all together", "", ""]) line.insertCell().textContent = text;
    Object.assign(line.insertCell(), { className: "num strong", textContent: together });
    line.insertCell();
  }
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  scroll.appendChild(table);
  const add = element("button", "more", "Add a grader");
  add.type = "button";
  add.onclick = () => view.act("grader=add");
  inside.append(element("p", "caption", caption), scroll, add);
  fold.append(head, inside);
  const parts = [fold];
  for (const warning of warnings) parts.push(element("p", "warning", warning));
  return parts;
}

function graderRow({ name, settings, tools, patterns, fails, on, locked, chosen, at }, count, view) {
  const line = element("tr", on ? "" : "off");
  const toggle = line.insertCell();
  const box = element("input");
  Object.assign(box, { type: "checkbox", checked: on, disabled: locked, title: locked ? "One grader has to be on" : "" });
  box.setAttribute("aria-label", `${name} is on`);
  box.onchange = () => view.act(`grader=switch&at=${at}`);
  toggle.appendChild(box);
  line.insertCell().appendChild(chosen ? nameField(name, at, view) : chooseButton(name, at, view));
  line.insertCell().textContent = settings;
  const watches = line.insertCell();
  watches.className = "watches";
  watches.textContent = tools;
  if (patterns) watches.prepend(element("code", "", patterns), " ");
  Object.assign(line.insertCell(), { className: "num strong", textContent: fails });
  const tail = line.insertCell();
  for (const [words, action, allowed] of [["Copy", "copy", true], ["Remove", "remove", count > 1]]) {
    const button = element("button", "link", words);
    button.type = "button";
    button.disabled = !allowed;
    button.setAttribute("aria-label", `${words} ${name}`);
    button.onclick = () => view.act(`grader=${action}&at=${at}`);
    tail.append(button, " ");
  }
  return line;
}

/** The grader on the controls can be renamed; Vally takes small letters, digits and hyphens. */
function nameField(name, at, view) {
  const field = element("input", "name-field");
  field.value = name;
  field.setAttribute("aria-label", "Name of this grader");
  field.onchange = () => view.act(new URLSearchParams({ grader: "rename", at, name: field.value }).toString());
  return field;
}

function chooseButton(name, at, view) {
  const choose = element("button", "link", name);
  choose.type = "button";
  choose.setAttribute("aria-label", `Put ${name} on the controls`);
  choose.onclick = () => view.act(`grader=choose&at=${at}`);
  return choose;
}
