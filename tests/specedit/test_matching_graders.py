"""Which grader of a spec takes which candidate's settings."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.evalspec import read_eval_spec
from loopviz.settings import MaxRepeatSettings
from loopviz.specedit import Change, Grader, match

THREE, FOUR = MaxRepeatSettings(max=3), MaxRepeatSettings(max=4)
Pairs = list[tuple[int | None, int, str | None]]
"""Place of the grader, its `max`, the name of one that is added."""


def one(name: str | None = None, type: str = "max-repeat") -> dict[str, Any]:
    return {"type": type, **({"name": name} if name else {}), "config": {"max": 3}}


@pytest.mark.parametrize(
    ("standing", "candidates", "add", "pairs", "left_out"),
    [
        pytest.param([], [Grader(settings=FOUR)], False, [], ["has no max-repeat grader"], id="none there"),
        pytest.param([one(type="completed")], [Grader(settings=FOUR)], False, [], ["has no max-rep"], id="only others"),
        pytest.param([], [Grader(settings=FOUR, name="a")], True, [(None, 4, "a")], [], id="one added"),
        pytest.param([one()], [Grader(settings=FOUR)], True, [(0, 4, None)], [], id="one for one"),
        pytest.param(
            [one(type="x"), one("b")],
            [Grader(settings=FOUR, name="a")],
            True,
            [(1, 4, None)],
            [],
            id="whatever its name",
        ),
        pytest.param([one("a"), one("b")], [Grader(settings=FOUR, name="b")], True, [(1, 4, None)], [], id="by name"),
        pytest.param(
            [one(), one("b")], [Grader(settings=FOUR)], False, [], ["2 max-repeat graders, and none"], id="which of two"
        ),
        pytest.param(
            [one("a")],
            [Grader(settings=FOUR, name="a"), Grader(settings=THREE, name="c")],
            False,
            [(0, 4, None)],
            ["none is named 'c'"],
            id="one of two",
        ),
        pytest.param(
            [one("a")],
            [Grader(settings=FOUR, name="a"), Grader(settings=THREE, name="c")],
            True,
            [(0, 4, None), (None, 3, "c")],
            [],
            id="one of two, the other added",
        ),
    ],
)
def test_one_stimulus(standing: Any, candidates: list[Grader], add: bool, pairs: Pairs, left_out: list[str]) -> None:
    spec = read_eval_spec({"stimuli": [{"name": "s", "graders": standing}]})
    matched = match(spec, candidates, stimuli={"s"}, add=add)
    assert [(change.grader, change.settings.max, change.name) for change in matched.changes] == pairs
    assert len(matched.left_out) == len(left_out)
    assert all(said in sentence for said, sentence in zip(left_out, matched.left_out, strict=True))


def test_only_the_stimuli_that_are_chosen() -> None:
    stimuli = [{"name": name, "graders": [one()]} for name in "abc"] + [{"graders": [one()]}]
    matched = match(read_eval_spec({"stimuli": stimuli}), [Grader(settings=FOUR)], stimuli=["c", None])
    assert matched.changes == tuple(Change(stimulus=place, grader=0, settings=FOUR) for place in (2, 3))


def test_two_candidates_never_go_to_one_grader() -> None:
    spec = read_eval_spec({"stimuli": [{"name": "s", "graders": [one("a"), one("a")]}]})
    matched = match(spec, [Grader(settings=FOUR, name="a"), Grader(settings=THREE, name="a")], stimuli={"s"})
    assert [change.grader for change in matched.changes] == [0, 1]


REPLACED = [
    pytest.param([one()], [(0, 4, None)], [], id="the first takes the place of one without a name"),
    pytest.param([one("old")], [(0, 4, None)], [], id="or of another name"),
    pytest.param([one("b")], [(0, 3, None)], [], id="not of one that is another's"),
    pytest.param([one("x"), one("y")], [], ["'x'", "'y'"], id="of two it cannot be told which"),
]


@pytest.mark.parametrize(("standing", "pairs", "kept"), REPLACED)
def test_several_may_replace_the_only_one_there_is(standing: Any, pairs: Pairs, kept: list[str]) -> None:
    spec = read_eval_spec({"stimuli": [{"name": "s", "graders": standing}]})
    candidates = [Grader(settings=FOUR, name="a"), Grader(settings=THREE, name="b")]
    matched = match(spec, candidates, stimuli={"s"}, replace=True)
    assert [(change.grader, change.settings.max, change.name) for change in matched.changes] == pairs
    assert all(name in sentence for name, sentence in zip(kept, matched.kept, strict=True))


def test_a_spec_is_the_whole_candidate_only_without_others_beside_it() -> None:
    spec = read_eval_spec({"stimuli": [{"name": "s", "graders": [one("a")]}]})
    both = [Grader(settings=FOUR, name="b"), Grader(settings=THREE, name="c")]
    added = match(spec, both, stimuli={"s"}, add=True)
    assert not added.is_whole
    assert added.kept == ("stimulus 's' also keeps 'a', which is none of the candidate's.",)
    assert not match(spec, both, stimuli={"s"}).is_whole
    assert match(spec, both, stimuli={"s"}, add=True, replace=True).is_whole
    assert match(spec, both[:1], stimuli={"s"}).is_whole
