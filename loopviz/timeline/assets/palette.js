// Colours of both themes. Ink is the interface, hue is data: the four hues are pattern lengths 1, 2, 3, and 4 or more.

const PALETTES = {
  light: {
    ground: "#FFFFFF", block: "#F3F4F7", ink: "#1B1F27", onInk: "#FFFFFF", muted: "#59616E", faint: "#868E9A",
    mark: "#8E96A2", cell: "#E4E7EB", line: "#E1E4E9", seenOne: "#B4BBC6", seenBoth: "#5C6572",
    hues: ["#0F4FAE", "#1593CF", "#B8085F", "#1B1446"],
    onHues: ["#FFFFFF", "#0B1116", "#FFFFFF", "#FFFFFF"],
    levels: ["#D9D9D9", "#F3C300", "#D1590A", "#6A0F4B"],
    shadow: "rgba(27, 31, 39, 0.16)",
  },
  dark: {
    ground: "#0E1117", block: "#1B202A", ink: "#F1F3F7", onInk: "#0E1117", muted: "#A9B1BE", faint: "#737C8A",
    mark: "#6B7482", cell: "#2A303B", line: "#2A303B", seenOne: "#4A5362", seenBoth: "#A5AEBC",
    hues: ["#2F7AEE", "#52F3EF", "#E774B5", "#C3A2F8"],
    onHues: ["#0B0E13", "#0B0E13", "#0B0E13", "#0B0E13"],
    levels: ["#3D3D3D", "#A0522D", "#F28E2B", "#FFF2A8"],
    shadow: "rgba(0, 0, 0, 0.5)",
  },
};

const TINT = 0.24;
const BAND = 0.09;
const DENSE_TINT = 0.5;
const COUNTED_MARK = 0.75;
const HUE_IN_TEXT = 0.68;

function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** `share` of one colour over another, opaque: what stays the same on any lane it is drawn on. */
function blend(over, under, share) {
  const below = channels(under);
  const mixed = channels(over).map((value, at) => Math.round(value * share + below[at] * (1 - share)));
  return "#" + mixed.map((value) => value.toString(16).padStart(2, "0")).join("");
}

/** A colour that lets what lies below show through. */
function veil(hex, alpha) {
  return `rgba(${channels(hex).join(", ")}, ${alpha})`;
}

function hueIndex(period) {
  return Math.min(Math.max(period, 1), 4) - 1;
}

/** The colours of a theme with every mixture that drawing needs, mixed once. */
function paletteOf(name) {
  const base = PALETTES[name];
  const mix = (share, under) => base.hues.map((hue) => blend(hue, under, share));
  return {
    ...base,
    name,
    tints: mix(TINT, base.ground),
    bands: base.hues.map((hue) => veil(hue, BAND)),
    denseTints: mix(DENSE_TINT, base.ground),
    countedMarks: mix(COUNTED_MARK, base.ground),
    hueTexts: mix(HUE_IN_TEXT, base.ink),
    soft: blend(base.cell, base.ground, 0.55),
    markThin: blend(base.mark, base.ground, 0.7),
    column: veil(base.ink, 0.07),
    frame: veil(base.ink, 0.09),
  };
}

/** `light` or `dark`: as asked, else by the page's own background, else by the system's preference. */
function themeName(root, asked) {
  if (asked === "light" || asked === "dark") return asked;
  const ground = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const value = luminance(ground);
  if (value !== null) return value < 0.4 ? "dark" : "light";
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Perceived lightness of a CSS colour from 0 to 1, null for what is none. */
function luminance(colour) {
  if (!colour || colour === "unset") return null;
  const hex = /^#([0-9a-f]{6}|[0-9a-f]{3})(?:[0-9a-f]{1,2})?$/i.exec(colour);
  const plain = /^rgba?\(([^)]+)\)/i.exec(colour);
  let values = null;
  if (hex) values = channels("#" + (hex[1].length === 3 ? hex[1].replace(/./g, "$&$&") : hex[1]));
  else if (plain) values = plain[1].split(/[\s,/]+/).slice(0, 3).map(Number);
  return values && (0.2126 * values[0] + 0.7152 * values[1] + 0.0722 * values[2]) / 255;
}

/** Hand the palette to the style sheet, so that canvas and page share one table. */
function dress(root, colours) {
  for (const name of ["ground", "block", "ink", "onInk", "muted", "faint", "mark", "cell", "line", "shadow"]) {
    root.style.setProperty(`--lv-${name.toLowerCase()}`, colours[name]);
  }
  root.style.colorScheme = colours.name;
}
