"""How the recorded files look: JSON with one event a line, so that a person can read them and a diff stays small."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Json = Any


def compact(value: Json) -> str:
    """One line, as `results.jsonl` wants it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def document(value: Mapping[str, Json]) -> str:
    """A whole document: a member a line, and under `trajectory` and `events` an entry a line."""
    return _members(value, "") + "\n"


def _members(value: Mapping[str, Json], indent: str) -> str:
    inner = indent + " "
    lines = [f"{inner}{json.dumps(key)}: {_value(key, member, inner)}" for key, member in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _value(key: str, value: Json, indent: str) -> str:
    if key in ("trajectory", "gradeResult") and value:
        return _members(value, indent)
    if key in ("events", "details") and value:
        return "[\n" + ",\n".join(f"{indent} {_line(item)}" for item in value) + f"\n{indent}]"
    return _line(value)


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
