// What the page hears of the person's acts: once nothing more has come for a while, and nothing twice.

class Teller {
  /** `values` gives what to say of each kind of act, `hooks` whom to say it to. */
  constructor(values) {
    this.values = values;
    this.hooks = {};
    this.timers = new Map();
    this.said = new Map();
  }

  send(what, settleMs) {
    clearTimeout(this.timers.get(what));
    if (settleMs) this.timers.set(what, setTimeout(() => this.deliver(what), settleMs));
    else this.deliver(what);
  }

  deliver(what) {
    const value = this.values[what]();
    const key = JSON.stringify(value);
    if (this.said.get(what) === key) return;
    this.said.set(what, key);
    this.hooks[`on${what[0].toUpperCase()}${what.slice(1)}`]?.(value);
  }

  /** Python has set this itself: it knows, and what was on the way to it is over. */
  heard(what) {
    clearTimeout(this.timers.get(what));
    this.said.set(what, JSON.stringify(this.values[what]()));
  }

  /** Another run, or the end: what has not been said will not be. */
  forget() {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.said.clear();
  }
}
