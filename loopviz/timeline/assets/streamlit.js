// The timeline as a components-v2 component. Streamlit calls this on every change of data or theme and keeps the
// element; the answer of the last call runs when it goes.

const mounted = new WeakMap();

function rootIn(parentElement) {
  const root = document.createElement("div");
  root.className = "loopviz";
  return parentElement.appendChild(root);
}

/** For links, which other components make: what part each timeline on the page shows, by its run. */
function zooms() {
  const shared = (globalThis.loopviz ??= { waiting: [] });
  return (shared.zooms ??= new Map());
}

function streamlitTimeline({ data, parentElement, setStateValue, setTriggerValue }) {
  const payload = JSON.parse(new TextDecoder().decode(data));
  const report = (name, { seq } = payload.selected) => (value) => setStateValue(name, { run: payload.run, seq, value });
  const hooks = {
    onSelect: report("selected"), onStretch: report("stretch", payload.marked), onAxis: report("axis"),
    onAction: (value) => setTriggerValue("action", value),
  };
  const handle = mounted.get(parentElement);
  if (handle) handle.update(payload, hooks);
  else mounted.set(parentElement, mount(rootIn(parentElement), payload, { theme: "auto", ...hooks }));
  const zoom = () => mounted.get(parentElement)?.zoom() ?? null;
  zooms().set(payload.run, zoom);
  return () => {
    if (zooms().get(payload.run) === zoom) zooms().delete(payload.run);
    mounted.get(parentElement)?.destroy();
    mounted.delete(parentElement);
  };
}
