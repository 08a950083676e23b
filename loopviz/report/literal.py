"""JSON values as the file spells them: numbers by their digits, a name that comes twice twice.

Python's own values would alter them: `1e400` becomes infinite, `1E5` loses its spelling, and of a name given twice
only the last value stays. What is read here is a JSON value like any other, for masking too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, as it is spelled."""

    spelling: str


class Again(str):
    """A name that an object has already: a key of its own all the same."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


def decoded(raw: bytes) -> Any:
    """A JSON text of the file as a value; as the text itself where nothing can decode it."""
    try:
        return _decoder.decode(raw.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return raw.decode("utf-8", "replace")


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, value in members:
        told[Again(name) if name in told else name] = value
    return told


_decoder = json.JSONDecoder(
    strict=False, parse_float=Figure, parse_int=Figure, parse_constant=Figure, object_pairs_hook=_object
)


def spelled(value: Any, indent: str | None = None) -> str:
    """A value as JSON on one line, or with a member a line, each level two blanks further in.

    Args:
        value: What `decoded` gives, or a plain JSON value.
        indent: The white space before the lines of the value; None for one line.
    """
    match value:
        case Figure():
            return value.spelling
        case dict() if value:
            members = [f"{_text(name)}: {spelled(item, _deeper(indent))}" for name, item in value.items()]
            return _between("{", members, "}", indent)
        case list() if value:
            return _between("[", [spelled(item, _deeper(indent)) for item in value], "]", indent)
    return json.dumps(value, ensure_ascii=False)


def _text(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _deeper(indent: str | None) -> str | None:
    return None if indent is None else f"{indent}  "


def _between(opening: str, items: list[str], closing: str, indent: str | None) -> str:
    if indent is None:
        return f"{opening}{', '.join(items)}{closing}"
    lines = ",\n".join(f"{indent}  {item}" for item in items)
    return f"{opening}\n{lines}\n{indent}{closing}"
