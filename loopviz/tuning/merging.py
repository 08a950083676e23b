"""Putting the labels of one file into another, as when two people labelled the same runs apart."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from loopviz.tuning.labels import Book, Label, parse, read


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A book that took in another."""

    book: Book
    n_new: int
    """Labels that came in."""
    unlike: tuple[Label, ...]
    """Labels of the other that say something else of the same run or stretch."""


def merge(book: Book, other: Book, *, replace: bool = False) -> Merged:
    """Take in the labels of another book; of two that say something else of the same, one stays.

    Args:
        book: Keeps its lines, those that are no label included.
        other: Its labels come in.
        replace: Whether the other's stay, not the book's own.
    """
    known = {label.key: label for label in book.labels}
    new = [label for label in other.labels if label.key not in known]
    unlike = tuple(label for label in other.labels if label.key in known and _differ(label, known[label.key]))
    if replace:
        book = _without(book, {label.key for label in unlike})
        new = [*new, *unlike]
    return Merged(book=_with(book, new), n_new=len(new) - (len(unlike) if replace else 0), unlike=unlike)


def _differ(one: Label, other: Label) -> bool:
    return (one.label, one.pin, one.note) != (other.label, other.pin, other.note)


def _without(book: Book, keys: Iterable[object]) -> Book:
    gone = set(keys)
    return read(line for line in book.lines if (said := _parsed(line)) is None or said.key not in gone)


def _with(book: Book, labels: Iterable[Label]) -> Book:
    """A book with more labels, each before the first line that belongs behind it."""
    places = [(number, said.place) for number, line in enumerate(book.lines) if (said := _parsed(line))]
    reached = list(accumulate((place for _, place in places), max))  # lines may be out of order
    before: dict[int, list[Label]] = {}
    for label in labels:
        at = bisect_right(reached, label.place)
        before.setdefault(places[at][0] if at < len(places) else len(book.lines), []).append(label)
    lines = []
    for number in range(len(book.lines) + 1):
        lines += [label.line() for label in sorted(before.get(number, ()), key=lambda label: label.place)]
        lines += book.lines[number : number + 1]
    return read(lines)


def _parsed(line: str) -> Label | None:
    try:
        return parse(line)
    except ValueError:
        return None
