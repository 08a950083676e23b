"""A few worker processes that run patterns, each of which is killed when it takes too long.

Safe to use from several threads: a slow pattern occupies one worker, and the others go on answering. Workers start when
they are first needed, live on between requests, and end with this process.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from loopviz.pattern_worker import read_message, write_message

TIME_LIMIT_S = 1.0
"""How long one request may take."""
START_LIMIT_S = 20.0
"""How long a worker may take to start: a busy machine must not look like a slow pattern."""
WORKERS = 4
"""How many requests run at once; further ones wait for a worker, a second at most per request before them."""


class TooSlow(Exception):
    """The request ran into the time limit."""


class Broken(Exception):
    """The engine broke down over the request: its memory or its stack ran out."""


class Pool:
    """Workers that wait for a request, never more than `WORKERS` at once."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start afresh, with no workers and no locks held."""
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(WORKERS)

    def run(self, pattern: str, flags: str, texts: Sequence[str], *, spans: bool = False) -> dict[str, Any]:
        """Find a pattern in texts.

        Args:
            pattern: The pattern without its leading flags.
            flags: Those flags.
            texts: What to look into.
            spans: Ask where the first match stands instead of whether there is one.
        Returns:
            `{"matches": [...]}`, a truth value per text; or `{"spans": [...]}`, first character and last + 1, null
            where there is no match; or `{"error": "..."}` when the pattern does not compile.
        Raises:
            TooSlow: after `TIME_LIMIT_S`.
            Broken: when the engine broke down.
        """
        request = {"pattern": pattern, "flags": flags, "texts": list(texts), "spans": spans}
        with self._free:
            waiting = self._take()
            if waiting:
                try:
                    return self._ask(waiting, request)
                except Broken:
                    pass  # It may have died while it waited, whatever the pattern: only a fresh one can tell.
            return self._ask(_Worker(), request)

    def close(self) -> None:
        """End the workers that wait; the next request starts a new one."""
        while worker := self._take():
            worker.close()

    def _take(self) -> _Worker | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _ask(self, worker: _Worker, request: Any) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = worker.ask(request, TIME_LIMIT_S)
        except BaseException:
            worker.close()
            raise
        with self._lock:
            self._idle.append(worker)
        return answer


class _Worker:
    """One worker process, used by one thread at a time."""

    def __init__(self) -> None:
        # -I and -S: neither the current folder, nor the environment, nor what is installed can put a module in its way.
        command = [sys.executable, "-I", "-S", str(Path(__file__).with_name("pattern_worker.py")), _engine_folder()]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            self.ask(None, START_LIMIT_S)
        except (TooSlow, Broken):
            self.close()
            raise RuntimeError("the process that runs tool patterns did not start") from None

    def ask(self, request: Any, limit_s: float) -> Any:
        """Send a request, or None to wait for the greeting, and read the answer. After an exception, close it."""
        requests, answers = self._pipes()
        stopped = threading.Event()
        timer = threading.Timer(limit_s, self._stop, [stopped])
        timer.daemon = True
        timer.start()
        try:
            if request is not None:
                write_message(requests, request)
            answer = read_message(answers)
        except OSError:
            answer = None
        finally:
            timer.cancel()
            timer.join()  # From here on it is certain whether the process was killed.
        if stopped.is_set():
            raise TooSlow
        if answer is None:
            raise Broken
        return answer

    def _stop(self, stopped: threading.Event) -> None:
        stopped.set()
        self._process.kill()

    def close(self) -> None:
        """End the process and leave nothing of it."""
        self._process.kill()
        for pipe in self._pipes():
            with contextlib.suppress(OSError):  # A request that nobody read is still in the buffer.
                pipe.close()
        self._process.wait()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout


def _engine_folder() -> str:
    """The folder that the engine's package lies in."""
    engine = importlib.util.find_spec("regress")
    if engine is None or engine.origin is None:
        raise RuntimeError("the package regress is not installed; tool patterns need it")
    return str(Path(engine.origin).parents[1])


SHARED = Pool()
"""The pool of this process; it holds no worker before the first request."""

atexit.register(SHARED.close)
if hasattr(os, "register_at_fork"):
    # A forked child that wrote into its parent's pipes would get the answers to somebody else's questions.
    os.register_at_fork(after_in_child=SHARED.forget)
