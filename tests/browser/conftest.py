"""Fixtures of the browser tests: a real Chromium, the app as its own process, and pages that are watched.

A test asks for `start_app` and `new_page`:

    def test_headline(start_app, new_page):
        page = new_page(dark=True, width=390)
        page.goto(start_app("runs/a.json"))
        expect(page.get_by_role("heading", level=1)).to_have_text("1 of 1 trials fails max-repeat")

Wait on conditions (`expect`), never on the clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.browser import chromium, server
from tests.browser.guard import Guard

PATIENCE_MS = 30_000
"""How long a condition may take to come true; a busy machine with two cores needs it, a fast one never waits."""
HERE = Path(__file__).parent
FLAGS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class StartApp(Protocol):
    """Opens the app on files and folders."""

    def __call__(self, *paths: str | Path) -> str:
        """The address of the app on these paths; on the samples when there are none."""


class NewPage(Protocol):
    """Opens a watched page."""

    def __call__(self, *, width: int = 1280, height: int = 800, dark: bool = False) -> Page:
        """An empty page of that size, in CSS pixels, for a reader who prefers that appearance."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, so that none is forgotten, and run them last, since they take longest."""
    here = [item for item in items if HERE in item.path.parents]
    for item in here:
        item.add_marker(pytest.mark.browser)
    items[:] = [item for item in items if HERE not in item.path.parents] + here


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright itself, with patience for slow machines."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A headless Chromium; a machine without one, on which none can be fetched, fails here and never skips."""
    machine = chromium.Machine.here(Path(playwright.chromium.executable_path))
    program = chromium.ensure(machine)
    flags = [*FLAGS, "--no-sandbox"] if machine.root else [*FLAGS]
    launched = playwright.chromium.launch(executable_path=program, args=flags, headless=True)
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def start_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartApp]:
    """Starts the app on the given paths, once for each choice of them; every page is a session of its own anyway."""
    started: dict[tuple[str, ...], str] = {}
    with ExitStack() as servers:

        def start(*paths: str | Path) -> str:
            key = tuple(str(path) for path in paths)
            if key not in started:
                folder = tmp_path_factory.mktemp("app")
                serving = server.serving(server.command(*key), folder=folder, log=folder / "app.log")
                started[key] = servers.enter_context(serving)
            return started[key]

        yield start


@pytest.fixture(scope="session")
def app_server(start_app: StartApp) -> str:
    """The address of the app on the bundled samples."""
    return start_app()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Pages that fail the test at its end on an error in the console or a request that leaves the machine."""
    guard = Guard()
    with ExitStack() as contexts:

        def open_page(*, width: int = 1280, height: int = 800, dark: bool = False) -> Page:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if dark else "light",
                service_workers="block",
            )
            contexts.callback(context.close)
            context.set_default_timeout(PATIENCE_MS)
            guard.watch(context)
            return context.new_page()

        yield open_page
    if guard.troubles:
        pytest.fail("The page was not clean:\n" + "\n".join(guard.troubles), pytrace=False)
