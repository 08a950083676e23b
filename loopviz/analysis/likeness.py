"""In what calls are alike: keys that calls share which are the same but for a little.

Texts are compared by their outline, in which every word that holds a digit is one sign, and arguments that are objects
with each member left out in turn. Every key is found once for each distinct value, however many calls there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from loopviz.detectors.core.columns import Columns
from loopviz.model import IntArray

MOST_MEMBERS = 24
"""Members of arguments up to which each is left out in turn; objects of more are rare."""

_WORD_WITH_DIGIT = re.compile(rb"(?<![0-9A-Za-z_])[A-Za-z_]*+[0-9][0-9A-Za-z_]*+")
_object = msgspec.json.Decoder(dict[str, msgspec.Raw])


def outline(key: bytes) -> bytes:
    """A canonical JSON text with every word that holds a digit replaced by `0`; of several, joined by line breaks."""
    return _WORD_WITH_DIGIT.sub(b"0", key)


def members(key: bytes, path: str = "") -> Iterator[tuple[str, bytes]]:
    """The members of an object, those of inner objects by their path; none where it is no object or no strict JSON."""
    try:
        inside = _object.decode(key)
    except (ValueError, RecursionError):
        return
    for name, raw in inside.items():
        inner = bytes(raw)
        here = f"{path}\0{name}"
        if inner[:1] == b"{" and inner != b"{}":
            yield from members(inner, here)
        else:
            yield here, inner


class Family(NamedTuple):
    """A way of being near: a key for each of some calls."""

    call: IntArray
    """Place among the watched calls, not decreasing within a key."""
    key: IntArray
    one_member: bool = False
    """Arguments with one key differ in one member at most."""


class Likeness:
    """What the watched calls have in common: arrays of shape (n_watched,)."""

    def __init__(self, columns: Columns, calls: IntArray) -> None:
        self.calls = calls
        self.tool = columns.tool[calls]
        self.arguments = columns.arguments[calls]
        self.output = columns.observation[calls]
        self.empty = columns.empty[calls]
        codes = np.unique(np.concatenate([self.arguments, self.output]))
        self.keys = [columns.keys[code] for code in codes.tolist()]
        place = np.zeros(len(columns.keys), dtype=np.int64)
        place[codes] = np.arange(len(codes))
        outlines = np.array(_numbered(outline(b"\n".join(self.keys)).split(b"\n")), dtype=np.int64)
        self.key_of_arguments = place[self.arguments]
        self.arguments_outline = outlines[self.key_of_arguments]
        self.output_outline = outlines[place[self.output]]


def _numbered(texts: Sequence[object]) -> list[int]:
    numbers: dict[object, int] = {}
    return [numbers.setdefault(text, len(numbers)) for text in texts]


def families(like: Likeness) -> Iterator[Family]:
    """Every way of being near; tools never mix, and an empty output is like no other."""
    everyone = np.arange(len(like.calls))
    full = np.flatnonzero(~like.empty)
    yield Family(everyone, _pair(like.tool, like.arguments))
    yield Family(everyone, _pair(like.tool, like.arguments_outline))
    yield Family(full, _pair(like.tool[full], like.output[full]))
    yield Family(full, _pair(like.tool[full], like.output_outline[full]))
    yield Family(full, _pair(_pair(like.tool, like.arguments_outline), like.output_outline)[full])
    yield _one_left_out(like)


def _pair(first: IntArray, second: IntArray) -> IntArray:
    """One number for each pair of numbers."""
    number: IntArray = np.unique(first * (int(second.max(initial=0)) + 1) + second, return_inverse=True)[1]
    return number


def _one_left_out(like: Likeness) -> Family:
    """A key for each call and each member of its arguments: all the others, and the name of the one left out.

    A member is a 64-bit number and an object the sum of its members', so that leaving one out is a subtraction.
    """
    names: dict[str, int] = {}
    pairs: dict[tuple[str, bytes], int] = {}
    sizes, of_name, of_pair = [0] * len(like.keys), [], []
    for code in np.unique(like.key_of_arguments).tolist():
        inside = list(members(like.keys[code]))
        if 2 <= len(inside) <= MOST_MEMBERS:
            sizes[code] = len(inside)
            of_name += [names.setdefault(name, len(names)) for name, _ in inside]
            of_pair += [pairs.setdefault(pair, len(pairs)) for pair in inside]
    size = np.array(sizes, dtype=np.int64)
    first = np.cumsum(size) - size
    mixed = _mix(np.array(of_pair, dtype=np.uint64))
    total = np.add.reduceat(mixed, first[size > 0]) if len(mixed) else mixed
    rest = np.repeat(total, size[size > 0]) - mixed + _mix(_mix(np.array(of_name, dtype=np.uint64)))
    mine = size[like.key_of_arguments]
    call = np.repeat(np.arange(len(like.calls)), mine)
    place = np.repeat(first[like.key_of_arguments] - np.cumsum(mine) + mine, mine) + np.arange(len(call))
    number: IntArray = np.unique(rest[place], return_inverse=True)[1]
    return Family(call, _pair(like.tool[call], number), one_member=True)


def _mix(number: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread small numbers over 64 bits (the finaliser of SplitMix64), so that sums of a few are hardly ever equal."""
    mixed = (number + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
