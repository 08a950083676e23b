"""What to change in a spec: which graders take which settings."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
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


def match(spec: EvalSpec, graders: Sequence[Grader], *, stimuli: Container[str | None], add: bool = False) -> Matched:
    """Find for each stimulus the graders that candidates take the place of.

    A candidate goes to the grader of its name. The only candidate goes to the only max-repeat grader there is.

    Args:
        spec: The spec as it stands.
        graders: The candidates.
        stimuli: The names of the stimuli to change.
        add: Add what finds no place.
    """
    changes: list[Change] = []
    left_out: list[str] = []
    for place, stimulus in enumerate(spec.stimuli):
        if stimulus.name in stimuli:
            for grader, found in _pairs(stimulus, graders):
                if found is not None or add:
                    index = None if found is None else found.index
                    name = grader.name if found is None else None
                    changes.append(Change(stimulus=place, grader=index, settings=grader.settings, name=name))
                else:
                    left_out.append(_missing(stimulus, place, grader))
    return Matched(changes=tuple(changes), left_out=tuple(left_out))


def _pairs(stimulus: Stimulus, graders: Sequence[Grader]) -> Iterator[tuple[Grader, GraderSpec | None]]:
    free = list(stimulus.graders)
    only = free[:1] if len(graders) == len(free) == 1 else []
    for grader in graders:
        named = [one for one in free if grader.name is not None and one.given_name == grader.name]
        found = next(iter(named + only), None)
        if found:
            free.remove(found)
        yield grader, found


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
