"""The app as a process of its own, as a person starts it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

START_S = 90
STOP_S = 15
URL = re.compile(r"http://127\.0\.0\.1:\d+")


class NotStarted(Exception):
    """The app ended or stayed silent; the message holds what it printed."""


@contextmanager
def serving(command: Sequence[str], *, folder: Path, log: Path, **variables: str) -> Iterator[str]:
    """Run `command`, which starts the app, in `folder` and stop it at the end.

    Args:
        command: Arguments of the process; without a shell.
        folder: Its current folder, and the home of a person who starts it for the first time.
        log: Where its output goes.
        variables: Changes to its environment.
    Yields:
        The address at which it answers.
    """
    environment = {**os.environ, "HOME": str(folder), "STREAMLIT_SERVER_HEADLESS": "true", **variables}
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            yield _address(process, log)
        finally:
            stop(process)


def command(*paths: str) -> list[str]:
    """The command line that opens the app on `paths`, at any free port."""
    return [sys.executable, "-m", "loopviz", "app", *paths, "--port", "0"]


def streamlit_command(*paths: str) -> list[str]:
    """The same by `streamlit run app.py`; `-P` leaves the current folder off the path, as its own command does."""
    app = Path(__file__).resolve().parents[2] / "app.py"
    return [sys.executable, "-P", "-m", "streamlit", "run", str(app), "--server.port", "0", "--", *paths]


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the process we started, by force if it does not listen."""
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """The address the app prints, once it answers there."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        printed = URL.search(log.read_text())
        if printed and _healthy(printed.group()):
            return printed.group()
        time.sleep(0.05)
    how = "said nothing for" if process.poll() is None else f"ended with {process.returncode} within"
    raise NotStarted(f"The app {how} {START_S} s. It printed:\n{log.read_text()}")


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
