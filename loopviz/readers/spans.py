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
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from loopviz.model import Json
from loopviz.readers.dialogue import Answered, Asked, Message, latest_answers, messages
from loopviz.readers.nodes import Node
from loopviz.readers.pairing import NO_CALL
from loopviz.readers.reading import Reading
from loopviz.readers.telling import ABSENT, Telling
from loopviz.readers.times import seconds
from loopviz.readers.trees import Kind, Place, Tree

Fields = dict[str, Json]

LATEST_S = 1e11
"""From here on a number would be read as milliseconds; it is the year 5138."""


class Outline(NamedTuple):
    """What a format says of where a span stands; ids are empty where there are none, times in any notation."""

    kind: Kind
    trace: str
    id: str
    parent: str
    start: Json
    end: Json


@dataclass(slots=True, kw_only=True)
class Span:
    """What a format says of what a span is about."""

    name: str = ""
    failed: bool = False
    error: Json = None
    """What went wrong, in words."""
    given: Json = None
    """What a model was given, or what a run began with; messages in any form."""
    made: Json = None
    """What a model made, or what a run ended with."""
    model: Json = None
    usage: Fields = field(default_factory=dict)
    """Tokens and cost, by the names of `Telling.use`."""
    tool: Json = None
    call_id: Json = None
    arguments: Json = ABSENT
    result: Json = ABSENT


Open = Callable[[Node], Fields | None]
"""Gives the members of a span's object; None, with a problem noted, where it is none."""


@dataclass(slots=True, eq=False)
class _Asking:
    """A call of the turn that is open: asked for, run, answered, or some of these."""

    asked: Asked | None
    number: int = NO_CALL
    is_answered: bool = False

    @property
    def id(self) -> Json:
        return None if self.asked is None else self.asked.id

    @property
    def tool(self) -> Json:
        return None if self.asked is None else self.asked.tool


@dataclass(slots=True)
class _Agent:
    """An agent of a run and the turn that it has open."""

    key: str
    moment: tuple[Node, Json] | None = None
    """Where the model span of the turn stands, and when it began."""
    calls: list[_Asking] = field(default_factory=list)


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
        self._trees: dict[str, Tree] = {}

    @property
    def n_spans(self) -> int:
        """How many spans wait to be told."""
        return sum(map(len, self._trees.values()))

    def add(self, node: Node, *, trace: str = "") -> None:
        """Note where a span stands and what it is; it is read again when it is told.

        Args:
            trace: The trace that it belongs to where it names none.
        """
        fields = self._open(node)
        if fields is None:
            return
        kind, own, id, parent, start, end = self._outline(fields)
        start_s, end_s = seconds(start), seconds(end)
        if start is not None and math.isnan(start_s):
            self._reading.problems.add(node.where("span"), "A time could not be read.")
        tree = self._trees.setdefault(own or trace, Tree())
        if not tree.add(node.bare(), kind, id, parent, start_s, end_s):
            self._reading.leave_out("span that was written before", "spans that were written before")

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
                    fields = self._open(place.node)
                    span = None if fields is None else self._understand(fields, place.kind)
                run.take(place, span)
            for run in runs.values():
                run.end()


class _Run:
    """A run while it is told."""

    def __init__(self, reading: Reading, name: str) -> None:
        self._reading = reading
        self._n_calls = 0
        self.telling = reading.run(noun="span")
        self.telling.facts.run = name or None
        self._agents: dict[str, _Agent] = {}
        self._latest: _Agent | None = None
        """The agent whose model was asked last."""
        self._told: Counter[tuple[str, str]] = Counter()
        """What was said by whom, and how often; each model span repeats all that came before."""
        self._overlap_until = -math.inf
        """When the calls end that overlap, before any model span."""
        self._first_s = self._last_s = math.nan
        """When the first span began and the last one ended."""

    def wants(self, place: Place) -> bool:
        """Whether it matters what a span is about."""
        if place.kind in (Kind.AGENT, Kind.OTHER):
            return place.is_first or self.telling.facts.prompt is None
        return place.kind in (Kind.MODEL, Kind.TOOL)

    def take(self, place: Place, span: Span | None) -> None:
        """Tell the next span; None for one that is not wanted."""
        self.telling.at(place.node, _time(place.start_s))
        self._note_times(place)
        if place.kind is Kind.INNER:
            self.telling.leave_out("span inside a call", "spans inside calls")
        elif place.kind is Kind.REPEATED:
            self.telling.leave_out("span that repeats another", "spans that repeat others")
        elif place.kind in (Kind.AGENT, Kind.OTHER) and not place.is_first:
            self.telling.leave_out("span of neither a model nor a tool", "spans of neither a model nor a tool")
        if span is None:
            return
        if place.is_first and span.failed:
            self.telling.facts.error = span.error if isinstance(span.error, str) else "The trace ended with an error."
        if place.kind is Kind.MODEL:
            self._take_model(place, span)
        elif place.kind is Kind.TOOL:
            self._take_tool(place, span)
        else:
            self._take_frame(place, span)

    def end(self) -> None:
        """Tell what the last responses asked for."""
        for agent in self._agents.values():
            self._settle(agent)
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
        facts.prompt = facts.prompt or _words(span.given, "user")
        if place.is_first:
            facts.output = _words(span.made, "assistant")

    def _take_model(self, place: Place, span: Span) -> None:
        given, made = messages(span.given, "user"), messages(span.made, "assistant")
        agent = self._agents.setdefault(place.agent, _Agent(place.agent))
        self._answer(agent, latest_answers(given))
        self._settle(agent)
        self.telling.at(place.node, _time(place.start_s))
        self._tell_given(given)
        self.telling.turn(agent=agent.key)
        self._latest = agent
        agent.moment = place.node, _time(place.start_s)
        for message in made:
            self.telling.say("reasoning", message.reasoning, agent=agent.key)
            if message.role == "assistant":
                self.telling.say("assistant", message.text, agent=agent.key)
                self._told["assistant", message.text] += 1
            agent.calls += map(_Asking, message.asked)
        if span.failed:
            self.telling.say("error", span.error or "The model's answer failed.", agent=agent.key)
        self.telling.use(**span.usage, model=span.model, agent=agent.key)

    def _tell_given(self, given: list[Message]) -> None:
        """Tell what users and the system say that was not told yet."""
        heard: Counter[tuple[str, str]] = Counter()
        for message in given:
            said = message.role, message.text
            if message.role not in ("user", "system") or not message.text:
                continue
            heard[said] += 1
            if heard[said] > self._told[said]:
                self._told[said] = heard[said]
                self.telling.say(message.role, message.text)

    def _take_tool(self, place: Place, span: Span) -> None:
        self._n_calls += 1
        agent = self._agents.get(place.agent) or self._latest
        if agent is None:
            if not place.start_s < self._overlap_until:
                self.telling.turn()
            if not math.isnan(place.end_s):
                self._overlap_until = max(self._overlap_until, place.end_s)
        asking = self._asking(agent, span)
        asked = asking.asked
        arguments = span.arguments
        if arguments is ABSENT and asked is not None:
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

    def _asking(self, agent: _Agent | None, span: Span) -> _Asking:
        """What the open turn asks for that this span is; something new where it asks for nothing like it."""
        waiting = [] if agent is None else [one for one in agent.calls if one.number == NO_CALL]
        by_id = [one for one in waiting if one.id is not None and one.id == span.call_id]
        # Libraries give ids of their own to calls that the model gave none.
        by_name = [one for one in waiting if one.tool == span.tool and (one.id is None or span.call_id is None)]
        found = next(iter(by_id or by_name), None)
        if found is None:
            found = _Asking(None)
            if agent is not None:
                agent.calls.append(found)
        return found

    def _answer(self, agent: _Agent, answers: list[Answered]) -> None:
        """Tell the results that the model is given now, of calls that have none yet."""
        if not answers:
            return
        self._tell_unrun(agent)
        others = [self._latest] if self._latest is not None and self._latest is not agent else []
        for other in others:
            self._tell_unrun(other)
        waiting = [one for some in (agent, *others) for one in some.calls]
        for answer in answers:
            found = _answered_by(waiting, answer)
            if found is not None:
                waiting.remove(found)
                if not found.is_answered:
                    self.telling.result(answer.content, of=found.number, failed=answer.failed)
                    found.is_answered = True

    def _tell_unrun(self, agent: _Agent) -> None:
        """Tell the calls that were asked for and that no span shows, where the model asked for them."""
        for asking in agent.calls:
            if asking.number == NO_CALL and asking.asked is not None and agent.moment is not None:
                self._n_calls += 1
                self.telling.at(*agent.moment)
                asking.number = self.telling.call(asking.tool, asking.asked.arguments, id=asking.id, agent=agent.key)

    def _settle(self, agent: _Agent) -> None:
        self._tell_unrun(agent)
        agent.calls = []


def _time(time_s: float) -> float | None:
    return time_s if abs(time_s) < LATEST_S else None


def _words(value: Json, role: str) -> str | None:
    """What one side says in a value, where it says something."""
    return "\n".join(message.text for message in messages(value, role) if message.role == role) or None


def _answered_by(waiting: list[_Asking], answer: Answered) -> _Asking | None:
    """The call that an answer belongs to: that of its id, or else the first of its tool, or the first of all."""
    for matches in (
        lambda one: answer.id is not None and one.id == answer.id,
        lambda one: (answer.id is None or one.id is None) and answer.tool is not None and one.tool == answer.tool,
        lambda one: answer.id is None and answer.tool is None,
    ):
        found = next(filter(matches, waiting), None)
        if found is not None:
            return found
    return None
