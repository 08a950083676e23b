"""The setting that fits what people said best."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import MATCHES
from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.evidence import Evidence, from_labels, from_outcomes, score
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label, label_of
from loopviz.tuning.pins import Pins, find_pins
from loopviz.tuning.suggest import Suggestion, suggest
from loopviz.tuning.sweep import sweep
from tests.tuning.sets_by_hand import run_of

Said = tuple[str, bool | None]
"""Steps of a run, and whether people call it a loop; None says nothing."""


def evidence_of(*said: Said, per_stimulus: int = 1) -> tuple[RunSet, list[tuple[Label, ...]], Evidence]:
    runs = RunSet([run_of(steps, run=f"t{n}", stimulus=f"s{n // per_stimulus}") for n, (steps, _) in enumerate(said)])
    labels: list[tuple[Label, ...]] = [
        () if is_loop is None else (label_of(run, LOOP if is_loop else NOT_A_LOOP),)
        for run, (_, is_loop) in zip(runs.trajectories, said, strict=True)
    ]
    return runs, labels, from_labels(runs, sweep(runs), labels)


def suggested(*said: Said, per_stimulus: int = 1) -> Suggestion | None:
    runs, labels, evidence = evidence_of(*said, per_stimulus=per_stimulus)
    return suggest(evidence, find_pins(runs, sweep(runs), labels))


def no_pins() -> Pins:
    return Pins((), (), (), np.zeros((3, 10, 0), dtype=np.int64))


CLEAR: list[Said] = [*[("aaaaaaaa", True)] * 6, *[("aab", False)] * 6]


def test_loops_and_good_runs_that_lie_apart_are_told_apart() -> None:
    found = suggested(*CLEAR)
    assert found and (found.score.hits, found.score.false_alarms) == (6, 0)
    assert (found.settings.max, found.settings.max_cycle_period, found.settings.match) == (5, 1, "observation")
    assert (found.held_out.hits, found.held_out.false_alarms, found.enough) == (6, 0, True)


def test_the_higher_middle_of_a_plateau_is_taken() -> None:
    """8 in a row are a loop and 2 are none, so that 2 to 7 fit equally well."""
    found = suggested(*CLEAR)
    assert found and found.settings.max == 5


def test_a_longer_pattern_is_taken_only_where_it_tells_more() -> None:
    found = suggested(*[("abcabcabcabc", True)] * 6, *[("abcd", False)] * 6)
    assert found and (found.settings.max_cycle_period, found.score.hits) == (3, 6)


def test_ties_are_told() -> None:
    found = suggested(*CLEAR)
    assert found and {(tie.match, tie.max_cycle_period) for tie in found.ties} >= {("name-args", 1), ("observation", 2)}
    assert found.settings not in found.ties


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        pytest.param([("aaaa", True), ("ab", False)], "1 loop and 1 good run;", id="one of each"),
        pytest.param([("aaaa", True)] * 6, "0 good runs", id="loops alone"),
        pytest.param([("aaaa", n % 2 == 0) for n in range(20)], "may be chance", id="alike for all that can be seen"),
    ],
)
def test_too_few_labels_to_tell(said: list[Said], reason: str) -> None:
    found = suggested(*said)
    assert found and not found.enough and reason in found.why_not_enough


@pytest.mark.parametrize(
    ("said", "words"),
    [
        pytest.param([("aaaa", True), ("ab", False)], "Label 4 more loops and 4 more good runs.", id="of both"),
        pytest.param([("aaaa", True)] * 6 + [("ab", False)] * 4, "Label 1 more good run.", id="of one kind"),
    ],
)
def test_how_many_labels_are_missing(said: list[Said], words: str) -> None:
    found = suggested(*said)
    assert found and found.why_not_enough.endswith(f"are the least. {words}")


def test_how_many_more_labels_would_tell_at_these_rates() -> None:
    found = suggested(*[("aaaa", True)] * 5, *[("ab", False)] * 4, ("aaaa", False))
    assert found and not found.enough
    told = re.search(r"At these rates about (\d+) more labels? would tell\.$", found.why_not_enough)
    assert told
    times = 1 + int(told[1]) / 10
    recall, alarms = (share.times(times).interval() for share in (found.held_out.recall, found.held_out.alarm_rate))
    assert recall[0] > alarms[1]


def test_rates_that_are_alike_ask_for_no_number_of_labels() -> None:
    found = suggested(*[("aaaa", n % 2 == 0) for n in range(20)])
    assert found and "would tell" not in found.why_not_enough


def test_a_suggestion_that_flags_most_good_runs_says_so() -> None:
    most, few = suggested(*[("aaaa", n % 2 == 0) for n in range(20)]), suggested(*CLEAR)
    assert most and most.flags_most and few and not few.flags_most


def test_trials_of_one_stimulus_are_one_witness() -> None:
    found = suggested(*CLEAR, per_stimulus=6)
    assert found and "Too few stimuli" in found.why_not_enough


def test_no_suggestion_where_nothing_that_repeats_is_a_loop() -> None:
    assert suggested(("a", True), ("aaaa", False)) is None
    assert suggested() is None


def test_a_pin_goes_before_the_score() -> None:
    runs, labels, _ = evidence_of(*CLEAR, ("bbbbbb", False))
    pinned = [*labels[:-1], (label_of(runs.trajectories[-1], LOOP, calls=(1, 6), pin=True), *labels[-1])]
    swept = sweep(runs)
    found = suggest(from_labels(runs, swept, pinned), find_pins(runs, swept, pinned))
    assert found and found.settings.max < 6 and (found.n_pins_broken, found.score.false_alarms) == (0, 1)


def test_a_loop_found_at_another_place_is_no_hit() -> None:
    runs, _, _ = evidence_of(("aaaaxbbb", None))
    labels = [(label_of(runs.trajectories[0], LOOP, calls=(6, 8)),)]
    evidence = from_labels(runs, sweep(runs), labels)
    told = [score(evidence, MaxRepeatSettings(max=limit)) for limit in (2, 3, 4)]
    assert [(one.hits, one.elsewhere, one.misses) for one in told] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]


def test_what_people_say_of_the_run_goes_before_its_stretches() -> None:
    runs, _, _ = evidence_of(("aaaa", None))
    run = runs.trajectories[0]
    evidence = from_labels(runs, sweep(runs), [(label_of(run, LOOP, calls=(1, 2)), label_of(run, NOT_A_LOOP))])
    assert (evidence.n_loops, evidence.n_good) == (0, 1)


def test_a_stretch_that_is_no_loop_says_nothing_of_the_run() -> None:
    runs, _, _ = evidence_of(("aaaa", None))
    label = label_of(runs.trajectories[0], NOT_A_LOOP, calls=(1, 2))
    assert len(from_labels(runs, sweep(runs), [(label,)])) == 0


def test_recorded_outcomes_can_stand_in() -> None:
    runs = RunSet([run_of("aaaa", run="a", outcome=False), run_of("ab", run="b", outcome=True), run_of("ab", run="c")])
    evidence = from_outcomes(runs, sweep(runs))
    assert (evidence.source, evidence.run.tolist(), evidence.is_loop.tolist()) == ("outcomes", [0, 1], [True, False])


def test_labelled_runs_that_do_not_count_are_told() -> None:
    _, _, evidence = evidence_of(("aaaa", True), ("??", True))
    assert (len(evidence), evidence.n_unusable) == (1, 1)


@given(st.lists(st.tuples(st.text("ab", min_size=1, max_size=8), st.booleans()), min_size=1, max_size=8))
def test_no_setting_fits_better(said: list[tuple[str, bool]]) -> None:
    _, _, evidence = evidence_of(*said)
    found = suggest(evidence, no_pins())
    every = [
        score(evidence, MaxRepeatSettings(max=limit, max_cycle_period=bound, match=match)).f1
        for limit, bound, match in product(range(1, 9), range(1, 11), MATCHES)
    ]
    assert max(every) == (found.score.f1 if found else 0)
    if found:
        assert found.score == score(evidence, found.settings)
        assert all(score(evidence, tie).f1 == found.score.f1 for tie in found.ties)


@given(
    st.lists(st.tuples(st.text("ab", min_size=1, max_size=8), st.booleans()), min_size=2, max_size=6), st.integers(1, 3)
)
def test_held_out_is_what_the_others_choose(said: list[tuple[str, bool]], per_stimulus: int) -> None:
    found = suggested(*said, per_stimulus=per_stimulus)
    if found is None:
        return
    hits = alarms = 0
    for first in range(0, len(said), per_stimulus):
        inside = range(first, min(first + per_stimulus, len(said)))
        others = [(steps, None if n in inside else is_loop) for n, (steps, is_loop) in enumerate(said)]
        alone = [(steps, is_loop if n in inside else None) for n, (steps, is_loop) in enumerate(said)]
        chosen = suggested(*others, per_stimulus=per_stimulus)
        if chosen:
            one = score(evidence_of(*alone)[2], chosen.settings)
            hits, alarms = hits + one.hits, alarms + one.false_alarms
    assert (found.held_out.hits, found.held_out.false_alarms) == (hits, alarms)
    assert found.held_out.n_loops == sum(is_loop for _, is_loop in said)
