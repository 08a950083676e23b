"""The events of a Vally trajectory.

Nearly all events are turn starts, calls, results and turn ends, four a call, so each of them is decoded by itself into
two small structs and forgotten; arguments and results stay raw texts. Whatever does not fit is decoded with care.

Decided:

- Whose event it is: that of the agent named by `agentId`, else of the one named by `parentToolCallId`, whether the name
  stands in the event or in its `data`. An event that names neither is the main agent's.
- What a tool is called: `toolName`, else `name` in its `data`, else what its result says. An empty name, or one that is
  no text, is no name. A call that is left without any is called `unknown`, with a note.

Source: SPEC, section 1, "From events to steps", rules 2 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from loopviz import canonical
from loopviz.model import MISSING
from loopviz.readers.assembly import Assembled, Assembly, event_place
from loopviz.readers.interning import Interner
from loopviz.readers.jsontext import members
from loopviz.readers.problems import Problems
from loopviz.readers.scanning import find_value
from loopviz.readers.texts import is_text, kind_of, plain, readable
from loopviz.readers.times import UNKNOWN, is_readable, seconds
from loopviz.readers.turns import MAIN_AGENT
from loopviz.readers.vally.story import KINDS, kind_of_event, response_of, text_of_event, usage_of_event

_ABSENT = Raw(b"")


class _Data(Struct, gc=False):
    """What a call or a result says; fields are checked where they are used, since a file may hold anything."""

    toolName: Any = None
    name: Any = None
    toolCallId: Any = None
    turnId: Any = None
    agentId: Any = None
    parentToolCallId: Any = None
    success: Any = None
    arguments: Raw = _ABSENT
    result: Raw = _ABSENT


class _Event(Struct, gc=False):
    type: Any = None
    timestamp: datetime | float | None = None
    turnId: Any = None
    agentId: Any = None
    parentToolCallId: Any = None
    data: _Data = field(default_factory=_Data)


class _AnyTimeEvent(_Event, gc=False):
    timestamp: Any = None


_decode = msgspec.json.Decoder(_Event).decode
_decode_any_time = msgspec.json.Decoder(_AnyTimeEvent).decode
_EVENT_FIELDS = frozenset(("type", "timestamp", "turnId", "agentId", "parentToolCallId"))
_DATA_FIELDS = frozenset(("toolName", "name", "toolCallId", "turnId", "agentId", "parentToolCallId", "success"))
UNKNOWN_TYPE = "unknown"


class EventReader:
    """Reads the events of one trajectory, in file order."""

    def __init__(self, assembly: Assembly, interner: Interner, problems: Problems) -> None:
        self._assembly = assembly
        self._interner = interner
        self._problems = problems
        self._strange: dict[str, list[int]] = {}
        """Types that Vally's pages do not know: the number of the first event, and how many there are."""
        self._first_timestamp: object = None
        self._last_timestamp: object = None
        self.model: str | None = None
        """The model that a usage record names first."""

    def read(self, elements: Iterable[tuple[int, Raw | bytes]]) -> Assembled:
        """Read the events: where each begins in the text, and its bytes."""
        last = None
        for number, (offset, raw) in enumerate(elements):
            try:
                event = _decode(raw)
            except (ValueError, RecursionError):
                other = self._decode_other(number, bytes(raw))
                if other is None:
                    continue
                event = other
            stamp = event.timestamp
            if stamp is not None and (type(stamp) is datetime or is_readable(stamp)):
                last = stamp
                if self._first_timestamp is None:
                    self._first_timestamp = last
            self._take(number, offset, raw, event)
        self._last_timestamp = last
        self._note_strange_types()
        return self._assembly.finish()

    def _take(self, number: int, offset: int, raw: Raw | bytes, event: _Event) -> None:
        kind = event.type
        if kind == "tool_result":
            self._take_result(number, offset, len(raw), event)
            return
        agent, turn_id = _whose(event)
        if kind == "turn_end":
            self._assembly.turn_end(number, agent, turn_id)
        elif kind == "turn_start":
            self._assembly.turn_start(agent, turn_id, self._time(number, event))
        elif kind == "tool_call":
            self._take_call(number, offset, len(raw), event, agent, turn_id)
        else:
            self._take_story(number, offset, bytes(raw), event, agent, turn_id)

    @property
    def first_event_s(self) -> float:
        """When the first event happened that tells its time, in seconds since the epoch; NaN where none does."""
        return seconds(self._first_timestamp)

    @property
    def last_event_s(self) -> float:
        """When the last event happened that tells its time, in seconds since the epoch; NaN where none does."""
        return seconds(self._last_timestamp)

    def _take_call(self, number: int, offset: int, length: int, event: _Event, agent: str, turn_id: str) -> None:
        call_id, tool = self._names(number, event.data)
        arguments = bytes(event.data.arguments)
        value = self._interner.value(arguments) if arguments else MISSING
        time = self._time(number, event)
        self._assembly.call(number, offset, length, agent, turn_id, call_id, tool, value, time)

    def _take_result(self, number: int, offset: int, length: int, event: _Event) -> None:
        call_id, tool = self._names(number, event.data)
        result = bytes(event.data.result)
        value = self._interner.value(result) if result else MISSING
        time = self._time(number, event)
        failed = event.data.success is False
        self._assembly.result(number, offset, length, call_id, tool, value, failed, time)

    def _take_story(self, number: int, offset: int, raw: bytes, event: _Event, agent: str, turn_id: str) -> None:
        whole = plain(raw)
        data = whole.get("data") if isinstance(whole, dict) else whole
        if event.type == "token_usage":
            usage = usage_of_event(data)
            self.model = self.model or usage.model
            self._assembly.use(usage, agent, turn_id, response=response_of(data))
            return
        event_type = self._story_type(number, event.type)
        kind = kind_of_event(event_type, data)
        text = readable(text_of_event(kind, data))
        self._assembly.tell(kind, text, offset, len(raw), agent, turn_id, self._time(number, event))

    def _story_type(self, number: int, event_type: object) -> str:
        if not is_text(event_type):
            self._note(number, "This event has no type; it is kept and shown as it stands.")
            return UNKNOWN_TYPE
        if event_type not in KINDS:
            self._strange.setdefault(event_type, [number, 0])[1] += 1
        return readable(event_type)

    def _names(self, number: int, data: _Data) -> tuple[str, str]:
        """The call id and the tool that a call or result names; empty where it names none."""
        call_id, tool = data.toolCallId, data.toolName
        # Nearly all calls name both, and results often the call alone.
        if type(call_id) is str and type(tool) is str and tool:
            return call_id, tool
        if type(call_id) is str and tool is None and data.name is None:
            return call_id, ""
        call_id = self._text(number, "toolCallId", call_id)
        return call_id, self._text(number, "toolName", tool) or self._text(number, "name", data.name)

    def _text(self, number: int, field: str, value: object) -> str:
        """The text of a field; empty, with a problem, where it holds something else."""
        if value is None or isinstance(value, str):
            return value or ""
        self._note(number, f"`{field}` should be a text; it is {kind_of(value)} and counts as absent.")
        return ""

    def _time(self, number: int, event: _Event) -> float:
        stamp = event.timestamp
        if stamp is None:
            return UNKNOWN
        if type(stamp) is datetime and stamp.tzinfo is not None:
            return stamp.timestamp()
        time = seconds(stamp)
        if time != time:  # Only NaN differs from itself.
            self._note(number, "The timestamp of this event could not be read.")
        return time

    def _decode_other(self, number: int, raw: bytes) -> _Event | None:
        """Decode an event that is not as it should be; None, with a problem, where nothing can be made of it."""
        try:
            return _decode_any_time(raw)
        except (ValueError, RecursionError):
            return self._decode_with_care(number, raw)

    def _decode_with_care(self, number: int, raw: bytes) -> _Event | None:
        found = members(raw, 0, len(raw)) if _is_json(raw) else None
        if found is None:
            self._note(number, _fault(raw))
            return None
        outer = {key: raw[span.start : span.stop] for key, span in found.spans.items()}
        data = outer.pop("data", b"null")
        outer = self._sound(number, outer)
        event = _Event(**{key: canonical.decode(outer[key]) for key in _EVENT_FIELDS & outer.keys()})
        inner = members(data, 0, len(data))
        if inner is not None:
            raws = {key: data[span.start : span.stop] for key, span in inner.spans.items()}
            event.data = _careful_data(self._sound(number, raws))
        elif data != b"null" and self._sound(number, {"data": data}):
            kind = kind_of(canonical.decode(data))
            self._note(number, f"`data` should be an object; it is {kind}, so its fields count as absent.")
        return event

    def _sound(self, number: int, raws: dict[str, bytes]) -> dict[str, bytes]:
        """The members that are JSON: an event that is nested too deep is not checked as a whole."""
        sound = {}
        for key, raw in raws.items():
            if _is_json(raw):
                sound[key] = raw
            else:
                self._note(number, f"`{readable(key)}` is not JSON; it counts as absent.")
        return sound

    def _note_strange_types(self) -> None:
        for event_type, (number, count) in self._strange.items():
            many = "" if count == 1 else f" There are {count:,} of them."
            message = f"Vally's pages know no events of type {event_type!r}; they are shown as they stand.{many}"
            self._note(number, message)

    def _note(self, number: int, message: str) -> None:
        self._problems.add(event_place(number), message)


def _whose(event: _Event) -> tuple[str, str]:
    """The agent that acts, by its id or by the call that started it, and the turn that the event names.

    Both are empty where nothing is said. What is no text says nothing.
    """
    data = event.data
    agent = data.agentId or event.agentId or data.parentToolCallId or event.parentToolCallId or MAIN_AGENT
    turn_id = data.turnId or event.turnId or ""
    if type(agent) is not str:
        fields = (data.agentId, event.agentId, data.parentToolCallId, event.parentToolCallId)
        agent = next(filter(is_text, fields), MAIN_AGENT)
    if type(turn_id) is not str:
        turn_id = next(filter(is_text, (data.turnId, event.turnId)), "")
    return agent, turn_id


def _careful_data(raws: dict[str, bytes]) -> _Data:
    data = _Data(**{key: canonical.decode(raws[key]) for key in _DATA_FIELDS & raws.keys()})
    data.arguments = Raw(raws.get("arguments", b""))
    data.result = Raw(raws.get("result", b""))
    return data


def _is_json(raw: bytes) -> bool:
    if canonical.is_deep(raw):
        return find_value(raw, 0, len(raw)).stop == len(raw)
    try:
        canonical.decode(raw)
    except ValueError:
        return False
    return True


def _fault(raw: bytes) -> str:
    """Why nothing can be made of an event."""
    if not _is_json(raw):
        return "This event is not JSON, or is cut off; it is left out."
    return f"An event should be an object; this is {kind_of(canonical.decode(raw))} and is left out."
