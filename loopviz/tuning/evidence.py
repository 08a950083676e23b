"""The runs that people have judged, with all that any setting says of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import MATCHES
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.model import BoolArray, IntArray, Trajectory
from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.labels import LOOP, Label
from loopviz.tuning.stretches import stretch_figures
from loopviz.tuning.sweep import Sweep
from loopviz.tuning.wilson import Share

Source = Literal["labels", "outcomes"]
"""Who judged: people, or the outcome that each run records, which stands in for them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """Judged runs; a run is named by its place in the set, and n is how many there are.

    A run is a loop when its own label says so, or else a label on one of its stretches. Where loops are marked as
    stretches, a run is caught only by a pattern that touches one of them.
    """

    source: Source
    run: IntArray
    """Shape (n,), ascending."""
    is_loop: BoolArray
    """Shape (n,)."""
    stimulus: IntArray
    """Runs of one stimulus share a number, shape (n,)."""
    stimuli: tuple[Hashable, ...]
    """What `stimulus_key` says of each, by number."""
    figures: IntArray
    """Times in a row in each cell of the grid, where that is to be found: shape (n_modes, 10, n)."""
    anywhere: IntArray
    """Times in a row in the whole run, of the same shape."""
    n_unusable: int = 0
    """Judged runs that do not count in the sweep."""

    def __len__(self) -> int:
        return len(self.run)

    @property
    def n_stimuli(self) -> int:
        """How many stimuli they are of."""
        return len(self.stimuli)

    @property
    def n_loops(self) -> int:
        """How many of them are loops."""
        return int(np.count_nonzero(self.is_loop))

    @property
    def n_good(self) -> int:
        """How many are none."""
        return len(self) - self.n_loops


@dataclass(frozen=True, slots=True)
class Score:
    """How a setting fits the evidence."""

    hits: int
    """Loops that are caught."""
    elsewhere: int
    """Runs with a loop that fail by a pattern at another place: the right verdict for the wrong reason, and no hit."""
    false_alarms: int
    """Good runs that are flagged."""
    n_loops: int
    n_good: int

    @property
    def misses(self) -> int:
        """Loops that pass."""
        return self.n_loops - self.hits - self.elsewhere

    @property
    def recall(self) -> Share:
        """Loops caught, of all loops."""
        return Share(self.hits, self.n_loops)

    @property
    def precision(self) -> Share:
        """Loops caught, of all runs flagged."""
        return Share(self.hits, self.hits + self.elsewhere + self.false_alarms)

    @property
    def alarm_rate(self) -> Share:
        """Good runs flagged, of all good runs."""
        return Share(self.false_alarms, self.n_good)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 where nothing is caught."""
        flagged_or_loop = self.precision.n + self.n_loops
        return 2 * self.hits / flagged_or_loop if flagged_or_loop else 0.0


def from_labels(runs: RunSet, sweep: Sweep, labels: Sequence[Sequence[Label]]) -> Evidence:
    """What people said of some runs, as `applying.apply` gives it for each of them."""
    grader = runs.max_repeat(sweep.tools, sweep.unknown)
    said = {run: is_loop for run, own in enumerate(labels) if (is_loop := _said(own)) is not None}
    said = _once(said, lambda run: tuple(label.key for label in labels[run]))
    figures = {run: loop_figures(grader, run, labels[run]) for run in said}
    return _gather("labels", runs.trajectories, sweep, said, figures)


def from_outcomes(runs: RunSet, sweep: Sweep) -> Evidence:
    """Recorded outcomes in the place of labels: a run that ended badly stands for a loop, one that ended well for none.

    That is a stand-in: runs end badly for other reasons too.
    """
    said = {run: not each.outcome for run, each in enumerate(runs.trajectories) if each.outcome is not None}
    return _gather("outcomes", runs.trajectories, sweep, _once(said, lambda run: runs.trajectories[run].digest), {})


def score(evidence: Evidence, settings: MaxRepeatSettings) -> Score:
    """How one setting fits the evidence; its tool filter must be that of the figures."""
    return score_together([(evidence, settings)])


def score_together(parts: Sequence[tuple[Evidence, MaxRepeatSettings]]) -> Score:
    """How several graders fit, any of which fails a run: each with the evidence under its tool filter.

    The evidence must be of the same runs each time.
    """
    first = parts[0][0]
    caught, flagged = np.zeros(len(first), dtype=np.bool_), np.zeros(len(first), dtype=np.bool_)
    for evidence, settings in parts:
        cell = MATCHES.index(settings.match), settings.max_cycle_period - 1
        caught |= evidence.figures[cell] > settings.max
        flagged |= evidence.anywhere[cell] > settings.max
    return tally(first.is_loop, caught, flagged)


def tally(is_loop: BoolArray, caught: BoolArray, flagged: BoolArray) -> Score:
    """Count runs that are caught where they loop, and that are flagged for anything; all of shape (n,)."""
    hits, n_loops = int(np.count_nonzero(is_loop & caught)), int(np.count_nonzero(is_loop))
    return Score(
        hits=hits,
        elsewhere=int(np.count_nonzero(is_loop & flagged)) - hits,
        false_alarms=int(np.count_nonzero(~is_loop & flagged)),
        n_loops=n_loops,
        n_good=len(is_loop) - n_loops,
    )


def stimulus_key(trajectory: Trajectory) -> Hashable:
    """What runs of one stimulus share: its name, else what was asked; a run that tells neither is one of its own."""
    if trajectory.stimulus:
        return trajectory.stimulus
    return ("asked", trajectory.prompt) if trajectory.prompt else ("run", trajectory.digest)


def _once(said: dict[int, bool], identity: Callable[[int], Hashable]) -> dict[int, bool]:
    """The same without copies: a run that is open twice is one witness."""
    first: dict[Hashable, int] = {}
    for run in said:
        first.setdefault(identity(run), run)
    return {run: said[run] for run in first.values()}


def count_per_stimulus(evidence: Evidence, chosen: BoolArray) -> IntArray:
    """How many of the chosen runs, shape (n,), each stimulus has, shape (n_stimuli,)."""
    return np.bincount(evidence.stimulus[chosen], minlength=evidence.n_stimuli)


def _said(labels: Sequence[Label]) -> bool | None:
    """Whether people call a run a loop; None where they say nothing of it as a whole and mark no loop."""
    whole = next((label for label in labels if label.calls is None), None)
    if whole is not None:
        return whole.label == LOOP
    return True if any(label.label == LOOP for label in labels) else None


def loop_figures(grader: MaxRepeat, run: int, labels: Sequence[Label]) -> IntArray | None:
    """The figures of a run's loops that are marked as stretches; None where none is."""
    stretches = [label.calls for label in labels if label.label == LOOP and label.calls is not None]
    if not stretches or _said(labels) is not True:
        return None
    figures: IntArray = np.max([stretch_figures(grader, run, stretch) for stretch in stretches], axis=0)
    return figures


def _gather(
    source: Source,
    trajectories: Sequence[Trajectory],
    sweep: Sweep,
    said: dict[int, bool],
    figures: dict[int, IntArray | None],
) -> Evidence:
    usable = np.array([run for run in said if sweep.counts[run]], dtype=np.int64)
    anywhere = sweep.occurrences[:, :, usable]
    where = anywhere.copy()
    for place, run in enumerate(usable.tolist()):
        own = figures.get(run)
        if own is not None:
            where[:, :, place] = own
    keys = [stimulus_key(trajectories[run]) for run in usable.tolist()]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return Evidence(
        source=source,
        run=usable,
        is_loop=np.array([said[run] for run in usable.tolist()], dtype=np.bool_),
        stimulus=np.array([numbers[key] for key in keys], dtype=np.int64),
        stimuli=tuple(numbers),
        figures=where,
        anywhere=anywhere,
        n_unusable=len(said) - len(usable),
    )
