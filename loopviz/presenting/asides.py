"""What has to be known beside the headline: values that nobody recorded, and calls that are not watched."""

from __future__ import annotations

from loopviz.analysis.inspection import Inspection
from loopviz.timeline.words import number


def asides(inspection: Inspection) -> list[str]:
    """Sentences, the gravest first; none where there is nothing to add."""
    n_calls, watched = len(inspection.trajectory.calls), inspection.finding.watched_calls
    said = [f"Caution: {inspection.caution}"] if inspection.caution else []
    if 0 < watched < n_calls:
        said.append(f"{number(watched)} of {number(n_calls)} calls are watched; the others are not looked at.")
    empty = inspection.finding.empty_steps
    if empty:
        of = f"{number(empty)} of {number(inspection.finding.steps)} steps"
        said.append(f"{of} came back empty, and so {'equals' if empty == 1 else 'equal'} nothing.")
    return said
