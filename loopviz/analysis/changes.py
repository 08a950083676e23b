"""What would change the figure: every single setting moved, everything else as it is.

Source: SPEC, section 1, "What is reported".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.tool_figures import tool_figures
from loopviz.analysis.tool_patterns import only, without
from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.core.steps import MATCHES
from loopviz.detectors.max_repeat import MaxRepeat, MaxRepeatFinding
from loopviz.settings import MaxRepeatSettings

Kind = Literal["now", "max", "match", "max_cycle_period", "every tool", "without", "alone"]

AT_ONCE = 40_000
"""Calls to compare, over all rows about tools, that cost next to nothing: two rows a tool, each over the whole run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One setting moved, and the figure that it gives."""

    kind: Kind
    """The field that is moved; `now` for the present settings; for `tools`, which way."""
    settings: MaxRepeatSettings
    """All settings with the change made. Of several longest patterns that give one figure, the nearest."""
    occurrences: int
    turns: bool
    """Whether the verdict is the other one."""
    bounds: tuple[int, int] | None = None
    """The first and last longest pattern that this row stands for."""
    tool: str | None = None
    """The tool that is left out or watched alone."""

    @property
    def of_tools(self) -> bool:
        """Whether it is the tool filter that is moved."""
        return self.kind in ("every tool", "without", "alone")

    @property
    def passed(self) -> bool:
        return self.occurrences <= self.settings.max


def what_would_change(inspection: Inspection, *, with_tools: bool = True) -> tuple[Change, ...]:
    """The present settings, then every single change: limit, way of "same", longest pattern, tools.

    Args:
        inspection: The run and what was found in it.
        with_tools: Add the rows about each tool; see `tools_are_cheap`.
    """
    grader, finding = inspection.grader, inspection.finding
    rows = setting_changes(grader, 0, finding)
    if with_tools:
        rows += tool_changes(grader, finding)
    return (_change("now", finding, finding.occurrences, {}), *rows)


def tools_are_cheap(grader: MaxRepeat) -> bool:
    """Whether the rows about each tool cost next to nothing, so that they need no asking."""
    return 2 * len(grader.columns.tools) * grader.columns.n_calls <= AT_ONCE


def setting_changes(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> tuple[Change, ...]:
    """The changes that no other tools are watched for."""
    return (*_limits(finding), *_matches(grader, run, finding), *_periods(grader, run, finding))


def _change(kind: Kind, finding: MaxRepeatFinding, occurrences: int, update: dict[str, Any], **more: Any) -> Change:
    settings = finding.settings.model_copy(update=update)
    turns = (occurrences <= settings.max) != finding.passed
    return Change(kind=kind, settings=settings, occurrences=occurrences, turns=turns, **more)


def _limits(finding: MaxRepeatFinding) -> Iterator[Change]:
    """The smallest `max` that passes, or the largest that fails; a run with at most 1 in a row fails under none."""
    value = finding.occurrences - 1 if finding.passed else finding.occurrences
    if value >= 1:
        yield _change("max", finding, finding.occurrences, {"max": value})


def _matches(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> Iterator[Change]:
    for match in MATCHES:
        if match != finding.settings.match:
            occurrences = int(grader.best(match, finding.settings.max_cycle_period).occurrences[run])
            yield _change("match", finding, occurrences, {"match": match})


def _periods(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> Iterator[Change]:
    """The other longest patterns; neighbours that give one figure are one row, which applies the nearest of them."""
    now = finding.settings.max_cycle_period
    figures = [int(grader.best(finding.settings.match, bound).occurrences[run]) for bound in range(1, MAX_PERIOD + 1)]
    for side in (range(1, now), range(now + 1, MAX_PERIOD + 1)):
        for figure, same in groupby(side, key=lambda bound: figures[bound - 1]):
            bounds = list(same)
            nearest = bounds[-1] if bounds[0] < now else bounds[0]
            ends = (bounds[0], bounds[-1])
            yield _change("max_cycle_period", finding, figure, {"max_cycle_period": nearest}, bounds=ends)


def tool_changes(grader: MaxRepeat, finding: MaxRepeatFinding) -> tuple[Change, ...]:
    """Every tool watched again, each watched tool left out, each tool watched alone; the most used tools first.

    Raises:
        PatternError: if a pattern that is rewritten runs for longer than a second.
    """
    names, tools = grader.columns.tools, finding.settings.tools
    figures = tool_figures(grader, finding.settings.match, finding.settings.max_cycle_period)
    rows = []
    if tools is not None:
        rows.append(_change("every tool", finding, figures.every, {"tools": None}))
    for tool, occurrences in figures.without.items():
        patterns = without(tools, names[tool], names)
        rows.append(_change("without", finding, occurrences, {"tools": patterns}, tool=names[tool]))
    for tool, occurrences in figures.alone.items():
        rows.append(_change("alone", finding, occurrences, {"tools": (only(names[tool]),)}, tool=names[tool]))
    return tuple(rows)
