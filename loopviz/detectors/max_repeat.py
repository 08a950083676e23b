"""max-repeat: did the agent repeat itself, looking back at the whole run?

The grader of Microsoft's Vally. It takes the watched calls of each turn as one counted step, and looks for a pattern of
one to ten steps whose complete copies follow each other directly. The run fails when the largest number of copies is
more than is allowed. An empty observation ends a pattern: where nothing came back, nothing is known to be the same.

    search, read, search, read, search, read
    longest pattern 1: at most 1 in a row
    longest pattern 2: search → read 3 times in a row

Why it matters: a copy takes as many calls as the steps it repeats, and under *same output* it brought back nothing
new. A run can go round in circles for most of its length and still end with a good answer, so that no other grader
objects. max-repeat looks back at the whole run and never intervenes; where a run fails, the first step at which it was
over the limit says how early the loop could be seen.

Source: SPEC, section 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.repeats import (
    MAX_PERIOD,
    NO_CYCLES,
    Cycles,
    Repeats,
    Table,
    find_cycles,
    first_over,
    tabulate,
)
from loopviz.detectors.core.steps import (
    EMPTY,
    MATCHES,
    Match,
    Steps,
    Unknown,
    build_steps,
    fingerprint,
)
from loopviz.model import BoolArray, IntArray
from loopviz.settings import MaxRepeatSettings

NAME = "max-repeat"
KEPT_CYCLES = 16
"""Answers kept: three match modes and a few longest periods of the run on screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxRepeatFinding:
    """The verdict on one run and how it came about; steps count from 0 within the run, `stop` is exclusive."""

    settings: MaxRepeatSettings
    passed: bool
    occurrences: int
    period: int | None
    start: int | None
    stop: int | None
    """Exclusive end of the complete copies of the deciding pattern."""
    first_failing_step: int | None
    first_failing_call: int | None
    """First watched call of that step, from 0 over the run's calls."""
    steps: int
    watched_calls: int
    empty_steps: int
    occurrences_without_empty: int
    """The figure if empty steps were left out."""
    occurrences_counting_empty: int
    """The figure if every empty observation were one value per tool and arguments."""
    pattern: tuple[str, ...]
    """For each step of the deciding pattern, the names of its tools."""
    cycles: Cycles
    evidence: str


def preview(pattern: tuple[str, ...]) -> str:
    """A pattern as one line: `bash → read`."""
    return " → ".join(pattern)


class MaxRepeat:
    """max-repeat over many runs under one tool filter.

    Fingerprints are computed once for each way of comparing; a change of `max`, period or match mode costs none.
    """

    def __init__(self, columns: Columns, watched: BoolArray, unknown: Unknown = "equal") -> None:
        self.columns = columns
        self.watched = watched
        self.unknown = unknown
        self._codes: dict[tuple[Match, bool], IntArray] = {}
        self._tables: dict[tuple[Match, bool], Table] = {}
        self._best: dict[tuple[Match, int], Repeats] = {}
        self._cycles: dict[tuple[int, Match, int], Cycles] = {}
        self._what_ifs: dict[tuple[int, int], tuple[int, int]] = {}

    @cached_property
    def steps(self) -> Steps:
        """The counted steps of all runs."""
        return build_steps(self.columns, self.watched)

    def codes(self, match: Match, bound: int) -> IntArray:
        """Fingerprints of all steps under one match mode and longest period, shape (n_steps,)."""
        key = (match, match == "observation" and bound > 1)
        if key not in self._codes:
            self._codes[key] = fingerprint(
                self.columns, self.steps, match=match, any_empty=key[1], unknown=self.unknown
            )
        return self._codes[key]

    def best(self, match: Match, bound: int) -> Repeats:
        """The figure of every run under one match mode and longest period."""
        if (match, bound) not in self._best:
            self._best[match, bound] = self._table(match, bound).best(bound)
        return self._best[match, bound]

    def _table(self, match: Match, bound: int) -> Table:
        key = (match, match == "observation" and bound > 1)
        if key not in self._tables:
            # A bound of 1 has fingerprints of its own in one mode, so longer periods are not asked of them.
            longest = 1 if match == "observation" and bound == 1 else MAX_PERIOD
            self._tables[key] = tabulate(self.codes(match, bound), self.steps.starts, max_period=longest)
        return self._tables[key]

    def grid(self, run: int) -> dict[Match, tuple[int, ...]]:
        """Times in a row of one run for each match mode and each longest period 1 to 10."""
        return {
            match: tuple(int(self.best(match, bound).occurrences[run]) for bound in range(1, MAX_PERIOD + 1))
            for match in MATCHES
        }

    def run_codes(self, run: int, match: Match, bound: int) -> IntArray:
        """Fingerprints of one run's steps."""
        return self.codes(match, bound)[self.steps.starts[run] : self.steps.starts[run + 1]]

    def cycles(self, run: int, match: Match, bound: int) -> Cycles:
        """The cycles of one run under one match mode and longest period; those last asked for are kept."""
        if self.best(match, bound).occurrences[run] < 2:
            return NO_CYCLES
        key = (run, match, bound)
        kept = self._cycles.get(key)
        if kept is None:
            kept = find_cycles(self.run_codes(run, match, bound), bound=bound)
        self._cycles = {**dict(list(self._cycles.items())[1 - KEPT_CYCLES :]), key: kept}
        return kept

    def judge(self, run: int, settings: MaxRepeatSettings) -> MaxRepeatFinding:
        """Judge one run; the settings' tool filter must be the one this object was made for."""
        match, bound = settings.match, settings.max_cycle_period
        codes = self.run_codes(run, match, bound)
        first_step = int(self.steps.starts[run])
        best = self.best(match, bound)
        occurrences = int(best.occurrences[run])
        period = int(best.period[run]) or None
        start = None if period is None else int(best.start[run]) - first_step
        cycles = self.cycles(run, match, bound)
        failing = cycles.first_over(settings.max)
        without, counting = self._what_if(run, match, bound, occurrences)
        pattern = () if start is None or period is None else self.pattern(run, start, period)
        return MaxRepeatFinding(
            settings=settings,
            passed=occurrences <= settings.max,
            occurrences=occurrences,
            period=period,
            start=start,
            stop=None if start is None or period is None else start + period * occurrences,
            first_failing_step=failing,
            first_failing_call=None if failing is None else self.first_call(run, failing),
            steps=len(codes),
            watched_calls=int(self.steps.n_calls[first_step : first_step + len(codes)].sum()),
            empty_steps=int(np.count_nonzero(codes == EMPTY)),
            occurrences_without_empty=without,
            occurrences_counting_empty=counting,
            pattern=pattern,
            cycles=cycles,
            evidence=evidence_for(settings, occurrences, pattern, n_watched=len(codes)),
        )

    def first_failing_calls(self, settings: MaxRepeatSettings) -> IntArray:
        """Where each run is first over the limit: the first watched call of that step, from 0; -1 where it passes.

        The tool filter of the settings is not looked at. Shape (n_runs,).
        """
        codes = self.codes(settings.match, settings.max_cycle_period)
        step = first_over(codes, self.steps.starts, bound=settings.max_cycle_period, limit=settings.max)
        calls = self.steps.first_call[step] if len(self.steps) else step
        return np.where(step < 0, -1, calls - self.columns.starts[:-1])

    def first_call(self, run: int, step: int) -> int:
        """First watched call of a step, both counted from 0 within the run."""
        return int(self.steps.first_call[self.steps.starts[run] + step] - self.columns.starts[run])

    def last_call(self, run: int, step: int) -> int:
        """Last watched call of a step, both counted from 0 within the run."""
        return self.last_call_of_steps(run, step, step + 1)

    def last_call_of_steps(self, run: int, start: int, stop: int) -> int:
        """Last watched call of the steps from `start` to before `stop`, of which there is one at least.

        Where turns of several agents interleave, an earlier step may end after the last one.
        """
        begin = self.steps.starts[run]
        return int(self.steps.last_call[begin + start : begin + stop].max() - self.columns.starts[run])

    def pattern(self, run: int, start: int, period: int) -> tuple[str, ...]:
        """Names of the tools of each of `period` steps from `start`, joined by ` + ` within a step."""
        return tuple(" + ".join(self.step_tools(run, step)) for step in range(start, start + period))

    def step_tools(self, run: int, step: int) -> list[str]:
        """Sorted names of the tools of all watched calls of one step, empty ones included."""
        number = int(self.steps.starts[run]) + step
        first = int(self.steps.first_call[number])
        if self.steps.n_calls[number] == 1:
            return [self.columns.tools[int(self.columns.tool[first])]]
        last = int(self.steps.last_call[number])
        inside = first + np.flatnonzero(self.steps.of_call[first : last + 1] == number)
        return sorted({self.columns.tools[tool] for tool in self.columns.tool[inside].tolist()})

    def metadata(self, run: int, finding: MaxRepeatFinding) -> dict[str, Any]:
        """A finding as the command line prints it."""
        tools = finding.settings.tools
        return {
            "max": finding.settings.max,
            "max_cycle_period": finding.settings.max_cycle_period,
            "match": finding.settings.match,
            "tools": None if tools is None else list(tools),
            "occurrences": finding.occurrences,
            "period": finding.period,
            "start": finding.start,
            "stop": finding.stop,
            "first_failing_step": finding.first_failing_step,
            "steps": finding.steps,
            "watched_calls": finding.watched_calls,
            "empty_steps": finding.empty_steps,
            "occurrences_without_empty": finding.occurrences_without_empty,
            "occurrences_counting_empty": finding.occurrences_counting_empty,
            "pattern": list(finding.pattern),
            "pattern_preview": preview(finding.pattern),
            "cycles": [
                {
                    "start": cycle.start,
                    "stop": cycle.stop,
                    "period": cycle.period,
                    "occurrences": cycle.occurrences,
                    "pattern": list(self.pattern(run, cycle.start, cycle.period)),
                    "ended_by": cycle.ended_by,
                }
                for cycle in finding.cycles
            ],
        }

    def _what_if(self, run: int, match: Match, bound: int, occurrences: int) -> tuple[int, int]:
        """The figures if empty steps were left out, and if empty results counted."""
        steps = slice(self.steps.starts[run], self.steps.starts[run + 1])
        codes = self.codes(match, bound)[steps]
        if match != "observation" or not self._any_empty(run):
            return occurrences, occurrences
        key = (run, bound)
        if key not in self._what_ifs:
            self._what_ifs[key] = (
                _figure(codes[codes != EMPTY], bound),
                _figure(self._codes_counting_empty[steps], bound),
            )
        return self._what_ifs[key]

    def _any_empty(self, run: int) -> bool:
        calls = slice(self.columns.starts[run], self.columns.starts[run + 1])
        return bool((self.columns.empty[calls] & self.watched[calls]).any())

    @cached_property
    def _codes_counting_empty(self) -> IntArray:
        return fingerprint(self.columns, self.steps, match="observation", unknown=self.unknown, count_empty=True)


def _figure(codes: IntArray, bound: int) -> int:
    return int(tabulate(codes, np.array([0, len(codes)]), max_period=bound).best(bound).occurrences[0])


DID: Mapping[Match, tuple[str, str]] = {
    "observation": ("gave the same output", "gave the same outputs"),
    "name-args": ("was called with the same arguments", "were called with the same arguments"),
    "name": ("was called", "were called"),
}
"""What a pattern of one step did, and one of several, in each match mode."""


def evidence_for(settings: MaxRepeatSettings, occurrences: int, pattern: tuple[str, ...], *, n_watched: int) -> str:
    """The verdict in plain words."""
    allowed = f"{settings.max} {'is' if settings.max == 1 else 'are'} allowed"
    if not n_watched:
        return f"No watched call in this run; {allowed}."
    if not occurrences:
        return f"Every step holds an empty output, so nothing counts as repeated; {allowed}."
    period = f", a pattern of {len(pattern)} steps" if len(pattern) > 1 else ""
    if occurrences <= settings.max:
        return f"At most {occurrences} in a row ({preview(pattern)}{period}); {allowed}."
    words = DID[settings.match][len(pattern) > 1]
    return f"{preview(pattern)} {words} {occurrences} times in a row{period}; {allowed}."
