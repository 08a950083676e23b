"""The guard itself: a clean page passes, and each trouble it promises to see is seen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.guard import OUTSIDE, Guard

INSIDE = "http://127.0.0.1:9/"
NOT_FOUND = "console error: Failed to load resource: the server responded with a status of 404 (Not Found)"


@pytest.mark.parametrize(
    ("url", "outside"),
    [
        pytest.param("http://127.0.0.1:8501/", False, id="this computer by number"),
        pytest.param("ws://localhost:8501/_stcore/stream", False, id="this computer by name, a socket"),
        pytest.param("http://[::1]:8501/", False, id="this computer, IPv6"),
        pytest.param("data:image/png;base64,AAAA", False, id="inside the page"),
        pytest.param("https://example.org/", True, id="another machine"),
        pytest.param("wss://example.org/socket", True, id="another machine, a socket"),
        pytest.param("http://localhost.example.org/", True, id="a name that begins like ours"),
        pytest.param("http://127.0.0.1@example.org/", True, id="our number as a user name"),
    ],
)
def test_what_counts_as_outside(url: str, outside: bool) -> None:
    assert (OUTSIDE.match(url) is not None) == outside


@pytest.mark.parametrize(
    ("body", "troubles"),
    [
        pytest.param("<p>quiet", [], id="a quiet page"),
        pytest.param("<script>console.log('a'); console.warn('b')</script>", [], id="a log and a warning"),
        pytest.param("<script>fetch('inspect/_stcore/health')</script>", [], id="Streamlit that looks for its server"),
        pytest.param(
            "<script>fetch('inspect/missing.js')</script>",
            [f"{NOT_FOUND} ({INSIDE}inspect/missing.js)"],
            id="something of our own that is missing",
        ),
        pytest.param(
            "<script>console.error('oh')</script>", [f"console error: oh ({INSIDE})"], id="an error in the console"
        ),
        pytest.param("<script>throw new Error('oh')</script>", ["uncaught error: oh"], id="an uncaught error"),
        pytest.param(
            "<img src='https://example.invalid/x.png'>",
            ["request left the machine: https://example.invalid/x.png"],
            id="an image from elsewhere",
        ),
        pytest.param(
            "<script>new WebSocket('wss://example.invalid/s')</script>",
            ["socket left the machine: wss://example.invalid/s"],
            id="a socket to elsewhere",
        ),
    ],
)
def test_what_a_page_does_is_seen(browser: Browser, body: str, troubles: list[str]) -> None:
    guard = Guard()
    context = browser.new_context()
    guard.watch(context)
    page = context.new_page()
    page.route(f"{INSIDE}*/**", lambda route: route.fulfill(status=404))
    page.route(INSIDE, lambda route: route.fulfill(body=f"<!doctype html>{body}", content_type="text/html"))
    page.goto(INSIDE, wait_until="networkidle")
    context.close()
    assert guard.troubles[: len(troubles)] == troubles  # what we stop, the browser reports as an error too
    assert bool(guard.troubles) == bool(troubles)
