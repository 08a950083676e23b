"""Makes text that came from a file harmless on one line of a terminal.

A recorded run holds whatever an agent met, escape sequences included. Printed as it is, such a text could clear the
screen, forge a verdict on a line of its own, or turn the reading direction around.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, line and paragraph separators, changes of direction, halves of surrogate pairs."""


def safe(text: str) -> str:
    r"""The text with every character that a terminal could obey spelled out, as in `\n`, `\x1b` or `\u202e`.

    All other characters stay, the backslash among them: the result is for reading, not for turning back.
    """
    return _UNSAFE.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
