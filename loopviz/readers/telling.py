"""Telling a run: the one way in which readers hand over what they meet, in file order.

A reader says where and when it is (`at`, or by going through a list with `each`), opens a turn for each model response
(`turn`), and tells calls, results, messages and tokens. Everything comes as decoded JSON, just as the file holds it: a
call's arguments may be an object or its JSON text, a result may be wrapped in content blocks, an id may be missing or a
number, a time may be in any notation. What the whole run is known for goes into `facts`.

Missing and empty are two things: `ABSENT`, the default, is what the file does not say; `None` is its `null`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from loopviz.model import MISSING, Json, conversation
from loopviz.readers.assembly import FIGURES, Assembly
from loopviz.readers.assembly import Mark as AssemblyMark
from loopviz.readers.contents import flatten, media_in, parse_arguments
from loopviz.readers.digesting import Digest
from loopviz.readers.facts import Facts
from loopviz.readers.fields import amount, count, member, name
from loopviz.readers.nodes import Node, decoded_elements
from loopviz.readers.pairing import NO_CALL
from loopviz.readers.problems import Mark as ProblemsMark
from loopviz.readers.problems import Problems
from loopviz.readers.rows import CallRows, ResultRows
from loopviz.readers.texts import is_text, kind_of, readable, spoken
from loopviz.readers.times import UNKNOWN, known, seconds
from loopviz.readers.turns import MAIN_AGENT

if TYPE_CHECKING:
    from loopviz.readers.reading import Reading

ABSENT = object()
"""Stands for a value that the file does not give."""

_SPEECH = frozenset(("user", "assistant", "reasoning", "system"))
_NO_FIGURES = (None,) * (len(FIGURES) - 1)
_MOMENTARY = ("_place", "_now", "_in_lines", "_response", "_first_s", "_last_s", "_last_words", "_model")
"""What is true of the moment, and of which calls and turns change something."""
Mark = tuple[dict[str, Any], Digest | None, ProblemsMark, AssemblyMark]
_PLURALS = {"image": "images", "audio": "audio clips", "video": "videos", "document": "documents"}


class Telling:
    """One run while it is told, in file order.

    Pass what has a default by its name. Only `at` and `each` insist on it: it makes a call slower.
    """

    def __init__(self, reading: Reading, *, whole: Node | None, noun: str, called: str) -> None:
        is_part = whole is not None and (whole.line is not None or whole.number is not None)
        self._prefix = whole.where(called) if whole is not None and is_part else ""
        """The run's own place in the file; empty where it has the whole file, or shares it with others."""
        self.facts = Facts()
        self.problems = Problems(self._prefix)
        self.noun = noun
        self._reading = reading
        self._interner = reading.interner
        self._whole = whole
        self._assembly = Assembly(
            reading.text, reading.interner, self.problems, line=None if whole is None else whole.line, where=self._where
        )
        self._place = (0, 0, 0)
        """Number of the event that is told now, where it begins in the text, and its length."""
        self._events_before = 0
        """Events of other files that were joined to this one."""
        self._now = UNKNOWN
        self._in_lines = False
        """Whether that event has a line of its own, and is no element of a list."""
        self._bytes = None if whole is not None else Digest()
        self._response = ""
        self._first_s = self._last_s = UNKNOWN
        """When the first and the last event happened that tell their time."""
        self._requests: list[str] = []
        self._last_words = ""
        self._model = ""
        self._fields: dict[str, Any] | None = None

    def at(self, node: Node, time: Json = None, *, shown_at: Node | None = None) -> None:
        """What is told from now on stands in this object.

        Args:
            time: When it happened, in any notation.
            shown_at: Where this file speaks of it, for an object of another file.
        """
        shown = shown_at or node
        start = shown.start
        self._place = (self._events_before + (node.number or node.line or 1) - 1, start, shown.stop - start)
        self._assembly.line = shown.line
        self._in_lines = node.number is None and node.line is not None
        if self._bytes is not None:
            self._bytes.update(node.origin.text.data[node.start : node.stop])
        self._now = UNKNOWN if time is None else self._read_time(time)

    def each(
        self, node: Node, *path: str, time: str | tuple[str, ...] | None = None, all_at: Json = None,
        shown_at: Node | None = None,
    ) -> Iterator[dict[str, Json]]:  # fmt: skip
        """The objects of the list at the end of a path of keys, decoded, each being where the telling is `at`.

        Without such a list the run is not judged. What is no object is a problem.

        Args:
            time: The key, or the path of keys, under which an object says when it happened.
            all_at: When all of them happened, in any notation.
            shown_at: As in `at`.
        """
        listed = node.member(*path)
        if listed is None or not listed.has_list():
            self.facts.not_judged = f"The record has no list of {self.noun}s."
            return
        data, watch, digest = node.origin.text.data, self._reading.watch, self._bytes
        shown = None if shown_at is None else (shown_at.start, shown_at.stop - shown_at.start)
        line = (shown_at or node).line
        number = 0
        # Nearly all messages of all files pass here, so an element becomes a `Node` only where it is no object.
        for (start, raw), value in chain.from_iterable(decoded_elements(data, listed.start, listed.stop)):
            stop = start + len(raw)
            begins, length = shown or (start, len(raw))
            self._place = (self._events_before + number, begins, length)
            self._in_lines = False
            self._assembly.line = line
            self._now = UNKNOWN
            number += 1
            if digest is not None:
                digest.update(raw)
            if type(value) is dict:
                if time is not None:
                    said = value.get(time) if type(time) is str else member(value, *time)
                    if said is not None:
                        self._now = self._read_time(said)
                elif all_at is not None:
                    self._now = self._read_time(all_at)
                yield value
            else:
                Node(node.origin, start, stop, node.line, number).object(self.problems, self.noun)
            if stop >= watch.due and shown is None and not watch.goes_on(stop):
                break
        self._events_before += number

    def turn(self, response: Json = None, agent: str = MAIN_AGENT) -> None:
        """A turn begins, one for each model response; the one that the agent has open ends.

        Args:
            response: Id of the response. Where the turn that is open has the same, it goes on: some formats write a
                response over several lines.
        """
        said = "" if response is None else name(response) or ""
        if said and said == self._response:
            return
        self._response = said
        self._assembly.turn_start(agent, "", self._now)

    def end_turn(self, *, agent: str = MAIN_AGENT) -> None:
        """The open turn ends, so that a call that follows stands alone; a turn that begins ends the one before too."""
        self._response = ""
        self._assembly.close_turn(agent)

    def call(
        self, tool: Json, arguments: Json = ABSENT, *, id: Json = None, time: Json = None, agent: str = MAIN_AGENT,
        known: bool = True, executed: bool = True, drop: Collection[str] = (),
    ) -> int:  # fmt: skip
        """A tool is called.

        Args:
            tool: Its name.
            arguments: A JSON value, or a text that spells one; unknown where the file does not give any.
            id: The call's id.
            time: When it began, if that is another time than that of the object it stands in.
            known: False where the format never records arguments, so that all calls would look alike.
            executed: False for a call that could not be parsed and never ran.
            drop: Names among the arguments that are none, such as `thought`.
        Returns:
            The call's number, for a result that the file holds together with it.
        """
        if arguments is ABSENT:
            known, value = False, MISSING
        else:
            if drop or type(arguments) is str:
                arguments = parse_arguments(arguments, drop)
            value = self._interner.decoded(arguments)
        self._last_words = ""
        event, offset, length = self._place
        return self._assembly.call(
            event, offset, length, agent, "",
            "" if id is None else id if type(id) is str else self._id(id),
            "" if tool is None else tool if type(tool) is str else self._tool(tool),
            value, self._now if time is None else self._read_time(time), known, executed,
        )  # fmt: skip

    def result(
        self, content: Json = ABSENT, id: Json = None, of: int = NO_CALL, tool: Json = None, failed: bool = False,
        time: Json = None, known: bool = True,
    ) -> None:  # fmt: skip
        """A call is answered.

        Args:
            content: A JSON value, or content blocks, which are flattened.
            id: Id of the call; with none, the earliest call before that still waits is answered.
            of: Number of the call, where the file holds the result together with it; then the id says nothing.
            tool: The tool, where the result names it.
            failed: The tool reported an error.
            time: When it came, as in `call`.
            known: False where the format never records results.
        """
        if type(content) is str:
            value = self._interner.text(content)
        else:
            value = MISSING if content is ABSENT else self._interner.decoded(self._flat(content))
        event, offset, length = self._place
        self._assembly.result(
            event, offset, length,
            "" if id is None else id if type(id) is str else self._id(id),
            "" if tool is None else tool if type(tool) is str else self._tool(tool),
            value, failed, self._now if time is None else self._read_time(time), of, known,
        )  # fmt: skip

    def say(self, kind: str, content: Json, time: Json = None, agent: str = MAIN_AGENT) -> None:
        """Something happens that is no call: a message, a thought, an error, a compaction; empty ones are passed over.

        Args:
            kind: `user`, `assistant`, `reasoning`, `error`, `system`, `compaction`, `cut`, `skill`, or the format's own
                word.
            content: A text, content blocks, or any value.
        """
        is_speech = kind in _SPEECH
        if type(content) is str:
            text = content if content.isascii() else readable(content)
        elif content is None and is_speech:
            return
        else:
            text = readable(spoken(content))
            self.leave_out_media(content)
        if is_speech and (not text or text.isspace()):
            return
        if kind == "user":
            self._requests.append(text)
        elif kind == "assistant":
            self._last_words = text
        _, offset, length = self._place
        now = self._now if time is None else self._read_time(time)
        self._assembly.tell(kind if is_speech else readable(kind), text, offset, length, agent, "", now)

    def use(
        self, response: Json = None, input: Json = None, output: Json = None, cache_read: Json = None,
        cache_write: Json = None, cost: Json = None, model: Json = None, agent: str = MAIN_AGENT,
    ) -> None:  # fmt: skip
        """A model response used tokens; of several records of one response, known by its id, the last counts.

        Negative numbers, and what is no number, are unknown. Nothing at all is no record.
        """
        if input is output is cache_read is cache_write is cost is None:
            self._model = self._model or (readable(model) if is_text(model) else "")
            return
        figures = (
            None if input is None else count(input),
            None if output is None else count(output),
            None if cache_read is None else count(cache_read),
            None if cache_write is None else count(cache_write),
            None if cost is None else amount(cost),
            readable(model) if is_text(model) else None,
        )
        self._model = self._model or figures[-1] or ""
        if figures[:-1] != _NO_FIGURES:
            self._assembly.use_figures(figures, agent, "", response=name(response) or "", last=True)

    def leave_out(self, one: str, many: str, number: int = 1) -> None:
        """Count what is not read, on purpose, for a note on the file: `leave_out("image", "images")`."""
        self._reading.leave_out(one, many, number)

    def leave_out_media(self, content: Json) -> None:
        """Count the images, and other things that are no text, among the blocks of a message."""
        self._leave_out_each(media_in(content))

    def _leave_out_each(self, kinds: Iterable[str]) -> None:
        for kind in kinds:
            self.leave_out(kind if kind != "audio" else "audio clip", _PLURALS[kind])

    @property
    def prompt(self) -> str | None:
        """What the agent was asked so far."""
        return self.facts.prompt or conversation(self._requests)

    @property
    def n_turns(self) -> int:
        """How many turns have begun."""
        return self._assembly.n_turns

    def rows(self) -> tuple[CallRows, ResultRows]:
        """The calls and the results that were told so far; they grow."""
        return self._assembly.rows()

    def mark(self) -> Mark:
        """Where `rewind` goes back to."""
        kept = {name: getattr(self, name) for name in _MOMENTARY}
        return kept, self._bytes and self._bytes.copy(), self.problems.mark(), self._assembly.mark()

    def rewind(self, mark: Mark) -> None:
        """Forget the calls, results and turns that were told since; a mark is good for once."""
        kept, self._bytes, problems, assembly = mark
        for attribute, value in kept.items():
            setattr(self, attribute, value)
        self.problems.rewind(problems)
        self._assembly.rewind(assembly)

    def so_far(self) -> dict[str, Any]:
        """The fields of the run as if it ended here; it can be told on."""
        facts, problems = self.facts, self.problems.mark()
        self.facts = replace(facts)
        try:
            return self._settled()
        finally:
            self.facts = facts
            self.problems.rewind(problems)

    def finish(self) -> dict[str, Any]:
        """The fields of the run, told to its end; its codebook and its last name are settled with the whole file."""
        if self._fields is None:
            self._fields = self._settled()
            del self._assembly  # Its columns grow with spare room.
        return self._fields

    def _settled(self) -> dict[str, Any]:
        told = self._assembly.finish()
        facts, whole = self.facts, self._whole
        first_s, last_s = known(self._first_s), known(self._last_s)
        has_cost = any(use.cost is not None for use in told.usage)
        facts.fill_in(self._requests, self._last_words, self._model, first_s, last_s)
        settled = facts.settled()
        settled["run"] = facts.run or self._prefix
        settled["total_tokens"] = None if told.usage else facts.total_tokens
        settled["total_cost"] = None if has_cost else facts.total_cost
        return settled | {
            "source": self._reading.source,
            "calls": told.calls,
            "n_turns": told.n_turns,
            "digest": self._digest(),
            "line": None if whole is None else whole.line,
            "events": told.events,
            "usage": told.usage,
            "turn_starts": told.turn_starts,
            "last_event_s": last_s,
            "problems": self.problems.listed(),
        }

    def _digest(self) -> str:
        if self._bytes is not None:
            return self._bytes.hex()
        assert self._whole is not None
        source, start, stop = self._reading.source, self._whole.start, self._whole.stop
        if stop - start == source.size:
            return source.digest
        return Digest(memoryview(self._reading.text.data)[start:stop]).hex()

    def _where(self, event: int) -> str:
        return f"{'line' if self._in_lines else self.noun} {event + 1:,}"

    def _flat(self, content: Json) -> Json:
        flat = flatten(content)
        self._leave_out_each(flat.left_out)
        return flat.value

    def _id(self, value: Json) -> str:
        """A call id: a text, or a whole number."""
        found = name(value)
        if found is None:
            self._note(f"A call id should be a text; it is {kind_of(value)} and counts as absent.")
        return found or ""

    def _tool(self, value: Json) -> str:
        self._note(f"The name of a tool should be a text; it is {kind_of(value)} and counts as absent.")
        return ""

    def _read_time(self, value: Json) -> float:
        if value is None:
            return UNKNOWN
        time = seconds(value)
        if time != time:  # Only NaN differs from itself.
            self._note("A time could not be read.")
            return time
        if self._first_s != self._first_s:
            self._first_s = time
        self._last_s = time
        return time

    def _note(self, message: str) -> None:
        self.problems.add(self._where(self._place[0]), message)
