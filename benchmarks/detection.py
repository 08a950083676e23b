"""Items a, b and c: reading and judging a long run, and what a change of one setting costs.

Every change starts from a warm state and leads to values that were never asked for in it. State is made anew for each
round, so that no answer of an earlier one is found again; a pattern is never used twice in one process.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from benchmarks.actions import REQUEST_ID
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Unit, seconds
from benchmarks.timing import Yardstick, timed
from loopviz.analysis.inspection import GuardSettings, Inspection, inspect
from loopviz.analysis.overview import NamedGrader, survey
from loopviz.analysis.runset import RunSet
from loopviz.detectors.max_repeat import NAME
from loopviz.model import Trajectory
from loopviz.readers import read_bytes
from loopviz.settings import EscalationSettings, MaxRepeatSettings, ThrashSettings, changed

BASE = MaxRepeatSettings(max=3, max_cycle_period=5)
GUARDS = GuardSettings()

_pattern_numbers = count()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One setting moved away from the base."""

    kind: str
    """Changes of one kind share a line of the table, where the dearest stands."""
    settings: MaxRepeatSettings = BASE
    guards: GuardSettings = GUARDS


def read_and_judge(data: bytes) -> Inspection:
    """Read one run and let every detector at it, max-repeat in every mode with every longest period."""
    runs = RunSet(read_bytes(data, "long-run.json").trajectories)
    found = inspect(runs, BASE, GUARDS)
    found.grader.grid(0)
    return found


def item_a(yardstick: Yardstick, sizes: Sizes) -> list[Row]:
    """Read the long run and judge it."""
    best = _Best()
    for _ in range(sizes.rounds):
        yardstick.read_again()
        best.enter("", timed(lambda: read_and_judge(yardstick.data))[0])
        best.round_ends()
    what = f"read {sizes.calls:,} calls, all detectors, modes and periods"
    return [best.row("a", "", what, 2.5)]


def item_b(yardstick: Yardstick, sizes: Sizes) -> list[Row]:
    """Change one setting of the long run."""
    trajectories = read_bytes(yardstick.data, "long-run.json").trajectories
    best = _Best()
    for _ in range(sizes.rounds):
        runs = _warm(trajectories)
        yardstick.read_again()
        for change in (*_quick_changes(), *_thrash_changes()):
            best.enter(change.kind, timed(partial(inspect, runs, change.settings, change.guards))[0])
        for change in _tool_changes():
            best.enter(change.kind, _ladder_aside(runs, change))
        best.round_ends()
    what = f"one run of {sizes.calls:,} calls: change {{}}".format
    return [
        *(best.row("b", kind, what(kind), 1 / 40) for kind in ("max", "period", "mode", "thrash count")),
        best.row("b", "tools", what("tools, ladder aside"), 1 / 6),
    ]


def item_c(trajectories: tuple[Trajectory, ...], yardstick: Yardstick, sizes: Sizes) -> list[Row]:
    """Change one setting of many runs."""
    best = _Best()
    for number in range(2 * sizes.rounds):
        runs = RunSet(trajectories)
        _survey(runs, Change(kind="base"))
        yardstick.read_again()
        # New filters and new thresholds both have pairs of actions compared, so neither may find the other's scores.
        compared = _tool_changes() if number % 2 else _similarity_changes()
        for change in (*_quick_changes(), *_thrash_changes(), *_ladder_changes(), *_ignoring_changes(), *compared):
            best.enter(change.kind, timed(partial(_survey, runs, change))[0])
        best.round_ends()
    what = f"{sizes.runs:,} runs of {sizes.steps}: change {{}}".format
    light, heavy = ("max", "period", "mode", "thrash count", "thresholds"), ("similarity", "tools", "ignored arguments")
    return [
        *(best.row("c", kind, what(kind), 1 / 3) for kind in light),
        *(best.row("c", kind, what(kind), 2.0) for kind in heavy),
    ]


def _warm(trajectories: tuple[Trajectory, ...]) -> RunSet:
    """A page that has been drawn once, and a pattern that has been tried once."""
    runs = RunSet(trajectories)
    inspect(runs, BASE, GUARDS)
    runs.watched((_fresh_pattern("."),))
    return runs


def _survey(runs: RunSet, change: Change) -> None:
    survey(runs, [(NamedGrader(NAME, change.settings),)] * len(runs), change.guards)


def _ladder_aside(runs: RunSet, change: Change) -> float:
    """Seconds of a change of tools without those of the ladder, which compares other neighbours than before."""
    tools = change.settings.tools
    filtering, _ = timed(lambda: runs.watched(tools))
    runs.escalation(change.guards.escalation, tools)
    rest, _ = timed(lambda: inspect(runs, change.settings, change.guards))
    return filtering + rest


def _quick_changes() -> Iterable[Change]:
    for limit in (2, 6):
        yield Change(kind="max", settings=changed(BASE, max=limit))
    for period in (1, 10):
        yield Change(kind="period", settings=changed(BASE, max_cycle_period=period))
    for match in ("name-args", "name"):
        yield Change(kind="mode", settings=changed(BASE, match=match))


def _thrash_changes() -> Iterable[Change]:
    for n in (2, 5):
        yield Change(kind="thrash count", guards=GuardSettings(thrash=ThrashSettings(n=n)))


def _ladder_changes() -> Iterable[Change]:
    for replan in (2, 4):
        ladder = EscalationSettings(replan=replan, explore=replan + 2, force_done=replan + 4)
        yield Change(kind="thresholds", guards=GuardSettings(escalation=ladder))


def _ignoring_changes() -> Iterable[Change]:
    yield Change(kind="ignored arguments", guards=GuardSettings(thrash=ThrashSettings(ignore_args=(REQUEST_ID,))))


def _similarity_changes() -> Iterable[Change]:
    for least in (0.5, 0.25):
        yield Change(kind="similarity", guards=GuardSettings(escalation=EscalationSettings(similarity=least)))


def _tool_changes() -> Iterable[Change]:
    for pattern in ("^(bash|edit)$", "^(?!fetch$)"):
        yield Change(kind="tools", settings=changed(BASE, tools=[_fresh_pattern(pattern)]))


def _fresh_pattern(pattern: str) -> str:
    """A pattern that means the same and was never asked for, since answers are remembered for the whole process."""
    return f"{pattern}|^never-{next(_pattern_numbers)}$"


@dataclass(slots=True)
class _Best:
    """The least seconds of each kind over all rounds, where a round of several values counts with its dearest."""

    least: dict[str, float] = field(default_factory=dict)
    _round: dict[str, float] = field(default_factory=dict)

    def enter(self, kind: str, value: float) -> None:
        self._round[kind] = max(value, self._round.get(kind, 0.0))

    def round_ends(self) -> None:
        for kind, value in self._round.items():
            self.least[kind] = min(value, self.least.get(kind, value))
        self._round.clear()

    def row(self, item: str, kind: str, what: str, bound: float) -> Row:
        self.round_ends()
        figure = self.least[kind]
        return Row(item=item, what=what, unit=Unit.JSON, bound=bound, figure=figure, seconds=seconds(figure))
