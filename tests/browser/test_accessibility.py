"""What axe-core finds on each page, in both appearances and both widths: nothing serious, and nothing worse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage

SERIOUS = ("serious", "critical")
"""The two upper of axe's four grades; `minor` and `moderate` are Streamlit's own uploader and empty table corners."""
RUN = "/?run=same-test-again&call=12"

PAGES = (
    pytest.param("/runs", "h1", id="runs"),
    pytest.param(RUN, ".lv-badge", id="inspect"),
    pytest.param("/tune", ".st-key-tune", id="tune"),
    pytest.param("/?page=compare&a=same-test-again&b=healthy-fix", ".st-key-compare", id="compare"),
    pytest.param("/?page=present&run=same-test-again", ".story h1", id="present"),
    pytest.param("/?page=present&runs=all", ".story .figure", id="present, all runs"),
    pytest.param("/help", "#thrash", id="help"),
)
"""Each page's address, and what tells that it stands."""
LOOKS = (
    pytest.param(1280, False, id="light"),
    pytest.param(390, True, id="dark, narrow"),
)


def settle(page: Page) -> None:
    """Wait until the script has run: Streamlit pales what is stale meanwhile, and contrast is measured as seen."""
    expect(page.locator(".stApp[data-test-script-state='notRunning']")).to_be_visible()
    page.wait_for_function("document.getAnimations().every(one => one.playState !== 'running')")


def faults(page: Page) -> list[str]:
    """What is seriously wrong on a page, a line each: the rule, the element, the reason."""
    found: list[dict[str, Any]] = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']} at {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize(("width", "dark"), LOOKS)
@pytest.mark.parametrize(("address", "stands"), PAGES)
def test_axe_finds_nothing_serious(
    address: str, stands: str, width: int, dark: bool, app_server: str, new_page: NewPage
) -> None:
    page = new_page(width=width, dark=dark)
    page.goto(f"{app_server}{address}")
    expect(page.locator(stands).first).to_be_visible()
    settle(page)
    assert faults(page) == []


@pytest.mark.parametrize(("width", "dark"), LOOKS)
def test_axe_finds_nothing_serious_in_the_file_that_present_saves(
    width: int, dark: bool, app_server: str, new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page(width=width, dark=dark)
    page.goto(f"{app_server}/?page=present&run=same-test-again")
    with page.expect_download() as download:
        page.get_by_role("button", name="One HTML file").click()
    saved = tmp_path / "present.html"
    download.value.save_as(saved)
    page.goto(saved.as_uri())
    expect(page.get_by_role("slider", name="Call")).to_be_visible()
    assert faults(page) == []


def test_axe_would_tell(new_page: NewPage) -> None:
    page = new_page()
    page.set_content("<html lang=en><title>t</title><main><h1>h</h1><img src='data:,'></main>")
    assert [fault.partition(" ")[0] for fault in faults(page)] == ["image-alt"]
