"""The one pattern that is spoken of when a call lies in several."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.around import around
from loopviz.analysis.before import before_it_began
from loopviz.timeline.why import show_why
from loopviz.timeline.words import plain
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import CALLS, A, B, call

FIRST = [call(args=n, out=f"at {n}") for n in range(6)]
IN_TURN = [call(args=n % 2, out=f"later {n}") for n in range(8)]


@pytest.mark.parametrize(
    ("calls", "settings", "step", "found"),
    [
        pytest.param([A, B], {}, 0, None, id="in none"),
        pytest.param([A, A], {}, 1, ("observation", 1, 2, True), id="the counted one"),
        pytest.param(
            [*FIRST, *IN_TURN], {}, 8, ("name-args", 2, 4, False), id="the stricter, though it has fewer copies"
        ),
        pytest.param([*FIRST, *IN_TURN], {}, 2, ("name", 1, 14, False), id="the only one there"),
        pytest.param([*FIRST, *IN_TURN], {"match": "name"}, 8, ("name", 1, 14, True), id="what counts goes first"),
    ],
)
def test_which(
    calls: list[dict[str, Any]], settings: dict[str, Any], step: int, found: tuple[str, int, int, bool] | None
) -> None:
    there = around(look(calls, **settings), step)
    told = there and (there.match, there.cycle.period, there.cycle.occurrences, there.counted)
    assert told == found


@given(CALLS, st.sampled_from(["observation", "name-args", "name"]))
def test_why_here_and_before_it_began_speak_of_the_same_pattern(calls: list[dict[str, Any]], match: str) -> None:
    found = look(calls, match=match, max=1)
    for chosen in range(len(calls)):
        before = before_it_began(found, chosen)
        there = around(found, int(found.grader.steps.of_call[chosen]))
        assert (before is None) == (there is None)
        lines = [plain(line) for line in show_why(found, chosen)["lines"]]
        would = next((line for line in lines if line.startswith("Not counted")), "")
        if before is not None and would:
            assert f"calls {before.start + 1}–" in would
