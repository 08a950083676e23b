"""Puts something of the test's own into every text of a document, so that it can be looked for in what comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from loopviz.model import Json

Path = tuple[str | int, ...]

FIXED_KEYS = frozenset(("type", "graderType", "timestamp", "match", "scope"))
"""Keys whose values are words of the format: with others the document would be another."""
FREE = frozenset(("arguments", "result", "variables", "metadata", "environment"))
"""Keys below which every key is a text like any other."""


def name_of(path: Path) -> str:
    """The last key on the way to a value."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


@dataclass
class Planter:
    """Changes every text of a document that `chosen` lets through."""

    change: Callable[[str], str]
    """Gives the new text for an old one; the same for the same, so that ids still find each other."""
    chosen: Callable[[Path], bool] = lambda path: True
    keys: bool = True
    """Also the keys of arguments and outputs."""
    paths: list[Path] = field(default_factory=list)
    """Where something was planted."""

    def plant(self, value: Json, path: Path = ()) -> Json:
        if isinstance(value, str):
            if (name_of(path) in FIXED_KEYS and not _is_free(path)) or not self.chosen(path):
                return value
            self.paths.append(path)
            return self.change(value)
        if isinstance(value, list):
            return [self.plant(item, (*path, place)) for place, item in enumerate(value)]
        if isinstance(value, dict):
            return {self._key(key, path): self.plant(item, (*path, key)) for key, item in value.items()}
        return value

    def _key(self, key: str, path: Path) -> str:
        return self.change(key) if self.keys and _is_free(path) else key


def _is_free(path: Path) -> bool:
    """Whether a path lies inside arguments, outputs or the like."""
    return any(step in FREE for step in path)
