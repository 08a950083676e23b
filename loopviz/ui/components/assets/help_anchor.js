// The browser looks for what an address names before the page is drawn, and pictures above it grow later: so it is
// brought into sight here, and again while the page settles, until the reader moves.

const SETTLED_MS = 2000;

export default function ({ parentElement }) {
  const stop = new AbortController();
  const { signal } = stop;
  let began = performance.now();
  const show = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (const other of document.querySelectorAll(".help-target")) other.classList.toggle("help-target", other === target);
    if (!target || performance.now() - began > SETTLED_MS) return;
    target.classList.add("help-target");
    target.scrollIntoView({ block: "start" });
  };
  const page = (parentElement.host ?? parentElement).closest("[data-testid=stMainBlockContainer]");
  const observer = new ResizeObserver(show);
  const leave = () => observer.disconnect();
  if (location.hash && page) observer.observe(page);
  for (const act of ["wheel", "touchstart", "keydown", "pointerdown"]) window.addEventListener(act, leave, { signal, passive: true });
  window.addEventListener("hashchange", () => {
    began = performance.now();
    show();
  }, { signal });
  return () => {
    observer.disconnect();
    stop.abort();
  };
}
