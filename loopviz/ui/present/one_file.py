"""Present as one HTML file, replay included: no server, no network, nothing that is not in it."""

from __future__ import annotations

from typing import Any

from loopviz import __version__
from loopviz.presenting.headline import bare
from loopviz.report.export import Export
from loopviz.report.markup import Markup, element, joined, script_data, verbatim
from loopviz.report.policy import policy
from loopviz.ui.components.present import file_script, file_style
from loopviz.ui.present.story import set_page, story
from loopviz.ui.present.told import Told, ToldSet


def file_of_run(told: Told, export: Export) -> str:
    """One run as a file."""
    return _file(bare(told.headline), story(told), told.replay, export)


def file_of_runs(told: ToldSet, export: Export) -> str:
    """Many runs as a file."""
    return _file(told.story.headline, set_page(told), None, export)


def _file(title: str, content: Markup, replay: dict[str, Any] | None, export: Export) -> str:
    """A whole file.

    The script acts on classes and texts of the page alone; the policy lets nothing else run, and nothing be fetched.
    """
    foot = f"Made by loopviz {__version__}, {export.day}. One file, no network needed."
    main = element("main", element("div", content, class_="look present"), element("footer", foot))
    data, script = None, ""
    if replay is not None:
        script = file_script()
        data = element("script", Markup(script_data(replay)), type="application/json", id="told")
    style = file_style()
    head = element(
        "head",
        element("meta", charset="utf-8"),
        policy(script, style),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        verbatim("style", style),
    )
    body = element("body", main, data, verbatim("script", script, type="module") if script else None)
    return f"<!doctype html>\n{joined(element('html', head, body, lang='en'))}\n"
