// One run told to people who never saw one. The markup comes from Python, which escapes every text; replay runs here.

export default function (component) {
  const view = mount(component);
  if (!view.changed) return;
  const { html, told, key } = component.data;
  const left = view.key === key && view.replay ? { at: view.replay.at, speed: view.replay.speed } : { speed: view.replay?.speed };
  const open = view.key === key && view.root.querySelector("details")?.open;
  view.replay?.end();
  view.replay = null;
  view.key = key;
  view.root.classList.add("present", "in-app");
  view.root.innerHTML = html;
  if (open) view.root.querySelector("details").open = true;
  if (told) view.replay = bindReplay(view.root, told, left);
}
