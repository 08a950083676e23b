"""Small pictures are well-formed, as wide as they say, and never markup."""

from __future__ import annotations

import base64
from xml.etree import ElementTree

import pytest

from loopviz.timeline.contract import CycleState
from loopviz.timeline.palette import PALETTES, Theme
from loopviz.timeline.strip import Cell, ladder_svg, pattern_svg, strip_svg

SVG = "{http://www.w3.org/2000/svg}"
HEAD = "data:image/svg+xml;base64,"


def read(address: str) -> ElementTree.Element:
    assert address.startswith(HEAD)
    return ElementTree.fromstring(base64.b64decode(address.removeprefix(HEAD)))


def fills(svg: ElementTree.Element) -> list[str]:
    return [rect.attrib["fill"] for rect in svg.iter(f"{SVG}rect")]


def texts(svg: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in svg.iter(f"{SVG}text")]


def test_no_cells_is_still_an_image() -> None:
    assert fills(read(strip_svg([], "light"))) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("cell", "fill", "dashed"),
    [
        pytest.param(Cell(), "cell", False, id="outside every cycle"),
        pytest.param(Cell(empty=True), "none", True, id="empty"),
        pytest.param(Cell(letter="a", state=CycleState.OVER), "hue", False, id="over the limit"),
        pytest.param(Cell(letter="a", state=CycleState.COUNTED), "tint", False, id="within it"),
        pytest.param(Cell(letter="a", state=CycleState.OVER, started=True), "tint", False, id="a started copy"),
        pytest.param(Cell(letter="a", state=CycleState.NOT_COUNTED), "none", True, id="not counted"),
    ],
)
def test_a_cell_looks_like_that_of_the_timeline(cell: Cell, fill: str, dashed: bool, theme: Theme) -> None:
    palette = PALETTES[theme]
    wanted = {"cell": palette.cell, "none": "none", "hue": palette.hue(1), "tint": palette.tint(1)}[fill]
    rect = next(read(strip_svg([cell], theme)).iter(f"{SVG}rect"))
    assert rect.attrib["fill"] == wanted
    assert ("stroke-dasharray" in rect.attrib) == dashed


def test_the_first_failing_step_has_a_bar() -> None:
    cells = [Cell(letter="a", state=CycleState.OVER, fails=at == 3) for at in range(5)]
    assert fills(read(strip_svg(cells, "light"))).count(PALETTES["light"].ink) == 1


def test_below_stand_seen_before_and_levels() -> None:
    drawn = fills(read(strip_svg([Cell(seen=True), Cell(level=2)], "light")))
    assert drawn == [
        PALETTES["light"].cell,
        PALETTES["light"].ink,
        PALETTES["light"].cell,
        PALETTES["light"].levels[2],
    ]


def test_a_pattern_says_its_letters_and_its_times() -> None:
    assert texts(read(pattern_svg(["a", "b"], 1_200, CycleState.OVER, "light"))) == ["a", "b", "× 1,200"]


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_a_ladder_fills_as_many_blocks_as_its_level(level: int) -> None:
    drawn = fills(read(ladder_svg(level, "dark")))
    assert drawn == [PALETTES["dark"].levels[level]] * level + ["none"] * (3 - level)


def test_letters_are_text_and_never_markup() -> None:
    assert texts(read(strip_svg([Cell(letter="<b>&", state=CycleState.OVER)], "light"))) == ["<b>&"]
