"""What differs between two calls' arguments or outputs, as a few facts of which a sentence can be made.

Objects and lists of one length are compared member by member; what is left are single values, and two texts are told
apart as a person would: in white space only, in case only, but for two numbers in line 3, in 2 of 14 lines, in nothing
common. Equal is what the grader calls equal (SPEC, section 1, "Fingerprints"). The work is bounded: of texts of
megabytes only what lies between their common beginning and end is looked at, and of that no more than is said below.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeGuard

from loopviz.analysis.common import n_common
from loopviz.canonical import canonical

MOST_FIELDS = 2_000
"""Members compared one by one; what lies beyond is not looked at."""
MOST_LINES = 2_000
"""Lines of a differing part that are compared."""
MOST_CHARACTERS = 20_000
"""Characters of a differing part that are compared word by word."""
MOST_AROUND = 4_000
"""Characters, of texts without a line in common, whose words are set against each other."""
_BEFORE_IT = 400
"""Characters of these that stand before the place at which the texts part."""
FEW = 3
"""So many words may differ in texts that are otherwise equal."""

_TOKEN = re.compile(r"\d+(?:[.:,/-]\d+)*(?!\w)|\w+|\s+|[^\w\s]")
_NUMBER = re.compile(r"\d+(?:[.:,/-]\d+)*")
_SPACE = " \n\t\r"
_PLAIN_NAME = re.compile(r"[^\s.\[\]#\"']+")


class Kind(Enum):
    """In what two single values differ; the earliest that holds."""

    SAME = "same"
    SPACE = "white space"
    CASE = "case"
    SIGNS = "signs"
    """No line is equal, but all words are: what stands between them is not."""
    NUMBERS = "numbers"
    """Equal but for numbers; a date, a time or a version is one."""
    WORDS = "words"
    """Equal but for a few words."""
    PART = "part"
    """No line is equal, but some words are."""
    LINES = "lines"
    """Some lines are equal."""
    APART = "apart"
    """Nothing in common: no word of two texts."""
    ADDED = "added"
    REMOVED = "removed"
    TYPE = "type"
    """A text and a number, or any other two kinds of value."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """How two single values differ."""

    kind: Kind
    count: int = 0
    """Numbers, words or lines that differ."""
    of: int = 0
    """Words or lines of the longer of the two."""
    lines: tuple[int, ...] = ()
    """Where they stand, from 0; only of numbers and words."""
    cut: bool = False
    """The texts are longer than what was compared; counts are of the compared part."""


SAME = Contrast(Kind.SAME)
ONE_NUMBER = Contrast(Kind.NUMBERS, 1, 1, (0,))


@dataclass(frozen=True, slots=True)
class Change:
    """One member that differs."""

    path: str
    """`old_string`, `filter.id`, `items #3.name` (lists count from 1); empty for the whole value."""
    before: Any
    """None where it was added; `contrast` tells that from a null."""
    after: Any
    contrast: Contrast


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything in which two values differ."""

    changes: tuple[Change, ...]
    n_fields: int
    """Members of either value that are no objects, those of inner objects and of lists of one length included."""
    cut: bool = False
    """There are more members than were compared."""
    beyond: bool = False
    """They differ, but in none of the members that were compared."""

    def __bool__(self) -> bool:
        return bool(self.changes) or self.beyond


NO_DIFFERENCE = Difference((), 1)


def compare_values(before: Any, after: Any) -> Difference:
    """Compare two decoded JSON values, member by member."""
    changes: list[Change] = []
    n_fields = 0
    for path, (old, new) in members_of((before, after)):
        if n_fields == MOST_FIELDS:
            beyond = not changes and canonical(before) != canonical(after)
            return Difference(tuple(changes), n_fields, cut=True, beyond=beyond)
        n_fields += 1
        contrast = contrast_values(old, new)
        if contrast.kind is not Kind.SAME:
            changes.append(Change(path, _or_none(old), _or_none(new), contrast))
    return Difference(tuple(changes), n_fields)


class _Absent:
    """Where a value has no such member."""


ABSENT = _Absent()


def _or_none(value: Any) -> Any:
    return None if value is ABSENT else value


def members_of(values: Sequence[Any], path: str = "") -> Iterator[tuple[str, Sequence[Any]]]:
    """Where the single values of several decoded ones stand, and what each has there, ABSENT for nothing.

    Objects are looked into where all are objects, lists where all are of one length; anything else is single.
    """
    first = values[0]
    if all(isinstance(value, dict) for value in values) and any(values):
        for name in dict.fromkeys(name for value in values for name in value):
            yield from members_of([value.get(name, ABSENT) for value in values], join(path, name))
    elif isinstance(first, list) and first and all(isinstance(one, list) and len(one) == len(first) for one in values):
        for place, column in enumerate(zip(*values, strict=True), start=1):
            yield from members_of(column, f"{path} #{place}".strip())
    else:
        yield path, values


def join(path: str, name: str) -> str:
    """The path of a member: names that would be misread are quoted."""
    shown = name if _PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)
    return f"{path}.{shown}" if path else shown


def contrast_values(before: Any, after: Any) -> Contrast:
    """Tell how two single values differ."""
    if before is ABSENT or after is ABSENT:
        return Contrast(Kind.ADDED if before is ABSENT else Kind.REMOVED)
    if isinstance(before, str) and isinstance(after, str):
        return compare_texts(before, after)
    if canonical(before) == canonical(after):
        return SAME
    if is_number(before) and is_number(after):
        return ONE_NUMBER
    if isinstance(before, list) and isinstance(after, list):
        return compare_texts(spread(before), spread(after))
    return Contrast(Kind.APART if type(before) is type(after) else Kind.TYPE)


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a decoded value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def spread(value: Any) -> str:
    """A value as lines that can be compared: a text as it stands, anything else as JSON in one order of keys."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)


def compare_texts(before: str, after: str) -> Contrast:
    """Tell how two texts differ."""
    if before == after:
        return SAME
    head, tail = shared_ends(before, after)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if "".join(old.split()) == "".join(new.split()):
        return Contrast(Kind.SPACE)
    if old.lower() == new.lower() and old.upper() == new.upper():  # one way alone takes other letters for the same
        return Contrast(Kind.CASE)
    return _few_words(before, after, head, tail) or _many(before, after, head, tail)


def shared_ends(before: str, after: str) -> tuple[int, int]:
    """How many characters two texts have in common at their beginning, and how many of the rest at their end."""
    shorter = min(len(before), len(after))
    head = _longest(shorter, lambda n: before.startswith(after[:n]))
    tail = _longest(shorter - head, lambda n: before.endswith(after[len(after) - n :]))
    return head, tail


def _longest(most: int, holds: Any) -> int:
    """The largest n up to `most` for which `holds` is true, given that it then is for every smaller one."""
    low, high = 0, 1
    while high <= most and holds(high):  # doubling first: texts that part early cost little
        low, high = high, high * 2
    high = min(high - 1, most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def _few_words(before: str, after: str, head: int, tail: int) -> Contrast | None:
    """Texts that are equal but for numbers, or for a few words; None for others."""
    head, tail = _to_space(before, head, -1), len(before) - _to_space(before, len(before) - tail, 1)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if max(len(old), len(new)) > MOST_CHARACTERS:
        return None
    pairs = list(zip(*map(tokens_of, (old, new)), strict=False))
    if "".join(one for one, _ in pairs) != old or "".join(other for _, other in pairs) != new:
        return None  # one has more tokens than the other
    line, lines, n_same = before.count("\n", 0, head), [], 0
    numbers = True
    for one, other in pairs:
        if one == other:
            line += one.count("\n")
            n_same += is_word(one)
            continue
        if not (is_word(one) and is_word(other)):
            return None
        numbers = numbers and is_numeral(one) and is_numeral(other)
        lines.append(line)
    if numbers:
        return Contrast(Kind.NUMBERS, len(lines), len(pairs), tuple(dict.fromkeys(lines)))
    around = head + tail > 0
    if len(lines) <= FEW and (around or n_same >= len(lines)):
        return Contrast(Kind.WORDS, len(lines), len(pairs), tuple(dict.fromkeys(lines)))
    return None


def tokens_of(text: str) -> list[str]:
    """The words, numbers, signs and white space that a text is made of."""
    return _TOKEN.findall(text)


def is_word(token: str) -> bool:
    """Whether a token is a word or a number."""
    return token[0].isalnum() or token[0] == "_"


def is_numeral(token: str) -> bool:
    """Whether a token is a number; a date, a time or a version is one."""
    return bool(_NUMBER.fullmatch(token))


def _to_space(text: str, place: int, step: int) -> int:
    """The next place from `place`, back or forth, that touches white space or an end of the text."""
    if step < 0:
        return max(text.rfind(space, 0, place) for space in _SPACE) + 1
    found = (text.find(space, place) for space in _SPACE)
    return min((place for place in found if place >= 0), default=len(text))


def _many(before: str, after: str, head: int, tail: int) -> Contrast:
    if "\n" not in before and "\n" not in after:
        return _in_words(before, after, head, tail)
    first = before.rfind("\n", 0, head) + 1
    last = before.find("\n", len(before) - tail)
    rest = len(before) - last if last >= 0 else 0
    old, new = (text[first : len(text) - rest].split("\n", MOST_LINES) for text in (before, after))
    cut = max(len(old), len(new)) > MOST_LINES
    old, new = old[:MOST_LINES], new[:MOST_LINES]
    outside = before[:first] + (before[last:] if rest else "")
    if not outside.strip() and not any(line.strip() for line in {*old} & {*new}):
        return _in_words(before, after, head, tail)
    longer = max(len(old), len(new))
    n_outside = outside.count("\n") - (before.endswith("\n") and after.endswith("\n"))  # no line begins at the end
    return Contrast(Kind.LINES, longer - n_common(old, new), longer + n_outside, cut=cut)


def _in_words(before: str, after: str, head: int, tail: int) -> Contrast:
    """Count the words of texts without a line in common; of long ones those around the place at which they part."""
    first = max(0, head - _BEFORE_IT)
    last = first + MOST_AROUND
    cut = max(map(len, (before, after))) - tail > last
    old, new = ([token for token in tokens_of(text[first:last]) if is_word(token)] for text in (before, after))
    if old == new:
        return Contrast(Kind.SIGNS, cut=cut)
    same, of = n_common(old, new), max(len(old), len(new))
    whole = max(map(len, (before, after))) <= last and not first
    return Contrast(Kind.PART if same else Kind.APART, of - same, of, cut=not whole)
