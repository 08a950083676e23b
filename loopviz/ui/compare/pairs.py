"""Which two runs are compared: those asked for, else two that are worth it, and those offered instead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

from loopviz.analysis.inspection import inspect
from loopviz.analysis.overview import FAIL, NOT_JUDGED, PASS
from loopviz.analysis.trials import nearest
from loopviz.comparing.sides import Side, cut
from loopviz.model import IntArray
from loopviz.patterns import PatternError
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.words import number
from loopviz.ui import choice as choices
from loopviz.ui.compare.asked import Asked
from loopviz.ui.graders import From, grader_shown
from loopviz.ui.library import Library
from loopviz.ui.linking import find_run, run_name
from loopviz.ui.runs_findings import run_title
from loopviz.ui.runs_judged import all_runs, judged_first
from loopviz.ui.walk import MOST_OPTIONS


def side_of(library: Library, index: int, own: MaxRepeatSettings | None = None) -> Side:
    """A run as it is judged by the settings in force, or by some of its own."""
    trajectory, choice = library.trajectories[index], choices.current()
    shown = grader_shown(trajectory, library.spec, choice if own is None else replace(choice, own=own))
    why_not = trajectory.not_judged or ""
    found = None
    if not why_not:
        try:
            found = inspect(library.alone(index), shown.settings, choice.guards, choice.unknown)
        except PatternError as error:
            why_not = str(error)
    return Side(
        trajectory=trajectory,
        settings=shown.settings,
        inspection=found,
        why_not=why_not,
        recorded=shown.recorded,
        comparable=shown.comparable,
    )


def origin(library: Library, index: int) -> str:
    """Where the settings in force come from, as part of a sentence."""
    shown = grader_shown(library.trajectories[index], library.spec, choices.current())
    return _ORIGIN[shown.source]


_ORIGIN: dict[From, str] = {
    "own": "by your settings",
    "recorded": "as recorded",
    "spec": "as in the eval spec",
    "example": "by Vally's example",
}


def found(library: Library, key: str | None) -> int | None:
    """The run of a key."""
    run = None if key is None else find_run(library, key)
    return None if run is None else run.index


def missing(library: Library, key: str | None) -> str:
    """That a link names a run that is not there, or whose data are others now; empty where all is well."""
    if key is None:
        return ""
    run = find_run(library, key)
    if run is None:
        return f"The link names the run {run_name(key)}, which is not among the open files. Shown instead: another run."
    return f"The run {run_name(key)} has changed since this link was made." if run.changed else ""


def missing_step(wanted: Asked, n_steps: int) -> str:
    """That a link names a step that is not there; empty where all is well."""
    if wanted.column is None or wanted.column < n_steps:
        return ""
    return f"The link names step {number(wanted.column + 1)}, and there are {number(n_steps)} here."


def worth_comparing(library: Library, chosen: int | None) -> tuple[int, int]:
    """Two runs that say most beside each other: one passes and one fails, trials of one stimulus where there are such.

    Args:
        library: What is open, at least one run.
        chosen: A run that the person is looking at.
    """
    verdict = judged_first(all_runs(library), choices.current()).overview.verdict
    focus = _first_failing(library, verdict) if chosen is None else chosen
    others = [place for place in library.same_stimulus(focus) if place != focus]
    opposite = {PASS: FAIL, FAIL: PASS}.get(int(verdict[focus]))
    others.sort(key=lambda place: (verdict[place] != opposite, verdict[place] == NOT_JUDGED, abs(place - focus)))
    partner = others[0] if others else _elsewhere(library, verdict, focus)
    return (partner, focus) if verdict[focus] == FAIL else (focus, partner)


def _elsewhere(library: Library, verdict: IntArray, focus: int) -> int:
    """A run of another stimulus: of those with the other verdict that ended well, else of all, the one that is next."""
    opposite = {PASS: FAIL, FAIL: PASS}.get(int(verdict[focus]))

    def likeness(place: int) -> tuple[bool, bool, int]:
        ended_well = library.trajectories[place].outcome is True
        return verdict[place] != opposite, opposite == PASS and not ended_well, abs(place - focus)

    return min((place for place in range(len(verdict)) if place != focus), key=likeness, default=focus)


def _first_failing(library: Library, verdict: IntArray) -> int:
    """The first run that fails and of whose stimulus another passes; else the first that fails, else the first."""
    failing = [place for place in range(len(verdict)) if verdict[place] == FAIL]
    for place in failing:
        if any(verdict[other] == PASS for other in library.same_stimulus(place)):
            return place
    return failing[0] if failing else 0


def offered(library: Library, index: int) -> list[int]:
    """The runs in the list of a side: those of the same stimulus first, then those that stand around."""
    first = max(0, min(index - MOST_OPTIONS // 2, len(library.trajectories) - MOST_OPTIONS))
    around = range(first, min(len(library.trajectories), first + MOST_OPTIONS))
    return list(dict.fromkeys([*nearest(library.same_stimulus(index), index), *around]))


def label(library: Library, index: int) -> str:
    """A run in a list: stimulus and trial, whatever else tells open runs apart, and how it ended."""
    run = library.trajectories[index]
    told: tuple[bool, ...] = library.runs.kept.get("told apart by", lambda: _told_apart(library))
    parts = (run.variant, run.model, PurePath(run.source.name).name)
    apart = (cut(str(part)) for part, shown in zip(parts, told, strict=True) if shown and part)
    return " · ".join(filter(None, (cut(run_title(run)), *apart, _ENDED[run.outcome])))


_ENDED = {True: "✓ ended well", False: "✗ ended badly", None: ""}


def _told_apart(library: Library) -> tuple[bool, ...]:
    names = zip(*((run.variant, run.model, run.source.name) for run in library.trajectories), strict=True)
    return tuple(len(set(column)) > 1 for column in names)
