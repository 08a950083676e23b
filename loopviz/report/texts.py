"""The texts of calls: whole, masked, each once, and cut so that the file stays small.

Source: issue "Say why", section 4: texts cut at 4 kB each and marked as cut, under 2 MB for 200 calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from loopviz.report.literal import spelled
from loopviz.report.markup import readable

CUT = 4_096
"""Bytes of a text that are shown."""
SHORTER = (2_048, 1_024, 512, 256, 128, 0)
"""What the texts of other calls are cut at, where all together would be too many."""
ROOM = 1_840_000
"""Bytes that all calls together may take."""
PER_CALL = 650
"""Bytes of a call without what is in its texts, about."""
PER_TEXT = 100
"""Bytes of what stands round a text beside arguments and output, about."""
NAME = 200
"""Characters of a name that are shown: no sound one has as many."""
CELL = 600
"""Characters of a cell of a table, or of a message, that are shown."""


@dataclass(slots=True, kw_only=True)
class Text:
    """A text of a call: what the report has of it, or why it has none."""

    title: str
    whole: str = ""
    """All of it, masked, with what nobody would see spelled out."""
    missing: str = ""
    """Said instead of a text: that none was recorded."""
    same: int | None = None
    """The earlier call that has the same text, from 0; it is not told again."""
    shown: str = ""
    note: str = ""
    """That it is cut, and how much of it is shown."""

    @property
    def is_short(self) -> bool:
        """A line that is told as quickly as a link to it."""
        return len(self.whole) <= 80 and "\n" not in self.whole

    def cut(self, limit: int) -> None:
        """Show the first `limit` bytes."""
        data = self.whole.encode()
        self.shown = self.whole if len(data) <= limit else data[:limit].decode("utf-8", "ignore")
        if len(data) > limit:
            self.note = f"Cut: {size(limit)} of {size(len(data))} shown." if limit else f"{size(len(data))}, not shown."

    def weight(self, limit: int) -> int:
        """Bytes in the file when it is cut at a limit."""
        data = self.whole[:limit].encode()[:limit]  # most of a very long text need not be looked at
        return len(escape(data.decode("utf-8", "ignore"), quote=False).encode())


def size(n_bytes: int) -> str:
    """`512 bytes`, `4 kB`."""
    return f"{n_bytes:,} bytes" if n_bytes < 1_024 else f"{round(n_bytes / 1_024):,} kB"


def cut_all(first: Sequence[Text], others: Sequence[Text], n_calls: int) -> int:
    """Cut every text so that all fit.

    Args:
        first: Texts of the calls that matter most, and of the run as a whole; the last to be cut below `CUT`.
        others: All other texts.
        n_calls: Calls they belong to.
    Returns:
        Bytes at which the others are cut.
    """
    room = ROOM - PER_CALL * n_calls - PER_TEXT * max(0, len(first) + len(others) - 2 * n_calls)
    limit = _limit(first, room)
    for text in first:
        text.cut(limit)
    rest = _limit(others, room - sum(text.weight(limit) for text in first), most=limit)
    for text in others:
        text.cut(rest)
    return rest


def _limit(texts: Sequence[Text], room: int, most: int = CUT) -> int:
    """The most bytes at which these texts can be cut so that they fit."""
    limits = [limit for limit in (CUT, *SHORTER) if limit <= most]
    return next((limit for limit in limits if sum(text.weight(limit) for text in texts) <= room), limits[-1])


def brief(words: str, most: int = NAME) -> str:
    """The beginning of what should be short and need not be, such as a name, marked as cut."""
    return words if len(words) <= most else f"{words[:most]}… (cut: {most:,} of {len(words):,} characters)"


def briefly(value: Any) -> Any:
    """Findings in words, every name and sentence in them cut where it is very long: names come from the run."""
    if isinstance(value, str):
        return brief(value, CELL)
    if isinstance(value, dict):
        most = NAME if value.get("kind") == "code" or "name" in value else CUT if "kind" in value else CELL
        return {key: brief(item, most) if isinstance(item, str) else briefly(item) for key, item in value.items()}
    return type(value)(map(briefly, value)) if isinstance(value, list | tuple) else value


def as_lines(value: Any) -> str:
    """A JSON value as a person reads it: a text as it is, small things on one line, else a field a line."""
    if isinstance(value, str):
        return readable(value)
    line = spelled(value)
    if len(line) <= 100 and "\\n" not in line:
        return readable(line)
    if not isinstance(value, dict):
        return readable(spelled(value, ""))
    return "\n".join(_field(name, item) for name, item in value.items())


def _field(name: str, value: Any) -> str:
    words = as_lines(value) if isinstance(value, str) else readable(spelled(value, ""))
    if "\n" not in words:
        return f"{readable(name)}: {words}"
    return f"{readable(name)}:\n" + "\n".join(f"    {line}" for line in words.split("\n"))
