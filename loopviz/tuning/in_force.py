"""What is in force now, held against what people say: each run is judged by its own graders, whatever their tools.

The grids speak of one setting for all runs. What is in force may be several, and differ from run to run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import MATCHES, Unknown
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.model import BoolArray
from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.evidence import Evidence, Score, loop_figures, tally
from loopviz.tuning.labels import Label
from loopviz.tuning.pins import Pins
from loopviz.tuning.stretches import stretch_figures

Own = Sequence[Sequence[MaxRepeatSettings]]
"""The settings of each run's graders, in the order of the runs; none of a run that is not judged."""


def own_score(
    runs: RunSet, evidence: Evidence, labels: Sequence[Sequence[Label]], own: Own, unknown: Unknown = "equal"
) -> Score:
    """How the graders of each run fit the evidence; runs that are not judged stay out of all counts.

    Args:
        runs: All runs.
        evidence: What is said of some of them.
        labels: What people say of each run; it tells where the loops are.
        own: The graders of each run; the first of them that fails it counts.
        unknown: Whether values that nobody recorded equal each other or nothing.
    """
    caught, flagged, judged = (np.zeros(len(evidence), dtype=np.bool_) for _ in range(3))
    for settings, places, grader in _by_settings(runs, evidence.run.tolist(), own, unknown):
        run = evidence.run[places]
        over = grader.best(settings.match, settings.max_cycle_period).occurrences[run] > settings.max
        judged[places] = True
        flagged[places] |= over
        if evidence.source == "labels":
            over = _over_in_place(grader, settings, run.tolist(), labels, over)
        caught[places] |= over
    return tally(evidence.is_loop[judged], caught[judged], flagged[judged])


def own_pins(runs: RunSet, pins: Pins, own: Own, unknown: Unknown = "equal") -> BoolArray:
    """Which pins the graders of their runs keep, shape (n_pins,); the arguments are those of `own_score`."""
    flagged = np.zeros(len(pins), dtype=np.bool_)
    for settings, places, grader in _by_settings(runs, pins.run, own, unknown):
        for place in places:
            calls = pins.labels[place].calls
            assert calls is not None  # A pin is of a stretch.
            flagged[place] |= stretch_figures(grader, pins.run[place], calls)[_cell(settings)] > settings.max
    holds: BoolArray = flagged == pins.wanted
    return holds


def _by_settings(
    runs: RunSet, run: Sequence[int], own: Own, unknown: Unknown
) -> Iterator[tuple[MaxRepeatSettings, list[int], MaxRepeat]]:
    """The places in `run` that share settings, and their grader: all of one tool filter next to each other."""
    places: dict[MaxRepeatSettings, list[int]] = defaultdict(list)
    for place, one in enumerate(run):
        for settings in dict.fromkeys(own[one]):
            places[settings].append(place)
    for settings in sorted(places, key=lambda one: one.tools or ()):
        yield settings, places[settings], runs.max_repeat(settings.tools, unknown)


def _over_in_place(
    grader: MaxRepeat,
    settings: MaxRepeatSettings,
    run: Sequence[int],
    labels: Sequence[Sequence[Label]],
    over: BoolArray,
) -> BoolArray:
    """Which runs are over the limit where the loop is marked, or anywhere where none is; shape as `over`."""
    told = over.copy()
    for place, one in enumerate(run):
        figures = loop_figures(grader, one, labels[one])
        if figures is not None:
            told[place] = figures[_cell(settings)] > settings.max
    return told


def _cell(settings: MaxRepeatSettings) -> tuple[int, int]:
    """Where its figures stand in a grid."""
    return MATCHES.index(settings.match), settings.max_cycle_period - 1
