"""The app from its wheel, called from another folder: samples already judged, and a way from there to the picture."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser import server
from tests.browser.conftest import NewPage
from tests.installed import Installed


def test_from_the_first_screen_to_the_picture(installed: Installed, new_page: NewPage, tmp_path: Path) -> None:
    command = [str(installed.programs / "loopviz"), "--port", "0"]
    with server.serving(command, folder=installed.elsewhere, log=tmp_path / "log") as url:
        page = new_page()
        page.goto(url)
        expect(page.get_by_text("FAIL").first).to_be_visible()
        page.get_by_role("link", name=re.compile("^Open")).first.click()
        expect(page.locator("canvas").first).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.close()
