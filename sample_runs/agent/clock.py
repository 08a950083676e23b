"""Time as the script tells it, so that recording twice gives the same bytes."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime, timedelta


class ScriptedClock:
    """A clock that stands still until somebody moves it."""

    def __init__(self, start: datetime) -> None:
        self.now = start.astimezone(UTC)

    def advance(self, seconds: float) -> None:
        """Let `seconds` go by, to the millisecond."""
        self.now += timedelta(milliseconds=round(seconds * 1000))

    def stamp(self) -> str:
        """The time as Vally writes it: ISO 8601, UTC, milliseconds."""
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def uneven(seconds: float, key: str) -> float:
    """Stretch a duration by up to a third, always by the same for the same `key`: equal times would look made up."""
    return seconds * (1 + zlib.crc32(key.encode()) % 1000 / 3000)
