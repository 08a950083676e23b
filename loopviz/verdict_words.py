"""What every form of the terminal's output says of a verdict in the same words."""

from __future__ import annotations

from loopviz.analysis.lines import Line

WORDS = {True: "PASS", False: "FAIL", None: "?"}


def place(line: Line) -> str:
    """Where the verdict is decided, in parentheses, with a space before; nothing where no call decides it."""
    at = line["at"]
    if at is None:
        return ""
    turn = "" if at["turn"] is None else f"turn {at['turn']}, "
    return f" ({turn}call {at['call']})"


def differs(line: Line) -> bool:
    """Whether the baseline says something else of it."""
    baseline = line.get("baseline")
    return baseline is not None and baseline["passed"] not in (None, line["passed"])


def then_and_now(line: Line) -> str:
    """`PASS (2 in a row), not FAIL (4 in a row)`."""
    now = {"passed": line["passed"], "occurrences": (line["metadata"] or {}).get("occurrences")}
    return f"{_figure(line['baseline'])}, not {_figure(now)}"


def _figure(told: Line) -> str:
    times = told["occurrences"]
    return f"{WORDS[told['passed']]}{'' if times is None else f' ({times} in a row)'}"
