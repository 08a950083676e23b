"""Three questions, three answers, as a person reads them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from loopviz.model import Usage
from loopviz.timeline.answering import show_answers
from loopviz.timeline.words import plain
from tests.analysis.inspections import look
from tests.analysis.test_parting import EDIT, LIKE, READ, TEST, greps, polls
from tests.detectors.test_max_repeat import A, B, call


def said(calls: list[dict[str, Any]], **settings: Any) -> list[str]:
    """Each column as one text: its answer and its lines."""
    columns = show_answers(look(calls, **settings))["columns"]
    return [" ".join([column["answer"] + ".", *map(plain, column["lines"])]) for column in columns]


def parting(calls: list[dict[str, Any]], **settings: Any) -> str:
    return plain(show_answers(look(calls, **settings))["parting"])


@pytest.mark.parametrize(
    ("calls", "settings", "grader", "ladder", "thrash"),
    [
        pytest.param(
            [],
            {},
            "No. This run holds no call.",
            "No. This run holds no call.",
            "No. This run holds no call. Nothing after a stop point.",
            id="no call",
        ),
        pytest.param(
            [A, B],
            {},
            "No. Nothing comes twice in a row; 3 are allowed.",
            "No. No two similar calls in a row; the first nudge comes at 3.",
            "No. No two identical calls in a row; it stops at 3. Nothing after a stop point.",
            id="nothing repeats",
        ),
        pytest.param(
            [call(out=None)] * 2,
            {},
            "No. Every output is empty, so there is nothing to compare; 3 are allowed.",
            "No. At most 2 similar calls in a row (1–2); the first nudge comes at 3.",
            "No. At most 2 identical calls in a row (1–2); it stops at 3. Nothing after a stop point.",
            id="only empty outputs",
        ),
        pytest.param(
            [A] * 3,
            {},
            "No, but at the limit: 3 in a row. `bash` gave the same output in calls 1–3; 3 are allowed.",
            "Yes, level 1 of 3. Replan at call 3: 3 similar `bash` calls, 1–3.",
            "Yes, at call 3. 3 identical `bash` calls, 1–3. Nothing comes after the stop point.",
            id="at the limit",
        ),
        pytest.param(
            [*[A] * 3, B, *[A] * 8, B],
            {},
            "Yes, 8 in a row. `bash` gave the same output in calls 5–12; 3 are allowed. Over the limit at call 8.",
            "Yes, level 3 of 3. Replan at call 7, explore at call 9, force-done at call 12: 8 similar `bash` calls, "
            "5–12. The first nudge comes at call 3. After the stop point, at most: 2 calls.",
            "Yes, at call 3. 3 identical `bash` calls, 1–3. After the stop point, at most: 10 calls.",
            id="all the way up",
        ),
        pytest.param(
            [READ, EDIT] * 3,
            {"max_cycle_period": 2},
            "No, but at the limit: 3 in a row. `read` → `edit` gave the same outputs in calls 1–6; 3 are allowed.",
            "No. No two similar calls in a row; the first nudge comes at 3.",
            "Yes, at call 4. Two calls take turns with the same outputs: 1–4. After the stop point, at most: 2 calls.",
            id="two in turn",
        ),
        pytest.param(
            [call("submit", f"{n}", f"{n}") for n in range(3)],
            {"thrash": {"finish_tools": ("submit",)}},
            "No. Nothing comes twice in a row; 3 are allowed.",
            "No. No two similar calls in a row; the first nudge comes at 3.",
            "No. No watched call counts. Tools that finish a run neither count nor start the count anew for thrash. "
            "Nothing after a stop point.",
            id="only calls that finish a run",
        ),
        pytest.param(
            [{**B, "ran": False}, A | {"ran": False}],
            {},
            "No. Nothing comes twice in a row; 3 are allowed.",
            "No. No two similar calls in a row; the first nudge comes at 3.",
            "No. No watched call counts. Calls that never ran do not count for thrash. Nothing after a stop point.",
            id="only calls that never ran",
        ),
        pytest.param(
            [call(out=None), B],
            {"thrash": {"empty_retry": 0}},
            "No. Nothing comes twice in a row; 3 are allowed.",
            "No. No two similar calls in a row; the first nudge comes at 3.",
            "Yes, at call 1. 1 nearly empty `bash` call, 1. After the stop point, at most: 1 call.",
            id="one nearly empty call is too many",
        ),
        pytest.param(
            [call("get", {"id": n}) for n in range(3)],
            {"thrash": {"ignore_args": ("id",)}, "match": "name-args"},
            "No. Nothing comes twice in a row; 3 are allowed.",
            "No. No two similar calls in a row; the first nudge comes at 3.",
            "Yes, at call 3. 3 otherwise identical `get` calls, 1–3. They differ in what is left out: id. "
            "Nothing comes after the stop point.",
            id="identical but for what is left out",
        ),
        pytest.param(
            [call("get", {"q": "a", "id": n}) for n in range(4)],
            {},
            "Yes, 4 in a row. `get` gave the same output in calls 1–4; 3 are allowed. Over the limit at call 4.",
            "No. No two similar calls in a row; the first nudge comes at 3.",
            "No. No two identical calls in a row; it stops at 3. With `id` left out (ignore_args) it would have "
            "stopped at call 3. Nothing after a stop point.",
            id="an argument keeps it quiet",
        ),
    ],
)
def test_the_answers(calls: Any, settings: dict[str, Any], grader: str, ladder: str, thrash: str) -> None:
    assert said(calls, **settings) == [grader, ladder, thrash]


def test_after_the_stop_point_says_what_is_known_and_whether_the_run_came_out_well() -> None:
    usage = tuple(Usage(turn=n, call=n, input_tokens=9_000, output_tokens=1_000, cost=0.5) for n in range(5))
    calls = [{**A, "time": 10.0 * n} for n in range(5)]
    fields = {"usage": usage, "outcome": True, "last_event_s": 40.0}
    thrash = said(calls, fields=fields)[2]
    assert "After the stop point, at most: 2 calls, 20,000 tokens, $ 1.00, 20.0\u00a0s." in thrash
    assert thrash.endswith("The run's recorded outcome is good all the same.")
    assert "all the same" not in said(calls, fields={**fields, "outcome": False})[2]


@pytest.mark.parametrize(
    ("calls", "settings", "words"),
    [
        pytest.param([A, B], {}, "They part nowhere: all three say no.", id="three noes"),
        pytest.param([A] * 4, {"max": 2}, "They part nowhere: all three speak at the same call.", id="at one call"),
        pytest.param(
            [TEST, READ, TEST, EDIT, TEST],
            {},
            "They part nowhere: all three say no. But 2 of 5 calls repeat an earlier one; see Seen before.",
            id="something in between",
        ),
        pytest.param(
            [TEST, READ, TEST],
            {},
            "They part nowhere: all three say no. But 1 of 3 calls repeats an earlier one; see Seen before.",
            id="one call that repeats",
        ),
        pytest.param(
            polls(4),
            {},
            "They first part at call 3. Identical arguments, different outputs: the guards look at arguments alone, "
            "the grader at outputs.",
            id="honest waiting",
        ),
        pytest.param(
            [A] * 4,
            {},
            "They first part at call 3. The same calls count for each; they allow different numbers of them. "
            "The ladder nudges at 3, thrash stops at 3, the grader fails above 3.",
            id="limits",
        ),
        pytest.param(
            [*greps(3), *[READ, EDIT, TEST] * 4],
            {"ladder": LIKE, "max_cycle_period": 3},
            "They first part at call 3. Similar arguments, different outputs: the ladder counts them, the grader does "
            "not. The arguments are similar, but not identical: the ladder counts them, thrash does not. In calls 4–15 "
            "it is the other way round: the calls take turns, so a guard, which waits for one call to come again, "
            "starts anew at each change; the grader compares whole patterns.",
            id="the other way round",
        ),
        pytest.param(
            [{**c, "turn": turn} for c, turn in ((A, 0), (B, 1), (EDIT, 0), (EDIT, 2))],
            {"max": 1, "thrash": {"n": 2}, "ladder": {"replan": 2, "explore": 3, "force_done": 4}},
            "They first part at call 4. The ladder and thrash speak here, the grader not yet or not at all.",
            id="nothing explains it",
        ),
    ],
)
def test_where_they_part(calls: Any, settings: dict[str, Any], words: str) -> None:
    assert parting(calls, **settings) == words


def test_calls_can_be_clicked() -> None:
    section = show_answers(look([B, *[A] * 5]))
    lines = [line for column in section["columns"] for line in column["lines"]]
    actions = {part["action"] for line in [*lines, section["parting"]] for part in line if "action" in part}
    assert actions == {"call=1", "call=3", "call=4", "call=5"}


def test_a_long_run_is_answered_from_columns() -> None:
    rng = np.random.default_rng(0)
    calls = [call(f"t{n}", out=f"{n % 7}") for n in rng.integers(0, 4, 3_000).tolist()]
    assert parting(calls, max=1, max_cycle_period=10).startswith("They first part at call ")
