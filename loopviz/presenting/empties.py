"""Steps that equal nothing, since some result in them is empty: whether it came back so, or was never recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.steps import EMPTY
from loopviz.timeline.words import number

Kind = Literal["empty", "unrecorded", "both"]

_EACH: dict[Kind, str] = {
    "empty": "Every result{} came back empty",
    "unrecorded": "No result{} was recorded",
    "both": "Every result{} came back empty or was not recorded",
}
_SOME: dict[Kind, str] = {
    "empty": "came back empty",
    "unrecorded": "was not recorded",
    "both": "came back empty or was not recorded",
}
_ASIDE: dict[Kind, str] = {"empty": "empty", "unrecorded": "unrecorded", "both": "empty and unrecorded"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Empties:
    """The steps of a run that equal nothing."""

    steps: int
    of: int
    """Steps of the run."""
    kind: Kind
    whole: bool
    """Every result in them is empty; else some are not, and only longer patterns take their steps for empty."""
    watched: bool
    """Some calls of the run are not watched, so that nothing is said of their results."""

    @property
    def only(self) -> str:
        """The sentence where no other step is there."""
        if self.whole:
            said = _EACH[self.kind].format(" of a watched tool" if self.watched else "")
            return f"{said}, so there was nothing to compare."
        return f"In every step some result {_SOME[self.kind]}, and with longer patterns such a step equals nothing."

    @property
    def some(self) -> str:
        """The sentence that stands beside a headline."""
        of = f"{number(self.steps)} of {number(self.of)} steps"
        if self.whole and self.kind == "empty":
            return f"{of} came back empty, and so {'equals' if self.steps == 1 else 'equal'} nothing."
        said = _EACH[self.kind].format("") if self.whole else f"some result {_SOME[self.kind]}"
        return f"In {of} {said[:1].lower()}{said[1:]}; with these settings such a step equals nothing."

    @property
    def aside(self) -> str:
        """`, empty results aside`."""
        return f", {_ASIDE[self.kind]} results aside"


def empties_of(inspection: Inspection) -> Empties | None:
    """The steps that equal nothing; None where each has something to compare."""
    finding, columns, steps = inspection.finding, inspection.grader.columns, inspection.grader.steps
    if not finding.empty_steps:
        return None
    codes = inspection.grader.run_codes(0, finding.settings.match, finding.settings.max_cycle_period)
    inside = np.append(codes == EMPTY, False)[steps.of_call]  # the last one is for calls that are not watched
    nothing = inside & columns.empty
    unrecorded = columns.unknown_observation[nothing]
    return Empties(
        steps=finding.empty_steps,
        of=finding.steps,
        kind="unrecorded" if unrecorded.all() else "both" if unrecorded.any() else "empty",
        whole=bool(nothing.sum() == inside.sum()),
        watched=finding.watched_calls < len(inspection.trajectory.calls),
    )
