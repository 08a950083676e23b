"""The calls as recorded: each with its address, what was said before it, its arguments and its output."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.seen import NEVER
from loopviz.model import IntArray, Trajectory
from loopviz.report.choosing import choose, nearest, role
from loopviz.report.export import Masks
from loopviz.report.literal import decoded
from loopviz.report.markup import readable
from loopviz.report.texts import CUT, Text, as_lines, brief, cut_all, size
from loopviz.timeline.words import number

MOST_SAID = 8
"""Texts said before a call that are told with it, the last ones."""
_TITLES = {"reasoning": "Reasoning", "assistant": "Message", "user": "User message", "error": "Error"}


@dataclass(slots=True, kw_only=True)
class ToldCall:
    """A call as the report tells it; numbers count from 0."""

    call: int
    facts: list[str]
    """`turn 11`, `byte 16,043`, its id."""
    tool: str
    role: str
    """Its part in the deciding pattern, or nothing."""
    said: list[Text] = field(default_factory=list)
    """What was thought and said just before it."""
    unsaid: int = 0
    """How many earlier ones of these are not told."""
    arguments: Text | None = None
    output: Text | None = None
    left_out: str = ""
    """Of a redacted run: what earlier calls it is the same as."""

    @property
    def same(self) -> int | None:
        """The call that is the same in arguments and output alike, and holds them."""
        pair = (self.arguments, self.output)
        calls = {text.same for text in pair if text is not None}
        return calls.pop() if len(calls) == 1 else None

    @property
    def texts(self) -> list[Text]:
        """Every text that it has of its own."""
        all_texts = [*self.said, *(text for text in (self.arguments, self.output) if text is not None)]
        return [text for text in all_texts if text.same is None and not text.missing]


@dataclass(slots=True, kw_only=True)
class ToldCalls:
    """All calls that are in the report."""

    chosen: list[ToldCall]
    """Those that show what repeated; they stand first."""
    others: list[ToldCall]
    n_calls: int
    """Calls of the run."""
    limit: int
    """Bytes at which the texts of the others are cut."""

    @property
    def texts(self) -> list[Text]:
        """Every text that is in the report."""
        return [text for told in (*self.chosen, *self.others) for text in told.texts]

    @property
    def caption(self) -> str:
        """What is not here, and why."""
        told = len(self.chosen) + len(self.others)
        words = []
        if told < self.n_calls:
            words.append(f"{number(told)} of {number(self.n_calls)} calls are here; the file holds the others.")
        if self.limit < CUT and self.others:
            words.append(f"To keep this file small, their texts are cut at {size(self.limit)}.")
        return " ".join(words)


def tell_calls(
    trajectory: Trajectory,
    released: Trajectory,
    found: Inspection | None,
    masks: Masks,
    *,
    of_run: Sequence[Text],
    redacted: bool,
) -> ToldCalls:
    """Tell the calls of a run, and cut its texts.

    Args:
        trajectory: The run, which tells only what is the same: two values may look alike once they are masked.
        released: The run as it may leave.
        found: What was found in it; None for a run without a verdict.
        masks: Hides secrets.
        of_run: Texts of the run as a whole, for which there must be room too; they are cut like those of chosen calls.
        redacted: Whether texts stay out.
    """
    chosen = [] if found is None else choose(found)
    teller = _Teller(trajectory, released, found, masks, redacted)
    first = [teller.tell(call) for call in chosen]  # told first, so that they hold their texts and others link to them
    here = nearest(len(released.calls), chosen).tolist()
    others = [teller.tell(call) for call in here if call not in chosen]
    limit = cut_all([*_texts(first), *of_run], _texts(others), len(here))
    return ToldCalls(chosen=first, others=others, n_calls=len(released.calls), limit=limit)


def _texts(calls: Iterable[ToldCall]) -> list[Text]:
    return [text for told in calls for text in told.texts]


class _Teller:
    """Tells calls in their order, and remembers which texts it has told."""

    def __init__(
        self, trajectory: Trajectory, released: Trajectory, found: Inspection | None, masks: Masks, redacted: bool
    ) -> None:
        self._own = trajectory
        self._run = released
        self._found = found
        self._masks = masks
        self._redacted = redacted
        self._told: dict[Hashable, int] = {}
        self._lines: dict[tuple[bool, int], str] = {}

    def tell(self, call: int) -> ToldCall:
        told = ToldCall(
            call=call,
            facts=self._facts(call),
            tool=brief(self._masks.text(self._run.tool(call))),
            role="" if self._found is None else role(self._found, call),
        )
        if self._redacted:
            told.left_out = self._seen(call)
            return told
        events = self._before(call)
        told.unsaid = max(0, len(events) - MOST_SAID)
        told.said = [self._said(call, event) for event in events[-MOST_SAID:]]
        told.arguments = self._arguments(call)
        told.output = self._output(call)
        self._link(told)
        return told

    def _facts(self, call: int) -> list[str]:
        calls = self._run.calls
        turn, line = int(calls.turn[call]), int(calls.line[call])
        facts = [f"turn {number(turn + 1)}"] if turn >= 0 else []
        facts.append(f"line {number(line)}" if line else f"byte {number(int(calls.offset[call]))}")
        facts += [self._masks.text(call_id)[:80] for call_id in calls.ids[call : call + 1] if call_id]
        facts += ["error"] if calls.failed[call] else []
        facts += [] if calls.executed[call] else ["never ran"]
        return facts

    def _seen(self, call: int) -> str:
        """Which earlier calls it repeats: what a redacted run can still tell."""
        if self._found is None:
            return ""
        seen = self._found.seen
        earlier = (("arguments", int(seen.same_arguments[call])), ("output", int(seen.same_output[call])))
        return " · ".join(f"same {what} as call {number(other + 1)}" for what, other in earlier if other != NEVER)

    def _before(self, call: int) -> list[int]:
        """The events just before the call, or before the first of a turn's calls, that say something."""
        events = self._run.events
        first = bisect_left(events, call, key=lambda event: event.call)
        last = bisect_right(events, call, key=lambda event: event.call)
        return [place for place in range(first, last) if events[place].text]

    def _said(self, call: int, place: int) -> Text:
        """What an event says; linked to the call before which the same was said."""
        event = self._run.events[place]
        title = _TITLES.get(event.kind, brief(readable(event.kind).capitalize()))
        text = Text(title=title, whole=readable(event.text))
        earlier = self._first((title, self._own.events[place].text), call)
        text.same = None if text.is_short else earlier
        return text

    def _arguments(self, call: int) -> Text:
        raw = self._run.arguments_json(call)
        if raw is None:
            return Text(title="Arguments", missing="no arguments recorded")
        return Text(title="Arguments", whole=self._written(int(self._run.calls.arguments[call]), raw, arguments=True))

    def _output(self, call: int) -> Text:
        raw = self._run.observation_json(call)
        if raw is None:
            return Text(title="Output", missing="no result in the file")
        words = self._written(int(self._run.calls.observation[call]), raw, arguments=False)
        return Text(title="Output", whole=words) if words else Text(title="Output", missing="empty output")

    def _written(self, value: int, raw: bytes, *, arguments: bool) -> str:
        """A value in words, masked: by the names of its fields first, then as it is written."""
        kept = self._lines.get((arguments, value))
        if kept is None:
            found: Any = self._masks.value(decoded(raw))
            kept = self._masks.text(as_lines(found))
            self._lines[arguments, value] = kept
        return kept

    def _link(self, told: ToldCall) -> None:
        """Link the texts that an earlier call has already; short ones are linked only together."""
        assert told.arguments is not None and told.output is not None
        calls = self._own.calls
        arguments = self._first_value(int(calls.tool[told.call]), calls.arguments, told.arguments, told.call)
        output = self._first_value(None, calls.observation, told.output, told.call)
        alike = arguments is not None and arguments == output
        if arguments is not None and (alike or not told.arguments.is_short):
            told.arguments.same = arguments
        if output is not None and (alike or not told.output.is_short):
            told.output.same = output

    def _first_value(self, tool: int | None, values: IntArray, text: Text, call: int) -> int | None:
        """The call that holds this value already; the same is what is equal and is read the same, to the character."""
        if text.missing:
            return None
        identity = int(self._own.codebook.codes[values[call]])
        return self._first((tool, identity, text.whole), call)

    def _first(self, what: Hashable, call: int) -> int | None:
        """The call that holds something already, None where this one is the first."""
        earlier = self._told.setdefault(what, call)
        return None if earlier == call else earlier
