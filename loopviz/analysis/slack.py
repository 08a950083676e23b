"""How far the settings of the guards may move in one run without any change to what the guards do there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.runset import RunSet
from loopviz.detectors.escalation import EscalationFindings
from loopviz.detectors.thrash import ThrashFindings


@dataclass(frozen=True, slots=True)
class Between:
    """The scores next to a least similarity: nothing changes while it stays above `below` and at most at `above`.

    With a threshold in there each comparison comes out as it did, so each stretch begins where it did, and the same
    pairs are compared.
    """

    below: float | None
    """The largest score that is too low; None where none is."""
    above: float | None
    """The smallest that suffices; None where none does."""


def between_scores(ladder: EscalationFindings) -> Between:
    """Find the scores of a run's comparisons on either side of the least similarity in force."""
    made = ladder.stretches.score[~np.isnan(ladder.stretches.score)]
    enough = made >= ladder.settings.similarity
    low, high = made[~enough], made[enough]
    return Between(float(low.max()) if len(low) else None, float(high.min()) if len(high) else None)


def idle_switches(runs: RunSet, inspection: Inspection) -> frozenset[str]:
    """The guards' switches that, turned over one at a time, change nothing in a run that is alone in its set."""
    guards, unknown = inspection.guards, inspection.grader.unknown
    tools = guards.tools or inspection.finding.settings.tools
    ladder, thrash = guards.escalation, guards.thrash
    idle = {
        f"escalation.{name}"
        for name, other in (
            ("same_tool", not ladder.same_tool),
            ("tokens", "word" if ladder.tokens == "space" else "space"),
        )
        if _same_ladder(inspection.ladder, runs.escalation(ladder.model_copy(update={name: other}), tools, unknown))
    }
    idle |= {
        f"thrash.{name}"
        for name, other in (
            ("scope", "run" if thrash.scope == "consecutive" else "consecutive"),
            ("ping_pong", not thrash.ping_pong),
            ("count_unexecuted", not thrash.count_unexecuted),
        )
        if _same_thrash(inspection.thrash, runs.thrash(thrash.model_copy(update={name: other}), tools, unknown))
    }
    return frozenset(idle)


def _same_ladder(one: EscalationFindings, other: EscalationFindings) -> bool:
    return np.array_equal(one.stretches.length, other.stretches.length)


def _same_thrash(one: ThrashFindings, other: ThrashFindings) -> bool:
    return one.stop(0) == other.stop(0) and np.array_equal(one.identical, other.identical)
