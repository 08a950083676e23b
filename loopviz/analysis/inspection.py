"""One run under one set of settings: everything the detectors find in it, held together."""

from __future__ import annotations

from dataclasses import dataclass, field

from loopviz.analysis.hollow import Hollow, find_hollow
from loopviz.analysis.near_repeats import NearRepeats
from loopviz.analysis.runset import RunSet, Tools
from loopviz.analysis.seen import Described, SeenBefore
from loopviz.analysis.unknown import Caution, caution
from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.core.steps import MATCHES, Unknown
from loopviz.detectors.escalation import EscalationFindings
from loopviz.detectors.max_repeat import MaxRepeat, MaxRepeatFinding
from loopviz.detectors.thrash import ThrashFindings
from loopviz.model import Trajectory
from loopviz.settings import EscalationSettings, MaxRepeatSettings, ThrashSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardSettings:
    """Settings of the two live guards."""

    escalation: EscalationSettings = field(default_factory=EscalationSettings)
    thrash: ThrashSettings = field(default_factory=ThrashSettings)
    tools: Tools = None
    """The guards' own tool filter; None for that of the grader."""


DEFAULT_GUARDS = GuardSettings()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inspection:
    """Everything known of one run, which is alone in its set."""

    trajectory: Trajectory
    grader: MaxRepeat
    finding: MaxRepeatFinding
    hollow: tuple[Hollow, ...]
    """Cycles that would be over the limit under another setting."""
    caution: Caution | None
    """Where values that nobody recorded decide."""
    seen: SeenBefore
    described: Described
    """What was seen before, in figures."""
    near: NearRepeats
    """Calls that are the same but for a little."""
    ladder: EscalationFindings
    thrash: ThrashFindings
    guards: GuardSettings
    row_order: tuple[str, ...]
    """Tools of the widest cycle under any way of "same", in its order: rows stay put when a setting moves."""


def inspect(
    runs: RunSet, settings: MaxRepeatSettings, guards: GuardSettings = DEFAULT_GUARDS, unknown: Unknown = "equal"
) -> Inspection:
    """Run all three detectors over a set that holds one run.

    Raises:
        PatternError: if a tool pattern is refused, or runs for longer than a second.
    """
    grader = runs.max_repeat(settings.tools, unknown)
    finding = grader.judge(0, settings)
    return Inspection(
        trajectory=runs.trajectories[0],
        grader=grader,
        finding=finding,
        hollow=find_hollow(grader, 0, finding),
        caution=caution(runs, grader, 0, finding),
        seen=runs.seen(settings.tools),
        described=runs.described(settings.tools),
        near=runs.near(settings.tools),
        ladder=runs.escalation(guards.escalation, guards.tools or settings.tools, unknown),
        thrash=runs.thrash(guards.thrash, guards.tools or settings.tools, unknown),
        guards=guards,
        row_order=runs.kept.get(("row order", unknown), lambda: _row_order(runs.max_repeat(None, unknown))),
    )


def _row_order(grader: MaxRepeat) -> tuple[str, ...]:
    """The tools of the cycle that spans most steps, over all tools and every way of "same"."""
    cycles = [cycle for match in MATCHES for cycle in grader.cycles(0, match, MAX_PERIOD)]
    if not cycles:
        return ()
    widest = max(cycles, key=lambda cycle: cycle.occurrences * cycle.period)
    names = [name for step in range(widest.start, widest.start + widest.period) for name in grader.step_tools(0, step)]
    return tuple(dict.fromkeys(names))
