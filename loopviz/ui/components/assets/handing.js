// Hands something over without asking Python: a text or a link to the clipboard, or a picture, drawn here, as a PNG.

const SHARPER = 2;
const MOST_PIXELS = 16_000;

export default function (component) {
  const view = mount(component);
  if (!view.changed) return;
  const { label, copy, link, of, picture, name } = component.data;
  const button = element("button", "", label);
  button.type = "button";
  if (link) button.title = new URL(link, document.baseURI).href;
  button.onclick = () => (picture ? savePicture(picture, name, button) : copyText(link ? zoomedLink(link, of) : copy, button));
  view.root.replaceChildren(button);
}

async function savePicture(svg, name, button) {
  button.disabled = true;
  try {
    save(await pixels(svg), name);
    say(button, "Saved");
  } catch {
    say(button, "The browser cannot draw it");
  }
  button.disabled = false;
}

/** An SVG, which must say how large it is, as a PNG. */
async function pixels(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = await drawn(address);
    const sharper = Math.min(SHARPER, MOST_PIXELS / Math.max(image.width, image.height));
    const canvas = element("canvas");
    canvas.width = Math.round(image.width * sharper);
    canvas.height = Math.round(image.height * sharper);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail()), "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

function drawn(address) {
  return new Promise((done, fail) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = fail;
    image.src = address;
  });
}

function save(blob, name) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
