"""Digests of what a run did, by which a label knows it again.

They take in each call's tool, arguments, observation and turn, however the file spells them, and nothing that was said
of the run since: grading it anew, or reading it from another file, leaves them as they are.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from weakref import WeakKeyDictionary

import numpy as np

from loopviz.model import MISSING, Codebook, Trajectory

_DIGITS = 32
"""128 bits: enough that no two runs of anybody ever share them."""
_known: WeakKeyDictionary[Trajectory, str] = WeakKeyDictionary()


def calls_digest(trajectory: Trajectory) -> str:
    """`58:5f3a…`: how many calls a run has, and the digest of all of them; worked out once for each run."""
    known = _known.get(trajectory)
    if known is None:
        n_calls = len(trajectory.calls)
        known = f"{n_calls}:{_digest(trajectory, 0, n_calls, turn=0)}"
        _known[trajectory] = known
    return known


def stretch_digest(trajectory: Trajectory, first: int, last: int) -> str:
    """The digest of a stretch of calls by itself, wherever in its run it stands.

    Args:
        trajectory: The run.
        first: The first call, from 1.
        last: The last call, which is part of it.
    """
    turn = int(trajectory.calls.turn[first - 1])
    return _digest(trajectory, first - 1, last, turn=max(turn, 0))


def _digest(trajectory: Trajectory, start: int, stop: int, *, turn: int) -> str:
    """Of the calls from `start` up to `stop`, their turns told from `turn`; -1 stays what it is."""
    book, calls = trajectory.codebook, trajectory.calls
    tools = [_of_text(name) for name in book.tools]
    values = _values.setdefault(book, _Values(book))
    columns = (calls.tool, calls.arguments, calls.observation)
    rows = zip(*(each[start:stop].tolist() for each in columns), strict=True)
    told = sha256(usedforsecurity=False)
    told.update(b"".join([tools[tool] + values[asked] + values[got] for tool, asked, got in rows]))
    turns = calls.turn[start:stop].astype(">i8")
    told.update(np.where(turns >= 0, turns - turn, -1).astype(">i8").tobytes())
    return told.hexdigest()[:_DIGITS]


class _Values(dict[int, bytes]):
    """The digest of each value of a codebook by its place there, worked out when it is asked for."""

    def __init__(self, book: Codebook) -> None:
        super().__init__({MISSING: bytes(sha256().digest_size)})
        self._codes, self._keys = book.codes, book.keys

    def __missing__(self, value: int) -> bytes:
        self[value] = sha256(self._keys[int(self._codes[value])], usedforsecurity=False).digest()
        return self[value]


_values: WeakKeyDictionary[Codebook, _Values] = WeakKeyDictionary()
"""Runs of one file have many values in common."""


@lru_cache(maxsize=1024)
def _of_text(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
