"""What stands beside the guards' controls: true to three decimals, rounded inwards."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.timeline.slack import tell_slack
from tests.analysis.inspections import look, run_of
from tests.analysis.test_slack import words
from tests.detectors.test_max_repeat import A, B, call


def told(calls: list[dict[str, Any]], **settings: Any) -> dict[str, str]:
    return tell_slack(run_of(calls), look(calls, **settings))


@pytest.mark.parametrize(
    ("calls", "settings", "words"),
    [
        pytest.param(
            [A, B], {}, "No two calls are compared in this run, so it changes nothing.", id="nothing compared"
        ),
        pytest.param([A, A], {}, "No pair here lies below 1.00: up to there nothing changes.", id="all equal"),
        pytest.param(
            words("a", "b"), {}, "No pair here lies above 0.00: from there on nothing changes.", id="nothing alike"
        ),
        pytest.param(
            words("a b c d", "a b c", "a b"),
            {},
            "No pair here lies between 0.50 and 0.75: in between nothing changes.",
            id="two decimals",
        ),
        pytest.param(
            words("a b c", "a b", "a"),
            {"ladder": {"similarity": 0.5}},
            "No pair here lies between 0.334 and 0.666: in between nothing changes.",
            id="rounded inwards",
        ),
    ],
)
def test_the_scores_next_to_the_similarity(calls: Any, settings: dict[str, Any], words: str) -> None:
    assert told(calls, **settings)["escalation.similarity"] == words


def test_limits_beyond_the_longest_stretch_change_nothing() -> None:
    notes = told([A] * 4)
    assert notes["escalation.explore"] == "The longest stretch here is 4: more changes nothing."
    assert not {"escalation.replan", "escalation.force_done", "thrash.n"} & notes.keys()
    assert told([A, A])["thrash.n"] == "At most 2 identical in a row here: more changes nothing."
    assert told([A, B, A, call("read", "z")], thrash={"scope": "run"})["thrash.n"].startswith(
        "At most 2 identical in the run"
    )


def test_switches_that_do_nothing_say_so() -> None:
    assert told([A] * 3)["thrash.ping_pong"] == "No difference in this run."
    assert "thrash.ping_pong" not in told([A, B] * 2)
