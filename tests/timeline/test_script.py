"""The script is whole, of one piece, and asks for nothing from outside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import loopviz.timeline
from loopviz.timeline import script

ASSETS = Path(loopviz.timeline.__file__).parent / "assets"
DECLARED = re.compile(r"^(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)


def test_every_file_of_the_folder_is_part_of_it() -> None:
    used = {*script.PARTS, "streamlit.js", "timeline.css"}
    assert used == {path.name for path in ASSETS.iterdir()}


def test_no_two_parts_declare_one_name() -> None:
    names = DECLARED.findall(script.renderer())
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(
    "word",
    ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "XMLHttpRequest", "import "],
)
def test_neither_markup_nor_network(word: str) -> None:
    assert word not in script.renderer()


def test_the_style_sheet_loads_nothing() -> None:
    assert "url(" not in script.css()
    assert "@import" not in script.css()


def test_module_and_component_export_what_they_promise() -> None:
    assert script.module().rstrip().endswith("export { mount };")
    assert "function streamlitTimeline(" in script.renderer()
