"""What makes two calls identical for the thrash detector: the tool, and the arguments without those left out.

Source: SPEC, section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import msgspec
import numpy as np

from loopviz.canonical import canonical, decode
from loopviz.detectors.core.columns import Columns
from loopviz.model import IntArray, Json
from loopviz.settings import ThrashSettings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Keys:
    """The key of each call of some columns."""

    columns: Columns
    arguments: IntArray
    """Identity of what is left of the arguments, shape (n_calls,)."""
    shortened: tuple[bytes, ...]
    """Canonical JSON of the identities beyond those of the columns."""

    @property
    def code(self) -> IntArray:
        """Equal exactly for equal keys, never negative; shape (n_calls,)."""
        return self.columns.tool * (len(self.columns.keys) + len(self.shortened)) + self.arguments

    def text(self, call: int) -> str:
        """The key of a call, counted over all runs, as a person reads it."""
        code = int(self.arguments[call])
        n_known = len(self.columns.keys)
        arguments = self.columns.keys[code] if code < n_known else self.shortened[code - n_known]
        return f"{self.columns.tools[int(self.columns.tool[call])]} {arguments.decode()}"


def make_keys(columns: Columns, settings: ThrashSettings) -> Keys:
    """Leave out of each call's arguments what the settings leave out.

    Args:
        columns: The calls of all runs.
        settings: `ignore_args` and `schemas` count here, nothing else does.
    """
    shortener = _Shortener(columns.keys, settings.ignore_args)
    arguments = columns.arguments.copy()
    plain = np.ones(columns.n_calls, dtype=np.bool_)
    for number, tool in enumerate(columns.tools):
        if tool in settings.schemas:
            calls = columns.tool == number
            plain &= ~calls
            arguments[calls] = shortener.shorten(arguments[calls], settings.schemas[tool])
    if settings.ignore_args:
        arguments[plain] = shortener.shorten(arguments[plain])
    return Keys(columns=columns, arguments=arguments, shortened=tuple(shortener.new))


class Leaving:
    """Leaves members of some names out of arguments."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._spelled = [canonical(name) + b":" for name in names]

    def left(self, key: bytes, schema: Json = True) -> bytes:
        """What is left of arguments, given and returned as canonical JSON; the very same where nothing need be done."""
        # A quote inside a text is escaped, so a name's own spelling is found where the name is, if anywhere.
        if schema is True and not any(map(key.__contains__, self._spelled)):
            return key
        return _rewrite(key, lambda value: declared(leave_out(value, self._names), schema))


class _Shortener:
    """Leaves some names out of arguments and gives identities to what is left, new ones where there is none."""

    def __init__(self, keys: tuple[bytes, ...], names: tuple[str, ...]) -> None:
        self._keys = keys
        self._left = Leaving(names).left
        self.new: list[bytes] = []

    def shorten(self, codes: IntArray, schema: Json = True) -> IntArray:
        """Identity of what is left of the arguments of some calls, the only ones of their tools: shape as `codes`.

        Each distinct value is worked out once.
        """
        distinct, inverse = np.unique(codes, return_inverse=True)
        found = distinct.tolist()
        identities = {self._keys[code]: code for code in found}
        left = [self._identity(code, schema, identities) for code in found]
        return np.array(left, dtype=np.int64)[inverse]

    def _identity(self, code: int, schema: Json, identities: dict[bytes, int]) -> int:
        key = self._keys[code]
        rest = self._left(key, schema)
        if rest is key:
            return code
        if rest not in identities:
            identities[rest] = len(self._keys) + len(self.new)
            self.new.append(rest)
        return identities[rest]


def _rewrite(key: bytes, edit: Callable[[Json], Json]) -> bytes:
    """The canonical JSON of an edited value."""
    try:
        # What this decoder takes it spells as it found it. It raises at numbers and texts that JSON has no way to hold.
        return msgspec.json.encode(edit(msgspec.json.decode(key)))
    except ValueError:
        return canonical(edit(decode(key)))


def leave_out(value: Json, names: Collection[str]) -> Json:
    """Leave out the members of these names, at any depth."""
    if isinstance(value, dict):
        return {
            name: leave_out(inner, names) if isinstance(inner, (dict, list)) else inner
            for name, inner in value.items()
            if name not in names
        }
    return [leave_out(inner, names) for inner in value] if isinstance(value, list) else value


def declared(value: Json, schema: Json) -> Json:
    """Leave out the members that a JSON Schema does not name under `properties`, nested ones and `items` included.

    All of them stay where `additionalProperties` is true or a schema, which then holds for them. A schema that neither
    names properties nor speaks of an object says nothing about names, and leaves nothing out.
    """
    if not isinstance(schema, dict):
        return value
    if isinstance(value, list):
        return [declared(inner, schema.get("items")) for inner in value]
    if not isinstance(value, dict) or not _describes_object(schema):
        return value
    properties = schema.get("properties")
    named = properties if isinstance(properties, dict) else {}
    others = schema.get("additionalProperties")
    keeps_others = others is True or isinstance(others, dict)
    return {
        name: declared(inner, named.get(name, others)) for name, inner in value.items() if name in named or keeps_others
    }


def _describes_object(schema: dict[str, Json]) -> bool:
    types = schema.get("type")
    of_objects = "object" in types if isinstance(types, list) else types == "object"
    return of_objects or "properties" in schema or "additionalProperties" in schema
