"""Many trajectories, laid end to end: what every detector reads.

The calls of all runs stand in one set of integer arrays with a column of offsets, so that one numpy pass scans ten
thousand runs as easily as one. Codes mean the same value throughout one `Columns`, whatever file it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopviz.model import MISSING, NULL_VALUE, BoolArray, Calls, Codebook, IntArray, Trajectory


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """Calls of many trajectories; arrays have shape (n_calls,) unless they say otherwise."""

    starts: IntArray
    """Where each run's calls begin, and where the last one's end: shape (n_runs + 1,)."""
    tool: IntArray
    """Index into `tools`."""
    arguments: IntArray
    """Identity of the arguments: equal exactly when they are deep-equal. Missing ones equal `null`, code 0."""
    observation: IntArray
    """Identity of the result; a missing one equals `null`, code 0."""
    empty: BoolArray
    """The result is missing or empty (SPEC, section 1)."""
    near_empty: BoolArray
    """The same in the thrash detector's wider meaning (SPEC, section 3)."""
    turn: IntArray
    """A number for each turn, unique over all runs; a call that stands alone has one of its own."""
    unknown_arguments: BoolArray
    unknown_observation: BoolArray
    executed: BoolArray
    tools: tuple[str, ...]
    keys: tuple[bytes, ...]
    """Canonical JSON of each identity: `keys[code]`."""

    @property
    def n_runs(self) -> int:
        return len(self.starts) - 1

    @property
    def n_calls(self) -> int:
        return len(self.tool)


def lay_out(trajectories: Sequence[Trajectory]) -> Columns:
    """Lay the calls of trajectories end to end, in their order.

    They may come from several files: identities are joined by their canonical texts, one look-up a distinct value.
    """
    books = _Books(t.codebook for t in trajectories)
    sizes = np.array([len(t.calls) for t in trajectories], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def column(read: Callable[[Calls, _Joined], NDArray[Any]], dtype: type) -> NDArray[Any]:
        parts: list[NDArray[Any]] = [np.asarray(read(t.calls, books.of(t.codebook)), dtype=dtype) for t in trajectories]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=dtype)

    observation = column(lambda calls, book: book.identity(calls.observation), np.int64)
    return Columns(
        starts=starts,
        tool=column(lambda calls, book: book.tools[calls.tool], np.int64),
        arguments=column(lambda calls, book: book.identity(calls.arguments), np.int64),
        observation=observation,
        empty=books.empty[observation],
        near_empty=books.near_empty[observation],
        turn=_unique_turns(trajectories, starts),
        unknown_arguments=column(lambda calls, _: calls.unknown_arguments, np.bool_),
        unknown_observation=column(lambda calls, _: calls.unknown_observation, np.bool_),
        executed=column(lambda calls, _: calls.executed, np.bool_),
        tools=books.tools,
        keys=books.keys,
    )


def _unique_turns(trajectories: Sequence[Trajectory], starts: IntArray) -> IntArray:
    """A turn number no other run uses; each run gets room for its turns and for every call standing alone."""
    parts: list[IntArray] = []
    first = 0
    for trajectory in trajectories:
        turn = np.asarray(trajectory.calls.turn, dtype=np.int64)
        parts.append(first + np.where(turn >= 0, turn, trajectory.n_turns + np.arange(len(turn))))
        first += trajectory.n_turns + len(turn)
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Joined:
    """How one codebook's numbers translate to those of the whole set."""

    tools: IntArray
    codes: IntArray

    def identity(self, values: IntArray) -> IntArray:
        return self.codes[np.where(values == MISSING, NULL_VALUE, values)]


class _Books:
    """One set of tools and identities for several codebooks."""

    def __init__(self, books: Iterable[Codebook]) -> None:
        tools: dict[str, int] = {}
        identities: dict[bytes, int] = {b"null": 0}
        self._joined: dict[int, _Joined] = {}
        empty = np.ones(1, dtype=np.bool_)
        near_empty = np.ones(1, dtype=np.bool_)
        for book in books:
            if id(book) in self._joined:
                continue
            known = len(identities)
            codes = np.array([identities.setdefault(key, len(identities)) for key in book.keys], dtype=np.int64)
            new = codes >= known
            empty = np.concatenate([empty, book.empty[new]])
            near_empty = np.concatenate([near_empty, book.near_empty[new]])
            own_tools = np.array([tools.setdefault(name, len(tools)) for name in book.tools], dtype=np.int64)
            self._joined[id(book)] = _Joined(own_tools, codes[book.codes])
        self.tools = tuple(tools)
        self.keys = tuple(identities)
        self.empty = empty
        self.near_empty = near_empty

    def of(self, book: Codebook) -> _Joined:
        return self._joined[id(book)]
