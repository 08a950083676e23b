"""The runs on the page and the verdict on each, under the settings that this session has chosen."""

from __future__ import annotations

import gc
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loopviz.analysis.overview import Graders, NamedGrader, Overview, survey
from loopviz.analysis.runset import Recent, RunSet
from loopviz.config import Config
from loopviz.detectors.max_repeat import MaxRepeat, MaxRepeatFinding
from loopviz.model import Json, Trajectory
from loopviz.patterns import PatternError
from loopviz.timeline.words import number
from loopviz.ui.choice import Choice
from loopviz.ui.graders import From, graders_in_force, run_graders, source_of
from loopviz.ui.library import Library
from loopviz.ui.loading import Loading, Meter, awaited
from loopviz.ui.runs_facts import facts_of

MOST_KEPT = 24
"""What the page has made of an answer and is kept: sentences, charts of both themes, orders of the table."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Opened:
    """The runs on the page: all that are open, or some of them."""

    library: Library
    runs: RunSet
    members: Sequence[int]
    """Place in the library of each run."""

    def key(self, run: int) -> str:
        """What a link calls a run."""
        return self.library.key(self.members[run])


def all_runs(library: Library) -> Opened:
    """Every run that is open."""
    return Opened(library=library, runs=library.runs, members=range(len(library.trajectories)))


def runs_of_file(library: Library, file: str) -> Opened:
    """The runs of one file; none where no file has that name."""
    members = [index for index, run in enumerate(library.trajectories) if run.source.name == file]
    runs = library.runs.kept.get(("file", file), lambda: RunSet([library.trajectories[index] for index in members]))
    return Opened(library=library, runs=runs, members=members)


@dataclass(frozen=True, kw_only=True, eq=False)
class Judged:
    """What is found in the runs; everything here is in their order."""

    runs: RunSet
    choice: Choice
    graders: tuple[Graders, ...]
    sources: tuple[From, ...]
    """Where the graders of each run come from."""
    places: tuple[dict[str, int], ...]
    """Where each of the graders stands among all that the run has, by name."""
    unusable: tuple[bool, ...]
    """Runs whose own graders are refused or not judged here, so that others stand in."""
    refused: dict[int, str]
    """Runs whose tool patterns were refused on the way, with the reason."""
    overview: Overview
    kept: Recent[Any] = field(default_factory=lambda: Recent(MOST_KEPT))
    """What the page makes of this answer, for as long as it is kept."""

    @property
    def trajectories(self) -> tuple[Trajectory, ...]:
        """The runs themselves."""
        return self.runs.trajectories

    def why_not(self, run: int) -> str:
        """Why a run could not be judged."""
        return self.trajectories[run].not_judged or self.refused.get(run, "no grader is in force")

    def grader(self, run: int) -> NamedGrader | None:
        """The grader that decides on a run: the one nearest to its limit, or furthest over it."""
        place = int(self.overview.deciding[run])
        return self.graders[run][place] if place >= 0 else None

    def place(self, run: int) -> int:
        """Where the deciding grader stands among those of the run, from 0."""
        grader = self.grader(run)
        return 0 if grader is None else self.places[run].get(grader.name, 0)

    def engine(self, run: int) -> MaxRepeat | None:
        """max-repeat under the tool filter of the deciding grader."""
        grader = self.grader(run)
        return None if grader is None else self.runs.max_repeat(grader.settings.tools, self.choice.unknown)

    def finding(self, run: int) -> MaxRepeatFinding | None:
        """Everything max-repeat says of one run; dear, so for the few that are shown in words."""
        grader, engine = self.grader(run), self.engine(run)
        return None if grader is None or engine is None else engine.judge(run, grader.settings)


def judged_first(opened: Opened, choice: Choice) -> Judged:
    """Judge the runs for the first time; where they are many the page says so meanwhile, and the script ends here."""

    def work(_: Meter) -> Judged:
        judged = judge(opened.runs, opened.library.spec, choice)
        facts_of(opened.runs).by_name  # noqa: B018  (the names' order takes as long)
        gc.freeze()  # as after reading: see `loopviz.ui.library`
        return judged

    first: Loading[Judged] = opened.runs.kept.get("first judged", lambda: Loading(work, Meter([])))
    if not first.failed:
        awaited(first, f"Judging {number(len(opened.runs))} runs…")
    return judge(opened.runs, opened.library.spec, choice)


def judge(runs: RunSet, spec: Config | None, choice: Choice) -> Judged:
    """Judge the runs by the settings in force; the last few answers are kept beside the runs."""
    key = ("judged", choice.own, choice.guards, choice.unknown)
    judged: Judged = runs.kept.get(key, lambda: _judge(runs, spec, choice))
    return judged


def _judge(runs: RunSet, spec: Config | None, choice: Choice) -> Judged:
    own = _Graders(spec, choice)
    found = [own.of(trajectory) for trajectory in runs.trajectories]
    graders, refused = _without_refused(runs, [one.graders for one in found])
    return Judged(
        runs=runs,
        choice=choice,
        graders=graders,
        places=tuple(one.places for one in found),
        sources=tuple(one.source for one in found),
        unusable=tuple(one.unusable for one in found),
        refused=refused,
        overview=survey(runs, graders, choice.guards, choice.unknown),
    )


def graders_of(runs: RunSet, spec: Config | None, choice: Choice) -> tuple[Graders, ...]:
    """The graders that judge each run under the settings in force; those whose tool patterns are refused left out."""
    own = _Graders(spec, choice)
    return _without_refused(runs, [own.of(trajectory).graders for trajectory in runs.trajectories])[0]


@dataclass(frozen=True, slots=True)
class _InForce:
    graders: Graders
    source: From
    places: dict[str, int]
    unusable: bool


class _Graders:
    """Works out the graders of a run once for all runs whose files say the same of them."""

    def __init__(self, spec: Config | None, choice: Choice) -> None:
        self._spec = spec
        self._choice = choice
        self._recorded: dict[int, Hashable] = {}
        self._known: dict[Hashable, _InForce] = {}

    def of(self, trajectory: Trajectory) -> _InForce:
        asked = (trajectory.stimulus, trajectory.prompt) if self._spec else None
        key = (self._recorded_graders(trajectory.stimulus_spec), asked)
        if key not in self._known:
            self._known[key] = self._work_out(trajectory)
        return self._known[key]

    def _recorded_graders(self, stimulus: Json) -> Hashable:
        """What tells the graders that a stimulus records from others; trials often share all that is said of it."""
        known = self._recorded.get(id(stimulus))
        if known is None:
            listed = stimulus.get("graders") if isinstance(stimulus, Mapping) else None
            try:
                known = repr(listed)
            except RecursionError:
                known = id(listed)
            self._recorded[id(stimulus)] = known
        return known

    def _work_out(self, trajectory: Trajectory) -> _InForce:
        graders = graders_in_force(trajectory, self._spec, self._choice)
        if self._choice.own is not None:
            return _InForce(graders, "own", {}, False)
        recorded = run_graders(trajectory, self._spec)
        usable = any(grader.settings is not None for grader in recorded)
        source: From = source_of(trajectory, self._spec) if usable else "example"
        places = {grader.name: place for place, grader in enumerate(recorded)}
        return _InForce(graders, source, places, bool(recorded) and not usable)


def _without_refused(runs: RunSet, graders: Sequence[Graders]) -> tuple[tuple[Graders, ...], dict[int, str]]:
    """Leave out graders whose tool patterns are refused only when they run, so that the others are judged."""
    distinct = {id(own): own for own in graders}
    filters = dict.fromkeys(grader.settings.tools for own in distinct.values() for grader in own)
    reasons: dict[tuple[str, ...] | None, str] = {}
    for tools in filters:
        try:
            runs.watched(tools)
        except PatternError as error:
            reasons[tools] = str(error)
    if not reasons:
        return tuple(graders), {}
    kept = tuple(tuple(grader for grader in own if grader.settings.tools not in reasons) for own in graders)
    refused = {
        run: next(reasons[grader.settings.tools] for grader in own if grader.settings.tools in reasons)
        for run, own in enumerate(graders)
        if len(kept[run]) < len(own)
    }
    return kept, refused
