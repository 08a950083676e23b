"""Copilot CLI sessions: the `events.jsonl` of GitHub's Copilot in the terminal, and what its SDK records.

A turn is what stands between `assistant.turn_start` and `assistant.turn_end`; an agent that has none open, as
sub-agents and old files do, begins one with each message. A sub-agent, known by `agentId` or by the call that started
it, is a run of its own, named for its session and itself.

A call is its `tool.execution_start`. One that was asked for and never started, because it was refused or the session
broke off, is read from the message that asked for it. The result is all of `result`, else `error`; where `result` holds
nothing but `content` it is that.

Tokens are those of `assistant.usage`, once a response; where a response has none, the output tokens that its message
states. The two are of one response that say so by `apiCallId`, or else that follow each other in a turn. The totals of
`session.shutdown` count where there is neither. Hooks, permissions and streamed pieces are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.copilot_tokens import Responses, total_tokens
from loopviz.readers.fields import count, member, name, text
from loopviz.readers.growing import Lines, read_lines
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, is_object
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT, Telling
from loopviz.readers.turns import MAIN_AGENT

Data = dict[str, Json]

_SURE = ("session.start", "assistant.turn_start", "tool.execution_start", "assistant.message")
_PREFIXES = ("session.", "assistant.", "tool.", "user.message", "system.message", "hook.", "subagent.", "permission.")
_SILENT = ("hook.", "permission.", "session.", "tool.", "assistant.", "subagent.", "system.", "command.")
"""Beginnings of types that say nothing of the run unless they are told by name."""


def sniff(head: Head) -> float:
    """How surely a file holds the events of a Copilot session."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    kind = peeked_text(record, "type")
    if not is_object(record, "data") or not kind.startswith(_PREFIXES):
        return 0.0
    return 1.0 if kind in _SURE else 0.7


def read(file: Opened) -> Loaded:
    """Read the sessions of a file, and their sub-agents."""
    return read_lines(file, _Session)


READER = Reader(
    name="copilot.events",
    sniff=sniff,
    read=read,
    title="Copilot CLI sessions",
    found="`~/.copilot/session-state/<session>/events.jsonl`",
    lines=lambda reading: _Session(reading),
)


Moment = tuple[Node, Json]
"""Where in the file, and when."""


@dataclass(slots=True)
class _Agent:
    """An agent of a session: the main one, or a sub-agent."""

    run: Telling
    here: Moment
    is_in_turn: bool = False
    """Between a turn's start and its end."""
    asked: dict[str, tuple[Moment, Data]] = field(default_factory=dict)
    """Calls asked for that have not started."""
    told_unstarted: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    """Ids of calls that were asked for or started."""
    tokens: Responses = field(default_factory=Responses)

    def go(self, moment: Moment) -> None:
        self.here = moment
        self.run.at(*moment)

    def begin_turn(self) -> None:
        self.settle()
        self.run.turn()
        self.tokens.begin_turn()

    def end_turn(self) -> None:
        self.settle()
        if self.is_in_turn:
            self.run.end_turn()

    def ask(self, requests: Json) -> None:
        for request in requests if isinstance(requests, list) else ():
            call_id = name(member(request, "toolCallId"))
            if call_id is not None:
                self.asked[call_id] = self.here, request
                self.called.add(call_id)

    def start(self, data: Data) -> None:
        call_id = name(data.get("toolCallId")) or ""
        self.called.add(call_id)
        _, request = self.asked.pop(call_id, (None, {}))
        if call_id in self.told_unstarted:
            self.told_unstarted.discard(call_id)
        else:
            tool = data.get("toolName") or request.get("name")
            self.run.call(tool, data.get("arguments", ABSENT), id=data.get("toolCallId"))

    def settle(self) -> None:
        """Tell the calls that were asked for and did not start before their turn ended."""
        for call_id, (moment, request) in self.asked.items():
            self.run.at(*moment)
            self.run.call(request.get("name"), request.get("arguments", ABSENT), id=call_id)
            self.told_unstarted.add(call_id)
        if self.asked:
            self.asked.clear()
            self.run.at(*self.here)


class _Session(Lines):
    """The session that the events belong to which are read now; a file may hold several, one after the other."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._id = ""
        self._agents: dict[tuple[str, str], _Agent] = {}

    def take(self, node: Node, line: dict[str, Json]) -> None:
        """Take the next event of the file."""
        data = line.get("data")
        self._take(node, line, data if isinstance(data, dict) else {})

    def _take(self, node: Node, event: dict[str, Json], data: Data) -> None:
        kind = event.get("type")
        if event.get("ephemeral") is True:
            self.reading.leave_out("streamed piece", "streamed pieces")
            return
        self.ended = kind == "session.shutdown"
        if kind == "session.start":
            self._id = name(data.get("sessionId")) or self._id
        agent = self._agent(event, data, (node, event.get("timestamp")))
        match kind:
            case "assistant.turn_start":
                agent.begin_turn()
                agent.is_in_turn = True
                agent.run.use(model=data.get("model"))
            case "assistant.turn_end":
                agent.end_turn()
                agent.is_in_turn = False
            case "assistant.message":
                _tell_message(agent, data)
            case "tool.execution_start":
                agent.start(data)
            case "tool.execution_complete":
                _tell_result(agent.run, data)
            case "assistant.usage":
                _tell_usage(agent, data)
            case _:
                self._take_story(agent.run, kind, data)

    def end(self) -> None:
        """Tell the calls that were asked for and never started."""
        for agent in self._agents.values():
            agent.settle()

    @contextmanager
    def as_ended(self) -> Iterator[None]:
        """The agents as they are if the file ends here: calls that were asked for may still start."""
        marks = [
            (agent, agent.run.mark(), dict(agent.asked), set(agent.told_unstarted))
            for agent in self._agents.values()
            if agent.asked
        ]
        self.end()
        yield
        for agent, mark, asked, told in marks:
            agent.run.rewind(mark)
            agent.asked, agent.told_unstarted = asked, told

    def _agent(self, event: dict[str, Json], data: Data, moment: Moment) -> _Agent:
        given = (data.get("agentId"), event.get("agentId"), data.get("parentToolCallId"), event.get("parentToolCallId"))
        agent_id = next(filter(None, map(text, given)), MAIN_AGENT)
        if event.get("type") == "tool.execution_complete" and agent_id == MAIN_AGENT:
            agent_id = self._starter(name(data.get("toolCallId")) or "")
        if event.get("type") in ("subagent.started", "subagent.completed", "subagent.failed"):
            agent_id = MAIN_AGENT  # It is the agent above that says so.
        key = self._id, agent_id
        if key not in self._agents:
            run = self.reading.run()
            run.facts.run = "/".join(filter(None, key)) or None
            self._agents[key] = _Agent(run, moment)
        self._agents[key].go(moment)
        return self._agents[key]

    def _starter(self, call_id: str) -> str:
        """The agent that started a call whose result names none: the main one, or the only other that did."""
        main = self._agents.get((self._id, MAIN_AGENT))
        if main is None or call_id not in main.called:
            starters = [
                agent for (session, agent), one in self._agents.items() if session == self._id and call_id in one.called
            ]
            if len(starters) == 1:
                return starters[0]
        return MAIN_AGENT

    def _take_story(self, run: Telling, kind: Json, data: Data) -> None:
        match kind:
            case "session.start" | "session.resume":
                run.facts.model = run.facts.model or text(data.get("selectedModel"))
            case "session.model_change":
                run.facts.model = run.facts.model or text(data.get("newModel"))
            case "user.message":
                run.say("user", data.get("content"))
                attached = data.get("attachments")
                run.leave_out("attachment", "attachments", len(attached) if isinstance(attached, list) else 0)
            case "assistant.reasoning":
                run.say("reasoning", data.get("content"))
            case "system.message" | "system.notification":
                run.say("system", data.get("content"))
            case "session.error":
                run.say("error", data.get("message"))
            case "session.compaction_complete" if data.get("success") is False:
                run.say(
                    "error", f"The context could not be compacted: {text(data.get('error')) or 'no reason is given'}."
                )
            case "session.compaction_complete":
                run.say("compaction", data.get("summaryContent") or "The context was compacted.")
            case "session.info" | "session.warning":
                run.say("system", data.get("message"))
            case "session.truncation":
                run.say("cut", _cut(data))
            case "skill.invoked":
                run.say("skill", data.get("name"))
            case "subagent.started" | "subagent.failed":
                agent = text(data.get("agentDisplayName")) or text(data.get("agentName")) or "a sub-agent"
                why = text(data.get("error"))
                run.say("agent", f"{agent}: {kind.partition('.')[2]}" + (f": {why}" if why else ""))
            case "abort":
                run.facts.end_reason = "aborted"
                run.say("error", data.get("reason") or "aborted")
            case "session.task_complete":
                run.facts.output = text(data.get("summary"))
            case "session.shutdown":
                run.facts.total_tokens = total_tokens(data)
                run.facts.end_reason = run.facts.end_reason or text(data.get("shutdownType"))
            case None if not data:
                self.reading.leave_out("event without a type", "events without a type")
            case str() if kind.startswith(_SILENT):
                self.reading.leave_out("event that says nothing of the run", "events that say nothing of the run")
            case _:
                run.say(text(kind) or "unknown", data)


def _tell_message(agent: _Agent, data: Data) -> None:
    run = agent.run
    if not agent.is_in_turn:
        agent.begin_turn()
    run.say("reasoning", data.get("reasoningText"))
    run.say("assistant", data.get("content"))
    response = agent.tokens.of("assistant.message", data)
    run.use(output=data.get("outputTokens"), model=data.get("model"), response=response)
    agent.ask(data.get("toolRequests"))


def _tell_result(run: Telling, data: Data) -> None:
    run.use(model=data.get("model"))
    given = data.get("result") if data.get("result") is not None else data.get("error")
    if isinstance(given, dict):
        given = {key: value for key, value in given.items() if value is not None}
        given = given["content"] if given.keys() == {"content"} else given
    is_given = given is not None or "result" in data
    run.result(
        given if is_given else ABSENT,
        id=data.get("toolCallId"),
        tool=data.get("toolName"),
        failed=data.get("success") is False,
    )


def _tell_usage(agent: _Agent, data: Data) -> None:
    agent.run.use(
        response=agent.tokens.of("assistant.usage", data),
        input=data.get("inputTokens"),
        output=data.get("outputTokens"),
        cache_read=data.get("cacheReadTokens"),
        cache_write=data.get("cacheWriteTokens"),
        model=data.get("model"),
    )


def _cut(data: Data) -> str:
    removed = count(data.get("messagesRemovedDuringTruncation"))
    return "The context was cut." if removed is None else f"The context was cut: {removed:,} messages were removed."
