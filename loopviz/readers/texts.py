"""Values of a file as texts that can be shown: every one of them can be written as UTF-8."""

from __future__ import annotations

import json
import math
import re
from typing import TypeGuard

import msgspec

from loopviz import canonical
from loopviz.model import Json

_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SPOKEN = ("text", "content", "message")
"""Members under which a part of a message keeps its text."""


def plain(raw: bytes) -> Json:
    """Decode a JSON text for people: lone surrogates and numbers that JSON cannot hold become what can be shown.

    Raises:
        ValueError: if it is no JSON.
    """
    try:
        if not canonical.is_deep(raw):
            return msgspec.json.decode(raw)
    except ValueError:
        pass
    return _shown(canonical.decode(raw))


def readable(text: str) -> str:
    """The text with lone surrogates replaced."""
    if text.isascii():
        return text
    try:
        text.encode()  # The quickest way to find one.
    except UnicodeEncodeError:
        return _SURROGATE.sub(_REPLACEMENT, text)
    return text


def distinct(name: str) -> str:
    """The text with lone surrogates spelled out, so that two names that differ stay apart."""
    return name if name.isascii() else name.encode("utf-8", "backslashreplace").decode()


def is_text(value: object) -> TypeGuard[str]:
    """Whether a value is a text with something in it."""
    return isinstance(value, str) and value != ""


def spoken(value: Json) -> str:
    """What a message says: its text, the texts of its parts, `[image]` for other parts, or its JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value:
        return "\n".join(filter(None, map(spoken, value)))
    if isinstance(value, dict):
        for member in _SPOKEN:
            if member in value:
                return spoken(value[member])
        if is_text(value.get("type")):
            return f"[{value['type']}]"
    return json.dumps(value, ensure_ascii=False)


def kind_of(value: Json) -> str:
    """What sort of JSON value this is, in words: `a number`."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"


def _shown(value: Json) -> Json:
    match value:
        case str():
            return readable(value)
        case float() if not math.isfinite(value):
            return str(value)
        case list():
            return [_shown(item) for item in value]
        case dict():
            return {readable(key): _shown(item) for key, item in value.items()}
        case _:
            return value
