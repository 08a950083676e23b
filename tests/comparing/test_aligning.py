"""Two runs in the columns of one scale: which steps are common, in what they differ, where the runs part."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.runset import RunSet
from loopviz.comparing.aligning import ABSENT, Alignment, Kind, align
from loopviz.detectors.core.steps import Match
from loopviz.model import Trajectory
from tests.comparing.runs_by_hand import aligned, run_of
from tests.detectors.trajectories_by_hand import trajectory_of

SIGNS = {
    Kind.SAME: "=", Kind.OTHER_ARGUMENTS: "≈", Kind.OTHER_OUTPUT: "≠", Kind.OTHER_BOTH: "≉",
    Kind.UNRECORDED: "?", Kind.ONLY_A: "a", Kind.ONLY_B: "b",
}  # fmt: skip
WORDS = st.text(alphabet="abAB_", max_size=14)


def signs(found: Alignment) -> str:
    return "".join(SIGNS[Kind(kind)] for kind in found.kind.tolist())


@pytest.mark.parametrize(
    ("a", "b", "match", "drawn"),
    [
        pytest.param("", "", "name-args", "", id="no step at all"),
        pytest.param("abc", "abc", "name-args", "===", id="alike"),
        pytest.param("ab", "", "name-args", "aa", id="one side has none"),
        pytest.param("ab", "cd", "name-args", "aabb", id="nothing in common, A first"),
        pytest.param("abd", "abcd", "name-args", "==b=", id="an inserted step"),
        pytest.param("abcd", "abd", "name-args", "==a=", id="a missing step"),
        pytest.param("abc", "aBc", "name-args", "=≠=", id="same call, other output"),
        pytest.param("abc", "aBc", "observation", "=ab=", id="under same output that is another step"),
        pytest.param("a1", "a2", "name", "=≉", id="same tool alone"),
        pytest.param("(ab)c", "(ba)c", "name-args", "==", id="calls of a turn have no order"),
        pytest.param("(ab)c", "abc", "name-args", "abb=", id="a turn of two calls is one step"),
        pytest.param("a_b", "a_b", "observation", "===", id="empty outputs are a value here"),
    ],
)
def test_columns(a: str, b: str, match: Match, drawn: str) -> None:
    assert signs(aligned(a, b, match)) == drawn


def turn(*results: tuple[str, str]) -> Trajectory:
    """One turn of calls of one tool: their arguments and outputs."""
    return trajectory_of(
        [{"tool": "bash", "arguments": {"c": asked}, "observation": gave, "turn": 0} for asked, gave in results]
    )


@pytest.mark.parametrize("match", ["name-args", "observation", "name"])
def test_parallel_calls_that_exchange_their_outputs_gave_other_outputs(match: Match) -> None:
    one, other = turn(("1", "p"), ("2", "q")), turn(("1", "q"), ("2", "p"))
    assert signs(align(RunSet([one, other]), match)) == "≠"


def test_parallel_calls_in_another_order_are_the_same() -> None:
    one, other = turn(("1", "p"), ("2", "q")), turn(("2", "q"), ("1", "p"))
    assert signs(align(RunSet([one, other]), "observation")) == "="


def test_same_output_with_other_arguments_is_told_apart() -> None:
    other = {"tool": "tool_a", "arguments": {"of": "x"}, "observation": "gave a", "turn": 0}
    found = align(RunSet([run_of("a"), trajectory_of([other])]), "observation")
    assert signs(found) == "≈"


@pytest.mark.parametrize(
    ("a", "b", "parting", "unlike"),
    [
        pytest.param("abc", "abc", None, None, id="alike"),
        pytest.param("abc", "aBc", None, 1, id="other output"),
        pytest.param("aBcd", "abce", 3, 1, id="other output before they part"),
        pytest.param("abc", "ab", 2, None, id="one ends"),
        pytest.param("xab", "yab", 0, None, id="from the start"),
    ],
)
def test_where_they_part(a: str, b: str, parting: int | None, unlike: int | None) -> None:
    found = aligned(a, b)
    assert (found.parting, found.first_unlike) == (parting, unlike)
    assert found.mark == (unlike if parting is None else parting)
    assert found.unlike_before == (None if parting is None else unlike)


def test_the_next_step_of_a_side_is_found_behind_what_the_other_has_alone() -> None:
    found = aligned("abd", "abccd")
    assert found.next_step(0, 2) == 2
    assert found.next_step(1, 2) == 2
    assert aligned("ab", "abc").next_step(0, 2) is None


def test_files_with_codebooks_of_their_own_are_compared_by_value() -> None:
    assert signs(align(RunSet([run_of("cab"), run_of("ab")]), "observation")) == "a=="


def test_values_that_nobody_recorded_are_alike_unless_told_apart() -> None:
    call = {"tool": "t", "arguments": {}, "observation": "x", "turn": 0, "unknown": True}
    runs = RunSet([trajectory_of([call]), trajectory_of([call])])
    assert signs(align(runs, "name-args")) == "?"
    assert signs(align(runs, "name", "distinct")) == "?"
    assert align(runs, "name").mark is None
    assert signs(align(runs, "name-args", "distinct")) == "ab"


@given(WORDS, WORDS, st.sampled_from(["observation", "name-args", "name"]))
def test_every_step_stands_in_one_column_in_its_order(a: str, b: str, match: Match) -> None:
    found = aligned(a, b, match)
    for steps, word, own in ((found.a, a, Kind.ONLY_A), (found.b, b, Kind.ONLY_B)):
        assert steps[steps != ABSENT].tolist() == list(range(len(word)))
        other = Kind.ONLY_B if own is Kind.ONLY_A else Kind.ONLY_A
        assert ((steps == ABSENT) == (found.kind == other)).all()
    assert found.n_common == sum(kind < Kind.ONLY_A for kind in found.kind.tolist())


@given(WORDS, WORDS)
def test_a_wider_way_of_same_never_has_less_in_common(a: str, b: str) -> None:
    by_tool = aligned(a, b, "name").n_common
    assert by_tool >= aligned(a, b, "name-args").n_common
    assert by_tool >= aligned(a, b, "observation").n_common


@given(WORDS)
def test_a_run_is_all_like_itself(word: str) -> None:
    found = aligned(word, word, "observation")
    assert found.mark is None
    assert np.array_equal(found.a, found.b)


def test_calls_of_a_step() -> None:
    walk = aligned("(ab)c", "c").sides[0]
    assert [walk.calls(step) for step in range(len(walk))] == [[0, 1], [2]]
    assert aligned("aaab", "c").sides[0].same_tools(0) == 3
