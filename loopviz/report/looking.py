"""One run, judged, and as it may leave: what every export of a run begins with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.model import Trajectory
from loopviz.report.export import Export, Masks
from loopviz.report.judging import Judged, chosen, judge
from loopviz.report.release import release


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A run and what was found in it."""

    trajectory: Trajectory
    """The run itself, none of whose texts may leave as they are."""
    released: Trajectory
    """The run as it may leave."""
    judged: tuple[Judged, ...]
    shown: Judged
    """The grader whose picture is shown."""
    found: Inspection | None
    """What that one found, told of the released run; None without a verdict."""
    masks: Masks

    @property
    def presentable(self) -> Inspection | None:
        """What was found, for words that cut names short: nothing would recognise half a secret."""
        if self.found is None:
            return None
        pattern = tuple(map(self.masks.text, self.found.finding.pattern))
        return replace(self.found, finding=replace(self.found.finding, pattern=pattern))


def look(
    trajectory: Trajectory,
    question: Question,
    export: Export,
    *,
    grader: int | None = None,
    runs: RunSet | None = None,
) -> Looked:
    """Judge a run, and take from it what may leave.

    Args:
        trajectory: The run.
        question: What it is judged by.
        export: What stays out.
        grader: Which of its graders is shown; None for the first that failed.
        runs: The run as a set of its own, where somebody has made one already.
    """
    judged = judge(trajectory, question, runs)
    shown = chosen(judged, grader)
    masks = Masks(on=export.masked)
    released = release(trajectory, export, masks)
    found = None if shown.found is None else replace(shown.found, trajectory=released)
    return Looked(trajectory=trajectory, released=released, judged=judged, shown=shown, found=found, masks=masks)
