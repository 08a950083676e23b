"""From a stream of events to the columns of a trajectory: for every format that records one event after the other.

A reader tells an `Assembly` in file order what it meets; turns, calls said twice, results and the names of tools are
settled here, once for all formats.

Decided:

- A call said twice: calls of one turn with the same id, tool and arguments are one call that the file holds twice.
  Only the first has a number, and the problems of the file tell of the other.

Source: SPEC, section 1, "From events to steps", rules 2 to 4.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from loopviz.model import Calls, Event, FloatArray, Place, Usage
from loopviz.readers.encoding import Text
from loopviz.readers.interning import Interner
from loopviz.readers.pairing import NO_CALL, NO_RESULT, pair
from loopviz.readers.problems import Problems
from loopviz.readers.rows import BATCH, CallRows, ResultRows, columns
from loopviz.readers.texts import distinct
from loopviz.readers.times import UNKNOWN
from loopviz.readers.turns import OpenTurns

FIGURES = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost", "model")
"""Fields of `Usage` that a record gives."""
Figures = tuple[Any, ...]
Mark = tuple[int | None, OpenTurns, tuple[int, int, int, int]]

UNKNOWN_TOOL = "unknown"
NO_TURN = -1


def _usage(call: int, turn: int, figures: Figures) -> Usage:
    input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost, model = figures
    return Usage(
        turn=turn, call=call, input_tokens=input_tokens, output_tokens=output_tokens,
        cache_read_tokens=cache_read_tokens, cache_write_tokens=cache_write_tokens, cost=cost, model=model,
    )  # fmt: skip


def event_place(event: int) -> str:
    """Where event number `event` (from 0) stands, as a person would say it."""
    return f"event {event + 1:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """What a stream of events amounts to: fields of a `Trajectory` of the same names."""

    calls: Calls
    n_turns: int
    turn_starts: FloatArray
    events: tuple[Event, ...]
    usage: tuple[Usage, ...]


class Assembly:
    """The events of one trajectory, told in file order.

    An event is known by its number in the file's list, from 0, and by where its bytes begin in the text and how many
    there are. An agent is known by its id, the main one by the empty text; an empty turn id, call id or tool is none.
    Times are in seconds since the epoch, NaN where unknown.
    """

    def __init__(
        self, text: Text, interner: Interner, problems: Problems, *,
        line: int | None = None, where: Callable[[int], str] = event_place,
    ) -> None:  # fmt: skip
        """`where` says where event number so and so stands, as a person would say it."""
        self.line = line
        """Line of the file in which the event stands that is told next; None in a single document."""
        self._text = text
        self._is_moved = text.is_moved
        self._interner = interner
        self._problems = problems
        self._where = where
        self._turns = OpenTurns()
        self._open = self._turns.by_agent
        self._turn_starts = array("d")
        self._calls_before = array("q")
        """How many calls came before each turn began."""
        self._n_calls = 0
        self._calls = CallRows()
        self._results = ResultRows()
        self._story: list[Event] = []
        self._usage: list[tuple[int, int, Figures]] = []
        """Calls before, turn, and figures of each record."""
        self._responses: dict[str, int] = {}
        """Which usage record belongs to a response."""

    # Calls, results and what is said between them are told by the thousand: each takes one frame, with as few others
    # as can be, and no argument is passed by its name, which costs more.

    def turn_start(self, agent: str, turn_id: str, time: float = UNKNOWN) -> None:
        """A turn begins; the one that the agent has open ends."""
        self._turns.start(agent, turn_id)
        self._turn_starts.append(time)
        self._calls_before.append(self._n_calls)

    def turn_end(self, event: int, agent: str, turn_id: str = "") -> None:
        """The agent's open turn ends, whatever id the event names."""
        turn = self._turns.end(agent)
        if turn is None:
            self._note(event, "This turn end closes nothing: no turn is open.")
        elif turn_id and turn.id and turn_id != turn.id:
            message = f"This turn end names turn {turn_id!r}; it closes turn {turn.id!r}, the one that is open."
            self._note(event, message, kind="turn end of another id")

    def close_turn(self, agent: str) -> None:
        """The agent's open turn ends, if it has one."""
        self._turns.end(agent)

    def call(
        self, event: int, offset: int, length: int, agent: str, turn_id: str,
        call_id: str, tool: str, arguments: int, time: float = UNKNOWN, known: bool = True, executed: bool = True,
    ) -> int:  # fmt: skip
        """A tool is called; `arguments` is the index of a value, or `MISSING`.

        A call that the same turn has said before, with the same id, tool and arguments, is noted and not counted.

        Args:
            known: False where the arguments were never recorded.
            executed: False for a call that could not be parsed and never ran.
        Returns:
            The call's number, or that of the one said before.
        """
        turn = self._turns.find(agent, turn_id) if turn_id else self._open.get(agent)
        if turn is not None and call_id and not turn.says((call_id, tool, self._interner.key(arguments))):
            message = f"The call {call_id!r} of this turn stands in the file twice; it counts once."
            self._note(event, message, kind="call said twice")
            return self._said_before(call_id, tool, arguments)
        rows = self._calls
        rows.waiting.append((
            call_id, tool, arguments, event, offset, length, time, not known,
            NO_TURN if turn is None else turn.number, self.line or 0, executed,
        ))  # fmt: skip
        if len(rows.waiting) == BATCH:
            rows.settle()
        self._n_calls += 1
        return self._n_calls - 1

    def _said_before(self, call_id: str, tool: str, arguments: int) -> int:
        key = self._interner.key(arguments)
        calls = self._calls
        calls.settle()
        said = (call_id, tool, key)
        return next(
            call
            for call in range(self._n_calls - 1, -1, -1)
            if (calls.ids[call], calls.tools[call], self._interner.key(calls.value[call])) == said
        )

    def result(
        self, event: int, offset: int, length: int,
        call_id: str, tool: str, observation: int, failed: bool, time: float = UNKNOWN,
        answers: int = NO_CALL, known: bool = True,
    ) -> None:  # fmt: skip
        """A call is answered; `observation` is the index of a value, or `MISSING`.

        Args:
            answers: Number of the call that it answers, where the file's own structure tells; else its id decides.
            known: False where the observation was never recorded.
        """
        rows = self._results
        rows.waiting.append((call_id, tool, observation, event, offset, length, time, not known, failed, answers))
        if len(rows.waiting) == BATCH:
            rows.settle()

    def tell(
        self, kind: str, text: str, offset: int, length: int, agent: str, turn_id: str, time: float = UNKNOWN
    ) -> None:
        """Something happens that is no call."""
        turn = self._turns.find(agent, turn_id) if turn_id else self._open.get(agent)
        place = self._place(offset, length) if self._is_moved else Place(line=self.line, offset=offset, length=length)
        self._story.append(
            Event(
                kind=kind,
                text=text,
                call=self._n_calls,
                turn=NO_TURN if turn is None else turn.number,
                time_s=time if time == time else None,  # Only NaN differs from itself.
                place=place,
            )
        )

    def use(self, usage: Usage, agent: str, turn_id: str, *, response: str = "") -> None:
        """Tokens are used by a model response, known by an id if it has one; said twice, it counts once.

        Without an id, two records of one turn that agree in everything are one response. The turn and the call of
        `usage` are filled in here.
        """
        self.use_figures(tuple(getattr(usage, figure) for figure in FIGURES), agent, turn_id, response=response)

    def use_figures(
        self, figures: Figures, agent: str, turn_id: str, *, response: str = "", last: bool = False
    ) -> None:
        """The same, given by what `FIGURES` names in its order; with `last`, of a response said twice the last counts.

        A figure that the last record does not give stays what it was.
        """
        turn = self._turns.find(agent, turn_id) if turn_id else self._open.get(agent)
        if response in self._responses:
            if last:
                before, number, said = self._usage[self._responses[response]]
                merged = tuple(old if new is None else new for old, new in zip(said, figures, strict=True))
                self._usage[self._responses[response]] = before, number, merged
            return
        if response:
            self._responses[response] = len(self._usage)
        elif turn is not None and not turn.says(figures):
            return
        if turn is None:
            self._usage.append((self._n_calls, NO_TURN, figures))
        else:
            self._usage.append((self._calls_before[turn.number], turn.number, figures))

    @property
    def n_turns(self) -> int:
        """How many turns have begun."""
        return self._turns.n_turns

    def rows(self) -> tuple[CallRows, ResultRows]:
        """The calls and the results that were told so far; they grow."""
        self._calls.settle()
        self._results.settle()
        return self._calls, self._results

    def mark(self) -> Mark:
        """Where `rewind` goes back to. Tokens that are told after it stay."""
        calls, results = self.rows()
        lengths = (len(calls.ids), len(results.ids), len(self._turn_starts), len(self._story))
        return self.line, self._turns.copy(), lengths

    def rewind(self, mark: Mark) -> None:
        """Forget what was told since; a mark is good for once."""
        self.line, self._turns, (n_calls, n_results, n_turns, n_told) = mark
        self._open = self._turns.by_agent
        calls, results = self.rows()
        calls.cut(n_calls)
        results.cut(n_results)
        self._n_calls = n_calls
        del self._turn_starts[n_turns:], self._calls_before[n_turns:], self._story[n_told:]

    def finish(self) -> Assembled:
        """Settle what the whole file decides: results and the names of tools."""
        self._calls.settle()
        self._results.settle()
        answers, orphans = pair(self._calls.side(), self._results.side())
        for result in orphans:
            self._note_orphan(result)
        return Assembled(
            calls=columns(
                self._calls,
                self._results,
                answers=answers,
                tools=self._tools(answers),
                text=self._text,
                interner=self._interner,
            ),
            n_turns=self._turns.n_turns,
            turn_starts=np.array(self._turn_starts, dtype=np.float64),
            events=tuple(self._story),
            usage=tuple(_usage(*record) for record in self._usage),
        )

    def _tools(self, answers: list[int]) -> list[int]:
        """The tool of each call, as it names it itself, or else as its result does."""
        named = self._calls.tools
        if not all(named):
            named = [name or self._name_for(call, answers[call]) for call, name in enumerate(named)]
        known = {name: self._interner.tool(distinct(name)) for name in dict.fromkeys(named)}
        return list(map(known.__getitem__, named))

    def _name_for(self, call: int, result: int) -> str:
        """What a call is called that names no tool."""
        name = "" if result == NO_RESULT else self._results.tools[result]
        if not name:
            event = self._calls.event[call]
            self._note(event, f"This call names no tool, nor does its result; it is called {UNKNOWN_TOOL!r} here.")
        return name or UNKNOWN_TOOL

    def _place(self, offset: int, length: int) -> Place:
        start = self._text.offset(offset)
        return Place(line=self.line, offset=start, length=self._text.offset(offset + length) - start)

    def _note(self, event: int, message: str, *, kind: str | None = None) -> None:
        self._problems.add(self._where(event), message, kind=kind)

    def _note_orphan(self, result: int) -> None:
        call_id, tool = self._results.ids[result], self._results.tools[result]
        if call_id:
            message = f"This result names the call {call_id!r}, which is not in the file; it is left out."
        else:
            of_tool = f" of {tool!r}" if tool else ""
            message = f"This result{of_tool} names no call, and no call before it waits for one; it is left out."
        self._note(self._results.event[result], message, kind="result without a call")
