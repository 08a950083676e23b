"""The large scripts of Inspect, sent once for a page.

Streamlit sends an element's script and style sheet again with each change of its data. The timeline's weigh twenty
times its data, so one silent element brings them, and those that answer to settings only name what they need of it.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import streamlit as st

from loopviz.timeline import script
from loopviz.ui.components.look import palette_css

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_ASSETS = files("loopviz.ui.components") / "assets"
EVIDENCE_PARTS = (
    "texts.js",
    "ask.js",
    "label.js",
    "handing.js",
    "found.js",
    "figures.js",
    "changes.js",
    "call.js",
    "compare.js",
    "tool.js",
    "cycles.js",
    "near.js",
    "trials.js",
    "answers.js",
    "seen.js",
    "run.js",
    "staying.js",
    "evidence.js",
)
"""Parts of one script, without imports of their own; the last one names the sections in their order."""
_USER = """\
export default function (component) {
  const library = (globalThis.loopviz ??= { waiting: [] });
  if (library.%(name)s) return library.%(name)s(component);
  let end;
  library.waiting.push(() => { end = library.%(name)s(component); });
  return () => end?.();
}
"""


def send_scripts() -> None:
    """Bring the scripts to the page; outside every fragment, since a fragment would send them again."""
    _sender()(key="scripts")


@cache
def _sender() -> Any:
    evidence = "\n".join([_asset("dom.js"), *(_asset(f"evidence/{name}") for name in EVIDENCE_PARTS)])
    return st.components.v2.component(
        "loopviz_scripts",
        js="const library = (globalThis.loopviz ??= { waiting: [] });\n"
        + _part("timeline", script.renderer(), script.css(), "streamlitTimeline")
        + _part("evidence", evidence, f"{palette_css()}\n{_asset('evidence/evidence.css')}", "drawEvidence")
        + "for (const start of library.waiting.splice(0)) start();\nexport default function () {}\n",
    )


def _part(name: str, body: str, style: str, renderer: str) -> str:
    """One script in a scope of its own, with its style sheet, which goes into the element it draws in."""
    return f"""(() => {{
{body}
const style = {json.dumps(style)};
library.{name} = (component) => {{
  if (!component.parentElement.querySelector("style.own")) {{
    const sheet = document.createElement("style");
    sheet.className = "own";
    sheet.textContent = style;
    component.parentElement.appendChild(sheet);
  }}
  return {renderer}(component);
}};
}})();
"""


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text("utf-8")


@cache
def user(name: str, *, variant: str = "", style: str | None = None) -> ComponentRenderer:
    """An element that is drawn by the script `name`: `timeline` or `evidence`; a variant adds a style of its own."""
    return st.components.v2.component(f"loopviz_{variant or name}", js=_USER % {"name": name}, css=style)
