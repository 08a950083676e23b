"""Two texts as the lines of one comparison: removed and added ones paired, with marks where a pair differs.

Few lines, and words, are matched by difflib. The work is bounded: what the texts have in common at both ends is set
aside first, and of the rest no more than is said below is compared; the result says where it stops.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from loopviz.analysis.common import common_places
from loopviz.analysis.difference import shared_ends

MOST_LINES = 600
"""Lines of the differing part, on either side, that are matched."""
MOST_ROWS = 240
CONTEXT = 2
"""Equal lines shown before and after a difference."""
WIDE = 400
"""Characters of a line that are shown, around the first difference."""
BEFORE_IT = 60
"""Characters kept before it."""
MOST_PAIRS = 60
"""Pairs of lines that are marked within; those beyond are shown plain."""
_MOST_MATCHED = 4_000
"""Words of one line times words of the other; where there are more, all that lies between equal ends is marked."""
_MANY = 200
"""Lines from which they are not matched by difflib, which puts blocks first but takes seconds where lines repeat."""
_LEAST_ALIKE = 0.35
"""Lines less alike than this are not marked within: everything would be."""

_TOKEN = re.compile(r"\w+|.", re.DOTALL)

Piece = tuple[str, bool]
"""A part of a line, and whether it is what differs."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the comparison."""

    sign: str
    """`-`, `+`, ` ` for a line of both, or `…` for lines that are left out."""
    pieces: tuple[Piece, ...] = ()
    skipped: int = 0
    """How many equal lines are left out here."""


@dataclass(frozen=True, slots=True)
class Unified:
    """A whole comparison."""

    rows: tuple[Row, ...]
    cut: bool
    """There is more that differs, or may."""


def unify(before: str, after: str) -> Unified:
    """Compare two texts line by line."""
    head, tail = _whole_lines(before, after)
    old, new = (text[head : len(text) - tail].split("\n") for text in (before, after))
    cut = max(len(old), len(new)) > MOST_LINES
    rows = _before(before[:head]) if head else []
    rows += _differing(old[:MOST_LINES], new[:MOST_LINES])
    # The common end begins with the break that closes the last differing line.
    rows += _after(before[len(before) - tail + 1 :]) if tail and not cut else []
    return Unified(tuple(rows[:MOST_ROWS]), cut or len(rows) > MOST_ROWS)


def _whole_lines(before: str, after: str) -> tuple[int, int]:
    """How many characters the lines hold that two texts share at their beginning, and at their end."""
    head, tail = shared_ends(before, after)
    head = before.rfind("\n", 0, head) + 1
    end = before.find("\n", len(before) - tail)
    return head, len(before) - end if end >= 0 else 0


def _before(text: str) -> list[Row]:
    """The last equal lines before the first difference; the text ends with a line break."""
    return list(_context(text[:-1].rsplit("\n", CONTEXT + 1)[-CONTEXT - 1 :], text.count("\n"), at_start=True))


def _after(text: str) -> list[Row]:
    return list(_context(text.split("\n", CONTEXT + 1)[: CONTEXT + 1], text.count("\n") + 1, at_end=True))


def _differing(old: list[str], new: list[str]) -> Iterator[Row]:
    marked = 0
    for same, removed, added in _lines_matched(old, new):
        if same:
            yield from _context(removed, len(removed))
        else:
            yield from _pairs(removed, added, MOST_PAIRS - marked)
            marked += min(len(removed), len(added))


def _lines_matched(old: list[str], new: list[str]) -> Iterator[tuple[bool, list[str], list[str]]]:
    """Parts of two lists of lines in their order, and whether they are the same."""
    if max(len(old), len(new)) < _MANY:
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            yield tag == "equal", old[i1:i2], new[j1:j2]
        return
    one = other = 0
    equal: list[str] = []
    for i, j in [*common_places(old, new), (len(old), len(new))]:
        if (one, other) != (i, j):
            yield True, equal, equal
            yield False, old[one:i], new[other:j]
            equal = []
        equal += old[i : i + 1]
        one, other = i + 1, j + 1
    yield True, equal, equal


def _context(lines: list[str], n_lines: int, *, at_start: bool = False, at_end: bool = False) -> Iterator[Row]:
    """Equal lines, of which only those next to a difference are shown: `lines` holds at least these and one more."""
    before = [] if at_start else lines[:CONTEXT]
    after = [] if at_end else lines[max(len(before), len(lines) - CONTEXT) :]
    skipped = n_lines - len(before) - len(after)
    if skipped == 1:  # a line takes no more room than the words that it is left out
        before, after, skipped = lines, [], 0
    yield from (Row(" ", ((_short(line), False),)) for line in before)
    if skipped:
        yield Row("…", skipped=skipped)
    yield from (Row(" ", ((_short(line), False),)) for line in after)


def _pairs(old: list[str], new: list[str], most: int) -> Iterator[Row]:
    """Lines that differ: in pairs if most are alike, and what is left over; else first one side, then the other."""
    both = min(len(old), len(new), max(most, 0))
    pairs = [mark_words(one, other) for one, other in zip(old[:both], new[:both], strict=True)]
    if 2 * sum(any(marked for side in pair for _, marked in side) for pair in pairs) < both:
        pairs, both = [], 0
    for removed, added in pairs:
        yield Row("-", removed)
        yield Row("+", added)
    yield from (Row("-", ((_short(line), False),)) for line in old[both:])
    yield from (Row("+", ((_short(line), False),)) for line in new[both:])


def _short(line: str) -> str:
    return line if len(line) <= WIDE else f"{line[: WIDE - 1]}…"


def mark_words(before: str, after: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Mark the words, signs and spaces in which two lines differ; of long lines a window around the first one."""
    start = 0
    if max(len(before), len(after)) > WIDE:
        start = max(0, shared_ends(before, after)[0] - BEFORE_IT)
    old, new = (_TOKEN.findall(line[start : start + WIDE]) for line in (before, after))
    pieces: tuple[list[Piece], list[Piece]] = ([], [])
    n_same = 0
    for same, one, other in _matched(old, new):
        n_same += len(one) if same else 0
        for side, tokens in zip(pieces, (one, other), strict=True):
            if tokens:
                side.append(("".join(tokens), not same))
    alike = 2 * n_same >= _LEAST_ALIKE * (len(old) + len(new))
    removed, added = (
        (
            *([("…", False)] if start else []),
            *((text, marked and alike) for text, marked in side),
            *([("…", False)] if len(line) > start + WIDE else []),
        )
        for line, side in zip((before, after), pieces, strict=True)
    )
    return removed, added


def _matched(old: list[str], new: list[str]) -> Iterator[tuple[bool, list[str], list[str]]]:
    """Parts of two lists of tokens in their order, and whether they are the same."""
    head, tail = _equal_ends(old, new)
    yield True, old[:head], new[:head]
    some_old, some_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(some_old) * len(some_new) > _MOST_MATCHED:
        yield False, some_old, some_new
    else:
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, some_old, some_new, autojunk=False).get_opcodes():
            yield tag == "equal", some_old[i1:i2], some_new[j1:j2]
    yield True, old[len(old) - tail :], new[len(new) - tail :]


def _equal_ends(old: list[str], new: list[str]) -> tuple[int, int]:
    shorter = min(len(old), len(new))
    head = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    rest = shorter - head
    return head, next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
