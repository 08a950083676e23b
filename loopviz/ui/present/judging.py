"""Which grader of a run Present tells it by: the one that decides, and what has to be said of the others."""

from __future__ import annotations

from dataclasses import dataclass

from loopviz.analysis.runset import RunSet
from loopviz.config import Config
from loopviz.model import Trajectory
from loopviz.patterns import PatternError
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.words import allowed, number
from loopviz.ui.choice import EXAMPLE, Choice
from loopviz.ui.graders import graders_in_force, run_graders


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The settings that a run is told by."""

    settings: MaxRepeatSettings
    notes: tuple[str, ...] = ()
    """What is to be known of the choice, a sentence each."""
    refused: str = ""
    """Why no grader of the run can be used; the settings are those of one of them."""


def deciding(trajectory: Trajectory, runs: RunSet, spec: Config | None, choice: Choice, *, hide_texts: bool) -> Decided:
    """The grader that comes nearest to its limit, or is furthest over it, as a list of runs has it.

    Args:
        trajectory: The run.
        runs: The run as a set of its own.
        spec: An eval spec given beside it.
        choice: The settings in force.
        hide_texts: Say nothing of what a grader's own file holds but its name.
    """
    graders, room, refusals = graders_in_force(trajectory, spec, choice), dict[int, int](), list[str]()
    for place, grader in enumerate(graders):
        try:
            found = runs.max_repeat(grader.settings.tools, choice.unknown).judge(0, grader.settings)
        except PatternError as error:
            refusals.append(str(error))
        else:
            room[place] = grader.settings.max - found.occurrences
    if not room:
        return Decided(settings=graders[0].settings, refused=refusals[0])
    nearest = graders[min(room, key=lambda place: (room[place], place))]
    notes = []
    if len(graders) > 1:
        over = sum(left < 0 for left in room.values())
        are = "is" if over == 1 else "are"
        notes.append(
            f"Of the {number(len(graders))} graders of this run {number(over)} {are} over the limit; it is told by the "
            f"one furthest over it, or nearest to it: {nearest.name}."
        )
    if choice.own is None:
        refusals += [str(one.error or one.not_judged) for one in run_graders(trajectory, spec) if one.settings is None]
    if refusals:
        stands_in = f", so an example stands in: {allowed(EXAMPLE.max)}" if nearest.settings == EXAMPLE else ""
        why = "" if hide_texts else f" ({refusals[0].rstrip('.')})"
        which = "A grader" if len(refusals) == 1 else f"{number(len(refusals))} graders"
        notes.append(f"Caution: {which} of this run could not be used{stands_in}{why}.")
    return Decided(settings=nearest.settings, notes=tuple(notes))
