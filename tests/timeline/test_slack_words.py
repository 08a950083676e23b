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


def signs(first: int, count: int) -> str:
    """So many words of one sign."""
    return " ".join(chr(0x4E00 + first + n) for n in range(count))


@pytest.mark.parametrize(
    ("calls", "settings", "words"),
    [
        pytest.param(
            [A, B], {}, "No two calls are compared in this run, so it changes nothing.", id="nothing compared"
        ),
        pytest.param([A, A], {}, "No pair here lies below 1.00: up to there nothing changes.", id="all equal"),
        pytest.param(
            words("a", "b"), {}, "No pair here lies above 0.00: above it nothing changes.", id="nothing alike"
        ),
        pytest.param(
            words("a b c d", "a b c", "a b"),
            {},
            "No pair here lies between 0.50 and 0.75: in between nothing changes.",
            id="two decimals",
        ),
        pytest.param(
            words("a b c d", "a b"),
            {},
            "No pair here lies above 0.50: above it nothing changes.",
            id="a score at which a pair suffices",
        ),
        pytest.param(
            words(signs(0, 65), signs(0, 32), signs(100, 63), signs(100, 31)),
            {"ladder": {"similarity": 0.4922}},
            "Pairs here lie close to it on both sides: any move may change something.",
            id="31 of 63 and 32 of 65",
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
