// Tells when the page had painted what a press of ArrowUp, or a click, changed: `window.probe.painted -
// window.probe.pressed`, in ms, for one that comes after `window.probe.ready()`.
//
// `answer` selects what must change before the page counts as painted: a busy machine may first show the focus alone.
// Every change of the main part counts, those inside components' shadow roots included; the timeline draws its canvases in
// the frame after it has changed its own texts. A frame is on screen once the task behind its last callback runs.

(answer) => {
  const probe = { pressed: 0, painted: 0, answered: false };
  const everything = { subtree: true, childList: true, characterData: true, attributes: true };
  const behindFrame = new MessageChannel();
  const known = new WeakSet();
  const attachShadow = Element.prototype.attachShadow;
  let waiting = false;

  behindFrame.port1.onmessage = () => {
    waiting = false;
    probe.painted = performance.now();
  };

  const observer = new MutationObserver((records) => {
    if (!probe.pressed) return;
    probe.answered ||= records.some((record) => isAnswer(record.target) || [...record.addedNodes].some(holdsAnswer));
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => behindFrame.port2.postMessage(null));
  });

  /** Watch a part of the page, and what stands in shadow roots inside it. */
  function watch(root) {
    if (!known.has(root)) observer.observe(root, everything);
    known.add(root);
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) watch(element.shadowRoot);
  }

  function isAnswer(node) {
    const root = node.getRootNode();
    const element = node instanceof Element ? node : node.parentElement;
    return root instanceof ShadowRoot ? root.querySelector(answer) !== null : Boolean(element?.closest(answer));
  }

  function holdsAnswer(node) {
    return node instanceof Element && (node.matches(answer) || node.querySelector(answer) !== null);
  }

  const noteKey = (event) => {
    if (event.key === "ArrowUp") probe.pressed = performance.now();
  };
  window.addEventListener("keydown", noteKey, { capture: true });
  window.addEventListener("click", () => { probe.pressed ||= performance.now(); }, { capture: true });
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    watch(root);
    return root;
  };
  probe.ready = (selector = answer) => {
    answer = selector;
    watch(document.querySelector('[data-testid="stMain"]'));
    Object.assign(probe, { pressed: 0, painted: 0, answered: false });
  };
  window.probe = probe;
}
