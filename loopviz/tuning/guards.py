"""How many runs each setting of the live guards would reach: a table for the ladder, and one for thrash."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from loopviz.analysis.runset import RunSet, Tools
from loopviz.detectors.core.steps import Unknown
from loopviz.model import BoolArray, IntArray
from loopviz.settings import EscalationSettings, ThrashSettings, changed

NEVER = 1_000_000_000
"""More identical calls than any run has: thrash then counts to the end."""


def ladder_reach(
    runs: RunSet,
    settings: EscalationSettings,
    similarities: Sequence[float],
    lengths: IntArray,
    counts: BoolArray,
    *,
    tools: Tools = None,
    unknown: Unknown = "equal",
) -> IntArray:
    """How many runs hold a stretch of similar actions of each length, shape (n_similarities, n_lengths).

    Args:
        runs: The runs.
        settings: Of the ladder, but for its similarity.
        similarities: Values of that, a row each.
        lengths: Lengths at which a level might fire.
        counts: Which runs count, shape (n_runs,).
        tools: The tool filter.
        unknown: Whether values that nobody recorded equal each other or nothing.
    """
    longest = [
        runs.escalation(changed(settings, similarity=similarity), tools, unknown).longest_stretch
        for similarity in similarities
    ]
    return _reached(longest, lengths, counts)


def thrash_reach(
    runs: RunSet,
    settings: ThrashSettings,
    times: IntArray,
    counts: BoolArray,
    *,
    tools: Tools = None,
    unknown: Unknown = "equal",
) -> IntArray:
    """How many runs hold so many identical calls: in a row, and in the whole run; shape (2, n_times).

    The rules on empty outputs and on two calls in turn are left out: they do not depend on the number.
    """
    highest = [
        runs.thrash(
            changed(settings, n=NEVER, scope=scope, ping_pong=False).model_copy(update={"empty_retry": None}),
            tools,
            unknown,
        ).count
        for scope in ("consecutive", "run")
    ]
    return _reached(highest, times, counts)


def _reached(figures: Sequence[IntArray], thresholds: IntArray, counts: BoolArray) -> IntArray:
    rows = [(own[counts][:, None] >= thresholds).sum(axis=0) for own in figures]
    return np.array(rows, dtype=np.int64).reshape(len(figures), len(thresholds))
