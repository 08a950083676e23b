"""Which runs stand in the table, and in what order: counts that are filters, and headings that sort."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from loopviz.analysis.overview import FAIL, NOT_JUDGED, PASS, Overview
from loopviz.model import BoolArray, FloatArray, IntArray
from loopviz.ui.runs_facts import Facts


@dataclass(frozen=True, slots=True)
class Filter:
    """One of the pills above the table."""

    name: str
    label: str
    mask: Callable[[Overview], BoolArray]


FILTERS = (
    Filter("all", "all", lambda found: np.ones(len(found.verdict), dtype=np.bool_)),
    Filter("fail", "✗ fail", lambda found: found.verdict == FAIL),
    Filter("unjudged", "– not judged", lambda found: found.verdict == NOT_JUDGED),
    Filter("otherwise", "≠ Vally said otherwise", lambda found: found.disagrees),
    Filter("apart", "detectors disagree", lambda found: found.detectors_disagree),
    Filter("near", "one away from the limit", lambda found: found.one_away),
)
"""In the order on screen; the first two always stand there, the others where they hold a run."""
ALWAYS = ("all", "fail")

Key = Callable[[Facts, Overview], IntArray | FloatArray]

SORTS: dict[str, Key] = {
    "name": lambda facts, _: facts.by_name,
    "trial": lambda facts, _: facts.trial,
    "model": lambda facts, _: _known(facts.ranks("models")),
    "status": lambda facts, _: _known(facts.ranks("statuses")),
    "verdict": lambda _, found: _urgency(found.verdict),
    "row": lambda _, found: _judged(found, found.occurrences),
    "pattern": lambda _, found: _judged(found, found.period),
    "said": lambda _, found: np.select([found.said == FAIL, found.said == PASS], [0.0, 1.0], np.nan),
    "score": lambda facts, _: facts.score,
    "turns": lambda facts, found: _judged(found, facts.turns),
    "calls": lambda facts, found: _judged(found, facts.calls),
    "ladder": lambda _, found: _judged(found, found.ladder),
    "thrash": lambda _, found: np.where(found.thrash >= 0, found.thrash.astype(np.float64), np.nan),
    "share": lambda _, found: found.repeated,
    "tokens": lambda facts, _: facts.tokens,
    "cost": lambda facts, _: facts.cost,
    "time": lambda facts, _: facts.duration,
}
"""What each column of the table sorts by, in the order of the columns; NaN is no value and stands last."""
SMALLEST_FIRST = ("name", "trial", "model", "status", "verdict", "said", "thrash")
"""Columns that begin with the smallest when they are first sorted by; the others with the largest."""


def order(facts: Facts, found: Overview, column: str | None = None, *, descending: bool = False) -> IntArray:
    """The runs in the order of the table.

    Args:
        facts: Their names and sizes.
        found: Their verdicts.
        column: One of `SORTS`; None for failed ones first, then by times in a row, name and trial.
        descending: Largest first; runs without a value stay last.
    Returns:
        Places of the runs, shape (n_runs,).
    """
    trial = np.nan_to_num(facts.trial, nan=-1)
    first = np.lexsort((trial, facts.by_name, -found.occurrences, _urgency(found.verdict)))
    if column is None:
        return first
    values = np.asarray(SORTS[column](facts, found), dtype=np.float64)[first]
    ranked = np.argsort(-values if descending else values, kind="stable")
    return first[ranked]


def _urgency(verdict: IntArray) -> IntArray:
    return np.select([verdict == FAIL, verdict == NOT_JUDGED], [0, 1], 2)


def _judged(found: Overview, values: IntArray) -> FloatArray:
    return np.where(found.verdict == NOT_JUDGED, np.nan, values.astype(np.float64))


def _known(rank: IntArray) -> FloatArray:
    return np.where(rank < 0, np.nan, rank.astype(np.float64))
