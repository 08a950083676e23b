"""What differs between two calls' arguments or outputs, as a few facts of which a sentence can be made.

Objects and lists of one length are compared member by member; what is left are single values, and two texts are told
apart as a person would: in white space only, in case only, but for two numbers in line 3, in 2 of 14 lines, in nothing
common. Equal is what the grader calls equal (SPEC, section 1, "Fingerprints"). The work is bounded: of texts of
megabytes only what lies between their common beginning and end is looked at, and of that no more than is said below.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from typing import Any

from loopviz.canonical import canonical

MOST_FIELDS = 2_000
"""Members compared one by one; what lies beyond is not looked at."""
MOST_LINES = 600
"""Lines of a differing part that are compared."""
MOST_CHARACTERS = 20_000
"""Characters of a differing part that are compared word by word."""
MOST_TOKENS = 400
"""Words and signs of a single line that are set against each other."""
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
    """Nothing in common, or next to nothing."""
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
    """Words or lines altogether."""
    lines: tuple[int, ...] = ()
    """Where they stand, from 0; only of numbers and words."""
    cut: bool = False
    """The texts are longer than what was compared; counts are of the compared part."""


SAME = Contrast(Kind.SAME)


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

    def __bool__(self) -> bool:
        return bool(self.changes)


def compare_values(before: Any, after: Any) -> Difference:
    """Compare two decoded JSON values, member by member."""
    changes: list[Change] = []
    n_fields = 0
    for path, old, new in _members(before, after, ""):
        if n_fields == MOST_FIELDS:
            return Difference(tuple(changes), n_fields, cut=True)
        n_fields += 1
        contrast = _contrast(old, new)
        if contrast.kind is not Kind.SAME:
            changes.append(Change(path, _or_none(old), _or_none(new), contrast))
    return Difference(tuple(changes), n_fields)


class _Absent:
    """Where one of the two values has no such member."""


_ABSENT = _Absent()


def _or_none(value: Any) -> Any:
    return None if value is _ABSENT else value


def _members(before: Any, after: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Pairs of single values and where they stand; a list is single where lengths differ."""
    if isinstance(before, dict) and isinstance(after, dict) and (before or after):
        for name in {**before, **after}:
            yield from _members(before.get(name, _ABSENT), after.get(name, _ABSENT), join(path, name))
    elif isinstance(before, list) and isinstance(after, list) and before and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True), start=1):
            yield from _members(old, new, f"{path} #{place}".strip())
    else:
        yield path, before, after


def join(path: str, name: str) -> str:
    """The path of a member: names that would be misread are quoted."""
    shown = name if _PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)
    return f"{path}.{shown}" if path else shown


def _contrast(before: Any, after: Any) -> Contrast:
    if before is _ABSENT or after is _ABSENT:
        return Contrast(Kind.ADDED if before is _ABSENT else Kind.REMOVED)
    if isinstance(before, str) and isinstance(after, str):
        return compare_texts(before, after)
    if canonical(before) == canonical(after):
        return SAME
    if _is_number(before) and _is_number(after):
        return Contrast(Kind.NUMBERS, 1, 1, (0,))
    if isinstance(before, list) and isinstance(after, list):
        return compare_texts(spread(before), spread(after))
    return Contrast(Kind.APART if type(before) is type(after) else Kind.TYPE)


def _is_number(value: Any) -> bool:
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
    if old.casefold() == new.casefold():
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
    pairs = list(zip(*(_TOKEN.findall(text) for text in (old, new)), strict=False))
    if "".join(one for one, _ in pairs) != old or "".join(other for _, other in pairs) != new:
        return None  # one has more tokens than the other
    line, lines, n_same = before.count("\n", 0, head), [], 0
    numbers = True
    for one, other in pairs:
        if one == other:
            line += one.count("\n")
            n_same += one.isalnum()
            continue
        if not (one[0].isalnum() or one[0] == "_") or not (other[0].isalnum() or other[0] == "_"):
            return None
        numbers = numbers and bool(_NUMBER.fullmatch(one) and _NUMBER.fullmatch(other))
        lines.append(line)
    if numbers:
        return Contrast(Kind.NUMBERS, len(lines), len(pairs), tuple(dict.fromkeys(lines)))
    around = head + tail > 0
    if len(lines) <= FEW and (around or n_same >= len(lines)):
        return Contrast(Kind.WORDS, len(lines), len(pairs), tuple(dict.fromkeys(lines)))
    return None


def _to_space(text: str, place: int, step: int) -> int:
    """The next place from `place`, back or forth, that touches white space or an end of the text."""
    if step < 0:
        return max(text.rfind(space, 0, place) for space in _SPACE) + 1
    found = (text.find(space, place) for space in _SPACE)
    return min((place for place in found if place >= 0), default=len(text))


def _many(before: str, after: str, head: int, tail: int) -> Contrast:
    if "\n" not in before and "\n" not in after:
        return _in_words(before, after, head)
    first = before.rfind("\n", 0, head) + 1
    last = before.find("\n", len(before) - tail)
    tail = len(before) - last if last >= 0 else 0
    old, new = (text[first : len(text) - tail].split("\n") for text in (before, after))
    cut = max(len(old), len(new)) > MOST_LINES
    old, new = old[:MOST_LINES], new[:MOST_LINES]
    differing, kept = 0, []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new).get_opcodes():
        if tag == "equal":
            kept += old[i1:i2]
        else:
            differing += max(i2 - i1, j2 - j1)
    outside = before[:first] + before[len(before) - tail :] if tail else before[:first]
    if not any(map(str.strip, kept)) and not outside.strip():
        return _in_words(before, after, head)
    return Contrast(Kind.LINES, differing, differing + len(kept) + outside.count("\n"), cut=cut)


def _in_words(before: str, after: str, head: int) -> Contrast:
    """Count the words of texts without a line in common; of long ones those around the place at which they part."""
    window = slice(max(0, head - MOST_TOKENS), max(0, head - MOST_TOKENS) + 10 * MOST_TOKENS)
    words = [[token for token in _TOKEN.findall(text[window]) if token[0].isalnum()] for text in (before, after)]
    if words[0] == words[1] and words[0] and max(map(len, (before, after))) <= 10 * MOST_TOKENS:
        return Contrast(Kind.SIGNS)
    old, new = (some[:MOST_TOKENS] for some in words)
    same = sum(block.size for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    of = max(len(old), len(new))
    differing = max(of - same, 1)
    cut = max(map(len, (before, after))) > 10 * MOST_TOKENS or max(map(len, words)) > MOST_TOKENS
    kind = Kind.PART if same and same * 3 >= of else Kind.APART
    return Contrast(kind, differing, max(of, 1), cut=cut)
