"""Trials tuned on, for tests of what the Tune page shows: made from a few words, without a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from loopviz.model import Trajectory
from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.applying import Applied
from loopviz.tuning.evidence import from_labels, from_outcomes
from loopviz.tuning.graders import Entry
from loopviz.tuning.labels import Book, Label
from loopviz.tuning.pins import find_pins
from loopviz.tuning.suggest import suggest
from loopviz.tuning.sweep import JUDGED, sweep
from loopviz.ui.choice import Choice
from loopviz.ui.runs_judged import all_runs, judge
from loopviz.ui.tune.judging import Said, current_pins, current_score
from loopviz.ui.tune.keeping import Kept
from loopviz.ui.tune.state import Tuned
from tests.ui.libraries import library_of

LabelRuns = Callable[[Trajectory], Iterable[Label]]


def grader(max: int, *, name: str = "no-loops", on: bool = True, **settings: Any) -> Entry:
    """A grader of the candidate."""
    return Entry(name=name, settings=MaxRepeatSettings(max=max, **settings), on=on)


def tuned_of(folder: Path, records: Iterable[dict[str, Any]], *entries: Entry, chosen: int = 0) -> Tuned:
    """The trials under their own graders, and under some of the candidate."""
    opened = all_runs(library_of(folder, records))
    found = [sweep(opened.runs, entry.settings.tools) for entry in entries]
    reasons = tuple(next(filter(None, each), JUDGED) for each in zip(*(one.reasons for one in found), strict=True))
    return Tuned(
        opened=opened,
        judged=judge(opened.runs, None, Choice()),
        entries=entries,
        chosen=chosen,
        sweeps=tuple(replace(one, reasons=reasons) for one in found),
    )


def nobody(_: Trajectory) -> Sequence[Label]:
    """Says nothing of any run."""
    return ()


def said_of(tuned: Tuned, label: LabelRuns = nobody, *, outcomes: bool = False) -> Said:
    """What is said of the runs: by `label`, or by how they ended."""
    runs = tuned.opened.runs
    labels = tuple(tuple(label(each)) for each in runs.trajectories)
    evidence = tuple(from_outcomes(runs, one) if outcomes else from_labels(runs, one, labels) for one in tuned.sweeps)
    pins = tuple(find_pins(runs, one, labels) for one in tuned.sweeps)
    return Said(
        kept=Kept(Book(), Applied(labels, (), (), ())),
        labels=labels,
        evidence=evidence[tuned.chosen],
        of_each=evidence,
        pins=pins[tuned.chosen],
        pins_of_each=pins,
        now=current_score(tuned, evidence[tuned.chosen], labels),
        pins_now=current_pins(tuned, pins[tuned.chosen]),
        suggestion=suggest(evidence[tuned.chosen], pins[tuned.chosen], tuned.swept.tools),
        can_stand_in=any(each.outcome is not None for each in runs.trajectories),
    )
