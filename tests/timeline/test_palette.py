"""One palette on both sides, and the contrasts that it was chosen for."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

import loopviz.timeline
from loopviz.timeline.contract import CycleState
from loopviz.timeline.palette import PALETTES, Palette, Theme, blend, hue_index

SOURCE = (Path(loopviz.timeline.__file__).parent / "assets" / "palette.js").read_text(encoding="utf-8")
THEMES = [pytest.param("light", id="light"), pytest.param("dark", id="dark")]


def in_script(theme: str) -> dict[str, object]:
    block = re.search(rf"{theme}: (\{{.*?\n  \}}),", SOURCE, re.DOTALL)
    assert block
    keyed = re.sub(r"(\w+):(?= [\[\"])", r'"\1":', block[1])
    found: dict[str, object] = json.loads(re.sub(r",(?=\s*\})", "", keyed))
    return found


def contrast(a: str, b: str) -> float:
    def brightness(colour: str) -> float:
        parts = [value / 255 for value in bytes.fromhex(colour[1:])]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((brightness(a), brightness(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_the_script_has_the_same_colours(theme: Theme) -> None:
    script = in_script(theme)
    for field in fields(Palette):
        name = re.sub(r"_(\w)", lambda match: match[1].upper(), field.name)
        value = getattr(PALETTES[theme], field.name)
        assert script[name] == (list(value) if isinstance(value, tuple) else value), name


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("period", [1, 2, 3, 4])
def test_letters_can_be_read(theme: Theme, period: int) -> None:
    palette = PALETTES[theme]
    assert contrast(palette.on_hue(period), palette.hue(period)) >= 4.5
    assert contrast(palette.ink, palette.tint(period)) >= 7
    assert contrast(palette.hue_text(period), palette.ground) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_words_can_be_read(theme: Theme) -> None:
    palette = PALETTES[theme]
    assert contrast(palette.ink, palette.ground) >= 16
    assert contrast(palette.muted, palette.ground) >= 6
    assert contrast(palette.mark, palette.ground) >= 2.9


@pytest.mark.parametrize(("period", "index"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 3), (10, 3)])
def test_four_and_more_share_a_hue(period: int, index: int) -> None:
    assert hue_index(period) == index


@pytest.mark.parametrize(("share", "colour"), [(0, "#FFFFFF"), (1, "#102030"), (0.5, "#889098")])
def test_blending(share: float, colour: str) -> None:
    assert blend("#102030", "#FFFFFF", share) == colour


def test_the_script_knows_the_states_by_the_same_numbers() -> None:
    columns = (Path(loopviz.timeline.__file__).parent / "assets" / "columns.js").read_text(encoding="utf-8")
    for state in CycleState:
        assert f"const {state.name} = {state.value};" in columns
