"""Which max-repeat grader is on screen: the person's own, one that the run recorded, or Vally's example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from loopviz.analysis.overview import Graders, NamedGrader
from loopviz.analysis.recorded import recorded_for, recorded_results
from loopviz.config import Config, graders_for
from loopviz.detectors.max_repeat import NAME
from loopviz.evalspec import GraderSpec, read_stimulus
from loopviz.model import GraderResult, Trajectory
from loopviz.settings import MaxRepeatSettings
from loopviz.ui.choice import EXAMPLE, Choice

From = Literal["own", "recorded", "spec", "example"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The grader on screen and where it comes from."""

    name: str
    settings: MaxRepeatSettings
    source: From
    recorded: GraderResult | None
    """What the file says of it."""
    specs: tuple[GraderSpec, ...]
    """Every max-repeat grader of the run, refused ones included."""
    place: int = 0
    """Which of them is shown."""
    refused: str | None = None
    """Why the one chosen cannot be used."""

    @property
    def comparable(self) -> bool:
        """Whether what the file says was said of these settings, so that another verdict here is a disagreement."""
        return bool(self.specs) and self.specs[self.place].settings == self.settings


def grader_shown(trajectory: Trajectory, spec: Config | None, choice: Choice) -> Shown:
    """The grader to show for a run."""
    specs = run_graders(trajectory, spec)
    if choice.own is not None:
        return Shown(
            name=NAME,
            settings=choice.own,
            source="own",
            recorded=_said(trajectory, specs, choice),
            specs=specs,
            place=max(0, min(choice.grader, len(specs) - 1)),
        )
    if not specs:
        return Shown(name=NAME, settings=EXAMPLE, source="example", recorded=_said(trajectory, specs, choice), specs=())
    place = min(choice.grader, len(specs) - 1)
    chosen = specs[place]
    return Shown(
        name=chosen.name,
        settings=chosen.settings or EXAMPLE,
        source=source_of(trajectory, spec),
        recorded=recorded_for(trajectory, chosen.name, place, len(specs), chosen.type),
        specs=specs,
        place=place,
        refused=str(chosen.error or chosen.not_judged or "") or None,
    )


def _said(trajectory: Trajectory, specs: tuple[GraderSpec, ...], choice: Choice) -> GraderResult | None:
    """What the file says, held beside settings that may be others than those it was said of.

    Of several verdicts one is taken only for the very settings that it was said of.
    """
    place = min(choice.grader, len(specs) - 1)
    if specs and (len(specs) == 1 or choice.own == specs[place].settings):
        return recorded_for(trajectory, specs[place].name, place, len(specs), specs[place].type)
    results = recorded_results(trajectory)
    return results[0] if len(results) == 1 else None


def run_graders(trajectory: Trajectory, spec: Config | None) -> tuple[GraderSpec, ...]:
    """The max-repeat graders of a run: those of its stimulus in an eval spec given beside it, else as it recorded them.

    A run that records only the grader's sibling is judged by that, in the form that asks the same question.
    """
    return _of_spec(trajectory, spec) or _of_run(trajectory)


def source_of(trajectory: Trajectory, spec: Config | None) -> From:
    """Where `run_graders` finds them."""
    if _of_spec(trajectory, spec):
        return "spec"
    return "recorded" if _of_run(trajectory) else "example"


def _of_spec(trajectory: Trajectory, spec: Config | None) -> tuple[GraderSpec, ...]:
    if spec is None:
        return ()
    return graders_for(spec, stimulus=trajectory.stimulus, prompt=trajectory.prompt).graders


def _of_run(trajectory: Trajectory) -> tuple[GraderSpec, ...]:
    graders = graders_for(None, recorded=trajectory.stimulus_spec).graders
    siblings = read_stimulus(trajectory.stimulus_spec).siblings
    return graders or tuple(one for one in siblings if one.settings is not None)


def graders_in_force(trajectory: Trajectory, spec: Config | None, choice: Choice) -> Graders:
    """The graders that a run is judged by in a list of runs; Vally's example where it has none."""
    if choice.own is not None:
        same = [g.settings for g in run_graders(trajectory, spec)] == [choice.own]
        return (NamedGrader(NAME, choice.own, comparable=same),)
    usable = [NamedGrader(g.name, g.settings) for g in run_graders(trajectory, spec) if g.settings is not None]
    return tuple(usable) or (NamedGrader(NAME, EXAMPLE, comparable=False),)
