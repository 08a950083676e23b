"""The app really started, by both commands: who can connect, that nothing is asked, that the browser is shown."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from loopviz.ui import launch
from tests.browser import server

pytestmark = pytest.mark.slow
BOTH_COMMANDS = pytest.mark.parametrize(
    "command", [pytest.param(server.command, id="loopviz"), pytest.param(server.streamlit_command, id="streamlit run")]
)
BROWSER_S = 30


@BOTH_COMMANDS
def test_only_this_computer_can_connect(command: Callable[[], list[str]], tmp_path: Path) -> None:
    with server.serving(command(), folder=tmp_path, log=tmp_path / "log") as url:
        port = int(url.rpartition(":")[2])
        socket.create_connection((launch.LOOPBACK, port), timeout=5).close()
        # 127.0.0.2 stands for any other address of this machine: one that listens everywhere answers there too.
        with pytest.raises(OSError, match=r"refused|timed out|unreachable|assign"):
            socket.create_connection(("127.0.0.2", port), timeout=5)


@BOTH_COMMANDS
def test_a_first_start_asks_nothing_and_shows_the_browser(command: Callable[[], list[str]], tmp_path: Path) -> None:
    """With nobody to answer, a question would end the start; a browser of our own notes what it is told to open."""
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}.part" && mv "{opened}.part" "{opened}"\n')
    browser.chmod(0o755)
    wishes = {"STREAMLIT_SERVER_HEADLESS": "false", "BROWSER": str(browser), "DISPLAY": os.environ.get("DISPLAY", ":0")}
    with server.serving(command(), folder=tmp_path, log=tmp_path / "log", **wishes) as url:
        deadline = time.monotonic() + BROWSER_S
        while not opened.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert opened.read_text().strip() == url


def test_it_ends_quietly(tmp_path: Path) -> None:
    with server.serving(server.command(), folder=tmp_path, log=tmp_path / "log"):
        pass
    assert "Traceback" not in (tmp_path / "log").read_text()
