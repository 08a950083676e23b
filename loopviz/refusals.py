"""How a refused setting is told: which field, which value, which rule."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass

from loopviz.model import Json


@dataclass(frozen=True, slots=True)
class Refusal:
    """One setting that is refused."""

    field: str
    """The key as a person types it."""
    value: Json
    """The value refused; `MISSING_VALUE` where a required key is absent."""
    rule: str
    """What it must be, as a clause that can follow a semicolon."""
    item: int | None = None
    """Which entry of a list, from 0."""

    def __str__(self) -> str:
        place = self.field if self.item is None else f"{self.field}, entry {self.item + 1},"
        end = "" if self.rule.endswith("?") else "."
        return f"{place} is {show(self.value)}; {self.rule}{end}"


class _Missing:
    def __repr__(self) -> str:
        return "missing"


MISSING_VALUE = _Missing()


class SettingsError(ValueError):
    """Settings that are refused: every refusal at once, so that one look at the message mends them all."""

    def __init__(self, *refusals: Refusal, where: str = "") -> None:
        prefix = f"{where}: " if where else ""
        super().__init__("\n".join(f"{prefix}{refusal}" for refusal in refusals))
        self.refusals = refusals
        self.where = where

    @property
    def messages(self) -> tuple[str, ...]:
        """One line per refusal, as in the whole message."""
        return tuple(str(self).split("\n"))

    @property
    def field(self) -> str:
        """The first field refused."""
        return self.refusals[0].field

    @property
    def value(self) -> Json:
        """The value of the first field refused."""
        return self.refusals[0].value

    @property
    def rule(self) -> str:
        """The rule that the first value breaks."""
        return self.refusals[0].rule


def unknown_key(key: str, known: tuple[str, ...]) -> str:
    """The rule that a key breaks which is none of those known."""
    close = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"the settings here are {', '.join(known)}"
    return f"there is no such setting; {hint}"


def show(value: Json, limit: int = 80) -> str:
    """Spell a value as JSON does, short enough for a message and safe to print."""
    if value is MISSING_VALUE:
        return "missing"
    spelled = json.dumps(value, ensure_ascii=False, default=repr)
    text = spelled if len(spelled) <= limit else f"{spelled[: limit - 1]}…"
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
