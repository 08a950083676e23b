"""Some loaded runs, and every detector's answers about them, each computed once.

What a setting does not touch is kept: fingerprints outlive a change of `max`, period or match mode, and the score of
two actions outlives a change of thresholds. The last few tool filters are kept too, so that going back costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from loopviz import patterns
from loopviz.analysis.near_repeats import NearRepeats
from loopviz.analysis.seen import Described, SeenBefore, describe, find_seen
from loopviz.detectors.core.columns import Columns, lay_out
from loopviz.detectors.core.similarity import Similarity
from loopviz.detectors.core.steps import Unknown
from loopviz.detectors.escalation import EscalationFindings, Stretches, climb, find_stretches
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.detectors.thrash import Keys, ThrashFindings, make_keys, simulate
from loopviz.model import BoolArray, Trajectory
from loopviz.settings import EscalationSettings, ThrashSettings

Tools = tuple[str, ...] | None
"""A tool filter: patterns, any of which may match, or None for every tool."""

Value = TypeVar("Value")
KEPT = 6
"""Answers of a kind that are kept."""


class Recent(Generic[Value]):
    """The answers to the last few questions; a question older than that is answered anew."""

    def __init__(self, size: int = KEPT) -> None:
        self._size = size
        self._answers: dict[Hashable, tuple[Value]] = {}

    def get(self, key: Hashable, answer: Callable[[], Value]) -> Value:
        """The kept answer for `key`, or the one that `answer` gives now.

        Several sessions share a set. Each step is one that threads cannot tear, so two that ask at once may both
        work, and both get the same answer.
        """
        kept = self._answers.pop(key, None)
        value = answer() if kept is None else kept[0]
        self._answers[key] = (value,)
        while len(self._answers) > self._size:
            self._answers.pop(next(iter(self._answers)), None)
        return value


class RunSet:
    """Runs laid end to end, in the order given; a run is named by its place in that order."""

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        self.trajectories = tuple(trajectories)
        self.kept: Recent[Any] = Recent()
        """Answers that depend on no setting, for whoever computes them."""
        self._matched: Recent[BoolArray] = Recent()
        self._watched: Recent[BoolArray] = Recent()
        self._max_repeat: Recent[MaxRepeat] = Recent()
        self._seen: Recent[SeenBefore] = Recent()
        self._described: Recent[Described] = Recent()
        self._near: Recent[NearRepeats] = Recent()
        self._similarity: Recent[Similarity] = Recent(2)
        self._escalation: Recent[EscalationFindings] = Recent()
        self._thrash: Recent[ThrashFindings] = Recent()
        self._stretches: Recent[Stretches] = Recent()
        self._thrash_keys: Recent[Keys] = Recent()

    def __len__(self) -> int:
        return len(self.trajectories)

    @cached_property
    def columns(self) -> Columns:
        """The calls of all runs as columns."""
        return lay_out(self.trajectories)

    def watched(self, tools: Tools) -> BoolArray:
        """Whether each call passes a tool filter, shape (n_calls,).

        Raises:
            PatternError: if a pattern is refused, or runs for longer than a second.
        """
        return self._watched.get(tools, lambda: self._watch(tools))

    def _watch(self, tools: Tools) -> BoolArray:
        if tools is None:
            return np.ones(self.columns.n_calls, dtype=np.bool_)
        return self._matching(tools)[self.columns.tool]

    def _matching(self, tools: tuple[str, ...]) -> BoolArray:
        """Whether each tool's name matches any of some patterns, shape (n_tools,)."""
        return self._matched.get(tools, lambda: np.array(patterns.matching(self.columns.tools, tools), dtype=np.bool_))

    def max_repeat(self, tools: Tools, unknown: Unknown = "equal") -> MaxRepeat:
        """max-repeat under one tool filter."""
        return self._max_repeat.get((tools, unknown), lambda: MaxRepeat(self.columns, self.watched(tools), unknown))

    def seen(self, tools: Tools) -> SeenBefore:
        """What each watched call repeats."""
        return self._seen.get(tools, lambda: find_seen(self.columns, self.watched(tools)))

    def described(self, tools: Tools) -> Described:
        """The same in figures, of a set that holds one run."""
        return self._described.get(tools, lambda: describe(self.columns, self.watched(tools), self.seen(tools)))

    def near(self, tools: Tools) -> NearRepeats:
        """Which calls are the same but for a little, of a set that holds one run; found when they are asked for."""
        return self._near.get(tools, lambda: NearRepeats(self.columns, self.watched(tools)))

    def escalation(
        self, settings: EscalationSettings, tools: Tools = None, unknown: Unknown = "equal"
    ) -> EscalationFindings:
        """The ladder, simulated over every run."""
        key = (settings, tools, unknown)
        return self._escalation.get(key, lambda: climb(self._find_stretches(*key), settings))

    def _find_stretches(self, settings: EscalationSettings, tools: Tools, unknown: Unknown) -> Stretches:
        similarity = self._similarity.get(settings.tokens, lambda: Similarity(self.columns, settings.tokens))
        return self._stretches.get(
            (tools, unknown, settings.similarity, settings.same_tool, settings.tokens),
            lambda: find_stretches(self.columns, self.watched(tools), settings, similarity, unknown),
        )

    def thrash(self, settings: ThrashSettings, tools: Tools = None, unknown: Unknown = "equal") -> ThrashFindings:
        """The thrash detector, simulated over every run."""
        key = (settings, tools, unknown)
        return self._thrash.get(key, lambda: self._simulate_thrash(*key))

    def _simulate_thrash(self, settings: ThrashSettings, tools: Tools, unknown: Unknown) -> ThrashFindings:
        keys = self._thrash_keys.get(
            (settings.ignore_args, settings.schemas), lambda: make_keys(self.columns, settings)
        )
        finish = self._matching(settings.finish_tools) if settings.finish_tools else None
        return simulate(self.columns, self.watched(tools), finish, settings, keys, unknown)
