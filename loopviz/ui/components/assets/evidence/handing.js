// What a person takes along: a record as a file.

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
