"""Why a model stopped: what counts as cut off."""

from __future__ import annotations

import pytest

from loopviz.model import Json
from loopviz.readers.stops import is_cut


@pytest.mark.parametrize(
    "reason", [None, "", "stop", "tool_calls", "end_turn", "toolUse", 3, ["length"], {"length": 1}]
)
def test_other_ends_are_no_cut(reason: Json) -> None:
    assert not is_cut(reason)


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length"])
def test_a_limit_of_the_length_is_one(reason: str) -> None:
    assert is_cut(reason)
