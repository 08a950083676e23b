"""A sample of a log: told by its events, where it has some of a model or a tool, else by its messages.

A turn is an answer of a model; a request that failed is an error and no turn. A call is the event of the tool, which
holds its result, or the error in its place; one that a model asked for and that has no event was never answered.
`messages` are what the agent knew at the end, so after a compaction they lack what came before it.

What happens inside a tool, between a model and tools of its own, is a sub-agent and a run of its own; what scorers do
is left out. Images are counted and left out; so are the prompts that every request repeats.

Tokens are those of each answer, once; input includes what was read from the cache. The totals of the sample count
where no answer says any. The outcome is what the scorers said: C or 1 passes, I, N or 0 fails, P or any other figure is
neither. Sub-agents, limits and compactions were never seen in real files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from loopviz.model import Json
from loopviz.readers.contents import texts_in
from loopviz.readers.fields import amount, count, member, name, number, text, whole
from loopviz.readers.inspect_ai.log import Attachments, Inputs, Log, grade
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.stops import tell_stop
from loopviz.readers.telling import ABSENT, Telling

DEEPEST = 20
"""Levels of events inside the events of tools, as old logs have them."""

_SCORERS = frozenset(("scorers", "scorer"))
_MAIN, _SCORING = "", "scoring"
"""Whose an event is; any other key is a sub-agent."""
Event = dict[str, Json]


def read_sample(reading: Reading, sample: Node, log: Log) -> None:
    """Read one sample, and the sub-agents in it."""
    run = reading.run(sample, called="sample")
    _state_facts(run, sample, log)
    if not _Sample(reading, sample, run).tell_events():
        _tell_messages(run, sample)


def _state_facts(run: Telling, sample: Node, log: Log) -> None:
    facts, epoch = run.facts, whole(sample.get("epoch"))
    facts.stimulus = name(sample.get("id"))
    is_only_one = epoch in (None, 1) and (log.epochs or 1) == 1
    facts.run = facts.stimulus if is_only_one or facts.stimulus is None else f"{facts.stimulus}_epoch_{epoch}"
    facts.trial = epoch - 1 if epoch else None
    facts.trials = log.epochs
    facts.eval_name, facts.model = log.task, log.model
    facts.duration_s = amount(sample.get("total_time"))
    facts.error = text(sample.get("error", "message"))
    limit = text(sample.get("limit", "type"))
    facts.end_reason = f"limit: {limit}" if limit else None
    facts.output = text(sample.get("output", "completion"))
    facts.grade = grade(sample.get("scores"))
    facts.outcome = None if facts.grade is None else facts.grade.passed
    used = sample.get("model_usage")
    totals = [count(member(each, "total_tokens")) for each in used.values()] if isinstance(used, dict) else []
    known = [total for total in totals if total is not None]
    facts.total_tokens = sum(known) if known else None


def _tell_messages(run: Telling, sample: Node) -> None:
    run.noun = "message"
    attachments = Attachments(sample)
    has_prompt = False
    for written in run.each(sample, "messages"):
        message = attachments.put_in(written)
        role, content = message.get("role"), message.get("content")
        if role == "assistant":
            run.turn()
            _tell_answer(run, message)
            for call in _calls(message):
                _tell_call(run, call)
        elif role == "tool":
            error = message.get("error")
            run.result(_result(content, error), id=message.get("tool_call_id"), tool=message.get("function"),
                       failed=error is not None)  # fmt: skip
        else:
            has_prompt = has_prompt or role == "user"
            run.say(text(role) or "system", content)
    if not has_prompt:
        run.facts.prompt = text(attachments.put_in(sample.get("input")))


@dataclass(slots=True)
class _Agent:
    """An agent of a sample: the main one, or a sub-agent."""

    run: Telling
    inputs: Inputs
    asked: dict[str, Event] = field(default_factory=dict)
    """Calls that the last answer asks for and that have no event yet, by id."""

    def settle(self) -> None:
        """Tell the calls of the last answer that nobody answered."""
        for call in self.asked.values():
            _tell_call(self.run, call)
        self.asked.clear()


class _Sample:
    """A sample while its events are told."""

    def __init__(self, reading: Reading, sample: Node, run: Telling) -> None:
        self._reading = reading
        self._sample = sample
        self._attachments = Attachments(sample)
        self._agents = {_MAIN: _Agent(run, Inputs(sample))}
        self._owners: dict[str, str] = {}
        """Whose the events of a span are."""
        self._names: dict[str, str] = {}
        """What a sub-agent is called."""
        self._scoring = 0
        """Steps of scorers that are open, in logs that have no spans."""
        self._has_story = False

    def tell_events(self) -> bool:
        """Tell all events, then what was asked for and not answered; whether any was of a model or a tool."""
        main = self._agents[_MAIN].run
        for node in self._sample.elements("events"):
            event = node.object(main.problems, "event")
            if event is not None:
                self._take(node, event, _MAIN, 0)
            if not self._reading.goes_on(node.stop):
                break
        for agent in self._agents.values():
            agent.settle()
        return self._has_story

    def _take(self, node: Node, event: Event, above: str, depth: int) -> None:
        """Take an event of the agent `above`, or of the one that its span belongs to."""
        kind = text(event.get("event"))
        owner = self._owners.get(text(event.get("span_id")) or "", above)
        if kind == "span_begin":
            self._begin_span(event, above)
        elif kind == "step" and event.get("type") == "scorer":
            self._scoring += 1 if event.get("action") == "begin" else -1 if self._scoring else 0
        if owner == _SCORING or self._scoring:
            self._leave_out(kind)
            return
        if kind not in _TOLD:
            self._agents[_MAIN].run.at(node, event.get("timestamp"))
            self._leave_out(kind)
            return
        is_step = kind in ("model", "tool")
        self._has_story = self._has_story or is_step
        # A note from inside a tool makes no sub-agent of it.
        agent = self._agent(owner if is_step or owner in self._agents else _MAIN)
        agent.run.at(node, event.get("timestamp"))
        lean = event if _HEAVY.isdisjoint(event) else {key: event[key] for key in event if key not in _HEAVY}
        self._tell(agent, self._attachments.put_in(lean))
        nested = event.get("events")
        if kind == "tool" and isinstance(nested, list) and depth < DEEPEST:
            self._take_nested(node, event, [inner for inner in nested if isinstance(inner, dict)], owner, depth)

    def _begin_span(self, event: Event, above: str) -> None:
        span, kind = text(event.get("id")) or "", text(event.get("type"))
        owner = self._owners.get(text(event.get("parent_id")) or "", above)
        if kind in _SCORERS:
            owner = _SCORING
        elif kind == "tool" or (kind == "agent" and owner != _MAIN):
            owner = owner if owner == _SCORING else span
            self._names[span] = text(event.get("name")) or "agent"
        self._owners[span] = owner

    def _take_nested(self, node: Node, event: Event, nested: list[Event], owner: str, depth: int) -> None:
        """Take the events inside that of a tool, as logs had them before there were spans."""
        if any(inner.get("event") in ("model", "tool") for inner in nested):
            key = f"{owner}/{len(self._agents)}"
            self._names[key] = text(event.get("function")) or "agent"
            for inner in nested:
                self._take(node, inner, key, depth + 1)

    def _agent(self, owner: str) -> _Agent:
        if owner not in self._agents:
            run, main = self._reading.run(called="sample"), self._agents[_MAIN].run.facts
            run.facts.run = f"{main.run or self._sample.where('sample')}/{self._names.get(owner, 'agent')}"
            run.facts.eval_name = main.eval_name
            self._agents[owner] = _Agent(run, Inputs(self._sample))
        return self._agents[owner]

    def _tell(self, agent: _Agent, event: Event) -> None:
        run = agent.run
        match event.get("event"):
            case "model":
                _tell_request(agent, event)
            case "tool":
                _tell_tool(agent, event)
            case "compaction":
                run.say("compaction", _compaction(event))
            case "sample_limit":
                run.say("limit", event.get("message"))
            case "error":
                run.say("error", member(event, "error", "message") or event.get("error"))
            case "info":
                run.say("info", event.get("data"))

    def _leave_out(self, kind: str | None) -> None:
        if kind not in ("span_begin", "span_end", "step"):
            self._reading.leave_out("event that says nothing of the run", "events that say nothing of the run")


_TOLD = frozenset(("model", "tool", "compaction", "sample_limit", "error", "info"))
_HEAVY = frozenset(("tools", "call", "events", "view", "config"))
"""Members of an event that are never told."""


def _tell_request(agent: _Agent, event: Event) -> None:
    run = agent.run
    agent.settle()
    for message in agent.inputs.new(event):
        run.say(text(message.get("role")) or "system", message.get("content"))
    choices = member(event, "output", "choices")
    answer = member(choices[0], "message") if isinstance(choices, list) and choices else None
    if event.get("error") is not None:
        run.say("error", event.get("error"))
    if not isinstance(answer, dict):
        return
    run.turn()
    _tell_answer(run, answer, time=event.get("completed"))
    tell_stop(run, member(choices[0], "stop_reason"))
    usage = member(event, "output", "usage")
    cached, written = member(usage, "input_tokens_cache_read"), member(usage, "input_tokens_cache_write")
    run.use(
        input=_together(member(usage, "input_tokens"), cached, written),
        output=member(usage, "output_tokens"),
        cache_read=cached,
        cache_write=written,
        cost=member(usage, "total_cost"),
        model=event.get("model"),
    )
    for number_, call in enumerate(_calls(answer)):
        agent.asked[name(call.get("id")) or f"#{number_}"] = call


def _tell_answer(run: Telling, message: Event, *, time: Json = None) -> None:
    for thought in (*_thoughts(message.get("content")), message.get("reasoning")):
        run.say("reasoning", thought, time=time)
    run.say("assistant", texts_in(message.get("content")), time=time)


def _tell_tool(agent: _Agent, event: Event) -> None:
    run, error = agent.run, event.get("error")
    asked = agent.asked.pop(name(event.get("id")) or "", {})
    call = _tell_call(run, {**asked, **event}, is_sound=member(error, "type") != "parsing")
    if event.get("truncated") is not None:
        run.say("cut", _truncation(event["truncated"]))
    has_result = event.get("pending") is not True and ("result" in event or error is not None)
    if has_result:
        result = _result(event.get("result", ABSENT), error)
        run.result(result, of=call, failed=error is not None or event.get("failed") is True,
                   time=event.get("completed"))  # fmt: skip


def _tell_call(run: Telling, call: Event, *, is_sound: bool = True) -> int:
    return run.call(
        call.get("function"),
        call.get("arguments", ABSENT),
        id=call.get("id"),
        executed=is_sound and call.get("parse_error") is None,
    )


def _result(content: Json, error: Json) -> Json:
    """What a tool gave back; where that is nothing, what its error says."""
    if error is not None and content in (None, "", ABSENT):
        said = member(error, "message")
        return error if said is None else said
    return content


def _calls(message: Event) -> list[Event]:
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def _thoughts(content: Json) -> Iterator[Json]:
    for block in content if isinstance(content, list) else ():
        if member(block, "type") == "reasoning":
            yield member(block, "summary") if member(block, "redacted") is True else member(block, "reasoning")


def _together(*tokens: Json) -> Json:
    """The sum of what is known; unknown where the first is."""
    return None if count(tokens[0]) is None else sum(count(some) or 0 for some in tokens)


def _truncation(sizes: Json) -> str:
    """What is said of a result that was longer than what the model was shown: its size before and after, in bytes."""
    before, after = (map(count, sizes)) if isinstance(sizes, list) and len(sizes) == 2 else (None, None)
    if before is None or after is None:
        return "A result was cut."
    return f"A result was cut from {before:,} to {after:,} bytes."


def _compaction(event: Event) -> str:
    before, after = number(event.get("tokens_before")), number(event.get("tokens_after"))
    if before is None or after is None:
        return "The context was compacted."
    return f"The context was compacted from {before:,.0f} to {after:,.0f} tokens."
