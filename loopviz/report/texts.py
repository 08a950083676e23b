"""The texts of calls: whole, masked, each once, and cut so that the file stays small.

Source: issue "Say why", section 4: texts cut at 4 kB each and marked as cut, under 2 MB for 200 calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from loopviz.report.markup import readable

CUT = 4_096
"""Bytes of a text that are shown."""
SHORTER = (2_048, 1_024, 512, 256, 128, 0)
"""What the texts of other calls are cut at, where all together would be too many."""
ROOM = 1_800_000
"""Bytes that all calls together may take."""
PER_CALL = 650
"""Bytes of a call without its texts, about."""


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
        data = self.whole.encode()[:limit]
        return len(escape(data.decode("utf-8", "ignore"), quote=False).encode())


def size(n_bytes: int) -> str:
    """`512 bytes`, `4 kB`."""
    return f"{n_bytes:,} bytes" if n_bytes < 1_024 else f"{round(n_bytes / 1_024):,} kB"


def cut_all(first: Iterable[Text], others: Sequence[Text], n_calls: int) -> int:
    """Cut every text so that all fit.

    Args:
        first: Texts of the calls that matter most; always cut at `CUT`.
        others: All other texts.
        n_calls: Calls they belong to.
    Returns:
        Bytes at which the others are cut.
    """
    room = ROOM - PER_CALL * n_calls
    for text in first:
        text.cut(CUT)
        room -= text.weight(CUT)
    limits = (CUT, *SHORTER)
    limit = next((one for one in limits if sum(text.weight(one) for text in others) <= room), limits[-1])
    for text in others:
        text.cut(limit)
    return limit


def decoded(raw: bytes) -> Any:
    """A JSON text of the file as a value; as the text itself where nothing can decode it."""
    try:
        return json.loads(raw.decode("utf-8", "surrogatepass"), strict=False)
    except (ValueError, RecursionError):
        return raw.decode("utf-8", "replace")


def as_lines(value: Any) -> str:
    """A JSON value as a person reads it: a text as it is, small things on one line, else a field a line."""
    if isinstance(value, str):
        return readable(value)
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= 100 and "\\n" not in line:
        return readable(line)
    if not isinstance(value, dict):
        return readable(json.dumps(value, ensure_ascii=False, indent=2))
    return "\n".join(_field(name, item) for name, item in value.items())


def _field(name: str, value: Any) -> str:
    words = as_lines(value) if isinstance(value, str) else readable(json.dumps(value, ensure_ascii=False, indent=2))
    if "\n" not in words:
        return f"{readable(name)}: {words}"
    return f"{readable(name)}:\n" + "\n".join(f"    {line}" for line in words.split("\n"))
