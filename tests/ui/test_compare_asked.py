"""What the Compare page is asked for, from the address and back into it."""

from __future__ import annotations

import pytest

from loopviz.settings import MaxRepeatSettings
from loopviz.ui.compare.asked import Asked, from_link, to_link

OWN = MaxRepeatSettings(max=5, max_cycle_period=3, match="name", tools=("^a b$", "c"))


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param(Asked(), id="nothing yet"),
        pytest.param(Asked(a="one.12345678", b="two.87654321", align="observation", column=4), id="two runs"),
        pytest.param(Asked(mode="settings", a="one.12345678", own=OWN, column=0), id="two settings"),
        pytest.param(Asked(mode="sets", by="file", set_a="x y.jsonl", set_b="z.jsonl"), id="two sets"),
    ],
)
def test_an_address_brings_back_what_it_was_made_from(wanted: Asked) -> None:
    params = to_link(wanted)
    tools = params.pop("b_tool", [])
    assert isinstance(tools, list)
    assert from_link({name: str(value) for name, value in params.items()}, tools) == wanted


@pytest.mark.parametrize(
    "params",
    [
        pytest.param({"mode": "three", "align": "colour"}, id="words nobody knows"),
        pytest.param({"step": "0"}, id="steps count from 1"),
        pytest.param({"step": "9" * 30}, id="a number beyond all runs"),
        pytest.param({"a": "", "b": ""}, id="empty"),
    ],
)
def test_what_nobody_knows_is_left_out(params: dict[str, str]) -> None:
    assert from_link(params) == Asked()


def test_settings_that_are_refused_are_left_out_and_say_why() -> None:
    wanted = from_link({"mode": "settings", "b_max": "0"})
    assert wanted.own is None
    assert [words.partition(" ")[0] for words in wanted.refused] == ["max"]
