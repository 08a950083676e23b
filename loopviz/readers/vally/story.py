"""The events of a trajectory that are no calls: what they are, and what they say."""

from __future__ import annotations

import json
import re

from loopviz.model import Json, Usage
from loopviz.readers.fields import amount, count, member, text
from loopviz.readers.texts import is_text, spoken

LONGEST = 4_000
"""Characters of an unknown event's data that are kept; the rest is in the file."""

KINDS = {
    "user_message": "user",
    "assistant_message": "assistant",
    "reasoning": "reasoning",
    "error": "error",
    "skill_activation": "skill",
    "system": "system",
    "custom": "custom",
}
"""Vally's types of events, and what the model calls them."""

_COMPACTION = re.compile(r"compact(?:ion|ed|ing)|context.?summari[sz]", re.IGNORECASE)
_CUT = re.compile(r"truncat(?:ion|ed|ing)", re.IGNORECASE)
_LABELS = ("type", "subtype", "event", "name", "kind")
_SAYINGS = ("content", "message", "text", "summary", "reason")
_BEGINNING = 200
_DOLLARS = re.compile(r"usd|(?:us[ -])?dollars?|(?:us)?\$", re.IGNORECASE)


def kind_of_event(event_type: str, data: Json) -> str:
    """What an event is in the model's words; the format's own word for a type that Vally's pages do not know."""
    kind = KINDS.get(event_type, event_type)
    if event_type in KINDS and kind not in ("system", "custom"):
        return kind
    hint = f"{event_type} {_label(data)} {_saying(data)[:_BEGINNING]}"
    if _COMPACTION.search(hint):
        return "compaction"
    return "cut" if _CUT.search(hint) else kind


def text_of_event(kind: str, data: Json) -> str:
    """What an event says, as a person would want to read it."""
    if not isinstance(data, dict):
        return spoken(data)
    match kind:
        case "user" | "assistant" | "reasoning":
            return _saying(data) if any(key in data for key in _SAYINGS) else _as_json(data)
        case "error":
            return _with_label(text(data.get("type")) or "", _saying(data)) or _as_json(data)
        case "skill":
            name, path = text(data.get("name")) or "", text(data.get("path"))
            return f"{name} ({path})" if path else name
        case _:
            return _with_label(_label(data), _saying(data)) if _saying(data) else _as_json(data)


def usage_of_event(data: Json) -> Usage:
    """Tokens and cost of a `token_usage` event; what it does not know is None."""
    return Usage(
        turn=-1,
        call=0,
        input_tokens=count(member(data, "inputTokens")),
        output_tokens=count(member(data, "outputTokens")),
        cache_read_tokens=count(member(data, "cacheReadTokens")),
        cache_write_tokens=count(member(data, "cacheWriteTokens")),
        cost=money(member(data, "cost")),
        model=text(member(data, "model")),
    )


def response_of(data: Json) -> str:
    """The id of the model response that an event belongs to; empty where it names none."""
    return next((value for key in ("responseId", "messageId", "apiCallId") if is_text(value := member(data, key))), "")


def money(cost: Json) -> float | None:
    """A cost in dollars: a number, or an amount that names no other unit; credits and the like are none."""
    if not isinstance(cost, dict):
        return amount(cost)
    unit = cost.get("unit")
    return None if is_text(unit) and not _DOLLARS.fullmatch(unit) else amount(cost.get("amount"))


def _label(data: Json) -> str:
    return next((value for key in _LABELS if is_text(value := member(data, key))), "")


def _saying(data: Json) -> str:
    if not isinstance(data, dict):
        return spoken(data)
    return next((said for key in _SAYINGS if (said := spoken(data.get(key)))), "")


def _with_label(label: str, said: str) -> str:
    return f"{label}: {said}" if label and said else label or said


def _as_json(data: Json) -> str:
    said = json.dumps(data, ensure_ascii=False)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"
