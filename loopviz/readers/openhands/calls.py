"""Calls of OpenHands 0.x: what a model asked for, as the event keeps it, and whether an observation is a failure."""

from __future__ import annotations

from loopviz.model import Json
from loopviz.readers.fields import member, whole
from loopviz.readers.telling import ABSENT

_STILL_RUNS = -1


def asked_for(asked: Json, call_id: Json) -> Json:
    """The arguments as the model spelled them, where the event keeps its response."""
    choices = member(asked, "model_response", "choices")
    for choice in choices if isinstance(choices, list) else ():
        calls = member(choice, "message", "tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if call_id is not None and member(call, "id") == call_id:
                given = member(call, "function", "arguments")
                return ABSENT if given is None else given
    return ABSENT


def has_failed(event: dict[str, Json]) -> bool:
    """Whether an observation is an error, or that of a command that ended with an exit code."""
    if event.get("observation") == "error":
        return True
    extras = event.get("extras")
    code = member(extras, "metadata", "exit_code")
    if code is None:
        code = member(extras, "exit_code")
    if code is None:
        code = event.get("exit_code")
    return code is not None and whole(code) not in (None, 0, _STILL_RUNS)
