"""What a setting says of a stretch of calls, not of the whole run."""

from __future__ import annotations

import numpy as np

from loopviz.detectors.core.repeats import MAX_PERIOD, Cycles, find_cycles
from loopviz.detectors.core.steps import MATCHES
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.model import IntArray
from loopviz.settings import Match
from loopviz.tuning.labels import Stretch


def stretch_figures(grader: MaxRepeat, run: int, stretch: Stretch) -> IntArray:
    """Times in a row of the patterns that touch a stretch, in each cell of the grid, shape (n_modes, 10).

    A pattern touches it when a watched call of the stretch lies in one of its copies; the started copy at its end
    counts too, since the same steps read from a later one on hold as many copies and reach to the end. Under a setting
    that allows fewer, the stretch is flagged. A pattern that stands there once has no copies: 0.

    Args:
        grader: The runs under one tool filter.
        run: Which of them.
        stretch: First and last call, from 1, both included.
    """
    touched = _steps_of(grader, run, stretch)
    figures = np.zeros((len(MATCHES), MAX_PERIOD), dtype=np.int64)
    for row, match in zip(figures, MATCHES, strict=True):
        row[0] = _largest(_cycles(grader, run, match, 1), touched)[0]
        row[1:] = np.maximum.accumulate(_largest(_cycles(grader, run, match, MAX_PERIOD), touched))[1:]
    return figures


def _steps_of(grader: MaxRepeat, run: int, stretch: Stretch) -> IntArray:
    """The steps that hold a watched call of the stretch, from 0 within the run, ascending."""
    first = int(grader.columns.starts[run])
    calls = slice(first + stretch[0] - 1, first + stretch[1])
    steps = grader.steps.of_call[calls][grader.watched[calls]]
    return np.unique(steps) - int(grader.steps.starts[run])


def _cycles(grader: MaxRepeat, run: int, match: Match, bound: int) -> Cycles:
    return find_cycles(grader.run_codes(run, match, bound), bound=bound)


def _largest(cycles: Cycles, touched: IntArray) -> IntArray:
    """The most copies in a touched cycle of each period, shape (10,)."""
    inside = np.searchsorted(touched, cycles.stop) > np.searchsorted(touched, cycles.start)
    largest = np.zeros(MAX_PERIOD, dtype=np.int64)
    np.maximum.at(largest, cycles.period[inside] - 1, cycles.occurrences[inside])
    return largest
