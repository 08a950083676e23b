"""How the app starts: one server on this computer, with the same safe defaults whichever command starts it.

The `loopviz` command calls `run`. `streamlit run app.py`, the way of those who work on the app, reads the same options
from `.streamlit/config.toml`; a test keeps the two alike.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from loopviz.ui.theme import THEME

SCRIPT = Path(__file__).resolve().with_name("main.py")
"""The script that Streamlit runs; absolute, so that the current folder does not matter."""

LOOPBACK = "127.0.0.1"
THIS_COMPUTER = [LOOPBACK, "localhost", "::1"]
PATHS_VARIABLE = "LOOPVIZ_PATHS"
READ_AS_VARIABLE = "LOOPVIZ_READ_AS"
LABELS_VARIABLE = "LOOPVIZ_LABELS"

SAFE_OPTIONS: dict[str, Any] = {
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "type",
    "client.showErrorLinks": False,
    "client.toolbarMode": "minimal",
    "global.minCachedMessageSize": 1e12,
    "logger.hideWelcomeMessage": True,
    "runner.magicEnabled": False,
    "runner.postScriptGC": False,
    "server.address": LOOPBACK,
    "server.allowedHosts": THIS_COMPUTER,
    "server.enableAgentApi": False,
    "server.maxUploadSize": 1024,
    "server.showEmailPrompt": False,
}
"""Streamlit by itself listens on every interface, sends statistics, asks for an e-mail address and shows tracebacks.

It also keeps large messages in the browser and then names them only; where presses follow quickly a fragment may name
one that the browser has let go, which ends the page. So no message counts as large.

And it searches all memory for reference cycles after each run of a script, however short, which starves a long load
that shows how far it is. Python does that by itself, when there is reason to.
"""


def run(
    paths: Sequence[str] = (),
    port: int | None = None,
    host: str | None = None,
    read_as: str | None = None,
    labels: str | None = None,
) -> None:
    """Serve the app until it is stopped.

    Args:
        paths: Files and folders to open, as the person named them; none means the bundled samples.
        read_as: Name of the reader to use for these, whatever they look like.
        labels: File that labels are kept in.
        port: Port to listen on, 0 for any free one; by default the first free one from 8501 on.
        host: Address to listen on; by default this computer only.
    Raises:
        SystemExit: if nothing can listen there; the message names address, port and reason.
    """
    address = host or LOOPBACK
    _check_free(address, port)
    if not is_loopback(address):
        print(exposure_warning(address), file=sys.stderr, flush=True)
    give_paths(paths, read_as, labels)
    logging.getLogger("uvicorn.error").addFilter(lambda record: record.levelno >= logging.WARNING)
    # Streamlit puts the folder of argv[0] first on the module path; `python -m loopviz` would name the package itself.
    sys.argv = [sys.executable]
    try:
        st.App(SCRIPT, lifespan=announce, on_script_error=explain).run(config=options(port, address))
    except KeyboardInterrupt:
        print("loopviz has stopped.", flush=True)


def options(port: int | None = None, address: str = LOOPBACK) -> dict[str, Any]:
    """Every Streamlit option the app starts with, by its dotted name."""
    chosen: dict[str, Any] = {**SAFE_OPTIONS, **THEME, "server.fileWatcherType": "none", "server.address": address}
    chosen["server.allowedHosts"] = allowed_hosts(address)
    if port is not None:
        chosen["server.port"] = port
    return chosen


def allowed_hosts(address: str) -> list[str]:
    """The names under which a browser may connect; any, when the app listens on every interface."""
    if is_loopback(address):
        return list(dict.fromkeys([*THIS_COMPUTER, address]))
    return ["*"] if _ip(address) is None or _ip(address) in _EVERY_INTERFACE else [*THIS_COMPUTER, address]


def is_loopback(address: str) -> bool:
    """Whether only this computer can reach `address`."""
    ip = _ip(address)
    return address.lower() == "localhost" if ip is None else ip.is_loopback


def exposure_warning(address: str) -> str:
    """What to tell a person who opens the app to others."""
    return (
        f"Warning: the app listens on {address}, so others on the network can open it, read the runs and change "
        f"settings. Leave out --host to keep it on this computer."
    )


def give_paths(paths: Sequence[str], read_as: str | None = None, labels: str | None = None) -> None:
    """Hand the paths to the script; the environment survives a reload of this module, a variable here would not."""
    os.environ[PATHS_VARIABLE] = json.dumps(list(paths))
    os.environ[READ_AS_VARIABLE] = read_as or ""
    os.environ[LABELS_VARIABLE] = labels or ""


def paths_given() -> tuple[str, ...]:
    """The files and folders named on the command line, in that order; empty when there were none."""
    return tuple(json.loads(os.environ.get(PATHS_VARIABLE, "[]")))


def read_as_given() -> str | None:
    """Name of the reader that the command line chose for them."""
    return os.environ.get(READ_AS_VARIABLE) or None


def labels_given() -> str | None:
    """The file that labels are kept in: the command line named it, or a page since."""
    return os.environ.get(LABELS_VARIABLE) or None


def keep_labels_in(path: str) -> None:
    """Keep labels in this file from now on, in every session, as if the command line had named it."""
    os.environ[LABELS_VARIABLE] = path


def serves_this_computer_alone() -> bool:
    """Whether nobody else can reach the app; only then may a page name a file to write to."""
    return is_loopback(st.get_option("server.address") or "0.0.0.0")


@asynccontextmanager
async def announce(_app: st.App) -> AsyncIterator[None]:
    """Say where the app is, and show it in the browser unless Streamlit finds or is told that there is none."""
    address = st.get_option("server.address") or LOOPBACK
    url = f"http://{f'[{address}]' if ':' in address else address}:{st.get_option('server.port')}"
    print(f"loopviz is open at {url} - stop it with Ctrl+C.", flush=True)
    if not st.get_option("server.headless"):
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    yield


def explain(error: Exception) -> bool:
    """Tell the reader that a page failed, in plain words; Streamlit prints the traceback where the app was started."""
    st.error(
        f"Something went wrong inside loopviz ({type(error).__name__}); your files are untouched. "
        "What happened stands in the terminal that started the app. Other pages and runs still open."
    )
    return True


_EVERY_INTERFACE = (ipaddress.ip_address("0.0.0.0"), ipaddress.ip_address("::"))


def _ip(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address)
    except ValueError:
        return None


def _check_free(address: str, port: int | None) -> None:
    """Find out before the server starts whether it can listen, so that the refusal is one plain sentence."""
    try:
        family = socket.getaddrinfo(address, port or 0, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, port or 0))
    except (OSError, OverflowError) as error:
        place = address if port is None else f"{address}, port {port}"
        raise SystemExit(f"Cannot open the app at {place}: {error}. Choose another --port or --host.") from error
