"""Telling a value that somebody took out from one that an agent wrote.

Redaction makes false loops: twenty-six different commands all become `[REDACTED]`. Such values are marked as unknown;
what that means for a verdict is a setting (SPEC, section 4, "Unknown values").
"""

from __future__ import annotations

import re

from loopviz.model import Json

LONGEST_MARKER = 64
"""Characters; a longer text is no marker."""

BEGINNINGS = frozenset("[<({*•█R")
"""First letters of markers."""

_WORD = r"(?:redacted|masked|removed|hidden|filtered|omitted|scrubbed|secret|sensitive|trimmed)"
_MARKER = re.compile(
    rf"""
    (?: [\[<({{]+ \s* {_WORD} (?: [\s:_-] [^\]>)}}]* )? [\]>)}}]+   # [REDACTED], <redacted>, [redacted: a token]
      | \*{{3,}} (?: {_WORD} \*{{3,}} )?                          # ***, ***REDACTED***
      | [•█]{{3,}}
      | (?-i:REDACTED)
    ) \s*
    """,
    re.VERBOSE | re.IGNORECASE,
)


def is_redacted(value: Json) -> bool:
    """Whether a value is nothing but a redaction marker, or holds leaves and every one of them is."""
    kind = type(value)
    if kind is str:
        return _is_marker(value)
    leaves = value.values() if kind is dict else value if kind is list else ()
    # Called for every value of a file; nearly always the first letter of the first leaf decides.
    for leaf in leaves:
        if (type(leaf) is str and leaf[:1] not in BEGINNINGS) or not is_redacted(leaf):
            return False
    return len(leaves) > 0


def _is_marker(text: str) -> bool:
    if text[:1] not in BEGINNINGS or len(text) > LONGEST_MARKER:
        return False
    return _MARKER.fullmatch(text) is not None
