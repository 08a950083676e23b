"""One run told to people who never saw one: the markup of `loopviz.ui.present.story`, and the replay that walks it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from loopviz.report.markup import Markup
from loopviz.timeline.palette import PALETTES, properties
from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

PARTS = ("replay", "present")
_ASSETS = files("loopviz.ui.components") / "assets"


def present_story(html: Markup, told: dict[str, Any] | None, *, run: str, key: str) -> None:
    """Draw a story; Python hears nothing of the replay.

    Args:
        html: Its markup.
        told: Data of the replay, of a run that has one.
        run: Names the run: what the replay has come to stays while this does.
        key: Names the component on the page.
    """
    _component()(key=key, data=printable({"html": str(html), "told": told, "key": run}))


@cache
def _component() -> ComponentRenderer:
    return register("present", parts=PARTS)


@cache
def file_script() -> str:
    """The script of the one file."""
    return f"{_asset('present/replay.js')}\n{_asset('present/file.js')}"


@cache
def file_style() -> str:
    """The style sheet of the one file: both themes, and paper, which is always light."""
    light, dark = properties(PALETTES["light"]), properties(PALETTES["dark"])
    colours = f":root {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    return f"{colours}\n{_asset('dom.css')}\n{_asset('present/present.css')}\n{_asset('present/file.css')}"


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text("utf-8")
