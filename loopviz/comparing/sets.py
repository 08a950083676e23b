"""Two sets of runs: which runs belong together, and what became of each: newly failing, passing again, still failing.

Runs belong together when they are of one stimulus, trial, variant and model, but for that by which the two sets are
told apart. Where several runs of a set bear all these names, the first goes with the first, the second with the second.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath

from loopviz.model import Trajectory

Name = tuple[str, ...]
By = str


class Fate(Enum):
    """What became of a run from A to B."""

    NEWLY_FAILING = "newly failing"
    PASSING_AGAIN = "passing again"
    STILL_FAILING = "still failing"
    STILL_PASSING = "passing in both"
    NOT_JUDGED = "not judged in one of them"
    ONLY_A = "only in A"
    ONLY_B = "only in B"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """A run of A and the one of B that belongs to it, by their places among all runs; None where there is none."""

    a: int | None
    b: int | None
    fate: Fate


WAYS: Mapping[By, Callable[[Trajectory], str | None]] = {
    "file": lambda run: run.source.name,
    "folder": lambda run: str(PurePath(run.source.name).parent),
    "eval": lambda run: run.eval_name,
    "variant": lambda run: run.variant,
    "model": lambda run: run.model,
}
"""What may tell two sets apart, the most natural first: last night and tonight are two files, or two folders."""
SHORT: Mapping[By, str] = {
    "file": "file",
    "folder": "folder",
    "eval": "eval name",
    "variant": "variant",
    "model": "model",
}


def values_of(runs: Sequence[Trajectory], by: By) -> dict[str, list[int]]:
    """The runs, by their places, of each set that a way tells apart; by start, those without one first."""
    sets: dict[str, list[int]] = defaultdict(list)
    for place, run in enumerate(runs):
        value = WAYS[by](run)
        if value is not None:
            sets[value].append(place)
    starts = {name: start_of([runs[place] for place in places]) for name, places in sets.items()}
    return {name: sets[name] for name in sorted(sets, key=lambda name: starts[name] or 0.0)}


def start_of(runs: Sequence[Trajectory]) -> float | None:
    """When the first of some runs began, in seconds since the epoch."""
    return min((run.started_s for run in runs if run.started_s is not None), default=None)


def ways_of(runs: Sequence[Trajectory]) -> list[By]:
    """The ways that tell at least two sets apart."""
    return [by for by, read in WAYS.items() if len({read(run) for run in runs} - {None}) > 1]


def pair_up(
    runs: Sequence[Trajectory], a: Sequence[int], b: Sequence[int], by: By, passed: Callable[[int], bool | None]
) -> list[Paired]:
    """Find what became of every run of either set.

    Args:
        runs: All runs.
        a: Places of the runs of A.
        b: Places of the runs of B.
        by: What tells the sets apart, which is left out of the names.
        passed: The verdict on the run of a place; None where it cannot be judged.
    """
    named = [_by_name(runs, places, by) for places in (a, b)]
    names = dict.fromkeys([*named[0], *named[1]])
    pairs = []
    for name in names:
        one, other = named[0].get(name), named[1].get(name)
        pairs.append(Paired(a=one, b=other, fate=_fate(one, other, passed)))
    return pairs


def _by_name(runs: Sequence[Trajectory], places: Sequence[int], by: By) -> dict[Name, int]:
    found: dict[Name, int] = {}
    count: dict[Name, int] = defaultdict(int)
    for place in places:
        name = name_of(runs[place], by)
        found[*name, str(count[name])] = place
        count[name] += 1
    return found


def name_of(run: Trajectory, by: By) -> Name:
    """What a run is called in either set."""
    name = run.stimulus or run.run
    parts = {
        "eval": run.eval_name if run.stimulus else None,
        "trial": None if run.trial is None else str(run.trial),
        "variant": run.variant,
        "model": run.model,
    }
    return name, *(part or "" for key, part in parts.items() if key != by)


def _fate(a: int | None, b: int | None, passed: Callable[[int], bool | None]) -> Fate:
    if a is None or b is None:
        return Fate.ONLY_B if a is None else Fate.ONLY_A
    before, after = passed(a), passed(b)
    if before is None or after is None:
        return Fate.NOT_JUDGED
    if before == after:
        return Fate.STILL_PASSING if after else Fate.STILL_FAILING
    return Fate.PASSING_AGAIN if after else Fate.NEWLY_FAILING
