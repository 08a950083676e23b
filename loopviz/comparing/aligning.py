"""Two runs step by step on one scale: which steps both took, which only one of them, and where they part.

A step is here what one turn calls, whatever tools a grader watches: what two runs have in common depends on the way of
"same" alone, and not on how each is judged. A call outside every turn is a step of its own.

Decided:

- Empty outputs when runs are compared: each is a value like any other, one for each tool and its arguments. Two runs
  that both called a tool which gave nothing back did the same.
- Matched steps: under one way of "same" they may differ in what it ignores, and each pair says in what. Parallel calls
  that exchange their outputs gave other outputs. Where a value was never recorded it says that, and claims no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np

from loopviz.analysis.runset import RunSet
from loopviz.comparing.common_steps import common_steps
from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.sets import number_sets
from loopviz.detectors.core.steps import Match, Steps, Unknown, build_steps, fingerprint
from loopviz.model import BoolArray, IntArray

ABSENT = -1
"""The step of a run that has none in a column."""


class Kind(IntEnum):
    """What a column holds, the weakest mark first."""

    SAME = 0
    """The same calls, with the same outputs."""
    OTHER_ARGUMENTS = 1
    """Matched: the outputs are the same, the arguments are not."""
    OTHER_OUTPUT = 2
    """Matched: the same calls, with other outputs."""
    OTHER_BOTH = 3
    """Matched by its tools alone."""
    UNRECORDED = 4
    """Matched, and the files do not hold all that would tell whether it is the same."""
    ONLY_A = 5
    ONLY_B = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class Alignment:
    """Both runs in columns; arrays have shape (n_columns,). Steps count from 0 within their run."""

    match: Match
    a: IntArray
    """Step of A, ABSENT where only B has one."""
    b: IntArray
    """Step of B, ABSENT where only A has one."""
    kind: IntArray
    """`Kind` of each column."""
    sides: tuple[Walk, Walk]

    def __len__(self) -> int:
        return len(self.kind)

    def count(self, *kinds: Kind) -> int:
        """How many columns are of some kinds."""
        return int(np.isin(self.kind, kinds).sum())

    @property
    def n_common(self) -> int:
        """Steps in both."""
        return int((self.kind < Kind.ONLY_A).sum())

    @cached_property
    def parting(self) -> int | None:
        """The first column that only one of them has; None where they take the same steps."""
        return _first(self.kind >= Kind.ONLY_A)

    @cached_property
    def first_unlike(self) -> int | None:
        """The first matched column whose calls are known to be not the same in everything."""
        return _first(self.unlike)

    @cached_property
    def unlike(self) -> BoolArray:
        """Of each column whether it is matched and known to be not the same in everything."""
        unlike: BoolArray = (self.kind > Kind.SAME) & (self.kind < Kind.UNRECORDED)
        return unlike

    @property
    def mark(self) -> int | None:
        """The column that is marked: where they part, else the first step that is not quite the same."""
        return self.first_unlike if self.parting is None else self.parting

    @property
    def unlike_before(self) -> int | None:
        """The first matched column that is not quite the same, where it stands before they part."""
        return None if self.parting is None or (self.first_unlike or 0) > self.parting else self.first_unlike

    def step(self, side: int, column: int) -> int:
        """The step of A (0) or B (1) in a column, ABSENT where it has none."""
        return int((self.a, self.b)[side][column])

    def next_step(self, side: int, column: int) -> int | None:
        """The step of a side in a column, or the first one after it; None where its run has ended."""
        steps = (self.a, self.b)[side][column:]
        later = steps[steps != ABSENT]
        return int(later[0]) if len(later) else None


def _first(mask: BoolArray) -> int | None:
    places = np.flatnonzero(mask)
    return int(places[0]) if len(places) else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Walk:
    """The steps of one run; calls count from 0 within the run."""

    of_call: IntArray
    """Step of each call, shape (n_calls,)."""
    first_call: IntArray
    """First call of each step, shape (n_steps,)."""
    tools: IntArray
    """One code for the tools of each step, shape (n_steps,)."""

    def __len__(self) -> int:
        return len(self.first_call)

    def calls(self, step: int) -> list[int]:
        """The calls of a step."""
        order, bounds = self._by_step
        found: list[int] = order[bounds[step] : bounds[step + 1]].tolist()
        return found

    def same_tools(self, step: int) -> int:
        """How many steps from this one on call the same tools."""
        apart = np.flatnonzero(self.tools[step:] != self.tools[step])
        return int(apart[0]) if len(apart) else len(self) - step

    @cached_property
    def _by_step(self) -> tuple[IntArray, IntArray]:
        order = np.argsort(self.of_call, kind="stable")
        return order, np.searchsorted(self.of_call[order], np.arange(len(self) + 1))


def align(runs: RunSet, match: Match, unknown: Unknown = "equal") -> Alignment:
    """Align the two runs of a set; what was aligned last is kept beside them."""
    assert len(runs) == 2
    aligned: Alignment = runs.kept.get(("aligned", match, unknown), lambda: _align(runs, match, unknown))
    return aligned


def _align(runs: RunSet, match: Match, unknown: Unknown) -> Alignment:
    columns = runs.columns
    steps = build_steps(columns, np.ones(columns.n_calls, dtype=np.bool_))
    border = int(steps.starts[1])
    codes = fingerprint(columns, steps, match=match, unknown=unknown, count_empty=True)
    pairs = common_steps(codes[:border], codes[border:])
    arguments = fingerprint(columns, steps, match="name-args", unknown=unknown)
    outputs = _outputs(columns, steps, unknown)
    other_arguments, other_output = (
        values[:border][pairs[:, 0]] != values[border:][pairs[:, 1]] for values in (arguments, outputs)
    )
    whole = _whole(columns, steps)
    exchanged = ~other_arguments & (whole[:border][pairs[:, 0]] != whole[border:][pairs[:, 1]])
    kinds = other_arguments * int(Kind.OTHER_ARGUMENTS) + (other_output | exchanged) * int(Kind.OTHER_OUTPUT)
    unrecorded = _unrecorded(columns, steps)
    kinds[unrecorded[:border][pairs[:, 0]] | unrecorded[border:][pairs[:, 1]]] = Kind.UNRECORDED
    a, b, kind = _in_columns(pairs, kinds, (border, len(steps) - border))
    tools = fingerprint(columns, steps, match="name")
    walks = _walk(columns, steps, tools, 0), _walk(columns, steps, tools, 1)
    return Alignment(match=match, a=a, b=b, kind=kind, sides=walks)


def _outputs(columns: Columns, steps: Steps, unknown: Unknown) -> IntArray:
    """Identity of what each step gave back; empty outputs of a tool are one value, whatever its arguments."""
    output = np.where(columns.empty, 0, columns.observation)
    codes = columns.tool * len(columns.keys) + output
    if unknown == "distinct":
        beyond = len(columns.tools) * len(columns.keys)
        codes = np.where(columns.unknown_observation, beyond + np.arange(columns.n_calls), codes)
    return number_sets(codes, steps.of_call, len(steps), none=ABSENT)


def _whole(columns: Columns, steps: Steps) -> IntArray:
    """Identity of the calls of each step with what each of them gave back; shape (n_steps,)."""
    asked = _numbered(columns.tool * len(columns.keys) + columns.arguments)
    gave = np.where(columns.empty, 0, columns.observation)
    codes = _numbered(asked * len(columns.keys) + gave)
    return number_sets(codes, steps.of_call, len(steps), none=ABSENT)


def _unrecorded(columns: Columns, steps: Steps) -> BoolArray:
    """Whether a step holds a value that nobody recorded; shape (n_steps,)."""
    unrecorded = np.zeros(len(steps), dtype=np.bool_)
    unrecorded[steps.of_call[columns.unknown_arguments | columns.unknown_observation]] = True
    return unrecorded


def _numbered(codes: IntArray) -> IntArray:
    numbered: IntArray = np.unique(codes, return_inverse=True)[1]
    return numbered


def _in_columns(pairs: IntArray, kinds: IntArray, sizes: tuple[int, int]) -> tuple[IntArray, IntArray, IntArray]:
    """A column for every step of either run; between two matched ones those of A come before those of B."""
    n_a, n_b = sizes
    n_columns = n_a + n_b - len(pairs)
    before = np.arange(len(pairs))
    at = pairs[:, 0] + pairs[:, 1] - before
    only_a, only_b = (np.setdiff1d(np.arange(size), side) for size, side in zip(sizes, pairs.T, strict=True))
    a, b = np.full(n_columns, ABSENT), np.full(n_columns, ABSENT)
    a[at], b[at] = pairs[:, 0], pairs[:, 1]
    kind = np.full(n_columns, int(Kind.ONLY_A))
    kind[at] = kinds
    # A step of A stands behind all of B's that were matched before it, one of B behind A's up to the next match.
    matched_before = np.searchsorted(pairs[:, 0], only_a)
    last_b = np.append(-1, pairs[:, 1])[matched_before]
    a[only_a + last_b + 1 - matched_before] = only_a
    matched_before = np.searchsorted(pairs[:, 1], only_b)
    next_a = np.append(pairs[:, 0], n_a)[matched_before]
    place = only_b + next_a - matched_before
    b[place] = only_b
    kind[place] = Kind.ONLY_B
    return a, b, kind


def _walk(columns: Columns, steps: Steps, tools: IntArray, run: int) -> Walk:
    begin, end = int(columns.starts[run]), int(columns.starts[run + 1])
    first, stop = int(steps.starts[run]), int(steps.starts[run + 1])
    return Walk(
        of_call=steps.of_call[begin:end] - first,
        first_call=steps.first_call[first:stop] - begin,
        tools=tools[first:stop],
    )
