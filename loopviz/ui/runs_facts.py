"""What the runs are called and how large they are, as columns to sort, search and filter by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np

from loopviz.analysis.runset import RunSet
from loopviz.model import FloatArray, IntArray, Trajectory
from loopviz.timeline.facts import spent


class Facts:
    """Columns over some runs, each made when it is first asked for; arrays have shape (n_runs,)."""

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        self._trajectories = trajectories
        self._ranked: dict[str, tuple[list[str], IntArray]] = {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The stimulus of each run, or what the run itself is called."""
        return tuple(t.run if t.stimulus is None else t.stimulus for t in self._trajectories)

    @cached_property
    def stimuli(self) -> tuple[str | None, ...]:
        return tuple(t.stimulus for t in self._trajectories)

    @cached_property
    def named(self) -> bool:
        """Whether any run names its stimulus."""
        return any(stimulus is not None for stimulus in self.stimuli)

    @property
    def by_name(self) -> IntArray:
        """The place of each run's name in the alphabet."""
        return self.ranks("names")

    @cached_property
    def trial(self) -> FloatArray:
        """Trial, from 0; NaN where there is none."""
        return self._numbers(lambda t: t.trial)

    @cached_property
    def has_trials(self) -> bool:
        """Whether any run is a trial of several."""
        return any(t.trial is not None for t in self._trajectories)

    @cached_property
    def models(self) -> tuple[str | None, ...]:
        return tuple(t.model for t in self._trajectories)

    @cached_property
    def statuses(self) -> tuple[str | None, ...]:
        return tuple(t.status for t in self._trajectories)

    @cached_property
    def files(self) -> tuple[str, ...]:
        return tuple(t.source.name for t in self._trajectories)

    @cached_property
    def turns(self) -> IntArray:
        return np.array([t.n_turns for t in self._trajectories], dtype=np.int64)

    @cached_property
    def calls(self) -> IntArray:
        return np.array([len(t.calls) for t in self._trajectories], dtype=np.int64)

    @cached_property
    def score(self) -> FloatArray:
        """The trial's own score; NaN where there is none."""
        return self._numbers(lambda t: t.grade.score if t.grade else None)

    @cached_property
    def tokens(self) -> FloatArray:
        """Input and output tokens; NaN where unrecorded."""
        return self._numbers(lambda t: spent(t)[0])

    @cached_property
    def cost(self) -> FloatArray:
        """NaN where unrecorded."""
        return self._numbers(lambda t: spent(t)[1])

    @cached_property
    def duration(self) -> FloatArray:
        """Seconds; NaN where unrecorded."""
        return self._numbers(lambda t: t.duration_s)

    @cached_property
    def graded(self) -> bool:
        """Whether a file records what Vally said of any run."""
        return any(t.grade is not None for t in self._trajectories)

    @cached_property
    def has_tokens(self) -> bool:
        return any(spent(t)[0] is not None for t in self._trajectories)

    @cached_property
    def has_cost(self) -> bool:
        return any(spent(t)[1] is not None for t in self._trajectories)

    @cached_property
    def threshold(self) -> float | None:
        """The score from which a trial passes, where all that record one agree."""
        given = {t.threshold for t in self._trajectories if t.threshold is not None}
        return given.pop() if len(given) == 1 else None

    def options(self, name: str) -> list[str]:
        """The distinct texts of a column, in order: of `names`, `stimuli`, `models`, `statuses` or `files`."""
        return self._rank(name)[0]

    def ranks(self, name: str) -> IntArray:
        """The place of each run's text among those; -1 where it has none."""
        return self._rank(name)[1]

    def _rank(self, name: str) -> tuple[list[str], IntArray]:
        if name not in self._ranked:
            texts: tuple[str | None, ...] = getattr(self, name)
            options = in_order(texts)
            place: dict[str | None, int] = {text: rank for rank, text in enumerate(options)}
            self._ranked[name] = options, np.array([place.get(text, -1) for text in texts], dtype=np.int64)
        return self._ranked[name]

    def _numbers(self, of: Callable[[Trajectory], float | None]) -> FloatArray:
        return np.array([np.nan if (value := of(t)) is None else value for t in self._trajectories], dtype=np.float64)


def facts_of(runs: RunSet) -> Facts:
    """The facts of some runs, kept beside them."""
    facts: Facts = runs.kept.get("facts", lambda: Facts(runs.trajectories))
    return facts


def in_order(texts: Iterable[str | None]) -> list[str]:
    """Distinct texts in the alphabet, case aside, numbers inside them by their size: `task-2`, `task-10`."""
    return sorted({text for text in texts if text is not None}, key=lambda text: (_by_parts(text.casefold()), text))


def _by_parts(text: str) -> list[tuple[int, str]]:
    """The words of a text and the numbers between them, of which the one with more digits is the larger."""
    parts = re.split(r"(\d+)", text)
    return [(len(part.lstrip("0")) if place % 2 else 0, part) for place, part in enumerate(parts)]
