"""What empty outputs do to a figure, in words: what it would be without them, and why a longer pattern can lower it.

With longest pattern 1 a turn with some empty outputs is compared by its other calls; with a longer one it is empty
altogether, for every length tried, and ends any pattern (SPEC, section 1, "Fingerprints").
"""

from __future__ import annotations

import numpy as np

from loopviz.detectors.core.repeats import Cycle
from loopviz.detectors.core.steps import EMPTY
from loopviz.detectors.max_repeat import MaxRepeat, MaxRepeatFinding
from loopviz.model import IntArray
from loopviz.timeline.contract import VerdictRow
from loopviz.timeline.words import number, text

_REASON = (
    "with longest pattern 1 a turn with some empty outputs is compared by its other calls, "
    "with a longer one it is empty altogether"
)


def what_ifs(grader: MaxRepeat, finding: MaxRepeatFinding) -> list[str]:
    """The lines below the stages of a figure: what it would be if empty outputs were taken another way."""
    without, counting = finding.occurrences_without_empty, finding.occurrences_counting_empty
    lines = []
    if finding.empty_steps or counting != finding.occurrences:
        lines.append(f"If empty steps were left out: {number(without)}. If empty outputs counted: {number(counting)}.")
    other = _other_bound(grader, finding)
    if other is not None:
        bound, figure = other
        lines.append(f"Longest pattern {bound} gives {number(figure)}: {_REASON}.")
    return lines


def copies_without_empty(codes: IntArray, cycle: Cycle) -> int:
    """Complete copies of a cycle if the empty steps behind it were left out.

    Args:
        codes: Fingerprints of the run's steps that found it, EMPTY for an empty one; shape (n_steps,).
        cycle: One of its cycles.
    """
    full = codes[cycle.start :]
    full = full[full != EMPTY]
    apart = np.flatnonzero(full[cycle.period :] != full[: -cycle.period])
    length = cycle.period + int(apart[0]) if len(apart) else len(full)
    return length // cycle.period


def turned_by_empties(grader: MaxRepeat, finding: MaxRepeatFinding) -> list[VerdictRow]:
    """Rows for a verdict that empty outputs decide, either way round."""
    return [*_taken_otherwise(finding), *_bound_otherwise(grader, finding)]


def _taken_otherwise(finding: MaxRepeatFinding) -> list[VerdictRow]:
    limit = finding.settings.max
    without, counting = finding.occurrences_without_empty, finding.occurrences_counting_empty
    if finding.passed and max(without, counting) > limit:
        words = (
            f"Missing or empty outputs hide a loop. If empty steps were left out: {number(without)} in a row. "
            f"If empty outputs counted: {number(counting)}."
        )
    elif not finding.passed and counting <= limit:
        words = (
            f"They decide this verdict. If empty outputs counted: {number(counting)} in a row, which would pass, since "
            f"the calls they belong to would tell the turns apart. If empty steps were left out: {number(without)}."
        )
    else:
        return []
    return [{"label": "Empty outputs", "parts": [text(words)]}]


def _bound_otherwise(grader: MaxRepeat, finding: MaxRepeatFinding) -> list[VerdictRow]:
    other = _other_bound(grader, finding)
    if other is None or (other[1] <= finding.settings.max) == finding.passed:
        return []
    words = f"With longest pattern {other[0]} it would be {number(other[1])} in a row: {_REASON}."
    return [{"label": "Longest pattern", "parts": [text(words)]}]


def _other_bound(grader: MaxRepeat, finding: MaxRepeatFinding) -> tuple[int, int] | None:
    """Where a longer longest pattern gives less: the other side of it (1, or the next one), and the figure there."""
    match, bound = finding.settings.match, finding.settings.max_cycle_period
    other = 1 if bound > 1 else 2
    figure = int(grader.best(match, other).occurrences[0])
    lower = figure > finding.occurrences if bound > 1 else figure < finding.occurrences
    return (other, figure) if lower else None
