"""Events of the OpenHands SDK, version 1: lines or a list of one conversation, or the `history` of a record.

A file of a single event is a part of a run, as `loopviz.readers.openhands.parts` tells; what `base_state.json` beside
it, or beside its folder, says of the conversation counts.

A turn is a model response, known by its id. A call is an `ActionEvent` with the arguments that the model spelled, but
for the risk and the summary, which say nothing to the tool. A result is the observation, the error or the refusal that
names the call. It failed that says `is_error`, or that ended with an exit code other than 0; -1 stands for a command
that still runs.

Tokens and cost are the totals of the record, or of the last event that states them, over all models; no event says
what a single response used. The outcome is `resolved` of the record's report. Records, condensations, refusals and
errors of conversations, single events and states beside them were never seen in real files.
"""

from __future__ import annotations

from itertools import chain, islice

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, heads
from loopviz.readers.contents import texts_in
from loopviz.readers.fields import amount, flag, member, text, whole
from loopviz.readers.nodes import Node
from loopviz.readers.openhands.parts import Parts
from loopviz.readers.openhands.records import state_facts, total_tokens
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT, Telling

NO_ARGUMENTS = ("security_risk", "summary", "kind")
"""Names among arguments that are none."""

_KINDS = frozenset(
    ("ActionEvent", "ObservationEvent", "AgentErrorEvent", "MessageEvent", "SystemPromptEvent", "Condensation",
     "CondensationRequest", "CondensationSummaryEvent", "ConversationStateUpdateEvent", "ConversationErrorEvent",
     "UserRejectObservation", "PauseEvent", "TokenEvent", "LLMCompletionLogEvent")
)  # fmt: skip
_LISTS = ("history", "events")
_STATE = ("id", "agent", "stats", "execution_status")
"""What the state of a conversation says of the run."""
_STILL_RUNS = -1


def sniff(head: Head) -> float:
    """How surely a file holds events of the OpenHands SDK."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    events = (record, *(first(record, key) for key in _LISTS))
    return 1.0 if any(peeked_text(event, "kind") in _KINDS for event in events) else 0.0


def read(file: Opened) -> Loaded:
    """Read the conversations of a file."""
    reading = Reading(file)
    if any(not record.keys().isdisjoint(_LISTS) for record in next(heads(file.data)).objects):
        for record in reading.documents():
            _read_record(reading, record)
    else:
        _read_events(reading)
    return reading.loaded()


def _read_events(reading: Reading) -> None:
    events = reading.objects()
    beginning = list(islice(events, 2))
    if len(beginning) == 1 and beginning[0][0].number is None:
        _read_parts(reading, *beginning[0])
        return
    for node, event in chain(beginning, events):
        run = reading.run(key="")
        run.at(node, event.get("timestamp"))
        _tell(run, event)


def _read_parts(reading: Reading, node: Node, event: dict[str, Json]) -> None:
    """Read a file of a single event, and those beside it that follow; nothing where it follows another itself."""
    parts = Parts(reading, lambda part: part.get("kind") in _KINDS)
    if not parts.is_first:
        reading.count("event left out: it is read with the first.", "events left out: read with the first.")
        return
    run = reading.run(key="")
    run.at(node, event.get("timestamp"))
    _tell(run, event)
    for part in parts.following(run):
        following = part.object(run.problems, "event") or {}
        run.at(part, following.get("timestamp"), shown_at=node)
        _tell(run, following)
    state = reading.beside("base_state.json") if parts.are_some else None
    if state is not None:
        _take_whole_state(run, {key: state.get(key) for key in _STATE})


def _read_record(reading: Reading, record: Node) -> None:
    run = reading.run(record)
    key = next((key for key in _LISTS if record.has_list(key)), "history")
    for event in run.each(record, key, time="timestamp"):
        _tell(run, event)
    state_facts(run, record)


def _tell(run: Telling, event: dict[str, Json]) -> None:
    match event.get("kind"):
        case "ActionEvent":
            _tell_call(run, event)
        case "ObservationEvent" | "AgentErrorEvent" | "UserRejectObservation":
            _tell_result(run, event)
        case "MessageEvent":
            _tell_message(run, event)
        case "SystemPromptEvent":
            run.say("system", event.get("system_prompt"))
        case "Condensation" | "CondensationSummaryEvent":
            run.say("compaction", text(event.get("summary")) or "Earlier events were forgotten.")
        case "ConversationErrorEvent":
            run.facts.error = text(event.get("detail")) or text(event.get("code"))
            run.say("error", run.facts.error)
        case "ConversationStateUpdateEvent":
            _take_state(run, event)
        case str(kind) if kind not in _KINDS:
            run.say(kind, event)
        case _:
            run.leave_out("event that says nothing of the run", "events that say nothing of the run")


def _tell_call(run: Telling, event: dict[str, Json]) -> None:
    run.turn(response=event.get("llm_response_id"))
    run.say("reasoning", event.get("reasoning_content"))
    run.say("assistant", texts_in(event.get("thought")))
    asked, action = event.get("tool_call"), event.get("action")
    spelled = member(asked, "arguments")
    if spelled is None:
        spelled = member(asked, "function", "arguments")
    arguments = spelled if spelled is not None else action if isinstance(action, dict) else ABSENT
    tool = event.get("tool_name") or member(asked, "name")
    # An action that is null could not be made of what the model asked for.
    is_sound = action is not None or "action" not in event
    run.call(tool, arguments, id=event.get("tool_call_id"), drop=NO_ARGUMENTS, executed=is_sound)


def _tell_result(run: Telling, event: dict[str, Json]) -> None:
    kind, observation = event.get("kind"), event.get("observation")
    if kind == "AgentErrorEvent":
        content = event.get("error", ABSENT)
    elif kind == "UserRejectObservation":
        content = event.get("rejection_reason", ABSENT)
    else:
        content = observation.get("content", observation) if isinstance(observation, dict) else ABSENT
    codes = (member(observation, "exit_code"), member(observation, "metadata", "exit_code"))
    code = next((code for code in map(whole, codes) if code is not None), 0)
    failed = kind == "AgentErrorEvent" or flag(member(observation, "is_error")) or code not in (0, _STILL_RUNS)
    run.result(content, id=event.get("tool_call_id"), tool=event.get("tool_name"), failed=bool(failed))


def _tell_message(run: Telling, event: dict[str, Json]) -> None:
    message = event.get("llm_message")
    is_agents = event.get("source") == "agent"
    if is_agents:
        run.turn(response=event.get("llm_response_id"))
        run.say("reasoning", member(message, "reasoning_content"))
    kind = "assistant" if is_agents else text(event.get("source")) or "user"
    run.say(kind, member(message, "content"))


def _take_state(run: Telling, event: dict[str, Json]) -> None:
    facts, key, value = run.facts, event.get("key"), event.get("value")
    if key == "full_state":
        _take_whole_state(run, value)
    elif key == "stats":
        _take_totals(run, value)
    elif key == "execution_status":
        facts.end_reason = text(value) or facts.end_reason
    else:
        run.leave_out("event that says nothing of the run", "events that say nothing of the run")


def _take_whole_state(run: Telling, state: Json) -> None:
    facts = run.facts
    facts.run = text(member(state, "id")) or facts.run
    facts.model = text(member(state, "agent", "llm", "model")) or facts.model
    facts.end_reason = text(member(state, "execution_status")) or facts.end_reason
    _take_totals(run, member(state, "stats"))


def _take_totals(run: Telling, stats: Json) -> None:
    """What all models together have used so far."""
    by_use = member(stats, "usage_to_metrics")
    metrics = list(by_use.values()) if isinstance(by_use, dict) else []
    tokens = [some for each in metrics if (some := total_tokens(member(each, "accumulated_token_usage"))) is not None]
    costs = [cost for each in metrics if (cost := amount(member(each, "accumulated_cost"))) is not None]
    facts = run.facts
    facts.total_tokens = sum(tokens) if tokens else facts.total_tokens
    facts.total_cost = sum(costs) if costs else facts.total_cost
    facts.model = facts.model or next(filter(None, (text(member(each, "model_name")) for each in metrics)), None)
