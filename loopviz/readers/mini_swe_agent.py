"""Runs of mini-swe-agent: a document a run, or its bare list of messages.

A message of the assistant is a turn. Its calls are its `tool_calls`; where it has none, the `actions` noted beside it;
in files of version 1, the one shell block of its text, which is a call of `bash`. Of the same turn's text that holds
no block, or several, nothing ran: it is a call of the tool `message`, and what the agent was told is its result. A
result is the message of the tool, by its id, or, for commands from a text, the next message of the user. A call failed
that ended with a return code other than 0.

Tokens are those of the response that the message keeps, once a message; input includes what was read from the cache.
The cost of the whole run counts where messages have none. That a run was submitted says nothing of whether it solved
its task: there is no outcome in these files. The form that holds items of the Responses API was never seen in a real
file.
"""

from __future__ import annotations

import re
from collections import deque

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.contents import texts_in
from loopviz.readers.fields import amount, member, text, whole
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, inside, is_list
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.stops import tell_stop
from loopviz.readers.telling import ABSENT, Telling

TOOL = "bash"
UNCALLED = "message"
"""What the call of a message is called from which no command could be taken."""

_VERSION = "mini-swe-agent"
_BLOCK = re.compile(r"```(?:bash|mswea_bash_command)[ \t]*\r?\n(.*?)\r?\n?```", re.DOTALL)
_MARKS = ("mswea_bash_command", "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
_RETURN_CODE = re.compile(r"\s*<returncode>(-?\d+)</returncode>")
_TIME = ("extra", "timestamp")


def sniff(head: Head) -> float:
    """How surely a file holds runs of mini-swe-agent."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    info = inside(record, "info")
    is_ours = "mini_version" in info or peeked_text(inside(info, "config"), "agent_type").startswith("minisweagent")
    if is_ours or peeked_text(record, "trajectory_format").startswith(_VERSION):
        return 1.0
    if is_list(record, "messages"):
        return 0.9 if info.keys() & {"exit_status", "model_stats"} else _speaks(first(record, "messages"))
    return _speaks(record)


def _speaks(message: Peeked) -> float:
    said = peeked_text(message, "content")
    is_told = peeked_text(message, "role") in ("system", "user", "assistant")
    return 0.9 if is_told and any(mark in said for mark in _MARKS) else 0.0


def read(file: Opened) -> Loaded:
    """Read the runs of a file."""
    reading = Reading(file)
    bare: _Run | None = None
    for document in reading.documents():
        if document.member("messages") or not document.keys() & {"role", "type", "object"}:
            _read_document(reading, document)
            continue
        bare = bare or _Run(reading.run(key="", noun="message"))
        message = document.object(reading.problems, "message")
        if message is not None:
            bare.telling.at(document, member(message, *_TIME))
            bare.take(message)
    return reading.loaded()


READER = Reader(
    name="mini-swe-agent",
    sniff=sniff,
    read=read,
    title="mini-swe-agent runs, versions 1 and 2",
    found="`<instance>/<instance>.traj.json` in the output folder, `last_mini_run.traj.json` in its settings folder",
)


def _read_document(reading: Reading, document: Node) -> None:
    telling = reading.run(document, noun="message")
    run = _Run(telling)
    for message in telling.each(document, "messages", time=_TIME):
        run.take(message)
    info, facts = document.get("info"), telling.facts
    facts.run = text(document.get("instance_id"))
    facts.model = text(member(info, "config", "model", "model_name"))
    facts.end_reason = text(member(info, "exit_status")) or facts.end_reason
    facts.output = text(member(info, "submission")) or facts.output
    facts.total_cost = amount(member(info, "model_stats", "instance_cost"))


class _Run:
    """A run while its messages are taken, one after the other."""

    def __init__(self, telling: Telling) -> None:
        self.telling = telling
        self._waiting: deque[int] = deque()
        """Calls without an id that wait for the next message of the user."""
        self._unparsed = ""
        """The message before this one, from which no command could be taken."""
        self._has_tool_calls = False

    def take(self, message: dict[str, Json]) -> None:
        """Take the next message."""
        telling, role, content = self.telling, message.get("role"), message.get("content", ABSENT)
        if role == "assistant" or message.get("object") == "response":
            self._take_response(message)
        elif role == "tool":
            self._answer(message, content, id=message.get("tool_call_id"))
        elif message.get("type") == "function_call_output":
            self._answer(message, message.get("output", ABSENT), id=message.get("call_id"))
        elif role == "user":
            self._take_user(message, content)
        elif role == "exit":
            telling.facts.end_reason = text(member(message, "extra", "exit_status"))
            telling.facts.output = text(member(message, "extra", "submission")) or text(message.get("content"))
        else:
            telling.say(text(role) or "system", message.get("content"))

    def _take_response(self, message: dict[str, Json]) -> None:
        telling, said = self.telling, texts_in(message.get("content"))
        if message.get("object") == "response":
            said = "\n".join(filter(None, (texts_in(member(item, "content")) for item in _list(message.get("output")))))
        telling.turn()
        telling.say("reasoning", message.get("reasoning_content"))
        telling.say("assistant", said)
        _tell_tokens(telling, message)
        if "extra" in message:
            _tell_end(telling, member(message["extra"], "response"))
        self._waiting.clear()
        self._unparsed = ""
        calls = _list(message.get("tool_calls"))
        for call in calls:
            function = member(call, "function")
            telling.call(member(function, "name"), _given(function, "arguments"), id=member(call, "id"))
        self._has_tool_calls = self._has_tool_calls or bool(calls)
        if not calls:
            self._take_commands(message, said)

    def _take_commands(self, message: dict[str, Json], said: str) -> None:
        """Tell the calls of a message that has no `tool_calls`."""
        actions: list[Json] = _list(member(message, "extra", "actions"))
        blocks = _BLOCK.findall(said)
        if not actions and len(blocks) == 1:
            actions = [{"command": blocks[0].strip()}]
        for action in actions:
            call_id = member(action, "tool_call_id")
            number = self.telling.call(TOOL, {"command": member(action, "command")}, id=call_id)
            if call_id is None:
                self._waiting.append(number)
        self._unparsed = "" if actions or self._has_tool_calls else said

    def _take_user(self, message: dict[str, Json], content: Json) -> None:
        telling = self.telling
        if self._waiting:
            self._answer(message, content, of=self._waiting.popleft())
        elif self._unparsed:
            self._answer(message, content, of=telling.call(UNCALLED, self._unparsed, executed=False))
        else:
            was_interrupted = member(message, "extra", "interrupt_type") is not None
            telling.say("error" if was_interrupted else "user", message.get("content"))
        self._unparsed = ""

    def _answer(self, message: dict[str, Json], content: Json, **whose: Json) -> None:
        code = whole(member(message["extra"], "returncode")) if "extra" in message else None
        if code is None and isinstance(content, str) and (found := _RETURN_CODE.match(content)):
            code = int(found[1][:10])
        self.telling.result(content, failed=bool(code), **whose)


def _tell_tokens(telling: Telling, message: dict[str, Json]) -> None:
    extra = message.get("extra")
    if extra is None and "usage" not in message:
        return
    response = member(extra, "response")
    usage = member(response, "usage") or message.get("usage")
    telling.use(
        input=_first(usage, "prompt_tokens", "input_tokens"),
        output=_first(usage, "completion_tokens", "output_tokens"),
        cache_read=member(usage, "prompt_tokens_details", "cached_tokens"),
        cost=member(extra, "cost"),
        model=member(response, "model"),
    )


def _tell_end(telling: Telling, response: Json) -> None:
    """Tell that a response was cut off, if it was."""
    choice = next(iter(_list(member(response, "choices"))), None)
    tell_stop(telling, member(choice, "finish_reason") or member(response, "incomplete_details", "reason"))


def _first(value: Json, *keys: str) -> Json:
    return next((found for key in keys if (found := member(value, key)) is not None), None)


def _given(value: Json, key: str) -> Json:
    return value[key] if isinstance(value, dict) and key in value else ABSENT


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
