"""Starting the app: safe options, the same both ways; where it listens; what it says; that nothing gets in its way."""

from __future__ import annotations

import asyncio
import socket
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from loopviz.timeline.palette import PALETTES
from loopviz.ui import launch

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Let `run` do all but serve; holds the options it would serve with."""
    configs: list[dict[str, Any]] = []
    monkeypatch.setattr(st.App, "run", lambda _app, *, config: configs.append(config))
    monkeypatch.setattr(sys, "argv", ["loopviz"])
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")
    return configs


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server((launch.LOOPBACK, 0)) as listener:
        yield listener.getsockname()[1]


def flat(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested TOML tables as one level of dotted names."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return found


def test_the_script_is_there_and_absolute() -> None:
    assert launch.SCRIPT.is_absolute()
    assert launch.SCRIPT.is_file()


def test_streamlit_run_has_the_same_options_as_the_command() -> None:
    file = flat(tomllib.loads((CHECKOUT / ".streamlit" / "config.toml").read_text(encoding="utf-8")))
    assert file | {"server.fileWatcherType": "none"} == launch.options()


def test_streamlit_knows_every_option() -> None:
    for name in launch.options():
        st.get_option(name)  # raises for a name it does not know


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("browser.gatherUsageStats", False, id="no statistics"),
        pytest.param("server.showEmailPrompt", False, id="no question about e-mail"),
        pytest.param("server.address", "127.0.0.1", id="this computer only"),
        pytest.param("client.showErrorDetails", "type", id="no traceback on the page"),
        pytest.param("client.showErrorLinks", False, id="no links to search engines"),
        pytest.param("client.toolbarMode", "minimal", id="no developer's toolbar"),
    ],
)
def test_safe_by_default(name: str, value: object) -> None:
    assert launch.options()[name] == value


@pytest.mark.parametrize("appearance", ["light", "dark"])
def test_ink_is_the_interface(appearance: str) -> None:
    palette, options = PALETTES[appearance], launch.options()
    for part in ("text", "primary", "link", "red", "green"):
        assert options[f"theme.{appearance}.{part}Color"] == palette.ink
    assert options[f"theme.{appearance}.backgroundColor"] == palette.ground


@pytest.mark.parametrize(
    ("address", "loopback", "hosts"),
    [
        pytest.param("127.0.0.1", True, ["127.0.0.1", "localhost", "::1"], id="the default"),
        pytest.param("localhost", True, ["127.0.0.1", "localhost", "::1"], id="by name"),
        pytest.param("::1", True, ["127.0.0.1", "localhost", "::1"], id="IPv6"),
        pytest.param("127.0.0.9", True, ["127.0.0.1", "localhost", "::1", "127.0.0.9"], id="another loopback number"),
        pytest.param("192.0.2.7", False, ["127.0.0.1", "localhost", "::1", "192.0.2.7"], id="one interface"),
        pytest.param("0.0.0.0", False, ["*"], id="every interface"),
        pytest.param("::", False, ["*"], id="every interface, IPv6"),
        pytest.param("box.example.org", False, ["*"], id="a name of this machine"),
    ],
)
def test_who_may_connect(address: str, loopback: bool, hosts: list[str]) -> None:
    assert launch.is_loopback(address) == loopback
    assert launch.allowed_hosts(address) == hosts


@pytest.mark.parametrize(
    ("host", "words"),
    [
        pytest.param(None, "", id="quiet by default"),
        pytest.param("localhost", "", id="quiet on this computer by name"),
        pytest.param("0.0.0.0", "others on the network can open it", id="a warning when others can connect"),
    ],
)
def test_warning(
    host: str | None, words: str, started: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    launch.run(host=host)
    printed = capsys.readouterr().err
    assert words in printed
    assert bool(printed) == bool(words)
    assert started == [launch.options(address=host or "127.0.0.1")]


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param((), id="none"),
        pytest.param(("runs/a.json", "a folder/b.jsonl"), id="two, one with a space"),
        pytest.param(("lone\udcff.json",), id="a name that is no text"),
    ],
)
def test_paths_reach_the_script(paths: tuple[str, ...], started: list[dict[str, Any]]) -> None:
    launch.run(paths, port=0)
    assert launch.paths_given() == paths
    assert [options["server.port"] for options in started] == [0]


def test_no_paths_without_a_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(launch.PATHS_VARIABLE, raising=False)
    assert launch.paths_given() == ()


def test_a_failing_page_says_so_without_its_secrets() -> None:
    def page() -> None:
        from loopviz.ui import launch

        launch.explain(ValueError("a secret"))

    (error,) = AppTest.from_function(page).run().error
    assert "Something went wrong inside loopviz (ValueError)" in error.value
    assert "secret" not in error.value


def test_a_taken_port_is_refused_in_one_sentence(taken_port: int, started: list[dict[str, Any]]) -> None:
    with pytest.raises(
        SystemExit, match=rf"Cannot open the app at 127\.0\.0\.1, port {taken_port}: .*--port or --host"
    ):
        launch.run(port=taken_port)
    assert started == []


@pytest.mark.parametrize(
    ("port", "host", "place"),
    [
        pytest.param(70_000, None, "127.0.0.1, port 70000", id="no such port"),
        pytest.param(None, "192.0.2.1", "192.0.2.1", id="an address of another machine"),
        pytest.param(None, "not a host", "not a host", id="no address at all"),
    ],
)
def test_an_impossible_place_is_refused(
    port: int | None, host: str | None, place: str, started: list[dict[str, Any]]
) -> None:
    with pytest.raises(SystemExit) as refused:
        launch.run(port=port, host=host)
    assert f"Cannot open the app at {place}: " in str(refused.value)
    assert started == []


@pytest.mark.parametrize(
    ("address", "port", "url"),
    [
        pytest.param("127.0.0.1", 8501, "http://127.0.0.1:8501 ", id="number"),
        pytest.param("::1", 8502, "http://[::1]:8502 ", id="IPv6 in brackets"),
    ],
)
def test_it_says_where_it_is(
    address: str, port: int, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = {"server.address": address, "server.port": port, "server.headless": True}
    monkeypatch.setattr(st, "get_option", told.__getitem__)

    async def start_and_stop() -> None:
        async with launch.announce(st.App(launch.SCRIPT)):
            pass

    asyncio.run(start_and_stop())
    assert url in capsys.readouterr().out
