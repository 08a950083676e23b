"""The columns of the table of flips, and the order that a click on one of them gives."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

Value = tuple[Any, ...] | str | float
"""What a column sorts by."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table."""

    key: str
    title: str
    group: str
    style: str = ""
    largest_first: bool = False
    """Begins with the largest when it is first sorted by."""


COLUMNS = (
    Column("flip", "Flip", ""),
    Column("stimulus", "Stimulus", "Run"),
    Column("trial", "Trial", "Run", "num"),
    Column("model", "Model", "Run"),
    Column("line", "Line", "First over the limit", "num"),
    Column("turn", "Turn", "First over the limit", "num"),
    Column("call", "Call", "First over the limit", "num"),
    Column("pattern", "Pattern", "What repeats", largest_first=True),
    Column("current", "Current", "Times in a row", "num", largest_first=True),
    Column("candidate", "Candidate", "Times in a row", "num strong", largest_first=True),
    Column("ended", "Ended", "What is known"),
    Column("label", "Label", "What is known"),
    Column("pin", "Pin", "What is known"),
)
"""In the order on screen."""
BY_FIGURES = ("turn", "call", "pattern", "current", "candidate")
"""Those that tell what a detector found."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the rows are sorted by."""

    column: str | None = None
    """None for those that people judged first."""
    descending: bool = False


LABELLED_FIRST = Order()


def turned(order: Order, key: str) -> Order:
    """The order after a click on a column; a second click turns it round, a third goes back to labelled first."""
    column = next((column for column in COLUMNS if column.key == key), None)
    if column is None:
        return order
    if order.column != key:
        return Order(key, column.largest_first)
    return Order(key, not column.largest_first) if order.descending is column.largest_first else LABELLED_FIRST


def in_order(runs: Sequence[int], value: Callable[[int], Value | None], *, descending: bool) -> list[int]:
    """Some runs by what a column says of them; equal ones stay as they stand, those without a value come last."""
    values = {run: value(run) for run in runs}
    known = [(told, run) for run in runs if (told := values[run]) is not None]
    known.sort(key=lambda pair: pair[0], reverse=descending)
    return [*(run for _, run in known), *(run for run in runs if values[run] is None)]


def headings(there: Collection[str], order: Order) -> list[dict[str, str]]:
    """What the script draws as the head of each column that is there."""
    direction = "descending" if order.descending else "ascending"
    return [
        {
            "key": column.key,
            "title": column.title,
            "group": column.group,
            "style": column.style,
            "sorted": direction if order.column == column.key else "none",
            "label": f"Sort by {f'{column.group}, ' if column.group else ''}{column.title}",
            "action": f"flipsort={column.key}",
        }
        for column in COLUMNS
        if column.key in there
    ]
