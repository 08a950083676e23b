"""Both runs in figures: one row a figure, A, B, and what B has more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loopviz.comparing.sides import Side, Sides
from loopviz.timeline.facts import spent
from loopviz.timeline.words import number

Data = dict[str, Any]
Figure = tuple[float | None, float | None]
UNKNOWN = "–"


def show_figures(sides: Sides) -> list[Data]:
    """The rows; what neither file says is left out."""
    limits = [side.settings.max for side in sides]
    allowed = f", {number(limits[0])} allowed" if limits[0] == limits[1] else ""
    one, other = (side.trajectory for side in sides)
    needed = one.threshold if one.threshold == other.threshold else None
    score = "Trial score" if needed is None else f"Trial score, {needed:.2f} needed"
    errors = _both(sides, _errors)
    rows = [
        _row(f"Times in a row{allowed}", _both(sides, _occurrences), _whole, strong=_over(sides)),
        _row(score, _both(sides, _score), "{:.2f}".format),
        _row("Turns", _both(sides, _turns), _whole),
        _row("Calls", (len(one.calls), len(other.calls)), _whole),
        _row("Calls with an error", errors if any(errors) else (None, None), _whole),
        _row("Tokens", (spent(one)[0], spent(other)[0]), _whole),
        _row("Recorded cost", (spent(one)[1], spent(other)[1]), money),
        _row("Time", (one.duration_s, other.duration_s), clock),
    ]
    return [row for row in rows if (row["a"], row["b"]) != (UNKNOWN, UNKNOWN)]


def _both(sides: Sides, read: Callable[[Side], float | None]) -> Figure:
    return read(sides[0]), read(sides[1])


def _occurrences(side: Side) -> float | None:
    return None if side.inspection is None else side.inspection.finding.occurrences


def _score(side: Side) -> float | None:
    grade = side.trajectory.grade
    return None if grade is None else grade.score


def _turns(side: Side) -> float | None:
    """Turns; of a run without calls none, and where no call stands in a turn nobody knows."""
    return side.trajectory.n_turns if side.trajectory.n_turns or not len(side.trajectory.calls) else None


def _errors(side: Side) -> float | None:
    """Calls with an error; None where the file holds nothing of what the run did."""
    run = side.trajectory
    return int(run.calls.failed.sum()) if len(run.calls) or run.not_judged is None else None


def _over(sides: Sides) -> list[bool]:
    return [side.passed is False for side in sides]


def _row(name: str, figure: Figure, told: Callable[[float], str], *, strong: list[bool] | None = None) -> Data:
    a, b = figure
    return {
        "name": name,
        "a": UNKNOWN if a is None else told(a),
        "b": UNKNOWN if b is None else told(b),
        "more": "" if a is None or b is None else signed(b - a, told),
        "strong": strong or [False, False],
    }


def signed(value: float, told: Callable[[float], str]) -> str:
    """`+7`, `−0.58`, `0`: a real minus sign, and no sign where nothing differs."""
    words = told(abs(value))
    if not any(sign in "123456789" for sign in words):
        return words if value == 0 else f"{'+' if value > 0 else '−'}{words}"
    return f"{'+' if value > 0 else '−'}{words}"


def _whole(value: float) -> str:
    return number(round(value))


def money(value: float) -> str:
    """`$0.45`, and `$0.0012` below a cent."""
    return f"${value:,.2f}" if value >= 0.01 or value == 0 else f"${value:.4f}"


def clock(seconds: float) -> str:
    """`3:16`, `1:02:09`; `0.4 s` below a second."""
    if 0 < seconds < 1:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
