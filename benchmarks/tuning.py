"""Item k: what opening Tune on many runs costs, and a change of the candidate.

State is made anew for each round; half of the runs are taken for loops, by their place, so that the fit has something
to be held against.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf

import numpy as np

from benchmarks.sizes import Sizes
from benchmarks.table import Row, Unit, seconds
from benchmarks.timing import Yardstick, timed
from loopviz.analysis.overview import FAIL, NamedGrader, survey
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import MATCHES
from loopviz.detectors.max_repeat import NAME
from loopviz.model import BoolArray, Trajectory
from loopviz.settings import MaxRepeatSettings, changed
from loopviz.tuning.evidence import from_labels, score
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label, label_of
from loopviz.tuning.pins import find_pins
from loopviz.tuning.stops import cost_of
from loopviz.tuning.suggest import suggest
from loopviz.tuning.sweep import Sweep, sweep

CURRENT = MaxRepeatSettings(max=3)
CANDIDATE = MaxRepeatSettings(max=4, max_cycle_period=3, match="name-args")
LABELLED = 100
"""Runs that people said something of."""
LIMITS = np.arange(1, 21)
CHANGES = {
    "max": changed(CANDIDATE, max=6),
    "period": changed(CANDIDATE, max_cycle_period=7),
    "mode": changed(CANDIDATE, match="observation"),
}


def item_k(trajectories: tuple[Trajectory, ...], yardstick: Yardstick, sizes: Sizes) -> list[Row]:
    """Open Tune, then change the candidate."""
    labels = _labels(trajectories)
    best: dict[str, float] = {}
    for number in range(sizes.rounds):
        runs = RunSet(trajectories)
        _ = runs.columns  # Loading lays them out.
        yardstick.read_again()
        spent, (swept, fails) = timed(partial(open_tune, runs, labels))
        round_s = {"open it": spent}
        for name, settings in CHANGES.items():
            round_s[f"change {name}"], _ = timed(partial(change_candidate, runs, swept, fails, settings))
        round_s["change tools"], _ = timed(partial(sweep, runs, (f"^(?!none-{number}$)",)))
        best |= {what: min(seconds, best.get(what, inf)) for what, seconds in round_s.items()}
    bounds = {"open it": 1.5, "change tools": 2.0}
    return [
        _row(f"Tune on {sizes.runs:,} runs of {sizes.steps}: {what}", best[what], bounds.get(what, 1 / 3))
        for what in best
    ]


def open_tune(runs: RunSet, labels: Sequence[Sequence[Label]]) -> tuple[Sweep, BoolArray]:
    """Everything that the page shows at first, without drawing it; what fails now is given for changes."""
    now = survey(runs, [(NamedGrader(NAME, CURRENT),)] * len(runs)).verdict == FAIL
    swept = sweep(runs)
    swept.occurring()
    for match in MATCHES:
        swept.n_failing(match, LIMITS)
        list(swept.alike(match))
    evidence, pins = from_labels(runs, swept, labels), find_pins(runs, swept, labels)
    suggest(evidence, pins)
    score(evidence, CANDIDATE)
    change_candidate(runs, swept, now, CANDIDATE)
    return swept, now


def change_candidate(runs: RunSet, swept: Sweep, now: BoolArray, settings: MaxRepeatSettings) -> int:
    """What a change has to find anew: which runs flip, and what stopping them would cost; the number of flips."""
    fails = swept.fails(settings)
    cost_of(runs, np.flatnonzero(fails), lambda _: [settings], n_well=len(runs))
    return int(np.count_nonzero(fails != now))


def _labels(trajectories: Sequence[Trajectory]) -> list[tuple[Label, ...]]:
    step = max(1, len(trajectories) // LABELLED)
    return [
        (label_of(trajectory, LOOP if place % (2 * step) else NOT_A_LOOP),) if place % step == 0 else ()
        for place, trajectory in enumerate(trajectories)
    ]


def _row(what: str, spent: float, bound: float) -> Row:
    return Row(item="k", what=what, unit=Unit.JSON, bound=bound, figure=spent, seconds=seconds(spent))
