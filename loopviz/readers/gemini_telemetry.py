"""Telemetry of Gemini CLI: log records of OpenTelemetry, JSON objects one after the other, with `gemini_cli.` events in
their attributes. A session is a run.

Each `api_response` is a turn, and the `tool_call` events after it are its calls. The log says whether a call succeeded
but not what came back, so all results are unknown. Tokens are those of each response; input includes what was read from
the cache, output includes thoughts. Metrics, spans and other events are left out; there is no outcome.

Files of this format were never seen; it follows a description of the log.
"""

from __future__ import annotations

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.fields import count, flag, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, inside
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT, Telling

Fields = dict[str, Json]

_PREFIX = "gemini_cli."
_TIMES = ("event.timestamp", "timestamp")


def sniff(head: Head) -> float:
    """How surely a file is telemetry of Gemini CLI."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    return 1.0 if peeked_text(inside(record, "attributes"), "event.name").startswith(_PREFIX) else 0.0


def read(file: Opened) -> Loaded:
    """Read the sessions in a file."""
    reading = Reading(file)
    for number, (node, record) in enumerate(reading.objects(), start=1):
        attributes = record.get("attributes")
        called = text(attributes.get("event.name")) if isinstance(attributes, dict) else None
        if not isinstance(attributes, dict) or called is None or not called.startswith(_PREFIX):
            reading.leave_out("record that is no event", "records that are no events")
            continue
        session = name(attributes.get("session.id"))
        run = reading.run(key=session or "", noun="record")
        run.facts.run = session
        time = next((attributes[key] for key in _TIMES if key in attributes), record.get("hrTime"))
        run.at(Node(node.origin, node.start, node.stop, node.line, number), time)
        _tell(run, called.removeprefix(_PREFIX), attributes)
    return reading.loaded()


READER = Reader(
    name="gemini.telemetry",
    sniff=sniff,
    read=read,
    title="Telemetry of Gemini CLI",
    found="what `telemetry.outfile` in its settings names, often `.gemini/telemetry.log`",
)


def _tell(run: Telling, event: str, attributes: Fields) -> None:
    match event:
        case "user_prompt":
            run.say("user", attributes.get("prompt"))
        case "api_response":
            run.turn()
            _tell_tokens(run, attributes)
        case "api_error":
            run.say("error", attributes.get("error_message") or attributes.get("error") or "A request failed.")
        case "tool_call":
            arguments = attributes.get("function_args", ABSENT)
            tool = attributes.get("function_name")
            call = run.call(tool, arguments, id=attributes.get("call_id"), known=arguments is not ABSENT)
            run.result(of=call, failed=flag(attributes.get("success")) is False, known=False)
        case "chat_compression":
            run.say("compaction", "Gemini CLI summarised the conversation so far.")
        case "loop_detected":
            run.say("system", f"Gemini CLI found a loop: {text(attributes.get('loop_type')) or 'of an unknown sort'}.")
        case _:
            run.leave_out("event of another sort", "events of other sorts")


def _tell_tokens(run: Telling, attributes: Fields) -> None:
    made, thoughts = count(attributes.get("output_token_count")), count(attributes.get("thoughts_token_count"))
    run.use(
        input=attributes.get("input_token_count"),
        output=made if thoughts is None else (made or 0) + thoughts,
        cache_read=attributes.get("cached_content_token_count"),
        model=attributes.get("model"),
    )
