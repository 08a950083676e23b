"""Which run a line of Claude Code belongs to, and what each kind of line says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from loopviz.model import Json
from loopviz.readers.claude import messages
from loopviz.readers.claude.messages import Line
from loopviz.readers.contents import texts_in
from loopviz.readers.decoding import decode
from loopviz.readers.fields import amount, count, flag, member, name, text
from loopviz.readers.growing import Lines
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.stops import is_cut, tell_stop
from loopviz.readers.telling import Telling

_SAYS_NOTHING = ("line that says nothing of the run", "lines that say nothing of the run")


@dataclass(slots=True, eq=False)
class _Chain:
    """Lines that follow each other: those of a conversation's main agent, or of one of its sub-agents."""

    conversation: _Conversation
    agent: str = ""
    """What tells a sub-agent from the others; empty for the main one."""
    begun: Telling | None = None
    is_compacted: bool = False
    """A compaction was told whose summary has not come."""
    asked: messages.Asked = field(default_factory=dict)
    """Calls that have no result yet."""
    cut: Json = None
    """The response that was told last to be cut off: each of its lines may say so."""

    @property
    def run(self) -> Telling:
        """Its run, which begins when it is first told of: a sub-agent's file has no line of the main agent."""
        if self.begun is None:
            self.begun = self.conversation.reading.run()
        return self.begun


@dataclass(slots=True, eq=False)
class _Conversation:
    """A session, and those that go on from it."""

    reading: Reading
    name: str
    """The first session; empty until a line names one."""
    main: _Chain = field(init=False)
    agents: dict[str, _Chain] = field(default_factory=dict)
    sidechains: list[_Chain] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.main = _Chain(self)

    def agent(self, agent: str) -> _Chain:
        """The sub-agent of an id."""
        return self.agents.setdefault(agent, _Chain(self, agent))

    def sidechain(self, *, goes_on: bool) -> _Chain:
        """A new sidechain, or the last one where the lines before are not in the file."""
        if not (goes_on and self.sidechains):
            self.sidechains.append(_Chain(self, f"sidechain {len(self.sidechains) + 1}"))
        return self.sidechains[-1]

    def name_runs(self) -> None:
        """Name each run for the session, and a sub-agent's for itself too."""
        for chain in (self.main, *self.agents.values(), *self.sidechains):
            if chain.begun is not None:
                chain.begun.facts.run = "/".join(filter(None, (self.name, chain.agent))) or None


class _Told(NamedTuple):
    """A line that others may go on from, or that may come again."""

    chain: _Chain
    start: int
    stop: int


class Conversations(Lines):
    """The conversations of a file while its lines are taken."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._all: list[_Conversation] = []
        self._by_session: dict[str, _Conversation] = {}
        self._lines: dict[str | None, _Told] = {}
        """The last line of each `uuid`."""
        self._last: _Conversation | None = None
        """Where lines belong that name no session."""

    def take(self, node: Node, line: Line) -> None:
        """Take the next line of the file."""
        inner, outer = _opened(line)
        kind = text(inner.get("type"))
        if kind is None:
            self.reading.problems.add(node.where("line"), "This line has no `type`; it is left out.")
        elif kind in ("user", "assistant"):
            self.ended = False
            self._take_message(node, inner, outer, kind)
        elif kind in ("system", "result"):
            chain = self._chain(node, inner, outer)
            chain.run.at(node, inner.get("timestamp") or outer.get("timestamp"))
            if kind == "result":
                self.ended = True
                _tell_end(chain, inner)
            else:
                _tell_system(chain, inner)
        elif kind == "stream_event":
            self.reading.leave_out("streamed piece", "streamed pieces")
        else:
            self.reading.leave_out(*_SAYS_NOTHING)

    def end(self) -> None:
        """Name the runs."""
        for conversation in self._all:
            conversation.name_runs()

    def _take_message(self, node: Node, line: Line, outer: Line, kind: str) -> None:
        message = line.get("message")
        if not isinstance(message, dict):
            self.reading.problems.add(node.where("line"), "This line has no message; it is left out.")
            return
        if not isinstance(message.get("content"), (str, list)):
            self.reading.problems.add(node.where("line"), "The message of this line has no content; it is left out.")
            return
        is_replayed = self._is_replayed(line)
        chain = self._chain(node, line, outer)
        if is_replayed:
            self.reading.leave_out("line that stands in the file twice", "lines that stand in the file twice")
            return
        if "toolUseResult" in line or "tool_use_result" in line:
            self.reading.leave_out("structured twin of a result", "structured twins of results")
        chain.run.at(node, line.get("timestamp") or outer.get("timestamp"))
        if kind == "assistant":
            messages.tell_response(chain.run, line, message, chain.asked)
            if is_cut(message.get("stop_reason")) and chain.cut != (name(message.get("id")) or line):
                tell_stop(chain.run, message["stop_reason"])
                chain.cut = name(message.get("id")) or line
        elif line.get("isCompactSummary") is True:
            chain.run.say("system" if chain.is_compacted else "compaction", texts_in(message["content"]))
            chain.is_compacted = False
        else:
            messages.tell_request(chain.run, line, message, chain.asked)

    def _is_replayed(self, line: Line) -> bool:
        """Whether the line before of this `uuid` has the same message."""
        earlier = self._lines.get(name(line.get("uuid")) or "")
        if earlier is None:
            return False
        again, _ = _opened(decode(self.reading.text.data[earlier.start : earlier.stop]))
        return bool(again.get("message") == line["message"])

    def _chain(self, node: Node, line: Line, outer: Line) -> _Chain:
        uuid, parent = name(line.get("uuid")), name(line.get("parentUuid"))
        earlier = next(filter(None, map(self._lines.get, (uuid, parent, name(line.get("logicalParentUuid"))))), None)
        before = None if earlier is None else earlier.chain
        conversation = self._conversation(line, outer, before)
        is_side = line.get("isSidechain")
        agent = None if is_side is False else name(line.get("agentId")) or name(line.get("parent_tool_use_id"))
        if agent is not None:
            chain = conversation.agent(agent)
        elif is_side is not True:
            chain = conversation.main
        elif before is not None and before.agent:
            chain = before
        else:
            is_beginning = line.get("type") == "user" and (parent is None or before is not None)
            chain = conversation.sidechain(goes_on=not is_beginning)
        if uuid is not None:
            self._lines[uuid] = _Told(chain, node.start, node.stop)
        return chain

    def _conversation(self, line: Line, outer: Line, before: _Chain | None) -> _Conversation:
        given = (outer.get("sessionId"), outer.get("session_id"), line.get("sessionId"))
        session = next(filter(None, map(name, given)), None)
        last = self._all[-1] if self._all else None
        found = self._last if session is None else self._by_session.get(session)
        if found is None and before is not None:
            found = before.conversation
        if found is None and last is not None and not last.name:
            found = last  # Lines came before the file said which session it is.
            found.name = session or ""
        if found is None:
            found = _Conversation(self.reading, session or "")
            self._all.append(found)
        if session is not None:
            self._by_session.setdefault(session, found)
        self._last = found
        return found


def _opened(line: Line) -> tuple[Line, Line]:
    """The line inside another, and the one that knows its session, and its time where it does not say: mostly itself.

    Happy wraps lines, and what a person types in its app; a line of `progress` may hold one of a sub-agent.
    """
    wrapped = line.get("content")
    if isinstance(wrapped, dict) and "message" not in line:
        content = wrapped.get("content")
        data, typed = member(content, "data"), member(content, "text")
        if not isinstance(data, dict):
            data = {"type": text(wrapped.get("role")) or "event", "message": {"content": typed}}
        line = {"timestamp": line.get("createdAt"), **data}
    if line.get("type") == "progress":
        nested, agent = member(line, "data", "message"), member(line, "data", "agentId")
        if isinstance(nested, dict) and agent is not None:
            return {**nested, "agentId": agent, "isSidechain": True}, line
    return line, line


def _tell_system(chain: _Chain, line: Line) -> None:
    run, said = chain.run, text(line.get("content"))
    match line.get("subtype"):
        case "init":
            run.facts.model = run.facts.model or text(line.get("model"))
        case "compact_boundary":
            run.say("compaction", _compaction(line))
            chain.is_compacted = True
        case "microcompact_boundary":
            run.say("cut", said or "Old results were cut from the context.")
        case "api_error":
            run.say("error", said or text(member(line, "error", "message")) or "An error of the API.")
        case _ if said:
            run.say("error" if line.get("level") == "error" else "system", said)
        case _:
            run.leave_out(*_SAYS_NOTHING)


def _compaction(line: Line) -> str:
    facts = line.get("compactMetadata", line.get("compact_metadata"))
    trigger = text(member(facts, "trigger"))
    tokens = count(member(facts, "preTokens")) or count(member(facts, "pre_tokens"))
    said = "The context was compacted" + (f" ({trigger})" if trigger else "")
    return f"{said} at {tokens:,} tokens." if tokens is not None else f"{said}."


def _tell_end(chain: _Chain, line: Line) -> None:
    facts = chain.run.facts
    subtype = text(line.get("subtype"))
    failed = flag(line.get("is_error")) or (subtype or "").startswith("error")
    facts.status = "error" if failed else "success" if subtype == "success" else facts.status
    facts.end_reason = subtype or facts.end_reason
    facts.outcome = False if failed else None
    facts.output = text(line.get("result")) or facts.output
    facts.total_cost = amount(line.get("total_cost_usd"))
    facts.total_tokens = _total_tokens(line)
    milliseconds = amount(line.get("duration_ms"))
    facts.duration_s = None if milliseconds is None else milliseconds / 1000


def _total_tokens(line: Line) -> int | None:
    """Input and output tokens of all models, as the end of a stream states them."""
    models = line.get("modelUsage")
    stated: list[Json] = [
        member(used, key)
        for used in (models.values() if isinstance(models, dict) else ())
        for key in ("inputTokens", "outputTokens")
    ] or [member(line, "usage", key) for key in ("input_tokens", "output_tokens")]
    known = [tokens for tokens in map(count, stated) if tokens is not None]
    return sum(known) if known else None
