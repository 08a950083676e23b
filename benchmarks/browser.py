"""Item g: from key press to painted page, against an almost empty app on the same machine in the same minute.

Both apps are open in one Chromium, and get their presses of ArrowUp in turn. A figure is the middle one of its round,
the ratio is that of the best round: seconds on the wall here, since server, browser and both cores take part.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.empty_app import LABEL
from benchmarks.fixture import RUN, long_run
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Unit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

BOUNDS = {200: 1.35, 2_000: 1.35, 20_000: 1.5, 100_000: 1.7}
PROBE = Path(__file__).with_name("probe.js")
CHECKOUT = str(Path(__file__).resolve().parents[1])
FLAGS = ("--disable-gpu", "--disable-background-networking", "--no-first-run")
PATIENCE_MS = 120_000
POLL_MS = 50
QUIET_MS = 300
"""A page that has not changed for so long, and whose script has ended, will not change any more."""

_IDLE = "document.querySelector('[data-test-script-state]')?.dataset.testScriptState === 'notRunning'"
_QUIET = f"window.probe.painted && performance.now() - window.probe.painted > {QUIET_MS}"
_TIMELINE_DRAWN = """[...document.querySelectorAll('*')].some(
    (element) => element.shadowRoot?.querySelector('.loopviz')?.loopviz?.state().drawMs > 0)"""


def item_g(sizes: Sizes) -> list[Row]:
    """Press a key on Inspect, with runs of several lengths."""
    try:
        with chromium_open() as browser, tempfile.TemporaryDirectory() as folder:
            return [_page_row(browser, Path(folder), n_steps, sizes) for n_steps in sizes.pages]
    except NotPossible as error:
        return [_row(n_steps, f": {error}", None, "") for n_steps in sizes.pages]


class NotPossible(Exception):
    """There is no browser to measure with; the message says what to do."""


@dataclass(frozen=True, slots=True)
class _Round:
    """The middle figures of one round, in milliseconds."""

    ours: float
    empty: float


def _page_row(browser: Browser, folder: Path, n_steps: int, sizes: Sizes) -> Row:
    path = folder / f"{n_steps}.json"
    path.write_bytes(long_run(n_steps, parallel=False))
    with _both_apps(folder, path) as (url, empty_url):
        rounds = [_round(browser, f"{url}/?run={RUN}", empty_url, sizes.presses) for _ in range(sizes.rounds)]
    best = min(rounds, key=lambda figures: figures.ours / figures.empty)
    return _row(n_steps, "", best.ours / best.empty, f"{best.ours:.0f} ms to {best.empty:.0f} ms")


def _row(n_steps: int, why_not: str, figure: float | None, seconds: str) -> Row:
    what = f"key press to painted page, {n_steps:,} steps{why_not}"
    return Row(item="g", what=what, unit=Unit.EMPTY_APP, bound=BOUNDS[n_steps], figure=figure, seconds=seconds)


@contextmanager
def chromium_open() -> Iterator[Browser]:
    """A Chromium.

    Raises:
        NotPossible: if there is none here.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NotPossible("not installed (pip install playwright)") from None
    from tests.browser import chromium

    with sync_playwright() as playwright:
        machine = chromium.Machine.here(Path(playwright.chromium.executable_path))
        program = chromium.find(machine)
        if program is None:
            raise NotPossible("no Chromium here; the browser tests fetch one")
        flags = [*FLAGS, "--no-sandbox"] if machine.root else [*FLAGS]
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        yield browser
        browser.close()


@contextmanager
def _both_apps(folder: Path, path: Path) -> Iterator[tuple[str, str]]:
    """Serve loopviz with a file, and the empty app."""
    from tests.browser import server

    empty = [sys.executable, "-m", "benchmarks.empty_app"]
    with (
        serve(folder, path) as url,
        server.serving(empty, folder=folder, log=folder / "empty.log", PYTHONPATH=CHECKOUT) as empty_url,
    ):
        yield url, empty_url


@contextmanager
def serve(folder: Path, path: Path) -> Iterator[str]:
    """Serve loopviz with a file; its address."""
    from tests.browser import server

    log = folder / f"{path.stem}.log"
    with server.serving(server.command(str(path)), folder=folder, log=log, PYTHONPATH=CHECKOUT) as url:
        yield url


def _round(browser: Browser, url: str, empty_url: str, presses: int) -> _Round:
    with _open(browser, url, ".loopviz") as page, _open(browser, empty_url, '[data-testid="stText"]') as empty:
        page.wait_for_function(f"() => {_TIMELINE_DRAWN} && {_IDLE}", polling=POLL_MS)
        for each in (page, empty):
            _press(each)  # The first answer also loads what later ones find.
        pairs = [(_press(page), _press(empty)) for _ in range(presses)]
    return _Round(median(ours for ours, _ in pairs), median(theirs for _, theirs in pairs))


@contextmanager
def _open(browser: Browser, url: str, answer: str) -> Iterator[Page]:
    with _empty_page(browser) as page:
        page.goto(url)
        page.get_by_role("spinbutton", name=LABEL).wait_for()
        _probe(page, answer)
        yield page


@contextmanager
def settled_page(browser: Browser, url: str, patience_ms: float, shown: str) -> Iterator[Page]:
    """A page that has drawn what is asked for, and the probe in it.

    Args:
        browser: Where to open it.
        url: Its address.
        patience_ms: How long that may take, in milliseconds.
        shown: Selects what must be drawn.
    """
    with _empty_page(browser) as page:
        page.goto(url)
        page.locator(shown).first.wait_for(timeout=patience_ms)
        _probe(page, shown)
        yield page


@contextmanager
def _empty_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def _probe(page: Page, answer: str) -> None:
    page.wait_for_function(f"() => {_IDLE}", polling=POLL_MS)
    page.evaluate(PROBE.read_text("utf-8"), answer)


def painted_ms(page: Page, target: Locator, answer: str) -> float:
    """Click: milliseconds until the page has painted the last of what changed, `answer` among it."""
    page.evaluate("(answer) => window.probe.ready(answer)", answer)
    target.click()
    return _painted(page)


def _press(page: Page) -> float:
    """Press ArrowUp in the number input: milliseconds until the page has painted the last of what changed."""
    page.evaluate("window.probe.ready()")
    page.get_by_role("spinbutton", name=LABEL).press("ArrowUp")
    return _painted(page)


def _painted(page: Page) -> float:
    page.wait_for_function(f"() => window.probe.answered && {_QUIET} && {_IDLE}", polling=POLL_MS)
    return float(page.evaluate("window.probe.painted - window.probe.pressed"))
