"""Events of OpenHands 0.x.

They come as the `history` of a record, one run a line (`output.jsonl`); as a list, bare or under `history` (what the
page exports); as pairs of an action and its observation; and, in the oldest files, with arguments among the members of
the event and without ids. A file of a single event is a part of a run, as `loopviz.readers.openhands.parts` tells.

A turn is a model response, known by its id; without one, each action of the agent. A call is an action of the agent
that is no message and no change of state. Its tool and arguments are those that the model asked for, where the event
keeps the response, else the action's own, without what is no argument: thoughts, confirmations, the risk. A result is
the observation that the action caused; without a cause, it is that of the call before. A call failed whose observation
is an error or that ended with an exit code; -1 stands for a command that still runs. What stands between a `delegate`
and its observation was done by another agent and is a run of its own.

Tokens are those of each response, once; input includes what was read from the cache. Where no event keeps a response,
the totals of the run, or of its last event, count. The outcome is `resolved` of the report, else the result of the
test or what a judge wrote as `success`. Other agents, and the forms other than records of evaluations and bare lists,
were never seen in real files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened
from loopviz.readers.decoding import decode
from loopviz.readers.fields import member, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.openhands.calls import asked_for, has_failed
from loopviz.readers.openhands.parts import Parts
from loopviz.readers.openhands.records import state_facts, state_totals
from loopviz.readers.pairing import NO_CALL
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first
from loopviz.readers.stops import tell_stop
from loopviz.readers.telling import ABSENT, Telling

NO_ARGUMENTS = frozenset(
    ("thought", "is_confirmed", "confirmation_state", "security_risk", "action_risk", "hidden", "is_input",
     "keep_prompt", "kernel_init_code", "blocking", "wait_for_response", "image_urls", "images_urls")
)  # fmt: skip
"""Names among arguments that are none."""

_ENVELOPE = frozenset(("id", "timestamp", "source", "message", "cause", "action", "tool_call_metadata", "llm_metrics"))
"""Members of an event that are no arguments, where the arguments stand among them."""
_SILENT = frozenset(
    ("recall", "change_agent_state", "agent_state_changed", "null", "start", "pause", "resume", "stop",
     "condensation_request", "loop_recovery")
)  # fmt: skip
"""Actions and observations that say nothing of the run."""
_PAIR = re.compile(rb"\[\s*\[")


def sniff(head: Head) -> float:
    """How surely a file holds events of OpenHands 0.x."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    if _is_event(record.keys()):
        return 0.9
    history = record.get("history", b"")
    if _PAIR.match(history):
        pair = first({"history": history[history.index(b"[", 1) :]}, "history")
        return 1.0 if "action" in pair and pair.keys() & {"args", "source"} else 0.0
    event = first(record, "history")
    if _is_event(event.keys()):
        return 1.0
    return 0.8 if "action" in event and event.keys() & {"wait_for_response", "is_confirmed"} else 0.0


def _is_event(keys: Set[str]) -> bool:
    if "action" in keys:
        return "args" in keys and bool(keys & {"source", "timestamp"})
    return "observation" in keys and "content" in keys and bool(keys & {"extras", "cause"})


def read(file: Opened) -> Loaded:
    """Read the runs of a file."""
    reading = Reading(file)
    bare: _Run | None = None
    for document in reading.documents():
        if document.member("history") or not document.keys() & {"action", "observation"}:
            _read_record(reading, document)
        elif document.line is None and document.number is None:
            _read_parts(reading, document)
        else:
            bare = bare or _Run(reading, reading.run(key=""))
            bare.take(document, document.object(reading.problems, "event"))
    if bare is not None:
        bare.finish()
    return reading.loaded()


def _read_record(reading: Reading, record: Node) -> None:
    telling = reading.run(record)
    run = _Run(reading, telling)
    if not record.has_list("history"):
        telling.facts.not_judged = "The record has no list of events."
    for element in record.elements("history"):
        for event in _events(element, telling):
            run.take(element, event)
        if not reading.goes_on(element.stop):
            break
    run.finish(record)


def _events(element: Node, telling: Telling) -> Iterator[dict[str, Json] | None]:
    """The event, or the two of a pair."""
    if element.raw[:1] != b"[":
        yield element.object(telling.problems, "event")
        return
    try:
        pair = decode(element.raw)
    except ValueError:
        pair = []
        telling.problems.add(element.where("event"), "This pair of events is not JSON, or is cut off; it is left out.")
    yield from (event for event in pair if isinstance(event, dict))


def _read_parts(reading: Reading, event: Node) -> None:
    """Read a file of a single event, and those beside it that follow; nothing where it follows another itself."""
    parts = Parts(reading, lambda node: _is_event(node.keys()))
    if not parts.is_first:
        reading.count("event left out: it is read with the first.", "events left out: read with the first.")
        return
    run = _Run(reading, reading.run(key=""))
    run.take(event, event.object(reading.problems, "event"))
    for part in parts.following(run.telling):
        run.take(part, part.object(reading.problems, "event"), shown_at=event)
    run.finish()


class _Delegated(NamedTuple):
    """Work that was handed over to another agent."""

    id: str | None
    """Of the action that did so."""
    agent: str


class _Run:
    """A run while its events are taken, one after the other."""

    def __init__(self, reading: Reading, telling: Telling) -> None:
        self.reading = reading
        self.telling = telling
        self._calls: dict[str, int] = {}
        """Numbers of the calls by the ids of their actions."""
        self._others: set[str] = set()
        """Ids of actions that are no calls."""
        self._waiting = NO_CALL
        """The call before this event, while it has no result."""
        self._metrics: Json = None
        """What was used up to this event."""
        self._response: Json = None
        """The response that the open turn is."""
        self._delegated: _Delegated | None = None
        """What was handed over to another agent and is not observed yet."""
        self._delegate: _Run | None = None
        self._delegates: list[tuple[str, _Run]] = []

    def take(self, node: Node, event: dict[str, Json] | None, *, shown_at: Node | None = None) -> None:
        """Take the next event; None for one that could not be read."""
        if event is None:
            return
        if self._delegated is not None and self._is_of_delegate(event):
            self._for_delegate(self._delegated.agent).take(node, event, shown_at=shown_at)
            return
        self.telling.at(node, event.get("timestamp"), shown_at=shown_at)
        if "action" in event:
            self._take_action(event)
        elif "observation" in event:
            self._take_observation(event)
        self._metrics = event.get("llm_metrics") or self._metrics

    def finish(self, record: Node | None = None) -> None:
        """Take what the record says of the run, and the totals of the last event that states them."""
        state_totals(self.telling, self._metrics)
        if record is not None:
            state_facts(self.telling, record)
        for agent, run in self._delegates:
            run.telling.facts.run = "/".join(filter(None, (self.telling.facts.run, agent)))
            run.finish()

    def _is_of_delegate(self, event: dict[str, Json]) -> bool:
        """Whether another agent is at work; the observation of what was handed over is of this one again."""
        if self._delegated is None:
            return False
        cause, kind = name(event.get("cause")), event.get("observation")
        if cause is None or self._delegated.id is None:
            is_over = kind == "delegate"
        else:
            is_over = kind is not None and cause == self._delegated.id
        if is_over:
            self._delegated = self._delegate = None
        return not is_over

    def _for_delegate(self, agent: str) -> _Run:
        """The run of the agent at work, which begins with its first event: some files hold none of them."""
        if self._delegate is None:
            self._delegate = _Run(self.reading, self.reading.run())
            self._delegates.append((agent, self._delegate))
        return self._delegate

    def _take_action(self, event: dict[str, Json]) -> None:
        action, source = event.get("action"), event.get("source")
        args = event.get("args")
        arguments = (
            args if isinstance(args, dict) else {key: value for key, value in event.items() if key not in _ENVELOPE}
        )
        is_call = source in ("agent", None) and action not in ("message", "system", "condensation", *_SILENT)
        if not is_call and (action_id := name(event.get("id"))):
            self._others.add(action_id)
        if action == "message":
            self._take_message(event, arguments)
        elif action == "system":
            self.telling.say("system", arguments.get("content"))
        elif action == "condensation":
            self.telling.say("compaction", text(arguments.get("summary")) or "Earlier events were forgotten.")
        elif is_call:
            self._take_call(event, arguments)
        else:
            self._leave_out()

    def _take_message(self, event: dict[str, Json], arguments: dict[str, Json]) -> None:
        source = event.get("source")
        # The oldest events do not say whose they are; the first one is the task.
        is_agents = source == "agent" or (source is None and arguments.get("wait_for_response") is True)
        if is_agents:
            self._begin_turn(event)
        said = arguments.get("content")
        for images in ("image_urls", "images_urls"):
            urls = arguments.get(images)
            self.telling.leave_out("image", "images", len(urls) if isinstance(urls, list) else 0)
        self.telling.say("assistant" if is_agents else "user", event.get("message") if said is None else said)

    def _take_call(self, event: dict[str, Json], arguments: dict[str, Json]) -> None:
        telling, action, asked = self.telling, text(event.get("action")), event.get("tool_call_metadata")
        self._begin_turn(event)
        thought = arguments.get("thought")
        drop = NO_ARGUMENTS
        call_id = member(asked, "tool_call_id")
        given = asked_for(asked, call_id)
        if action == "think" or (action == "call_tool_mcp" and given is not ABSENT):
            drop = NO_ARGUMENTS - {"thought"}  # It is what the tool takes.
        if action != "think":
            telling.say("assistant", thought)
        if action == "finish":
            telling.facts.output = text(arguments.get("final_thought")) or text(thought) or telling.facts.output
        tool = text(member(asked, "function_name")) or event.get("action")
        self._waiting = telling.call(tool, arguments if given is ABSENT else given, id=call_id, drop=drop)
        action_id = name(event.get("id"))
        if action_id is not None:
            self._calls[action_id] = self._waiting
        if action == "delegate":
            self._delegated = _Delegated(action_id, text(arguments.get("agent")) or "agent")

    def _begin_turn(self, event: dict[str, Json]) -> None:
        telling, response = self.telling, member(event.get("tool_call_metadata"), "model_response")
        telling.turn(response=member(response, "id"))
        if response is None:
            return
        said, choices = member(response, "id"), member(response, "choices")
        if isinstance(choices, list) and choices and (said is None or said != self._response):
            telling.say("reasoning", member(choices[0], "message", "reasoning_content"))
            tell_stop(telling, member(choices[0], "finish_reason"))
        self._response = said
        usage = member(response, "usage")
        if usage is None:
            telling.use(model=member(response, "model"))
            return
        telling.use(
            response=member(response, "id"),
            input=member(usage, "prompt_tokens"),
            output=member(usage, "completion_tokens"),
            cache_read=member(usage, "prompt_tokens_details", "cached_tokens"),
            cache_write=member(usage, "cache_creation_input_tokens"),
            model=member(response, "model"),
        )

    def _take_observation(self, event: dict[str, Json]) -> None:
        telling, kind, extras = self.telling, text(event.get("observation")), event.get("extras")
        cause = name(event.get("cause"))
        call = self._waiting if cause is None else self._calls.get(cause, NO_CALL)
        if kind == "agent_state_changed":
            telling.facts.end_reason = text(member(extras, "reason")) or text(member(extras, "agent_state"))
        if kind in _SILENT or cause in self._others:
            self._leave_out()
        elif call == NO_CALL and kind == "error":
            telling.say("error", event.get("content"))
        else:
            if text(member(extras, "screenshot")):
                telling.leave_out("image", "images")
            call_id = member(event.get("tool_call_metadata"), "tool_call_id")
            telling.result(event.get("content", ABSENT), of=call, id=call_id or cause, failed=has_failed(event))
            self._waiting = NO_CALL if call == self._waiting else self._waiting

    def _leave_out(self) -> None:
        self.telling.leave_out("event that says nothing of the run", "events that say nothing of the run")
