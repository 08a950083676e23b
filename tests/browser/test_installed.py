"""The app from its wheel, called from another folder: the first screen is a sample that loops, already judged."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser import server
from tests.browser.conftest import NewPage
from tests.installed import Installed


def test_the_first_screen_shows_a_judged_sample(installed: Installed, new_page: NewPage, tmp_path: Path) -> None:
    command = [str(installed.programs / "loopviz"), "--port", "0"]
    with server.serving(command, folder=installed.elsewhere, log=tmp_path / "log") as url:
        page = new_page()
        page.goto(url)
        expect(page.get_by_text("FAIL").first).to_be_visible()
        page.goto(f"{url}/inspect")
        expect(page.locator("canvas").first).to_be_visible()
        page.close()
