"""Every run under every setting at once: times in a row for each match mode and each longest pattern.

From that table alone follows what any `max` would say: a run fails when its figure is larger.

Decided:

- Which runs count: those that hold a trajectory, and whose figures do not depend on values that were redacted or never
  recorded. A run whose table differs between taking such values as equal and as different stays out of every share, and
  is counted beside it. Where a person says that they are to differ, there is one table, and the run counts.

Source: SPEC, section 1, "The whole grid", and section 4, "Unknown values".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loopviz.analysis.runset import RunSet, Tools
from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.core.steps import MATCHES, Unknown
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.model import BoolArray, IntArray
from loopviz.settings import Match, MaxRepeatSettings

JUDGED, NO_TRAJECTORY, UNKNOWN_VALUES = "", "no trajectory", "values unknown"
"""Why a run counts or does not."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of the grid, `max` aside."""

    match: Match
    bound: int
    """Longest pattern in steps, 1 to 10."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """Times in a row of some runs under every match mode and longest pattern, for one tool filter."""

    tools: Tools
    unknown: Unknown
    occurrences: IntArray
    """Shape (n_modes, 10, n_runs): modes in the order of `MATCHES`, row b - 1 for longest pattern b."""
    reasons: tuple[str, ...]
    """Of each run: `JUDGED`, or why it stays out."""

    @cached_property
    def counts(self) -> BoolArray:
        """Which runs count, shape (n_runs,)."""
        return np.array([reason == JUDGED for reason in self.reasons], dtype=np.bool_)

    @property
    def n_judged(self) -> int:
        """How many runs count."""
        return int(np.count_nonzero(self.counts))

    @cached_property
    def left_out(self) -> dict[str, int]:
        """How many runs stay out, by reason."""
        return dict(Counter(reason for reason in self.reasons if reason != JUDGED))

    def of(self, match: Match, bound: int) -> IntArray:
        """Times in a row of every run in one cell, shape (n_runs,)."""
        figures: IntArray = self.occurrences[MATCHES.index(match), bound - 1]
        return figures

    def fails(self, settings: MaxRepeatSettings) -> BoolArray:
        """Which of the runs that count fail under some settings; their tool filter must be that of the sweep.

        Raises:
            ValueError: for settings of another filter.
        """
        if settings.tools != self.tools:
            raise ValueError(f"these figures are for the tools {self.tools}, not {settings.tools}")
        failing: BoolArray = self.counts & (self.of(settings.match, settings.max_cycle_period) > settings.max)
        return failing

    def alike(self, match: Match) -> Iterator[tuple[int, int]]:
        """First and last of longest patterns next to each other that give every run the same figure, from 1."""
        first = 1
        for bound in range(1, MAX_PERIOD + 1):
            if bound == MAX_PERIOD or (self.of(match, bound + 1) != self.of(match, first))[self.counts].any():
                yield first, bound
                first = bound + 1

    def occurring(self) -> IntArray:
        """The figures that occur in any cell, ascending."""
        return np.unique(self.occurrences[:, :, self.counts])

    def n_failing(self, match: Match, limits: IntArray) -> IntArray:
        """How many runs fail in each cell of one mode for each `max`, shape (10, n_limits)."""
        figures = np.sort(self.occurrences[MATCHES.index(match)][:, self.counts], axis=1)
        rows = [figures.shape[1] - np.searchsorted(row, limits, side="right") for row in figures]
        return np.array(rows, dtype=np.int64).reshape(MAX_PERIOD, len(limits))


def sweep(runs: RunSet, tools: Tools = None, unknown: Unknown = "equal") -> Sweep:
    """Judge every run under every mode and longest pattern.

    Raises:
        PatternError: if a tool pattern is refused, or runs for longer than a second.
    """
    occurrences = figures(runs.max_repeat(tools, unknown))
    doubtful = _doubtful(runs, tools, occurrences) if unknown == "equal" else np.zeros(len(runs), dtype=np.bool_)
    reasons = tuple(
        NO_TRAJECTORY if trajectory.not_judged is not None else UNKNOWN_VALUES if doubt else JUDGED
        for trajectory, doubt in zip(runs.trajectories, doubtful.tolist(), strict=True)
    )
    return Sweep(tools, unknown, occurrences, reasons)


def figures(grader: MaxRepeat) -> IntArray:
    """Times in a row of every run of a grader, shape (n_modes, 10, n_runs)."""
    bounds = range(1, MAX_PERIOD + 1)
    return np.array([[grader.best(match, bound).occurrences for bound in bounds] for match in MATCHES])


def _doubtful(runs: RunSet, tools: Tools, occurrences: IntArray) -> BoolArray:
    """Which runs have another table once unrecorded values are taken to differ, shape (n_runs,)."""
    columns = runs.columns
    if not (columns.unknown_arguments.any() or columns.unknown_observation.any()):
        return np.zeros(len(runs), dtype=np.bool_)
    other = figures(runs.max_repeat(tools, "distinct"))
    doubtful: BoolArray = (other != occurrences).any(axis=(0, 1))
    return doubtful
