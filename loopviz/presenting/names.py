"""Names of tools and other short texts of a run, as people are shown them: nothing unseen, not too long."""

from __future__ import annotations

import re

from loopviz.masking import mask_text

UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""What XML cannot hold, or what would change the direction of the words around it."""
LONGEST_TOOL = 60
"""Characters of a tool's name."""


def seen(words: str) -> str:
    """A text with a sign in place of each character that nobody would see, but for its effect."""
    return UNSEEN.sub("\ufffd", words)


def tool_name(tool: str, longest: int = LONGEST_TOOL) -> str:
    """The name of a tool, masked, and cut where it is very long."""
    return cut(seen(mask_text(tool)), longest)


def cut(words: str, longest: int) -> str:
    """A text of at most so many characters, the last one `…` where some are left out."""
    return words if len(words) <= longest else f"{words[: longest - 1]}…"
