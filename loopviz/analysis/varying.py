"""What varies among several values: which members, which lines, which numbers, over all of them taken together.

Members, lines and words that stand at one place are put side by side, so the work is linear in what there is to read;
where that is more than is said below, the result says so. Two values are told apart as `loopviz.analysis.difference`
does it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from loopviz.analysis.difference import (
    ABSENT,
    FEW,
    MOST_AROUND,
    MOST_FIELDS,
    ONE_NUMBER,
    Change,
    Contrast,
    Difference,
    Kind,
    contrast_values,
    is_numeral,
    is_word,
    members_of,
    spread,
    tokens_of,
)
from loopviz.canonical import canonical

MOST_CELLS = 400_000
"""Members times values that are looked at."""


def vary(values: Sequence[Any]) -> Difference:
    """Tell in what distinct decoded JSON values differ; each change holds two of the values there."""
    changes: list[Change] = []
    n_fields = 0
    for path, column in members_of(values):
        if n_fields == MOST_FIELDS or n_fields * len(values) > MOST_CELLS:
            return Difference(tuple(changes), n_fields, cut=True, beyond=not changes)
        n_fields += 1
        there = _distinct(column)
        if len(there) > 1:
            old, new = (None if value is ABSENT else value for value in there[:2])
            changes.append(Change(path, old, new, _together(there)))
    return Difference(tuple(changes), n_fields)


def _distinct(column: Sequence[Any]) -> list[Any]:
    kinds = {*map(type, column)}
    if kinds == {str} or kinds == {int}:
        return list(dict.fromkeys(column))
    return list({b"" if value is ABSENT else canonical(value): value for value in column}.values())


def _together(values: list[Any]) -> Contrast:
    """How two or more distinct single values differ."""
    if len(values) == 2:
        return contrast_values(*values)
    if any(value is ABSENT for value in values):
        return Contrast(Kind.REMOVED)
    kinds = {*map(type, values)}
    if kinds <= {int, float}:
        return ONE_NUMBER
    if kinds in ({str}, {list}):
        return _texts([spread(value) for value in values])
    return Contrast(Kind.APART if len(kinds) == 1 else Kind.TYPE)


def _texts(texts: list[str]) -> Contrast:
    if len({"".join(text.split()) for text in texts}) == 1:
        return Contrast(Kind.SPACE)
    if len({text.lower() for text in texts}) == len({text.upper() for text in texts}) == 1:
        return Contrast(Kind.CASE)
    lines = [text.split("\n") for text in texts]
    return _few_words(lines) or _in_lines(lines) or _in_words(texts)


def _few_words(texts: list[list[str]]) -> Contrast | None:
    """Texts that are equal but for numbers, or for a few words; None for others, as soon as that is known."""
    if len({*map(len, texts)}) > 1:
        return None
    n_tokens = n_same = 0
    differing: list[int] = []
    numbers = True
    for line, column in enumerate(zip(*texts, strict=True)):
        first, *others = dict.fromkeys(column)
        base = tokens_of(first)
        places: set[int] = set()
        for tokens in map(tokens_of, others):
            if len(tokens) != len(base):
                return None
            apart = [place for place, token in enumerate(tokens) if token != base[place]]
            if not all(is_word(base[place]) and is_word(tokens[place]) for place in apart):
                return None
            numbers = numbers and all(is_numeral(base[place]) and is_numeral(tokens[place]) for place in apart)
            places.update(apart)
            if not numbers and len(differing) + len(places) > FEW:
                return None
        n_tokens += len(base)
        n_same += sum(is_word(token) for place, token in enumerate(base) if place not in places)
        differing += [line] * len(places)
    if not numbers and not n_same:
        return None
    kind = Kind.NUMBERS if numbers else Kind.WORDS
    return Contrast(kind, len(differing), n_tokens, tuple(dict.fromkeys(differing)))


def _in_lines(texts: list[list[str]]) -> Contrast | None:
    """Texts that all have some lines in common; None for others."""
    common = Counter(texts[0])
    for lines in texts[1:]:
        common &= Counter(lines)
        if not any(map(str.strip, common)):
            return None
    n_lines = max(map(len, texts)) - all(lines[-1] == "" for lines in texts)  # no line begins at the end
    n_common = common.total() - all(lines[-1] == "" for lines in texts)
    return Contrast(Kind.LINES, max(n_lines - n_common, 1), n_lines)


def _in_words(texts: list[str]) -> Contrast:
    """Count the words of texts without a line in common; of long ones the first."""
    cut = any(len(text) > MOST_AROUND for text in texts)
    words = [[token for token in tokens_of(text[:MOST_AROUND]) if is_word(token)] for text in texts]
    if len({*map(tuple, words)}) == 1:
        return Contrast(Kind.SIGNS, cut=cut)
    common = Counter(words[0])
    for some in words[1:]:
        common &= Counter(some)
    of = max(map(len, words))
    return Contrast(Kind.PART if common else Kind.APART, max(of - common.total(), 1), of, cut=cut)
