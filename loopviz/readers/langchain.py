"""Messages of LangChain and LangGraph, in three encodings: `{type: ai, content, …}`, `{type, data}` as
`messages_to_dict` writes them, and `{lc: 1, id, kwargs}` as `dumps` does; and states of graphs that hold them.

A message of the model is a turn; pieces with one id are one. Its calls are its `tool_calls`; where it has none, those
that a provider left in `additional_kwargs`, or as `tool_use` blocks in the content. `invalid_tool_calls` could not be
parsed and never ran. A result belongs to the call of its `tool_call_id`, and failed where its `status` is `error`.

States that are streamed repeat all messages each time: of those that only grow, the longest is read. Updates that are
streamed, `{node: {messages}}`, are one run. Tokens are those of `usage_metadata`, or else what the provider reported,
once a message; input includes what was read from the cache. What tools keep as `artifact` is left out. There is no
outcome.

Only the first encoding, in a state, was seen in a real file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from loopviz.model import Json, Loaded
from loopviz.readers import chat
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.contents import texts_in
from loopviz.readers.fields import member, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.openai_chat import state_wrapping
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, inside, is_list, is_object
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.stops import tell_stop
from loopviz.readers.telling import ABSENT, Telling

Fields = dict[str, Json]

_KINDS = {
    "human": "user", "user": "user", "HumanMessage": "user",
    "ai": "assistant", "assistant": "assistant", "AIMessage": "assistant",
    "tool": "tool", "ToolMessage": "tool", "function": "tool", "FunctionMessage": "tool",
    "system": "system", "developer": "system", "SystemMessage": "system",
}  # fmt: skip
_OWN = frozenset(("additional_kwargs", "response_metadata", "tool_call_id", "tool_calls", "usage_metadata", "example"))
_SURE, _SHARED = frozenset(("human", "ai", "AI", "Human")), frozenset(("tool", "Tool", "system", "System", "function"))
"""Types of messages that other formats do not know, and those that they do."""
_CLASS = re.compile(rb'Message(?:Chunk)?"')
_MARK = re.compile(rb'"lc"\s*:\s*1\b|"type"\s*:\s*"(?:human|ai|AIMessageChunk)"')
_PATHS = (
    ("messages",), ("values", "messages"), ("channel_values", "messages"), ("checkpoint", "channel_values", "messages"),
    ("output", "messages"), ("outputs", "messages"),
)  # fmt: skip
"""Where a state keeps its messages."""
_LISTS = ((), *_PATHS)
"""The same, and where a line is a list of messages."""
_THREADS = (("config", "configurable", "thread_id"), ("metadata", "thread_id"), ("thread_id",))
_REPEATED = ("state that another repeats", "states that others repeat")
_NEAR = 1 << 16
"""Bytes of a list that are looked at to find a message that only LangChain writes."""


def sniff(head: Head) -> float:
    """How surely a file holds messages of LangChain."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    for *path, last in _PATHS:
        state = inside(record, *path)
        if is_list(state, last):
            sure = 0.8 if _MARK.search(state[last][:_NEAR]) else 0.0
            return max(_score_message(first(state, last)), sure)
    if updates := [state for key in record if is_list(state := inside(record, key), "messages")]:
        return max(0.8 if _MARK.search(state["messages"][:_NEAR]) else 0.0 for state in updates)
    return _score_message(record)


def _score_message(message: Peeked) -> float:
    if "lc" in message and is_object(message, "kwargs"):
        return 1.0 if _CLASS.search(message.get("id", b"")) else 0.0
    kind = peeked_text(message, "type").removesuffix("MessageChunk")
    if kind not in _SURE | _SHARED or "role" in message:
        return 0.0
    if is_object(message, "data"):
        return 0.9 if "content" in inside(message, "data") else 0.0
    if "content" not in message:
        return 0.0
    return 0.9 if message.keys() & _OWN else 0.6 if kind in _SURE else 0.0


def read(file: Opened) -> Loaded:
    """Read the conversations of a file, each a run."""
    reading = Reading(file)
    states = _States(reading)
    for document in reading.documents():
        path = next((path for path in _LISTS if document.has_list(*path)), None)
        if path is not None:
            states.take(document, path)
        elif updates := [key for key in document.keys() if document.has_list(key, "messages")]:  # noqa: SIM118
            _tell_updates(reading, document, updates)
        elif (message := document.object(reading.problems, "message")) is not None:
            run = reading.run(key="", noun="message")
            run.at(document)
            tell(run, message)
    states.tell()
    return reading.loaded()


READER = Reader(
    name="langchain",
    sniff=sniff,
    read=read,
    title="Messages of LangChain and states of LangGraph",
    found="what a program of one's own keeps: `messages_to_dict`, `dumps`, `graph.stream`",
)


class _Said(NamedTuple):
    """A message without its encoding."""

    kind: str
    """`user`, `assistant`, `tool`, `system`, or the format's own word."""
    fields: Fields


def tell(run: Telling, message: Fields) -> None:
    """Tell a message, in any of the encodings."""
    kind, fields = _decoded(message)
    match kind:
        case "assistant":
            run.turn(response=fields.get("id"))
            _tell_response(run, fields)
        case "tool":
            if fields.get("artifact") is not None:
                run.leave_out("artifact of a tool", "artifacts of tools")
            run.result(
                fields.get("content", ABSENT),
                id=fields.get("tool_call_id"),
                tool=text(fields.get("name")),
                failed=fields.get("status") == "error",
            )
        case "remove" | "RemoveMessage":
            run.leave_out("mark that removes a message", "marks that remove messages")
        case _:
            run.say(kind, fields.get("content"))


def _kind(said: str) -> str:
    """What sort of message a type or the name of a class stands for."""
    return _KINDS.get(said.removesuffix("Chunk"), said)


def _decoded(message: Fields) -> _Said:
    kwargs, data, path = message.get("kwargs"), message.get("data"), message.get("id")
    if "lc" in message and isinstance(kwargs, dict):
        called = text(path[-1]) if isinstance(path, list) and path else None
        return _Said(_kind(called or "message"), kwargs)
    kind = _kind(text(message.get("type")) or text(message.get("role")) or "message")
    if isinstance(data, dict):
        return _Said(kind, data)
    return _Said(kind, message)


def _tell_response(run: Telling, fields: Fields) -> None:
    content, extra = fields.get("content"), fields.get("additional_kwargs")
    run.say("reasoning", member(extra, "reasoning_content") or _thoughts(content))
    run.say("assistant", texts_in(content))
    for asked in _calls(fields, extra):
        run.call(asked.tool, asked.arguments, id=asked.id, known=asked.arguments is not ABSENT)
    for call in _objects(fields.get("invalid_tool_calls")):
        run.call(call.get("name"), call.get("args", ABSENT), id=call.get("id"), executed=False)
    _tell_usage(run, fields)
    report = fields.get("response_metadata")
    tell_stop(run, _first(report, "finish_reason", "stop_reason", "done_reason", "stopReason"))


def _calls(fields: Fields, extra: Json) -> list[chat.Asked]:
    """The calls of a message; those that it says again elsewhere do not count again."""
    own = _objects(fields.get("tool_calls"))
    if own and not any("function" in call for call in own):
        return [chat.Asked(call.get("name"), call.get("args", ABSENT), call.get("id")) for call in own]
    for given in (fields, extra):
        asked = chat.calls_of({**given, "content": None}) if isinstance(given, dict) else []
        if asked:
            return asked
    blocks = [block for block in _objects(fields.get("content")) if block.get("type") == "tool_use"]
    return [chat.Asked(block.get("name"), block.get("input", ABSENT), block.get("id")) for block in blocks]


def _thoughts(content: Json) -> Json:
    """What a model thought, in blocks of its content."""
    if not isinstance(content, list):
        return None
    blocks = [block for block in _objects(content) if block.get("type") in ("thinking", "reasoning")]
    said = (block.get("thinking") or block.get("reasoning") or texts_in(block.get("summary")) for block in blocks)
    return "\n".join(filter(None, map(text, said))) or None


def _tell_usage(run: Telling, fields: Fields) -> None:
    report = fields.get("response_metadata")
    if not report and "usage_metadata" not in fields:
        return
    model = text(member(report, "model_name")) or text(member(report, "model"))
    usage = fields.get("usage_metadata")
    if isinstance(usage, dict):
        details = usage.get("input_token_details")
        run.use(
            input=usage.get("input_tokens"),
            output=usage.get("output_tokens"),
            cache_read=member(details, "cache_read"),
            cache_write=member(details, "cache_creation"),
            model=model,
            response=fields.get("id"),
        )
        return
    tokens = next((used for key in ("token_usage", "tokenUsage", "usage") if (used := member(report, key))), None)
    run.use(
        input=_first(tokens, "prompt_tokens", "promptTokens", "input_tokens"),
        output=_first(tokens, "completion_tokens", "completionTokens", "output_tokens"),
        model=model,
        response=fields.get("id"),
    )


def _first(value: Json, *keys: str) -> Json:
    return next((found for key in keys if (found := member(value, key)) is not None), None)


def _objects(value: Json) -> list[Fields]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _tell_updates(reading: Reading, document: Node, keys: list[str]) -> None:
    """Tell what each node of a graph adds."""
    run = reading.run(key="updates", noun="message")
    for key in keys:
        for message in run.each(document, key, "messages"):
            tell(run, message)


@dataclass(slots=True, eq=False)
class _State:
    """The longest of the states that only grow."""

    document: Node
    path: tuple[str, ...]
    length: int = 0
    """How many messages it holds."""

    def beginnings(self) -> list[bytes]:
        """Digests of its first message, of its first two, and so on; those of another thread are others."""
        so_far = blake2b(repr(_thread(self.document)).encode(), digest_size=16)
        digests = []
        for message in self.document.elements(*self.path):
            so_far.update(message.raw)
            digests.append(so_far.digest())
        return digests


class _States:
    """The states in a file; of those that repeat each other the longest."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._states: list[_State] = []

    def take(self, document: Node, path: tuple[str, ...]) -> None:
        """Take the next state."""
        self._states.append(_State(document, path))

    def tell(self) -> None:
        """Tell each state as a run."""
        for state in self._longest() if len(self._states) > 1 else self._states:
            run = self._reading.run(state.document, noun="message")
            for message in run.each(state.document, *state.path):
                tell(run, message)
            state_wrapping(run, state.document)
            run.facts.run = run.facts.run or _thread(state.document)

    def _longest(self) -> list[_State]:
        kept: list[_State] = []
        by_beginning: dict[bytes, _State] = {}
        for state in self._states:
            digests = state.beginnings()
            state.length = len(digests)
            if digests and digests[-1] in by_beginning:
                self._reading.leave_out(*_REPEATED)
                continue
            same = _shorter(by_beginning, digests)
            if same is None:
                kept.append(state)
                same = state
            else:
                same.document, same.path, same.length = state.document, state.path, state.length
                self._reading.leave_out(*_REPEATED)
            for digest in digests:
                by_beginning.setdefault(digest, same)
        return kept


def _shorter(by_beginning: dict[bytes, _State], digests: list[bytes]) -> _State | None:
    """The state that is a beginning of the one with these digests."""
    for length in range(len(digests), 0, -1):
        known = by_beginning.get(digests[length - 1])
        if known is not None:
            return known if known.length == length else None
    return None


def _thread(document: Node) -> str | None:
    """What a state calls the thread that it belongs to."""
    return next((found for path in _THREADS if (found := name(document.get(*path)))), None)
