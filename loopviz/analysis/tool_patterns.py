"""Tool patterns that name one tool, or leave one out and change nothing else.

    nothing watched apart     check_status left out: ^(?!check_status$)
    ^(?!update_plan$)         check_status left out: ^(?!check_status$)(?!update_plan$)
    (?i)status                check_status left out: (?i)^(?!check_status$)[\\s\\S]*?status

Source: SPEC, section 1, "Settings": ECMAScript, not anchored, one leading group of flags.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from loopviz.patterns import matching, split_flags

NOTHING = "(?!)"
"""The pattern that is found in no name: a filter may not be an empty list."""

_SYNTAX = re.compile(r"[\\^$.*+?()\[\]{}|/]")
_UNSEEN = re.compile(r"[^\S ]|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN = re.compile(r"[\w\- ]+", re.ASCII)
_PIECE = re.compile(r"\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?|[\s\S]")
_ANYTHING = r"[\s\S]"


def escaped(name: str) -> str:
    """A name as a pattern that is found where it stands, on one line.

    A lone surrogate, which no file in UTF-8 can hold, becomes any one character.
    """
    spelled = _SYNTAX.sub(lambda sign: f"\\{sign[0]}", name)
    spelled = _UNSEEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", spelled)
    return _SURROGATE.sub(lambda _: _ANYTHING, spelled)


def only(name: str) -> str:
    """The pattern that watches one tool."""
    return f"^{escaped(name)}$"


def without(tools: Sequence[str] | None, name: str, known: Sequence[str]) -> tuple[str, ...]:
    """The patterns that watch what `tools` watches, save one tool.

    A pattern that does not watch the tool stays as it is. Where one ignores case, it can only leave out every spelling
    of the name: a known tool of another spelling gets a pattern of its own.

    Args:
        tools: Patterns in force; None for every tool.
        name: The tool to leave out.
        known: Names of all tools there are.
    Raises:
        PatternError: if a pattern is refused, or runs for longer than a second.
    """
    if tools is None:
        return (f"^{_guard(name)}",)
    left: list[str] = []
    again: list[str] = []
    for pattern in tools:
        if not matching((name,), (pattern,))[0]:
            left.append(pattern)
        elif pattern != only(name):
            guarded = _guarded(pattern, name)
            left.append(guarded)
            again += _other_spellings(pattern, guarded, name, known)
    return tuple(dict.fromkeys([*left, *again])) or (NOTHING,)


def _guard(name: str, *, end: str = "$") -> str:
    return f"(?!{escaped(name)}{end})"


def _guarded(pattern: str, name: str) -> str:
    """The same pattern, found in every name but one."""
    body, flags = split_flags(pattern)
    group = f"(?{flags})" if flags else ""
    if "m" in flags:
        # With this flag ^ and $ also stand at the line feeds inside a name, so its ends are told otherwise.
        start, guard = f"(?<!{_ANYTHING})", _guard(name, end=f"(?!{_ANYTHING})")
        return f"{group}{start}{guard}{_ANYTHING}*?(?:{body})"
    if body.startswith("^") and not _has_choices(body):
        return f"{group}^{_guard(name)}{body[1:]}"
    rest = body if _PLAIN.fullmatch(body) else f"(?:{body})"
    return f"{group}^{_guard(name)}{_ANYTHING}*?{rest}"


def _has_choices(body: str) -> bool:
    """Whether a | stands outside every group: then what stands before the pattern would not hold for all of it."""
    depth = 0
    for piece in _PIECE.findall(body):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if piece == "|" and not depth:
            return True
    return False


def _other_spellings(pattern: str, guarded: str, name: str, known: Sequence[str]) -> list[str]:
    """Patterns for the known tools that a guarded pattern leaves out, too, since it takes their names for this one."""
    if "i" not in split_flags(pattern)[1]:
        return []
    watched = zip(known, matching(known, (pattern,)), matching(known, (guarded,)), strict=True)
    return [only(other) for other, before, after in watched if before and not after and other != name]
