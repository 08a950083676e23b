"""Item d: max-repeat and thrash from columns already built, against loop detectors from PyPI on the same calls.

Each rival gets the calls beforehand in the form it wants, so only its judging is timed. What each of them looks for:

* exoclaw-loop-detection: the same call many times in a row, two calls in turn, within the last 30 calls;
* semloop: the most frequent call, and a call repeated inside its own branch, the parts that ask no model;
* agentlens-cli: the same failure again and again, a file rewritten while things fail.

None of them tries ten periods or compares outputs, and agentlens-cli looks at failures alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import inf
from typing import Any

import numpy as np

from benchmarks.actions import Action
from benchmarks.fixture import long_run, long_run_actions
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Unit, seconds
from benchmarks.timing import best_of
from loopviz.analysis.runset import RunSet
from loopviz.detectors import thrash
from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.patterns import matching
from loopviz.readers import read_bytes
from loopviz.settings import ThrashSettings

AT_LEAST = 20.0

Work = Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A detector of somebody else's."""

    package: str
    prepare: Callable[[Sequence[Action]], Work]
    """Bring calls into its form; what is returned judges them. Raises ImportError when it is not installed."""
    linear: bool = True
    """Whether its cost grows with the number of calls. Where it grows faster, fewer are given to it and its seconds are
    scaled up by their number alone: less than it would really take."""


def item_d(sizes: Sizes) -> list[Row]:
    """Judge the same calls with every detector that is installed."""
    ours = _ours(sizes.calls)
    made = list(long_run_actions(sizes.calls))
    return [_compare(rival, made, ours, sizes) for rival in RIVALS]


def _ours(n_calls: int) -> Work:
    runs = RunSet(read_bytes(long_run(n_calls), "long-run.json").trajectories)
    columns, settings = runs.columns, ThrashSettings()
    watched = np.ones(columns.n_calls, dtype=np.bool_)
    finish = np.array(matching(columns.tools, settings.finish_tools), dtype=np.bool_)

    def judge() -> None:
        MaxRepeat(columns, watched).best("name-args", MAX_PERIOD)
        thrash.simulate(columns, watched, finish, settings, thrash.make_keys(columns, settings))

    return judge


def _compare(rival: Rival, made: Sequence[Action], ours: Work, sizes: Sizes) -> Row:
    what = f"judge {len(made):,} calls, against {rival.package}"
    try:
        given = made if rival.linear else made[: sizes.rival_calls]
        work = rival.prepare(given)
    except ImportError:
        what = f"{what}: not installed (pip install {rival.package})"
        return Row(item="d", what=what, unit=Unit.FASTER, bound=AT_LEAST)
    scale = len(made) / len(given)
    ours_s = theirs_s = inf
    for _ in range(sizes.rounds):
        ours_s = min(ours_s, best_of(2, ours))
        theirs_s = min(theirs_s, best_of(2, work) * scale)
    fewer = "" if scale == 1 else f", given {len(given):,} and scaled up"
    return Row(
        item="d",
        what=f"{what} {version(rival.package)}{fewer}",
        unit=Unit.FASTER,
        bound=AT_LEAST,
        figure=theirs_s / ours_s,
        seconds=f"{seconds(theirs_s)} to {seconds(ours_s)}",
    )


def _exoclaw(made: Sequence[Action]) -> Work:
    """Its policy, asked after every call, and asked on when it would have stopped, as a look back at a whole run is."""
    from exoclaw_loop_detection import LoopDetectionConfig, LoopDetectionPolicy

    calls = [(action.tool, action.arguments) for action in made]
    config = LoopDetectionConfig(global_circuit_breaker=len(calls) + 1)

    async def judge() -> int:
        policy, stops = LoopDetectionPolicy(config), 0
        used: list[str] = []
        for number, (tool, arguments) in enumerate(calls):
            policy.record(tool, arguments)
            stops += not await policy.should_continue(number, used)
        return stops

    return lambda: asyncio.run(judge())


def _semloop(made: Sequence[Action]) -> Work:
    """Its lexical score, the part that needs no language model."""
    from semloop import Trace, lexical_loop_score

    steps = [{"type": "tool", "name": a.tool, "input": a.arguments, "output": a.result} for a in made]
    trace = Trace.from_steps("benchmark", steps)
    return lambda: lexical_loop_score(trace)


def _agentlens(made: Sequence[Action]) -> Work:
    """Its two detectors of loops within a session, with the normalised events that its own importers make."""
    from agentlens.analytics.detectors import LoopDetector, SameTargetChurnDetector

    events = [event for number, action in enumerate(made) for event in _agentlens_events(number, action)]
    detectors = (LoopDetector(), SameTargetChurnDetector())
    return lambda: [detector.run(events) for detector in detectors]


def _agentlens_events(number: int, action: Action) -> tuple[Any, Any]:
    from agentlens.schema import Event, Provider, Role, ToolInfo, normalize_tool

    def event(role: Role, place: int, **facts: Any) -> Event:
        tool = ToolInfo(kind=kind, raw_name=action.tool, target_path=action.arguments.get("path"), **facts)
        return Event("run", Provider.CLAUDE_CODE, 2 * number + place, f"2026-11-03T09:00:{number:09}", role, tool=tool)

    kind = normalize_tool(action.tool.replace("run_tests", "run_test"), action.arguments.get("command"))
    error = None if action.success else action.result
    result = event(Role.TOOL_RESULT, 1, output_bytes=len(action.result), error_text=error)
    return event(Role.TOOL_CALL, 0, input_bytes=50), result


RIVALS = (
    Rival(package="exoclaw-loop-detection", prepare=_exoclaw),
    Rival(package="semloop", prepare=_semloop),
    Rival(package="agentlens-cli", prepare=_agentlens, linear=False),
)
