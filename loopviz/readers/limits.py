"""How much is read, so that no file and no folder can fill the memory or keep one waiting for ever.

A person raises or lowers a limit with an environment variable; `limits_given` reads them all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?) *(?:([kmgt])(i?)b?|b)?", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def _limit(default: int, variable: str, what: str, *, is_size: bool = False) -> Any:
    return field(default=default, metadata={"variable": variable, "what": what, "is size": is_size})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is read at most; what lies beyond is left out, and that is said."""

    file: int = _limit(1 << 32, "LOOPVIZ_MAX_FILE", "bytes of a file", is_size=True)
    files: int = _limit(100_000, "LOOPVIZ_MAX_FILES", "files in a folder that is searched")
    size: int = _limit(1 << 30, "LOOPVIZ_MAX_UNPACKED", "bytes that a packed file unpacks to", is_size=True)
    ratio: int = _limit(200, "LOOPVIZ_MAX_RATIO", "unpacked bytes for each packed one")
    members: int = _limit(100_000, "LOOPVIZ_MAX_MEMBERS", "files in an archive")
    depth: int = _limit(1, "LOOPVIZ_MAX_DEPTH", "archives inside each other, the outermost included")
    spared: int = 1 << 24
    """Unpacked bytes that count as harmless whatever the ratio: an agent that goes in circles packs very well."""


LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A limit that a person may set."""

    name: str
    """Of the field."""
    variable: str
    """Of the environment."""
    what: str
    """What it bounds, as a person would say it."""
    default: int
    is_size: bool
    """Whether it is a number of bytes."""

    def read(self, text: str) -> int:
        """The value that a person wrote.

        Raises:
            ValueError: if it is none; the message names the variable and the rule.
        """
        found = _SIZE.fullmatch(text.strip()) if self.is_size else re.fullmatch("([0-9]{1,15})", text.strip())
        value = _number(*found.groups()) if found else 0
        if value < 1:
            rule = "a number of bytes, such as 500MB or 4GiB" if self.is_size else "a whole number from 1"
            raise ValueError(f"{self.variable}: {text!r} should be {rule}.")
        return value

    def __str__(self) -> str:
        default = f"{self.default >> 30} GiB" if self.is_size else f"{self.default:,}"
        return f"{self.variable} ({self.what}: {default})"


def _number(figure: str, unit: str | None = None, binary: str | None = None) -> int:
    return int(float(figure) * (1024 if binary else 1000) ** _POWERS[(unit or "").lower()])


SETTINGS = tuple(
    Setting(
        name=each.name,
        variable=each.metadata["variable"],
        what=each.metadata["what"],
        default=getattr(LIMITS, each.name),
        is_size=each.metadata["is size"],
    )
    for each in fields(Limits)
    if each.metadata
)
"""All limits that a person may set."""


def limits_given(environment: Mapping[str, str] = os.environ) -> Limits:
    """The limits in force; an empty variable counts as none.

    Raises:
        ValueError: if a variable holds no value for its limit.
    """
    return Limits(
        **{each.name: each.read(text) for each in SETTINGS if (text := environment.get(each.variable, "").strip())}
    )


def raised_by(name: str) -> str:
    """How a person raises a limit, as a sentence."""
    variable = next(each.variable for each in SETTINGS if each.name == name)
    return f"Set the environment variable {variable} to raise this limit."


class Room:
    """How many bytes may still be unpacked out of one file.

    Args:
        packed: Bytes of the file.
        work: Told now and then that the unpacking goes on; what it raises ends it.
    """

    def __init__(self, limits: Limits, packed: int, work: Callable[[int], None] = lambda _size: None) -> None:
        by_ratio = max(limits.spared, limits.ratio * packed)
        self.limits = limits
        self.left = min(limits.size, by_ratio)
        self.work = work
        self._is_ratio = by_ratio < limits.size

    def take(self, size: int) -> None:
        """Note that so many bytes were unpacked."""
        self.left -= size
        self.work(size)

    @property
    def beyond(self) -> str:
        """What to say when there is no room for the rest."""
        what = f"{self.limits.ratio:,} times its size" if self._is_ratio else f"{self.limits.size:,} bytes"
        how = raised_by("ratio" if self._is_ratio else "size")
        return f"The archive unpacks to more than {what}; the rest is left out. {how}"
