"""What tells a run from the others, and the facts of it in one line: size, time, tokens, cost."""

from __future__ import annotations

import math

from loopviz.model import Trajectory
from loopviz.timeline.words import number


def run_label(trajectory: Trajectory) -> str:
    """`fix-nested-quotes · trial 4 of 7 · model-b`: what tells a run from the others."""
    parts = [trajectory.stimulus or trajectory.run]
    if trajectory.trial is not None:
        of = f" of {trajectory.trials}" if trajectory.trials else ""
        parts.append(f"trial {trajectory.trial + 1}{of}")
    if trajectory.variant not in (None, "main"):
        parts.append(str(trajectory.variant))
    if trajectory.model:
        parts.append(trajectory.model)
    return " · ".join(parts)


def facts(trajectory: Trajectory) -> str:
    """Size, time, tokens and cost in one line; what the file does not say is left out."""
    tokens, cost = spent(trajectory)
    parts = [_counted(trajectory.n_turns, "turn"), _counted(len(trajectory.calls), "call")]
    if trajectory.duration_s is not None:
        parts.append(duration(trajectory.duration_s))
    if tokens is not None:
        parts.append(f"{thousands(tokens)} tokens")
    if cost is not None:
        parts.append(f"$ {cost:,.2f}")
    return " · ".join(parts)


def spent(trajectory: Trajectory) -> tuple[int | None, float | None]:
    """(input and output tokens, cost) of a run: the sum over its responses, else the recorded total.

    None where nothing is recorded, and for costs whose sum is beyond what a number can say.
    """
    counts = [
        count
        for usage in trajectory.usage
        for count in (usage.input_tokens, usage.output_tokens)
        if count is not None and count >= 0
    ]
    costs = [usage.cost for usage in trajectory.usage if usage.cost is not None and usage.cost >= 0]
    cost = sum(costs) if costs else trajectory.total_cost
    known = cost if cost is None or math.isfinite(cost) else None
    return sum(counts) if counts else trajectory.total_tokens, known


def duration(seconds: float) -> str:
    """`14 min 08 s`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"


def thousands(count: int) -> str:
    """`412 k`."""
    return number(count) if count < 10_000 else f"{number(round(count / 1000))} k"


def _counted(count: int, what: str) -> str:
    return f"{number(count)} {what}{'' if count == 1 else 's'}"
