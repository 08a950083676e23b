"""The table of runs as plain values: which columns there are, and the cells of the rows on the page.

Only the rows in sight become texts, so a hundred thousand runs cost no more than a hundred.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from loopviz.analysis.overview import FAIL, NOT_JUDGED, PASS
from loopviz.timeline.contract import CycleState
from loopviz.timeline.facts import spent, thousands
from loopviz.timeline.words import number
from loopviz.ui.runs_facts import Facts, facts_of
from loopviz.ui.runs_judged import Judged, Opened
from loopviz.ui.runs_links import opening, run_link

NONE = "–"
MOST_LETTERS = 4
"""Letters of a pattern in a cell; a longer one shows its first two and its last."""

Cell = str | dict[str, Any]
Render = Callable[[Judged, int], Cell]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table."""

    name: str
    """Also the name of what it sorts by."""
    title: str
    group: str
    cell: Render
    """The cell of a run that was judged, or of any run in the columns that say what the file records."""
    kind: str = "text"
    """How it looks: `text`, `number`, `verdict`, `pattern`, `said` or `ladder`."""
    there: Callable[[Facts], bool] = lambda _: True
    """Whether any run has it at all."""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Sort:
    """The column that the person sorted by; none for failed ones first."""

    column: str | None = None
    descending: bool = False


def columns_of(facts: Facts, hidden: Sequence[str] = ()) -> tuple[Column, ...]:
    """The columns that some run has a value for, without the groups that the person hid."""
    return tuple(column for column in COLUMNS if column.group not in hidden and column.there(facts))


def show_table(
    opened: Opened, judged: Judged, rows: Sequence[int], sort: Sort, hidden: Sequence[str] = ()
) -> dict[str, Any]:
    """What the component of that name draws.

    Args:
        opened: The runs.
        judged: What is found in them.
        rows: Places of the runs on this page, in order.
        sort: By what they are sorted.
        hidden: Groups of columns that the person hid.
    """
    facts = facts_of(opened.runs)
    columns = columns_of(facts, hidden)
    return {
        "columns": [
            {"name": c.name, "title": _title(c, facts), "group": c.group, "kind": c.kind, "tip": c.tip} for c in columns
        ],
        "sort": {"column": sort.column, "descending": sort.descending},
        "rows": [
            {
                "action": opening(run),
                "href": run_link(opened, judged, run),
                "cells": [column.cell(judged, run) for column in columns],
            }
            for run in rows
        ],
    }


def _title(column: Column, facts: Facts) -> str:
    return "Run" if column.name == "name" and not facts.named else column.title


def verdict_cell(judged: Judged, run: int) -> Cell:
    """The verdict as a word and the strength of its look."""
    verdict = int(judged.overview.verdict[run])
    words = {FAIL: ("✗ FAIL", "fail"), PASS: ("✓ pass", "pass"), NOT_JUDGED: ("– not judged", "none")}
    text, look = words[verdict]
    return {"text": text, "look": look, "tip": judged.why_not(run) if verdict == NOT_JUDGED else ""}


def pattern_cell(judged: Judged, run: int) -> Cell:
    """The letters of the deciding pattern, how often it came in a row, and the tools they stand for."""
    found = judged.overview
    period, start, engine = int(found.period[run]), int(found.start[run]), judged.engine(run)
    if period < 1 or start < 0 or engine is None or found.occurrences[run] < 2:
        return NONE
    pattern, times = engine.pattern(run, start, period), int(found.occurrences[run])
    return letters_of(pattern, times, fails=bool(found.verdict[run] == FAIL))


def letters_of(pattern: Sequence[str], times: int, *, fails: bool) -> dict[str, Any]:
    """A pattern as letters with how often it came in a row; on hover, the tools of each of its steps."""
    period = len(pattern)
    letters = [chr(ord("a") + place) for place in range(period)]
    return {
        "letters": letters if period <= MOST_LETTERS else [*letters[:2], "…", letters[-1]],
        "period": period,
        "state": int(CycleState.OVER if fails else CycleState.COUNTED),
        "text": f"× {number(times)}",
        "tip": " → ".join(pattern),
    }


def clock(seconds: float) -> str:
    """`3:16`, and `1:02:05` from an hour on."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def money(cost: float) -> str:
    """Two places, three where two would show nothing."""
    if cost == 0 or cost >= 0.01:
        return f"{cost:,.2f}"
    return f"{cost:.3f}" if cost >= 0.001 else "< 0.001"


def _if_judged(cell: Render) -> Render:
    return lambda judged, run: NONE if judged.overview.verdict[run] == NOT_JUDGED else cell(judged, run)


def _in_a_row(judged: Judged, run: int) -> Cell:
    times = number(int(judged.overview.occurrences[run]))
    return {"text": times, "strong": True} if judged.overview.verdict[run] == FAIL else times


def _recorded(value: str | None) -> str:
    return NONE if value in (None, "") else str(value)


def _said(judged: Judged, run: int) -> Cell:
    found = judged.overview
    said = {FAIL: "✗ fail", PASS: "✓ pass"}.get(int(found.said[run]))
    if said is None:
        return NONE
    apart = bool(found.disagrees[run])
    return {"text": f"≠ {said}" if apart else said, "apart": apart}


def _score(judged: Judged, run: int) -> str:
    trajectory = judged.trajectories[run]
    sign = {True: "✓ ", False: "✗ ", None: ""}[trajectory.outcome]
    score = trajectory.grade.score if trajectory.grade else None
    if score is None:
        return {True: "✓", False: "✗", None: NONE}[trajectory.outcome]
    return f"{sign}{score:.2f}"


def _ladder(judged: Judged, run: int) -> Cell:
    level = int(judged.overview.ladder[run])
    return {"level": level, "text": str(level)}


def _thrash(judged: Judged, run: int) -> str:
    call = int(judged.overview.thrash[run])
    return NONE if call < 0 else f"at {number(call + 1)}"


def _share(judged: Judged, run: int) -> str:
    share = float(judged.overview.repeated[run])
    return NONE if math.isnan(share) else f"{share * 100:.0f} %"


def _tokens(judged: Judged, run: int) -> str:
    tokens = spent(judged.trajectories[run])[0]
    return NONE if tokens is None else thousands(tokens)


def _cost(judged: Judged, run: int) -> str:
    cost = spent(judged.trajectories[run])[1]
    return NONE if cost is None else money(cost)


def _time(judged: Judged, run: int) -> str:
    seconds = judged.trajectories[run].duration_s
    return NONE if seconds is None else clock(seconds)


def _any(values: np.ndarray[Any, Any]) -> bool:
    return bool((~np.isnan(values)).any())


COLUMNS = (
    Column("name", "Stimulus", "Run", lambda judged, run: facts_of(judged.runs).names[run]),
    Column(
        "trial",
        "Trial",
        "Run",
        lambda judged, run: NONE if (t := judged.trajectories[run].trial) is None else number(t + 1),
        kind="number",
        there=lambda facts: _any(facts.trial),
    ),
    Column(
        "model",
        "Model",
        "Run",
        lambda judged, run: _recorded(judged.trajectories[run].model),
        there=lambda facts: any(facts.models),
    ),
    Column(
        "status",
        "Status",
        "Run",
        lambda judged, run: _recorded(judged.trajectories[run].status),
        there=lambda facts: any(facts.statuses),
    ),
    Column("verdict", "Verdict", "max-repeat, recomputed here", verdict_cell, kind="verdict"),
    Column(
        "row",
        "In a row",
        "max-repeat, recomputed here",
        _if_judged(_in_a_row),
        kind="number",
        tip="Times in a row: complete copies; a started one does not count.",
    ),
    Column("pattern", "Pattern", "max-repeat, recomputed here", pattern_cell, kind="pattern"),
    Column("said", "Said", "Vally", _said, kind="said", there=lambda facts: facts.graded),
    Column(
        "score", "Score", "Vally", _score, there=lambda facts: facts.graded, tip="The trial's own verdict and score."
    ),
    Column(
        "turns",
        "Turns",
        "Size",
        _if_judged(lambda judged, run: number(judged.trajectories[run].n_turns)),
        kind="number",
    ),
    Column(
        "calls",
        "Calls",
        "Size",
        _if_judged(lambda judged, run: number(len(judged.trajectories[run].calls))),
        kind="number",
    ),
    Column(
        "ladder",
        "Ladder",
        "Guards, simulated",
        _if_judged(_ladder),
        kind="ladder",
        tip="Highest level of the escalation ladder: 1 replan, 2 explore, 3 force-done.",
    ),
    Column(
        "thrash",
        "Thrash",
        "Guards, simulated",
        _if_judged(_thrash),
        tip="The call at which the thrash guard would have stopped the run.",
    ),
    Column(
        "share",
        "Share",
        "Repeats",
        _if_judged(_share),
        kind="number",
        tip="Share of watched calls whose tool and arguments were seen before in the run.",
    ),
    Column("tokens", "Tokens", "Spent", _tokens, kind="number", there=lambda facts: facts.has_tokens),
    Column("cost", "Cost", "Spent", _cost, kind="number", there=lambda facts: facts.has_cost),
    Column("time", "Time", "Spent", _time, kind="number", there=lambda facts: _any(facts.duration)),
)
"""In the order on screen; what stands together under a group's heading stands together here."""
GROUPS = tuple(dict.fromkeys(column.group for column in COLUMNS))
FIXED = ("Run", "max-repeat, recomputed here")
"""Groups that cannot be hidden."""
