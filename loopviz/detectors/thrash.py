"""Thrash: a live guard, simulated, that stops a run which makes no headway.

It walks through the watched calls in file order and stops the run at the first of

1. *identical*: the n-th identical call, same tool and same arguments, in a row or over the whole run;
2. *empty-retry*: a call repeated in a row although its result was nearly empty, once too often (off by default);
3. *ping-pong*: `A B A B`, two calls that alternate twice, each with the same result as before.

Tools that end a run neither count nor start the count anew. Nor do calls that never ran, unless they are asked for. So
`ls`, `ls`, `ls` stops at the third `ls`; `ls`, `cat a`, `ls`, `cat a` at its fourth call, if nothing changed.

Why it matters: it is the guard of last resort, which ends a run on its own. It acts early and on exact repeats alone,
so what comes after its stop point is at most what it would have saved. A run that rightly waits for something asks the
same question again and again, and would be stopped too: read the stop beside what the run did afterwards.

In code: keys depend on which arguments are left out, counts on everything else, so the two are separate: a change of n
compares no text.

Source: SPEC, section 3 (after the lesson "Detect Tool Thrash").
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.steps import Unknown
from loopviz.detectors.core.watched import Selection, length_so_far, select
from loopviz.detectors.thrash_keys import Keys, make_keys
from loopviz.model import BoolArray, IntArray
from loopviz.settings import ThrashSettings

__all__ = ["STOP_REASON", "Keys", "Kind", "Stop", "ThrashFindings", "make_keys", "simulate"]

STOP_REASON = "cannot: tool thrash"
"""The computed reason why a run stops, kept apart from the recorded one."""


class Kind(IntEnum):
    """The rule that stops a run; of several at one call the lowest number wins."""

    NONE = 0
    IDENTICAL = 1
    EMPTY_RETRY = 2
    PING_PONG = 3

    @property
    def word(self) -> str | None:
        """Its name in what is printed."""
        return (None, "identical", "empty-retry", "ping-pong")[self]


@dataclass(frozen=True, slots=True)
class Stop:
    """Where and why a run is stopped; numbers count from 0 within the run."""

    kind: Kind
    watched: int
    """The stopping call among the watched calls."""
    call: int
    """The stopping call among all calls."""
    key: str
    """What was called: the tool and its arguments without those left out."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThrashFindings:
    """What the guard would have done in each run."""

    settings: ThrashSettings
    watched: Selection
    identical: IntArray
    """Identical calls up to and including each watched one, 0 for one that does not count: shape (n_watched,)."""
    kind: IntArray
    """`Kind` of each run's stop, shape (n_runs,)."""
    place: IntArray
    """The stopping call of each run, an index into the watched calls of all runs, -1 without: shape (n_runs,)."""
    count: IntArray
    """The highest number of identical calls up to the stop, or to the end, shape (n_runs,).

    Of a run that a nearly empty result stopped it is the number of those.
    """
    keys: Keys
    run_starts: IntArray
    """Where each run's calls begin in the columns, shape (n_runs + 1,)."""

    @property
    def stopped(self) -> BoolArray:
        """Whether each run is stopped, shape (n_runs,)."""
        return self.place >= 0

    def stop(self, run: int) -> Stop | None:
        """Where and why a run is stopped; None for one that is not."""
        place = int(self.place[run])
        if place < 0:
            return None
        call = int(self.watched.call[place])
        return Stop(
            kind=Kind(int(self.kind[run])),
            watched=place - int(self.watched.starts[run]),
            call=call - int(self.run_starts[run]),
            key=self.keys.text(call),
        )

    def differ(self, run: int) -> bool:
        """Whether what counts as identical, at the stop or where most calls do, differs in what is left out of keys."""
        first, last = self.watched.starts[run : run + 2].tolist()
        if first == last:
            return False
        place = int(self.place[run])
        place = first + int(np.argmax(self.identical[first:last])) if place < 0 else place
        counted = self.watched.call[first : place + 1][self.identical[first : place + 1] > 0]
        code = self.keys.code
        alike = counted[code[counted] == code[self.watched.call[place]]][-max(int(self.identical[place]), 1) :]
        return len(np.unique(self.keys.columns.arguments[alike])) > 1


def simulate(
    columns: Columns,
    watched: BoolArray,
    finish: BoolArray | None,
    settings: ThrashSettings,
    keys: Keys,
    unknown: Unknown = "equal",
) -> ThrashFindings:
    """Let the guard watch every run.

    Args:
        columns: The calls of all runs.
        watched: Whether each call's tool passes the filter, shape (n_calls,).
        finish: Whether a tool is one that ends a run, shape (n_tools,); None where no tool is.
        settings: What stops a run.
        keys: What makes two calls identical, from `make_keys` with the same settings.
        unknown: Whether values that nobody recorded equal each other or nothing.
    """
    all_watched = select(columns, watched)
    counts = _counting(columns, finish, settings)
    calls = select(columns, watched & counts)
    compared = _compare(columns, calls, keys, unknown)
    identical = compared.in_a_row if settings.scope == "consecutive" else _in_the_run(calls, compared.key)
    rule = _rules(compared, identical, settings)
    stop = _first_in_run(calls, rule)
    count = _highest_until(calls, identical, stop)
    # Where nothing stops a run its -1 picks out what is appended here and below.
    kind = np.append(rule, Kind.NONE)[stop]
    if settings.empty_retry is not None:
        count[kind == Kind.EMPTY_RETRY] = settings.empty_retry + 1
    among_watched = np.flatnonzero(counts[all_watched.call])
    count_of_watched = np.zeros(len(all_watched), dtype=np.int64)
    count_of_watched[among_watched] = identical
    return ThrashFindings(
        settings=settings,
        watched=all_watched,
        identical=count_of_watched,
        kind=kind,
        place=np.append(among_watched, -1)[stop],
        count=count,
        keys=keys,
        run_starts=columns.starts,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Compared:
    """What is known of each call that counts, shape (n_counted,)."""

    key: IntArray
    observation: IntArray
    in_a_row: IntArray
    """Identical calls in a row up to and including this one."""
    nearly_empty: IntArray
    """Of those, the ones with a nearly empty result since the last fuller one."""
    number: IntArray
    """Of the call within its run, from 0."""


def _counting(columns: Columns, finish: BoolArray | None, settings: ThrashSettings) -> BoolArray:
    """Whether each call counts, its tool's filter aside; one that does not is passed over: shape (n_calls,)."""
    counts = np.ones(columns.n_calls, dtype=np.bool_) if settings.count_unexecuted else columns.executed
    return counts if finish is None else counts & ~finish[columns.tool]


def _compare(columns: Columns, calls: Selection, keys: Keys, unknown: Unknown) -> _Compared:
    call = calls.call
    key, observation, near_empty = keys.code[call], columns.observation[call], columns.near_empty[call]
    if unknown == "distinct":
        # Codes are never negative, so each of these equals nothing; nor can it be said to be empty.
        key = np.where(columns.unknown_arguments[call], -1 - call, key)
        observation = np.where(columns.unknown_observation[call], -1 - call, observation)
        near_empty = near_empty & ~columns.unknown_observation[call]
    place = np.arange(len(call))
    begins = calls.first_of_run()
    begins[1:] |= key[1:] != key[:-1]
    # Nearly empty results are counted from the first identical call, or from behind the last fuller one.
    origin = np.maximum.accumulate(np.where(near_empty, np.where(begins, place, 0), place + 1))
    return _Compared(
        key=key,
        observation=observation,
        in_a_row=length_so_far(begins),
        nearly_empty=place + 1 - origin,
        number=place - calls.starts[calls.run()],
    )


def _in_the_run(calls: Selection, key: IntArray) -> IntArray:
    """Calls with the same key in the same run up to and including each one, shape (n_counted,)."""
    order = np.argsort(key, kind="stable")
    run = calls.run()[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (np.diff(key[order]) != 0) | (np.diff(run) != 0)
    count = np.empty(len(order), dtype=np.int64)
    count[order] = length_so_far(begins)
    return count


def _rules(compared: _Compared, identical: IntArray, settings: ThrashSettings) -> IntArray:
    """The first `Kind` of stop that is due at each call, shape (n_counted,)."""
    rule = np.zeros(len(identical), dtype=np.int64)
    if settings.ping_pong:
        rule[_ping_pong(compared)] = Kind.PING_PONG
    if settings.empty_retry is not None:
        rule[compared.nearly_empty == settings.empty_retry + 1] = Kind.EMPTY_RETRY
    rule[identical == settings.n] = Kind.IDENTICAL
    return rule


def _ping_pong(compared: _Compared) -> BoolArray:
    """Whether `A B A B` ends at each call, each of the two with the same result as before: shape (n_counted,)."""
    key, observation = compared.key, compared.observation
    as_two_before = (key[2:] == key[:-2]) & (observation[2:] == observation[:-2])
    ends = np.zeros(len(key), dtype=np.bool_)
    ends[3:] = as_two_before[1:] & as_two_before[:-1] & (key[3:] != key[2:-1])
    return ends & (compared.number >= 3)


def _first_in_run(calls: Selection, rule: IntArray) -> IntArray:
    """The first call of each run at which a rule stops it, -1 where none does: shape (n_runs,)."""
    due = np.append(np.flatnonzero(rule), len(rule))
    first = due[np.searchsorted(due, calls.starts[:-1])]
    return np.where(first < calls.starts[1:], first, -1)


def _highest_until(calls: Selection, identical: IntArray, stop: IntArray) -> IntArray:
    """The highest number of identical calls in each run up to its stop, shape (n_runs,)."""
    last = np.where(stop >= 0, stop, calls.starts[1:])
    reached = np.arange(len(identical)) <= np.repeat(last, np.diff(calls.starts))
    return calls.highest(np.where(reached, identical, 0))
