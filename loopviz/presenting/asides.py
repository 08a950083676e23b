"""What has to be known beside the headline: values that nobody recorded, and calls that are not watched."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.thrash import Kind
from loopviz.model import BoolArray
from loopviz.presenting.empties import empties_of
from loopviz.timeline.words import number


def asides(inspection: Inspection) -> list[str]:
    """Sentences, the gravest first; none where there is nothing to add."""
    n_calls, watched = len(inspection.trajectory.calls), inspection.finding.watched_calls
    said = [f"Caution: {inspection.caution}"] if inspection.caution else []
    said += [f"Caution: {doubt}" for doubt in _guards_doubt(inspection)]
    if 0 < watched < n_calls:
        said.append(f"{number(watched)} of {number(n_calls)} calls are watched; the others are not looked at.")
    empties = empties_of(inspection)
    return said if empties is None else [*said, empties.some]


def _guards_doubt(inspection: Inspection) -> Iterator[str]:
    """That the guards compared what nobody recorded: requests, and results where a rule looks at them."""
    columns, stop = inspection.grader.columns, inspection.thrash.stop(0)
    calls = inspection.thrash.watched.call
    requests, results = _unknown(columns.unknown_arguments[calls]), _unknown(columns.unknown_observation[calls])
    if requests:
        yield f"the guards, simulated, compare requests too, and {requests}. {_otherwise(inspection)}"
    if results and stop is not None and stop.kind is Kind.PING_PONG:
        yield f"the stop guard, simulated, compared results too, and {results}. {_otherwise(inspection)}"
    if results and stop is not None and stop.kind is Kind.EMPTY_RETRY:
        yield f"the stop guard, simulated, takes a result that is missing for an empty one, and {results}."


def _unknown(flags: BoolArray) -> str:
    n_unknown = int(np.count_nonzero(flags))
    return f"{number(n_unknown)} of {number(len(flags))} are redacted or were never recorded" if n_unknown else ""


def _otherwise(inspection: Inspection) -> str:
    """How these values are taken, and what may be otherwise if they are taken the other way."""
    if inspection.grader.unknown == "distinct":
        return "They are taken as different; taken as equal, the guards might have done more, and earlier."
    return "They are taken as equal; taken as different, the guards might have done less, and later."
