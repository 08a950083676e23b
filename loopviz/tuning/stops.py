"""What a wrong stop would cost: runs that ended well, cut at the first call at which a setting could tell.

max-repeat never intervenes; this is what a guard with the same setting would have done at most.

Source: SPEC, section 4, "After the stop point"; the outcome is the one that each run records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from loopviz.analysis.runset import RunSet
from loopviz.detectors.after_stop import after_call
from loopviz.detectors.core.steps import Unknown
from loopviz.model import IntArray
from loopviz.settings import MaxRepeatSettings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cost:
    """Runs that ended well and would fail, and what came after the first call at which that could be told."""

    n_well: int
    """Runs that count and ended well."""
    run: IntArray
    """Those of them that would fail, shape (n,)."""
    call: IntArray
    """First detectable call of each, from 0 within the run, shape (n,)."""
    calls: int
    """Calls after that point, in sum."""
    tokens: int | None
    """Of the runs that record any; None where none does."""
    cost: float | None
    n_with_tokens: int
    n_with_cost: int


def cost_of(
    runs: RunSet,
    fails: IntArray,
    settings: Callable[[int], Sequence[MaxRepeatSettings]],
    unknown: Unknown = "equal",
    *,
    n_well: int,
) -> Cost:
    """What stopping some runs would have cut.

    Args:
        runs: All runs.
        fails: The runs that ended well and fail, shape (n,).
        settings: Those of each run, one of which fails it at least.
        unknown: Whether values that nobody recorded equal each other or nothing.
        n_well: How many runs ended well, failing or not.
    """
    calls = _first_calls(runs, fails, settings, unknown)
    after = [after_call(runs.trajectories[run], call) for run, call in zip(fails.tolist(), calls, strict=True)]
    tokens = [one.tokens for one in after if one.tokens is not None]
    costs = [one.cost for one in after if one.cost is not None]
    return Cost(
        n_well=n_well,
        run=fails,
        call=np.array(calls, dtype=np.int64),
        calls=sum(one.calls for one in after),
        tokens=sum(tokens) if tokens else None,
        cost=sum(costs) if costs else None,
        n_with_tokens=len(tokens),
        n_with_cost=len(costs),
    )


def _first_calls(
    runs: RunSet, fails: IntArray, settings: Callable[[int], Sequence[MaxRepeatSettings]], unknown: Unknown
) -> list[int]:
    """The call of each run at which the first of its graders can tell that it fails."""
    known: dict[MaxRepeatSettings, IntArray] = {}
    first = []
    for run in fails.tolist():
        calls = []
        for one in settings(run):
            if one not in known:
                known[one] = runs.max_repeat(one.tools, unknown).first_failing_calls(one)
            calls.append(int(known[one][run]))
        first.append(min(call for call in calls if call >= 0))
    return first
