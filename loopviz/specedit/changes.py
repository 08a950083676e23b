"""What to change in a spec: which graders take which settings."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from loopviz.evalspec import EvalSpec, GraderSpec, Stimulus
from loopviz.settings import MaxRepeatSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Grader:
    """A max-repeat grader to write."""

    settings: MaxRepeatSettings
    name: str | None = None
    """As Vally takes it (`name_problem`); None for one without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """New settings for one grader of one stimulus, or one more grader for it."""

    stimulus: int
    """Its place among the stimuli of the spec, from 0."""
    grader: int | None
    """Its place among all graders of the stimulus, from 0 (`GraderSpec.index`); None adds one."""
    settings: MaxRepeatSettings
    name: str | None = None
    """Of a grader that is added; the others keep theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """Which graders of a spec take the settings of which candidate."""

    changes: tuple[Change, ...] = ()
    left_out: tuple[str, ...] = ()
    """What found no place, in sentences."""
    kept: tuple[str, ...] = ()
    """Which other graders the chosen stimuli have, which then judge beside the candidate, in sentences."""

    @property
    def is_whole(self) -> bool:
        """Whether the chosen stimuli would judge as the candidate does, and by nothing else."""
        return not self.left_out and not self.kept


def match(
    spec: EvalSpec,
    graders: Sequence[Grader],
    *,
    stimuli: Container[str | None],
    add: bool = False,
    replace: bool = False,
) -> Matched:
    """Find for each stimulus the graders that candidates take the place of.

    A candidate goes to the grader of its name. The only candidate goes to the only max-repeat grader there is.

    Args:
        spec: The spec as it stands.
        graders: The candidates.
        stimuli: The names of the stimuli to change.
        add: Add what finds no place.
        replace: Let the first of several that find no place take that of the only grader of another name.
    """
    changes: list[Change] = []
    left_out: list[str] = []
    kept: list[str] = []
    for place, stimulus in enumerate(spec.stimuli):
        if stimulus.name in stimuli:
            pairs, free = _pairs(stimulus, graders, replace=replace)
            kept += [_also(stimulus, place, one) for one in free]
            for grader, found in pairs:
                if found is not None or add:
                    index = None if found is None else found.index
                    name = grader.name if found is None else None
                    changes.append(Change(stimulus=place, grader=index, settings=grader.settings, name=name))
                else:
                    left_out.append(_missing(stimulus, place, grader))
    return Matched(changes=tuple(changes), left_out=tuple(left_out), kept=tuple(kept))


def _pairs(
    stimulus: Stimulus, graders: Sequence[Grader], *, replace: bool
) -> tuple[list[tuple[Grader, GraderSpec | None]], list[GraderSpec]]:
    """Each candidate with the grader whose place it takes, and the graders of the stimulus that are left."""
    free = list(stimulus.graders)
    found: list[GraderSpec | None] = []
    for grader in graders:
        named = next((one for one in free if grader.name is not None and one.given_name == grader.name), None)
        if named:
            free.remove(named)
        found.append(named)
    is_alone = len(graders) == len(stimulus.graders) == 1
    if None in found and len(free) == 1 and (is_alone or replace):
        found[found.index(None)] = free.pop()
    return list(zip(graders, found, strict=True)), free


def _also(stimulus: Stimulus, place: int, grader: GraderSpec) -> str:
    named = "a grader without a name" if grader.given_name is None else repr(grader.given_name)
    return f"{stimulus_name(stimulus, place)} also keeps {named}, which is none of the candidate's."


def _missing(stimulus: Stimulus, place: int, grader: Grader) -> str:
    where = stimulus_name(stimulus, place)
    if not stimulus.graders:
        return f"{where} has no max-repeat grader."
    named = "is to be changed without a name" if grader.name is None else f"is named {grader.name!r}"
    n = len(stimulus.graders)
    return f"{where} has {n} max-repeat grader{'' if n == 1 else 's'}, and none {named}."


def stimulus_name(stimulus: Stimulus, place: int) -> str:
    """A stimulus as a person would say it."""
    return f"stimulus {place + 1}" if stimulus.name is None else f"stimulus {stimulus.name!r}"
