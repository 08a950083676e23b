"""Notices that open files have changed on disk, are gone, or that new ones lie in an open folder.

A look costs one question to the system a file. It is taken in the background, so seldom that it takes no more than a
small share of the time, however many files there are; a page that is drawn waits for it a moment and no longer.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from loopviz.readers.limits import Limits
from loopviz.readers.loading import Found, Stamp, find_files, stamp

EVERY_S = 3.0
"""Least seconds between the end of one look and the beginning of the next."""
REST = 50
"""How many times as long as a look took nothing is looked at."""

PATIENCE_S = 0.05
"""How long a page waits for a look that has just begun."""

Stamps = Mapping[str, Stamp | None]
"""What some paths stand for: the files, and what tells that they have not changed since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """How files on disk differ from what was read; each list in sorted order."""

    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    last_s: float | None = None
    """When the last of those that are still there was written, in seconds since the epoch; None where that lies before
    what was read, as for an older file that was put back."""

    def without(self, path: str) -> Changes:
        """The same but for what became of one file."""
        rest = {name: tuple(one for one in getattr(self, name) if one != path) for name in ("changed", "new", "gone")}
        return self if path not in self.changed + self.new + self.gone else Changes(**rest, last_s=None)

    def __bool__(self) -> bool:
        return bool(self.changed or self.new or self.gone)


def stamps_of(paths: Sequence[str], limits: Limits) -> dict[str, Stamp | None]:
    """Look at the files that some paths stand for."""
    return {file.path: stamp(file.path) for file in find_files(paths, limits) if isinstance(file, Found)}


def compare(before: Stamps, now: Stamps) -> Changes:
    """What became of some files."""
    changed = sorted(path for path in before.keys() & now.keys() if before[path] != now[path])
    new, gone = sorted(now.keys() - before.keys()), sorted(before.keys() - now.keys())
    read_ns = max((known[0] for known in before.values() if known), default=0)
    written_ns = max((known[0] for path in (*changed, *new) if (known := now[path])), default=0)
    last_s = written_ns / 1e9 if written_ns > read_ns else None
    return Changes(changed=tuple(changed), new=tuple(new), gone=tuple(gone), last_s=last_s)


class DiskWatch:
    """Watches the files of one set, for all sessions that have it open.

    Args:
        before: The files as they were when they were read.
        look: Looks at them now.
    """

    def __init__(self, before: Stamps, look: Callable[[], Stamps]) -> None:
        self._before = before
        self._look = look
        self._lock = threading.Lock()
        self._due_s = time.monotonic() + EVERY_S
        self._thread: threading.Thread | None = None
        self._changes = Changes()

    def changes(self) -> Changes:
        """What the last look found; begins the next one when it is due."""
        with self._lock:
            is_looking = self._thread is not None and self._thread.is_alive()
            if not is_looking and time.monotonic() >= self._due_s:
                self._thread = threading.Thread(target=self._work, name="loopviz watches", daemon=True)
                self._thread.start()
                self._thread.join(PATIENCE_S)
        return self._changes

    def _work(self) -> None:
        began_s = time.monotonic()
        try:
            self._changes = compare(self._before, self._look())
        finally:
            now_s = time.monotonic()
            self._due_s = now_s + max(EVERY_S, REST * (now_s - began_s))
