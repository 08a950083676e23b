"""Runs of SWE-agent, 0.x and 1.x: a `.traj` document a run, or a demonstration that has only its `history`.

A step of `trajectory` is a turn with one call. Its tool is the first word of `action` and its arguments are the rest,
a text; an action that begins with no plain name, such as a path, an assignment or code, is a call of `bash` with all of
it. Where the model called functions, `history` has the call as it was made, and name, arguments and id are taken
from there, by the text of the action. A step without an action is a call of the tool `message` if the agent was told
something for it: nothing could be taken from its text, and nothing ran.

`history` repeats all that the steps say, so only what stands before its first step is read, the demonstration left out.
A document without `trajectory` is read from `history`: the message behind an action is its result.

There are no times and no error flag. Tokens and cost are the totals of `model_stats`, which name no response; a run
without a single request has none. That a run was submitted says nothing of whether it solved its task. Of 1.x, only
demonstrations were seen in real files.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import NamedTuple

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.decoding import decode_text
from loopviz.readers.fields import amount, count, member, text
from loopviz.readers.nodes import Node
from loopviz.readers.pairing import NO_CALL
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, is_list
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT, Telling

UNCALLED = "message"
"""What the call of a step is called from which no action could be taken."""
SHELL = "bash"
"""What an action is a call of that begins with no name of a tool: the shell takes what is no command of the agent's."""
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,63}", re.ASCII)


def sniff(head: Head) -> float:
    """How surely a file holds runs of SWE-agent."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    step = first(record, "trajectory")
    if "action" in step and step.keys() & {"observation", "response", "thought"}:
        return 1.0
    message = first(record, "history")
    if "role" in message and message.keys() & {"agent", "message_type", "is_demo"}:
        return 0.8
    return 0.5 if is_list(record, "trajectory") and peeked_text(record, "environment") else 0.0


def read(file: Opened) -> Loaded:
    """Read the runs of a file."""
    reading = Reading(file)
    for document in reading.documents():
        run = reading.run(document, noun="step")
        if document.has_list("trajectory") or not document.has_list("history"):
            _read_steps(run, document)
        else:
            _read_history(run, document)
        _state_facts(run, document)
    return reading.loaded()


READER = Reader(
    name="sweagent.traj",
    sniff=sniff,
    read=read,
    title="SWE-agent trajectories, 0.x and 1.x",
    found="`trajectories/<user>/<run>/<instance>/<instance>.traj`",
)


class _Called(NamedTuple):
    """A call of a function as the model made it."""

    tool: Json
    arguments: Json
    id: Json


def _read_steps(run: Telling, document: Node) -> None:
    called = _read_beginning(run, document)
    for step in run.each(document, "trajectory"):
        for repeated in ("query", "messages"):
            if isinstance(step.get(repeated), list):
                run.leave_out("prompt that a step repeats", "prompts that steps repeat")
        run.turn()
        thought = text(step.get("thought"))
        run.say("assistant", thought or step.get("response"))
        observation = step.get("observation", ABSENT)
        action = text(step.get("action")) or ""
        if action.strip():
            call = _call(run, action, called[action])
        elif isinstance(observation, str) and observation.strip():
            call = run.call(UNCALLED, text(step.get("response")) or thought or "", executed=False)
        else:
            continue
        if observation is not ABSENT:
            run.result(observation, of=call)


def _read_beginning(run: Telling, document: Node) -> defaultdict[str, deque[_Called]]:
    """Tell what stands before the first step; what functions were called, by the text of the action, in order."""
    called: defaultdict[str, deque[_Called]] = defaultdict(deque)
    has_begun = False
    for node in document.elements("history"):
        message = node.object(run.problems, "message")
        if message is None:
            continue
        if message.get("is_demo") is True:
            run.leave_out("message of a demonstration", "messages of demonstrations")
            continue
        has_begun = has_begun or message.get("role") == "assistant"
        if has_begun:
            calls = _calls(message)
            if len(calls) == 1:
                called[text(message.get("action")) or ""].append(calls[0])
        else:
            run.at(node)
            run.say(text(message.get("role")) or "system", message.get("content"))
    return called


def _read_history(run: Telling, document: Node) -> None:
    run.noun = "message"
    waiting = NO_CALL
    for message in run.each(document, "history"):
        role, content = message.get("role"), message.get("content")
        if role == "assistant":
            waiting = _tell_response(run, message)
        elif role == "tool":
            ids = message.get("tool_call_ids")
            for call_id in ids if isinstance(ids, list) and ids else [message.get("tool_call_id")]:
                run.result(content, id=call_id)
        elif role == "user" and waiting != NO_CALL:
            run.result(content, of=waiting)
            waiting = NO_CALL
        else:
            run.say(text(role) or "system", content)


def _tell_response(run: Telling, message: dict[str, Json]) -> int:
    """Tell a message and its calls; the number of the call that the next message answers."""
    run.turn()
    run.say("assistant", message.get("thought") or message.get("content"))
    calls = _calls(message)
    for call in calls:
        run.call(call.tool, call.arguments, id=call.id)
    action = text(message.get("action")) or ""
    return _call(run, action, deque()) if not calls and action.strip() else NO_CALL


def _call(run: Telling, action: str, called: deque[_Called]) -> int:
    if called:
        tool, arguments, call_id = called.popleft()
        return run.call(tool, arguments, id=call_id)
    action = action.strip()
    tool, *rest = action.split(maxsplit=1)
    return run.call(tool, "".join(rest)) if _NAME.fullmatch(tool) else run.call(SHELL, action)


def _calls(message: dict[str, Json]) -> list[_Called]:
    calls = message.get("tool_calls")
    return [
        _Called(function.get("name"), function.get("arguments", ABSENT), member(call, "id"))
        for call in (calls if isinstance(calls, list) else ())
        if isinstance(function := member(call, "function"), dict)
    ]


def _state_facts(run: Telling, document: Node) -> None:
    facts, info = run.facts, document.get("info")
    facts.end_reason = text(member(info, "exit_status"))
    facts.output = text(member(info, "submission"))
    config = document.get("replay_config")
    config = decode_text(config) if isinstance(config, str) else config
    facts.model = text(member(config, "agent", "model", "name"))
    stats = member(info, "model_stats")
    if count(member(stats, "api_calls")):
        tokens = [count(member(stats, name)) for name in ("tokens_sent", "tokens_received")]
        known = [some for some in tokens if some is not None]
        facts.total_tokens = sum(known) if known else None
        facts.total_cost = amount(member(stats, "instance_cost"))
