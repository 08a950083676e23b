"""The escalation ladder: stretches of similar actions, and the levels they reach."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.detectors.core.similarity import Similarity
from loopviz.detectors.core.steps import Unknown
from loopviz.detectors.escalation import EscalationFindings, Firing, Level, climb, find_stretches, simulate
from loopviz.settings import EscalationSettings
from tests import oracles_guards as oracles
from tests.detectors.guard_columns import guard_columns
from tests.oracles_guards import Call, call

SETTINGS = EscalationSettings()


def run_ladder(runs: list[list[Call]], unknown: Unknown = "equal", **changes: Any) -> EscalationFindings:
    settings = EscalationSettings(**{**SETTINGS.model_dump(), **changes})
    columns, watched = guard_columns(runs)
    return simulate(columns, watched, settings, Similarity(columns, settings.tokens), unknown)


A, B = call(arguments="alpha beta gamma delta"), call(arguments="one two three four")
LIKE_A = call(arguments="alpha beta gamma")
"""Three words of four in common with A."""
LESS_LIKE_A = call(arguments="alpha beta")
"""Two of four; two of three with LIKE_A."""
READ = call("read", arguments="alpha beta gamma delta")
HIDDEN = call(arguments="a", unknown_arguments=True)


@pytest.mark.parametrize(
    ("calls", "changes", "longest"),
    [
        pytest.param([], {}, 0, id="no call"),
        pytest.param([call(watched=False)] * 9, {}, 0, id="no watched call"),
        pytest.param([A], {}, 1, id="one call"),
        pytest.param([A, B] * 5, {}, 1, id="two in turn"),
        pytest.param([A, READ] * 5, {}, 1, id="two tools in turn"),
        pytest.param([A, LESS_LIKE_A], {}, 1, id="less alike than asked for"),
        pytest.param([A, LIKE_A, LESS_LIKE_A], {}, 2, id="held against the first action, not the one before"),
        pytest.param([HIDDEN] * 9, {"unknown": "distinct"}, 1, id="unknown arguments are like nothing"),
        pytest.param([A, HIDDEN, A, A], {"unknown": "distinct"}, 2, id="unknown arguments end a stretch"),
        pytest.param([A, LIKE_A], {}, 2, id="as alike as asked for"),
        pytest.param([A, LESS_LIKE_A], {"similarity": 0.5}, 2, id="a lower similarity"),
        pytest.param([A, READ] * 2, {"same_tool": False}, 4, id="arguments alone"),
        pytest.param([HIDDEN] * 9, {}, 9, id="unknown arguments equal each other"),
        pytest.param(
            [A, call(watched=False, arguments="x"), A], {}, 2, id="what is not watched stands between nothing"
        ),
        pytest.param([call(arguments=None), call(arguments="1714557630")], {}, 2, id="nothing left on either side"),
        pytest.param([call(arguments=["a", n]) for n in range(4)], {}, 1, id="a single word, split at white space"),
        pytest.param(
            [call(arguments=["a", "b", "c", n]) for n in range(4)],
            {"tokens": "word", "similarity": 0.6},
            4,
            id="several words, split at signs",
        ),
        pytest.param(
            [call(arguments={"path": f"/tmp/{n}/log.txt", "at": f"2024-05-01T10:00:{n:02}Z"}) for n in range(12)],
            {},
            12,
            id="only folder and time differ",
        ),
    ],
)
def test_longest_stretch(calls: list[Call], changes: dict[str, Any], longest: int) -> None:
    findings = run_ladder([calls], **changes)
    assert findings.longest_stretch.tolist() == [longest]


@pytest.mark.parametrize(
    ("length", "level"),
    [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (7, 2), (8, 3), (30, 3)],
)
def test_level_of_a_stretch(length: int, level: int) -> None:
    findings = run_ladder([[A] * length])
    assert findings.level.tolist() == [level]
    assert len(findings.fired(0)) == level


def test_every_stretch_fires_anew_and_in_order() -> None:
    quiet = call("read", watched=False)
    findings = run_ladder([[B], [quiet, *[A] * 5, B, quiet, *[A] * 3]])
    assert findings.fired(0) == ()
    assert findings.fired(1) == (
        Firing(Level.REPLAN, watched=2, call=3, head=0),
        Firing(Level.EXPLORE, watched=4, call=5, head=0),
        Firing(Level.REPLAN, watched=8, call=10, head=6),
    )
    assert findings.first(1, Level.EXPLORE) == Firing(Level.EXPLORE, watched=4, call=5, head=0)
    assert findings.first(1, Level.FORCE_DONE) is None


def test_goes_on_after_the_last_level() -> None:
    findings = run_ladder([[A] * 9 + [B] * 3])
    assert [firing.level for firing in findings.fired(0)] == [1, 2, 3, 1]
    assert findings.call_level.tolist() == [0, 0, 1, 1, 2, 2, 2, 3, 3, 0, 0, 1]


@pytest.mark.parametrize(("window", "shown"), [(20, (2, 3, 4, 5, 6)), (2, (5, 6)), (1, (6,))])
def test_shows_the_last_actions_it_remembers(window: int, shown: tuple[int, ...]) -> None:
    findings = run_ladder([[B], [B, call(watched=False), *[A] * 5]], window=window)
    assert findings.evidence(1, findings.fired(1)[-1]) == shown
    assert findings.longest_stretch.tolist() == [1, 5]


def test_shows_no_action_of_another_run() -> None:
    findings = run_ladder([[A] * 4, [A] * 3])
    assert findings.evidence(1, findings.fired(1)[0]) == (0, 1, 2)


def test_thresholds_compare_nothing_anew() -> None:
    columns, watched = guard_columns([[A] * 4])
    stretches = find_stretches(columns, watched, SETTINGS, Similarity(columns, "space"))
    longer = EscalationSettings(replan=4, explore=5, force_done=6)
    assert [climb(stretches, settings).level.tolist() for settings in (SETTINGS, longer)] == [[1], [1]]
    assert [firing.watched for firing in climb(stretches, longer).fired(0)] == [3]


ARGUMENTS = st.sampled_from([None, "a", "b", "a b", "a b c", "a c", ["a"], "1234567 a"])
CALLS = st.builds(
    call,
    tool=st.sampled_from(["bash", "read"]),
    arguments=ARGUMENTS,
    watched=st.sampled_from([True, True, True, False]),
    unknown_arguments=st.sampled_from([False, False, False, True]),
)
RUNS = st.lists(st.lists(CALLS, max_size=12), max_size=4)
CHANGES = st.fixed_dictionaries(
    {
        "similarity": st.sampled_from([0.3, 0.5, 2 / 3, 0.75, 1.0]),
        "same_tool": st.booleans(),
        "tokens": st.sampled_from(["space", "word"]),
        "replan": st.just(2),
        "explore": st.integers(3, 4),
        "force_done": st.integers(5, 6),
    }
)


@given(RUNS, CHANGES, st.sampled_from(["equal", "distinct"]))
def test_agrees_with_the_definition(runs: list[list[Call]], changes: dict[str, Any], unknown: Unknown) -> None:
    findings = run_ladder(runs, unknown, **changes)
    expected = [oracles.climb(run, changes, unknown) for run in runs]
    lengths = [length for run, _ in expected for length in run]
    assert findings.stretches.length.tolist() == lengths
    assert findings.longest_stretch.tolist() == [max(run, default=0) for run, _ in expected]
    assert findings.level.tolist() == [max((level for level, _ in fired), default=0) for _, fired in expected]
    assert [[(f.level, f.watched) for f in findings.fired(run)] for run in range(len(runs))] == [
        fired for _, fired in expected
    ]
    for number, run in enumerate(runs):
        places = [place for place, action in enumerate(run) if action["watched"]]
        assert all(firing.call == places[firing.watched] for firing in findings.fired(number))


@pytest.mark.parametrize(
    ("calls", "changes", "scores"),
    [
        pytest.param([], {}, [], id="no call"),
        pytest.param([A, READ], {}, [None, None], id="another tool is not compared"),
        pytest.param([HIDDEN] * 2, {"unknown": "distinct"}, [None, None], id="nor are unknown arguments"),
        pytest.param([A, LIKE_A, LIKE_A, LESS_LIKE_A], {}, [None, 0.75, 0.75, 0.5], id="against the first action"),
        pytest.param([LESS_LIKE_A, A, A, LIKE_A], {}, [None, 0.5, 1, 0.75], id="one too low begins the next stretch"),
    ],
)
def test_the_score_of_each_call(calls: list[Call], changes: dict[str, Any], scores: list[float | None]) -> None:
    score = run_ladder([calls], **changes).stretches.score
    assert [None if np.isnan(one) else one for one in score.tolist()] == scores


@given(RUNS, CHANGES, st.sampled_from(["equal", "distinct"]))
def test_scores_agree_with_the_definition(runs: list[list[Call]], changes: dict[str, Any], unknown: Unknown) -> None:
    stretches = run_ladder(runs, unknown, **changes).stretches
    place = 0
    for run in runs:
        head: Call | None = None
        for action in (action for action in run if action["watched"]):
            known = head is not None and not (
                unknown == "distinct" and (head["unknown_arguments"] or action["unknown_arguments"])
            )
            if not known or (changes["same_tool"] and head["tool"] != action["tool"]):
                assert np.isnan(stretches.score[place])
            else:
                expected = oracles.score(head["arguments"], action["arguments"], changes["tokens"])
                assert stretches.score[place] == pytest.approx(expected)
            if stretches.length[place] == 1:
                head = action
            place += 1
    assert place == len(stretches.score)


@given(st.lists(CALLS, max_size=12), st.lists(CALLS, max_size=4))
def test_later_calls_change_nothing_before_them(run: list[Call], later: list[Call]) -> None:
    short, long = run_ladder([run]), run_ladder([run + later])
    np.testing.assert_array_equal(long.stretches.length[: len(short.stretches.length)], short.stretches.length)
