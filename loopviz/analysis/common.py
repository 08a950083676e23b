"""The longest part that two sequences have in common, exactly and quickly, however often their items repeat.

difflib looks for long blocks: with items that come often it takes seconds for a few hundred of them, and by default
leaves those items out. Here a row of the classic table is one whole number, a bit for each item of `old` that is 0
where the length goes up (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def n_common(old: Sequence[str], new: Sequence[str]) -> int:
    """Length of the longest sequence that is part of both in its order."""
    *_, last = _every(old), *_rows(old, new)
    return len(old) - last.bit_count()


def common_places(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Where its items stand in both, ascending; of several such sequences one that stands far back."""
    rows = [_every(old), *_rows(old, new)]
    places = []
    one, other = len(old), len(new)
    while one and other:
        if old[one - 1] == new[other - 1]:
            one, other = one - 1, other - 1
            places.append((one, other))
        elif rows[other] >> (one - 1) & 1:
            one -= 1
        else:
            other -= 1
    return places[::-1]


def _every(old: Sequence[str]) -> int:
    return (1 << len(old)) - 1


def _rows(old: Sequence[str], new: Sequence[str]) -> Iterator[int]:
    """The row after each item of `new`."""
    places: dict[str, int] = {}
    for place, item in enumerate(old):
        places[item] = places.get(item, 0) | 1 << place
    row = every = _every(old)
    for item in new:
        hit = row & places.get(item, 0)
        row = (row + hit | row - hit) & every
        yield row
