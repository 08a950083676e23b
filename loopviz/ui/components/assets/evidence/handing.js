// What a person takes along: an address or another text on the clipboard, a record as a file.

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

/** Hands a text to the browser as a file, once for each time it was asked for. */
function saveFile(view, save) {
  if (!save || view.saved === save.seq) return;
  view.saved = save.seq;
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([save.text], { type: "application/json" }));
  link.download = save.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function saveButton(what, view) {
  const button = moreButton({ label: "Save as a file", action: `save=${what}` }, view);
  button.classList.add("save");
  return button;
}
