"""What a setting may hold: one small check per kind of value, with the rule that people are told.

Checks see decoded JSON or YAML and are exact where Python is lax: `True` is no number, `"3"` is none either, `3.0` is a
whole one, as in JSON.

Source: SPEC, section 1, "Settings".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic_core import core_schema

from loopviz.model import Json
from loopviz.patterns import PatternError, compile_check

LARGEST = 2**53
"""No count is larger: beyond it the grader's numbers, doubles, skip whole numbers."""


class Refused(ValueError):
    """One value that breaks a rule; raised inside a check, gathered by `load`."""

    def __init__(self, rule: str, *, field: str = "", value: Json = None, item: int | None = None) -> None:
        super().__init__(rule)
        self.rule = rule
        self.field = field
        self.value = value
        self.item = item


class Check:
    """What a field accepts. `rule` is said to people; `convert` takes a decoded JSON value or raises `Refused`."""

    rule: str

    def convert(self, value: Any) -> Any:
        """The value as the settings hold it."""
        raise NotImplementedError

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.convert)


@dataclass(frozen=True, slots=True)
class Whole(Check):
    """A whole number. `3.0` is one, as in JSON; `true` and `"3"` are not."""

    minimum: int
    maximum: int | None = None

    @property
    def rule(self) -> str:  # type: ignore[override]
        """The range in words."""
        if self.maximum is None:
            return f"it must be a whole number of at least {self.minimum}"
        return f"it must be a whole number from {self.minimum} to {self.maximum}"

    def convert(self, value: Any) -> int:
        """An int in range; one above `LARGEST` becomes that, which judges alike."""
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole or not self.minimum <= value <= (self.maximum or value):
            raise Refused(self.rule)
        return int(min(value, LARGEST))


@dataclass(frozen=True, slots=True)
class Share(Check):
    """A number above 0 and at most 1."""

    rule: str = "it must be a number above 0 and at most 1"

    def convert(self, value: Any) -> float:
        """A float in range; NaN is in none."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
            raise Refused(self.rule)
        return float(value)


@dataclass(frozen=True, slots=True)
class YesNo(Check):
    """True or false, and nothing that merely looks like them."""

    rule: str = "it must be true or false"

    def convert(self, value: Any) -> bool:
        """A bool."""
        if not isinstance(value, bool):
            raise Refused(self.rule)
        return value


@dataclass(frozen=True, slots=True)
class OneOf(Check):
    """One of a few words."""

    choices: tuple[str, ...]

    @property
    def rule(self) -> str:  # type: ignore[override]
        """The words."""
        return f"it must be {', '.join(self.choices[:-1])} or {self.choices[-1]}"

    def convert(self, value: Any) -> str:
        """The word."""
        if not isinstance(value, str) or value not in self.choices:
            raise Refused(self.rule)
        return value


@dataclass(frozen=True, slots=True)
class Texts(Check):
    """A list of texts."""

    rule: str = "it must be a list of texts"

    def convert(self, value: Any) -> tuple[str, ...]:
        """A tuple of texts."""
        if not isinstance(value, list | tuple):
            raise Refused(self.rule)
        for item, text in enumerate(value):
            if not isinstance(text, str):
                raise Refused("it must be a text", value=text, item=item)
        return tuple(value)


@dataclass(frozen=True, slots=True)
class Patterns(Check):
    """A list of ECMAScript patterns, each of which compiles and is not empty."""

    may_be_empty: bool = False

    @property
    def rule(self) -> str:  # type: ignore[override]
        """What the list may hold."""
        return f"it must be a {'' if self.may_be_empty else 'non-empty '}list of patterns, each a text"

    def convert(self, value: Any) -> tuple[str, ...]:
        """A tuple of patterns."""
        if not isinstance(value, list | tuple) or not (value or self.may_be_empty):
            raise Refused(self.rule)
        for item, pattern in enumerate(value):
            if not isinstance(pattern, str):
                raise Refused("it must be a text", value=pattern, item=item)
            try:
                compile_check(pattern)
            except PatternError as error:
                raise Refused(error.rule, value=pattern, item=item) from None
        return tuple(value)


class Schemas(Mapping[str, Json]):
    """JSON Schemas by tool name, held as one JSON text so that settings stay hashable and equal by value."""

    def __init__(self, schemas: Mapping[str, Json]) -> None:
        self.text = json.dumps(dict(schemas), sort_keys=True)

    @cached_property
    def _by_tool(self) -> dict[str, Json]:
        decoded: dict[str, Json] = json.loads(self.text)
        return decoded

    def __getitem__(self, tool: str) -> Json:
        return self._by_tool[tool]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_tool)

    def __len__(self) -> int:
        return len(self._by_tool)

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schemas) and self.text == other.text

    def __repr__(self) -> str:
        return f"Schemas({self.text})"


@dataclass(frozen=True, slots=True)
class SchemaPerTool(Check):
    """A JSON Schema for each of some tools."""

    rule: str = "it must map tool names to JSON Schemas, each a mapping, true or false"

    def convert(self, value: Any) -> Schemas:
        """The schemas, frozen."""
        if not isinstance(value, Mapping):
            raise Refused(self.rule)
        for tool, schema in value.items():
            if not isinstance(tool, str) or not isinstance(schema, dict | bool):
                raise Refused(self.rule)
        return value if isinstance(value, Schemas) else Schemas(value)


@dataclass(frozen=True, slots=True)
class Optional(Check):
    """A field that may be unset. In a file, unset means that the key is left out: `load` refuses `null`."""

    check: Check

    @property
    def rule(self) -> str:  # type: ignore[override]
        """That of the value."""
        return self.check.rule

    def convert(self, value: Any) -> Any:
        """The value, or None."""
        return None if value is None else self.check.convert(value)
