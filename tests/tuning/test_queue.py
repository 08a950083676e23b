"""What is worth labelling."""

from __future__ import annotations

from loopviz.tuning.queue import RANDOM_EVERY, worth_labelling
from loopviz.tuning.sweep import sweep
from tests.tuning.sets_by_hand import run_of, set_of

SET = set_of(*(run_of("ab" if n % 2 else "aaaaab", run=f"t{n}") for n in range(40)), "??", "aaaaab")


def test_every_run_that_counts_is_offered_once() -> None:
    offered = [run for run, _ in worth_labelling(SET.trajectories, sweep(SET), ())]
    assert sorted(offered) == [*range(40), 41]


def test_runs_on_which_settings_disagree_come_first_and_some_at_random() -> None:
    offered = list(worth_labelling(SET.trajectories, sweep(SET), ()))[:16]
    assert [is_random for _, is_random in offered].count(True) == 16 // RANDOM_EVERY
    assert all(run % 2 == 0 or run == 41 for run, is_random in offered if not is_random)


def test_everybody_is_offered_the_same_whatever_the_order_of_the_files() -> None:
    turned = set_of(*reversed(SET.trajectories))
    names = [
        [
            runs.trajectories[run].run
            for run, is_random in worth_labelling(runs.trajectories, sweep(runs), ())
            if is_random
        ]
        for runs in (SET, turned)
    ]
    assert names[0] == names[1]


def test_labelled_runs_are_not_offered_again_and_flips_go_first() -> None:
    offered = [run for run, _ in worth_labelling(SET.trajectories, sweep(SET), {0, 2}, first=(7, 0))]
    assert offered[0] == 7 and not {0, 2} & set(offered)
