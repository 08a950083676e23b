"""Calls and results while a file is being read, and the columns that become of them."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopviz.model import MISSING, BoolArray, Calls, FloatArray, IntArray
from loopviz.readers.encoding import Text
from loopviz.readers.interning import Interner
from loopviz.readers.pairing import Side
from loopviz.readers.texts import readable
from loopviz.readers.times import UNKNOWN

NO_PLACE = -1

BATCH = 1024
"""Rows that wait at most."""


def _integers() -> array[int]:
    return array("q")


@dataclass(slots=True, kw_only=True)
class Rows:
    """Calls or results as columns that grow, in file order.

    A row waits until there are many, since columns that grow by many at once cost less than by one.
    """

    ids: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    value: array[int] = field(default_factory=_integers)
    """Arguments of calls, observations of results: indexes of values, or `MISSING`."""
    event: array[int] = field(default_factory=_integers)
    offset: array[int] = field(default_factory=_integers)
    """Where the event begins in the text."""
    length: array[int] = field(default_factory=_integers)
    time: array[float] = field(default_factory=lambda: array("d"))
    unknown: bytearray = field(default_factory=bytearray)
    """Whether the value was never recorded."""
    waiting: list[tuple[Any, ...]] = field(default_factory=list)
    """Rows to come: what stands in each of `all_columns`. Who adds one settles them when there are `BATCH`."""

    def settle(self) -> None:
        """Bring the rows that wait into the columns; until then these are short of them."""
        if self.waiting:
            for column, values in zip(self.all_columns(), zip(*self.waiting, strict=True), strict=True):
                if isinstance(column, array):  # It would take in each value by itself, and slowly.
                    column.frombytes(struct.pack(f"{len(values)}{column.typecode}", *values))
                else:
                    column += values if isinstance(column, list) else bytes(values)
            self.waiting.clear()

    def cut(self, length: int) -> None:
        """Keep so many rows, of those that are settled, and no more."""
        for column in self.all_columns():
            del column[length:]

    def all_columns(self) -> tuple[Any, ...]:
        """The columns, in the order in which a row gives their values."""
        return self.ids, self.tools, self.value, self.event, self.offset, self.length, self.time, self.unknown

    def side(self) -> Side:
        return Side(ids=self.ids, tools=self.tools, events=self.event)

    def places(self, text: Text) -> tuple[IntArray, IntArray]:
        """Where each event begins in the file itself, and its bytes there."""
        begins = np.array(self.offset, dtype=np.int64)
        ends = begins + np.array(self.length, dtype=np.int64)
        offset = text.offsets(begins)
        return offset, text.offsets(ends) - offset


@dataclass(slots=True, kw_only=True)
class CallRows(Rows):
    """Calls."""

    turn: array[int] = field(default_factory=_integers)
    line: array[int] = field(default_factory=lambda: array("i"))
    executed: bytearray = field(default_factory=bytearray)

    def all_columns(self) -> tuple[Any, ...]:
        return *Rows.all_columns(self), self.turn, self.line, self.executed


@dataclass(slots=True, kw_only=True)
class ResultRows(Rows):
    """Results."""

    failed: bytearray = field(default_factory=bytearray)
    answers: array[int] = field(default_factory=lambda: array("i"))
    """Which call a result is known to answer, or `NO_CALL`."""

    def all_columns(self) -> tuple[Any, ...]:
        return *Rows.all_columns(self), self.failed, self.answers

    def side(self) -> Side:
        return Side(ids=self.ids, tools=self.tools, events=self.event, answers=self.answers)


def _shown(ids: list[str]) -> list[str] | list[str | None]:
    """Ids as they can be shown."""
    is_plain = all(ids) and "".join(ids).isascii()  # As nearly all are.
    return ids if is_plain else [readable(call_id) or None for call_id in ids]


def columns(
    calls: CallRows, results: ResultRows, *,
    answers: Sequence[int], tools: Sequence[int], text: Text, interner: Interner,
) -> Calls:  # fmt: skip
    """Bring calls and their results together.

    Args:
        answers: For each call the number of its result, or `NO_RESULT`.
        tools: For each call the index of its tool.
    """
    result_of_call = np.array(answers, dtype=np.int64)

    def of_result(column: NDArray[Any], absent: float) -> NDArray[Any]:
        # `NO_RESULT` is -1 and so picks the last one, which stands for none.
        return np.append(column, np.array([absent], dtype=column.dtype))[result_of_call]

    offset, length = calls.places(text)
    result_offset, result_length = results.places(text)
    arguments: IntArray = np.array(calls.value, dtype=np.int32)
    observation: IntArray = of_result(np.array(results.value, dtype=np.int32), MISSING)
    failed: BoolArray = of_result(np.array(results.failed, dtype=np.bool_), False)
    unknown: BoolArray = of_result(np.array(results.unknown, dtype=np.bool_), False)
    ended: FloatArray = of_result(np.array(results.time, dtype=np.float64), UNKNOWN)
    return Calls(
        tool=np.array(tools, dtype=np.int32),
        arguments=arguments,
        observation=observation,
        turn=np.array(calls.turn, dtype=np.int32),
        failed=failed,
        executed=np.array(calls.executed, dtype=np.bool_),
        unknown_arguments=interner.redacted(arguments) | np.array(calls.unknown, dtype=np.bool_),
        unknown_observation=interner.redacted(observation) | unknown,
        started_s=np.array(calls.time, dtype=np.float64),
        ended_s=ended,
        event=np.array(calls.event, dtype=np.int32),
        line=np.array(calls.line, dtype=np.int32),
        offset=offset,
        length=length,
        result_offset=of_result(result_offset, NO_PLACE),
        result_length=of_result(result_length, 0),
        ids=tuple(_shown(calls.ids)),
    )
