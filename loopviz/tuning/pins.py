"""Pins: stretches of calls that every setting must flag, or leave alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.core.steps import MATCHES
from loopviz.model import BoolArray, IntArray
from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.evidence import stimulus_key
from loopviz.tuning.labels import LOOP, Label
from loopviz.tuning.stretches import stretch_figures
from loopviz.tuning.sweep import Sweep


@dataclass(frozen=True, slots=True, eq=False)
class Pins:
    """Pinned stretches, and what any setting says of them."""

    run: tuple[int, ...]
    """The run of each."""
    labels: tuple[Label, ...]
    stimuli: tuple[Hashable, ...]
    """What `stimulus_key` says of each of these runs."""
    figures: IntArray
    """Times in a row of the patterns that touch each, shape (n_modes, 10, n_pins)."""

    def __len__(self) -> int:
        return len(self.run)

    @property
    def wanted(self) -> BoolArray:
        """Which of them must be flagged, shape (n_pins,)."""
        return np.array([label.label == LOOP for label in self.labels], dtype=np.bool_)

    def flagged(self, settings: MaxRepeatSettings) -> BoolArray:
        """Which of them a setting flags, shape (n_pins,)."""
        figures = self.figures[MATCHES.index(settings.match), settings.max_cycle_period - 1]
        flagged: BoolArray = figures > settings.max
        return flagged

    def holds(self, settings: MaxRepeatSettings) -> BoolArray:
        """Which of them a setting keeps: flagged where a loop is pinned, left alone elsewhere; shape (n_pins,)."""
        holds: BoolArray = self.flagged(settings) == self.wanted
        return holds

    def n_broken(self, settings: MaxRepeatSettings) -> int:
        """How many of them a setting breaks."""
        return len(self) - int(np.count_nonzero(self.holds(settings)))


def find_pins(runs: RunSet, sweep: Sweep, labels: Sequence[Sequence[Label]]) -> Pins:
    """The pins among the labels of each run, as `applying.apply` gives them."""
    grader = runs.max_repeat(sweep.tools, sweep.unknown)
    found = [(run, label) for run, own in enumerate(labels) for label in own if label.pin and sweep.counts[run]]
    figures = [stretch_figures(grader, run, label.calls) for run, label in found if label.calls is not None]
    return Pins(
        run=tuple(run for run, _ in found),
        labels=tuple(label for _, label in found),
        stimuli=tuple(stimulus_key(runs.trajectories[run]) for run, _ in found),
        figures=np.stack(figures, axis=2) if figures else np.zeros((len(MATCHES), MAX_PERIOD, 0), dtype=np.int64),
    )
