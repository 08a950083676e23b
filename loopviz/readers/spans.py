"""Traces: trees of spans, told as runs. Formats say what each of their spans is (`Span`); how they make turns, calls
and runs is the same for all.

A run is a trace, its spans in the order in which they began. A request to a model, a model span, is a turn of the
agent that it stands under; tool spans that begin after it, up to the agent's next one, are the calls of the turn, in
whatever order they ran. Before any model span, calls that overlap in time are one turn. A model span inside a model
span is the same request seen by two libraries, and the outer one counts; unless there are several in it: then the outer
one is an agent's loop, and they count. What a tool does inside is left out, for no model asked for it; but where a
model is asked inside a tool and more is done than that, everything inside is a sub-agent, a run of its own.

What a model's answer asks for and no tool span shows is a call all the same; the call's result is then looked for in
what the model is given next, and so is that of a tool span that does not record it. Arguments and results that are
recorded nowhere are unknown, not empty.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable

from msgspec import Struct

from loopviz.model import Json
from loopviz.readers.asking import Agent, Asking, answered_by
from loopviz.readers.contents import parse_arguments
from loopviz.readers.dialogue import Answered, Asked, messages, words
from loopviz.readers.hearing import Hearing, Said
from loopviz.readers.nodes import Node
from loopviz.readers.pairing import NO_CALL
from loopviz.readers.reading import Reading
from loopviz.readers.stops import tell_stop
from loopviz.readers.telling import ABSENT, Telling
from loopviz.readers.times import seconds
from loopviz.readers.trees import Kind, Place, Tree

Fields = dict[str, Json]

LATEST_S = 1e11
"""From here on a number would be read as milliseconds; it is the year 5138."""

KEPT = 1 << 24
"""Bytes of spans that are kept decoded until they are told; those beyond are decoded again."""

_TOLD = _MODEL, _TOOL = Kind.MODEL, Kind.TOOL
_FRAMES = (Kind.AGENT, Kind.OTHER)
"""Spans around others."""
_LEFT_OUT = {
    Kind.INNER: ("span inside a call", "spans inside calls"),
    Kind.REPEATED: ("span that repeats another", "spans that repeat others"),
    **dict.fromkeys(_FRAMES, ("span of neither a model nor a tool", "spans of neither a model nor a tool")),
}


class Outline(Struct, gc=False):
    """What a format says of where a span stands; ids are empty where there are none, times in any notation."""

    kind: Kind
    trace: str
    id: str
    parent: str
    start: Json
    end: Json


class Span(Struct, kw_only=True, gc=False):
    """What a format says of what a span is about."""

    name: str = ""
    failed: bool = False
    error: Json = None
    """What went wrong, in words."""
    given: Json = None
    """What a model was given, or what a run began with; messages in any form."""
    made: Json = None
    """What a model made, or what a run ended with."""
    system: Json = None
    """What the system says, where it stands apart from what a model was given."""
    stop: Json = None
    """Why a model stopped."""
    model: Json = None
    usage: Fields = {}
    """Tokens and cost, by the names of `Telling.use`."""
    tool: Json = None
    call_id: Json = None
    arguments: Json = ABSENT
    result: Json = ABSENT


Open = Callable[[Node], Fields | None]
"""Gives the members of a span's object; None, with a problem noted, where it is none."""


class Traces:
    """The traces of a file: spans are added as they come, and told when all are there."""

    def __init__(
        self,
        reading: Reading,
        outline: Callable[[Fields], Outline],
        understand: Callable[[Fields, Kind], Span],
        open: Open | None = None,
    ) -> None:
        """`understand` is only asked of spans that matter, once all are there."""
        self._reading = reading
        self._outline = outline
        self._understand = understand
        self._open = open or (lambda node: node.object(reading.problems, "span"))
        self._trees: defaultdict[str, Tree] = defaultdict(Tree)
        self._kept = 0

    @property
    def n_spans(self) -> int:
        """How many spans wait to be told."""
        return sum(map(len, self._trees.values()))

    def add(self, node: Node, fields: Fields | None = None, *, trace: str = "") -> None:
        """Note where a span stands and what it is.

        Args:
            fields: Its members, where they are decoded already.
            trace: The trace that it belongs to where it names none.
        """
        fields = self._open(node) if fields is None else fields
        if fields is None:
            return
        outline = self._outline(fields)
        start_s, end_s = seconds(outline.start), seconds(outline.end)
        if math.isnan(start_s) and outline.start is not None:
            self._reading.problems.add(node.where("span"), "A time could not be read.")
        tree = self._trees[outline.trace or trace]
        place = tree.add(node.bare(), outline.kind, outline.id, outline.parent, start_s, end_s)
        if place is None:
            self._reading.leave_out("span that was written before", "spans that were written before")
        elif self._kept < KEPT:
            self._kept += node.stop - node.start
            place.fields = fields

    def tell(self, named: Callable[[str, Telling], None] | None = None) -> None:
        """Tell the traces that were added, in that order.

        Args:
            named: Told the run of each trace, to state facts of it.
        """
        for trace, tree in self._trees.items():
            runs: dict[str, _Run] = {}
            for place in tree.settled():
                run = runs.get(place.owner)
                if run is None:
                    run = runs[place.owner] = _Run(self._reading, "/".join(filter(None, (trace, place.owner))))
                    if named is not None and not place.owner:
                        named(trace, run.telling)
                span = None
                if run.wants(place):
                    fields = place.fields or self._open(place.node)
                    span = None if fields is None else self._understand(fields, place.kind)
                run.take(place, span)
                place.fields = None
            for run in runs.values():
                run.end()


class _Run:
    """A run while it is told."""

    def __init__(self, reading: Reading, name: str) -> None:
        self._reading = reading
        self._n_calls = 0
        self.telling = reading.run(noun="span")
        self.telling.facts.run = name or None
        self._agents: dict[str, Agent] = {}
        self._latest: Agent | None = None
        """The agent whose model was asked last."""
        self._told: dict[Said, int] = {}
        """How often each thing was told that users and the system say."""
        self._overlap_until = -math.inf
        """When the calls end that overlap, before any model span."""
        self._first_s = self._last_s = math.nan
        """When the first span began and the last one ended."""

    def wants(self, place: Place) -> bool:
        """Whether it matters what a span is about."""
        return place.kind in _TOLD or (place.kind in _FRAMES and (place.is_first or self.telling.facts.prompt is None))

    def take(self, place: Place, span: Span | None) -> None:
        """Tell the next span; None for one that is not wanted."""
        self.telling.at(place.node, _time(place.start_s))
        self._note_times(place)
        if place.kind not in _TOLD and not (place.is_first and place.kind in _FRAMES):
            self.telling.leave_out(*_LEFT_OUT[place.kind])
        if span is None:
            return
        if place.is_first and span.failed:
            self.telling.facts.error = span.error if isinstance(span.error, str) else "The trace ended with an error."
        if place.kind is _MODEL:
            self._take_model(place, span)
        elif place.kind is _TOOL:
            self._take_tool(place, span)
        else:
            self._take_frame(place, span)

    def end(self) -> None:
        """Tell what the last responses asked for."""
        for agent in self._agents.values():
            self._tell_unrun(agent)
        if not self._n_calls:
            self._reading.count("trace shows no call of a tool.", "traces show no call of a tool.")
        if self._last_s >= self._first_s:
            self.telling.facts.started_s, self.telling.facts.duration_s = self._first_s, self._last_s - self._first_s

    def _note_times(self, place: Place) -> None:
        if math.isnan(self._first_s):
            self._first_s = place.start_s
        if not math.isnan(place.end_s) and not self._last_s > place.end_s:
            self._last_s = place.end_s

    def _take_frame(self, place: Place, span: Span) -> None:
        """Take from a span around others what the run is about, and from the first one what it came to."""
        facts = self.telling.facts
        facts.prompt = facts.prompt or words(span.given, "user")
        if place.is_first:
            facts.output = words(span.made, "assistant")

    def _take_model(self, place: Place, span: Span) -> None:
        key, telling, n_calls = place.agent, self.telling, self._n_calls
        agent = self._agents.get(key) or self._agents.setdefault(key, Agent(key, Hearing(self._told)))
        heard = agent.hearing.hear(span.given)
        self._answer(agent, agent.hearing.answers)
        self._tell_unrun(agent)
        agent.calls = []
        if self._n_calls > n_calls:  # They are told where they were asked for.
            telling.at(place.node, _time(place.start_s))
        if span.system is not None and (said := ("system", words(span.system, "system") or "")) not in self._told:
            self._told[said] = 1
            telling.say(*said)
        for said in heard:
            telling.say(*said)
        telling.turn(agent=key)
        self._latest = agent
        agent.moment = place.node, _time(place.start_s)
        for message in messages(span.made, "assistant"):
            if message.reasoning:
                telling.say("reasoning", message.reasoning, agent=key)
            if message.text and message.role == "assistant":
                telling.say("assistant", message.text, agent=key)
            agent.calls += map(Asking, message.asked)
        tell_stop(telling, span.stop, agent=key)
        if span.failed:
            telling.say("error", span.error or "The model's answer failed.", agent=key)
        telling.use(**span.usage, model=span.model, agent=key)

    def _take_tool(self, place: Place, span: Span) -> None:
        self._n_calls += 1
        agent = self._agents.get(place.agent) or self._latest
        if agent is None:
            if not place.start_s < self._overlap_until:
                self.telling.turn()
            if not math.isnan(place.end_s):
                self._overlap_until = max(self._overlap_until, place.end_s)
        asking = Asking(None) if agent is None else agent.run(span.tool, span.call_id)
        asked = asking.asked
        arguments = span.arguments
        if asked is not None and (arguments is ABSENT or _is_spelled_otherwise(arguments, asked.arguments)):
            arguments = asked.arguments
        call_id = span.call_id if span.call_id is not None else asking.id
        asking.number = self.telling.call(
            span.tool, arguments, id=call_id, known=arguments is not ABSENT, agent=agent.key if agent else ""
        )
        asking.asked = Asked(span.tool, arguments, call_id)
        result = span.error if span.result is ABSENT and span.failed and span.error else span.result
        if result is not ABSENT:
            self.telling.result(result, of=asking.number, failed=span.failed, time=_time(place.end_s))
            asking.is_answered = True
        elif not math.isnan(place.end_s):
            self.telling.result(of=asking.number, failed=span.failed, time=_time(place.end_s), known=False)

    def _answer(self, agent: Agent, answers: list[Answered]) -> None:
        """Tell the results that the model is given now, of calls that have none yet."""
        if not answers:
            return
        askers = [agent] if self._latest in (None, agent) else [agent, self._latest]
        for asker in askers:
            self._tell_unrun(asker)
        waiting = [asking for asker in askers for asking in asker.calls]
        for answer in answers:
            found = answered_by(waiting, answer)
            if found is not None:
                waiting.remove(found)
                if not found.is_answered:
                    self.telling.result(answer.content, of=found.number, failed=answer.failed)
                    found.is_answered = True

    def _tell_unrun(self, agent: Agent) -> None:
        """Tell the calls that were asked for and that no span shows, where the model asked for them."""
        for asking in agent.calls:
            if asking.number == NO_CALL and asking.asked is not None and agent.moment is not None:
                self._n_calls += 1
                self.telling.at(*agent.moment)
                asking.number = self.telling.call(asking.tool, asking.asked.arguments, id=asking.id, agent=agent.key)


def _is_spelled_otherwise(arguments: Json, asked: Json) -> bool:
    """Whether arguments are a text that is no JSON, such as Python's, while the model asked with an object."""
    return isinstance(arguments, str) and isinstance(parse_arguments(asked), dict)


def _time(time_s: float) -> float | None:
    return time_s if abs(time_s) < LATEST_S else None
