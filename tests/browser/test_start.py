"""The first page, whichever way the app was started and whatever lies in the current folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import server
from tests.browser.conftest import NewPage

SHADOWS = ("json.py", "random.py", "typing.py")


@pytest.mark.parametrize(
    "command", [pytest.param(server.command, id="loopviz"), pytest.param(server.streamlit_command, id="streamlit run")]
)
def test_modules_in_the_current_folder_do_not_get_in_the_way(
    command: Callable[[], list[str]], tmp_path: Path, new_page: NewPage
) -> None:
    for name in SHADOWS:
        (tmp_path / name).write_text(
            f"raise ImportError('{name} of the current folder was taken for a part of Python')\n"
        )
    with server.serving(command(), folder=tmp_path, log=tmp_path / "log") as url:
        page = new_page()
        page.goto(url)
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        page.close()
    assert "was taken for a part of Python" not in (tmp_path / "log").read_text()


@pytest.mark.parametrize("dark", [pytest.param(False, id="light"), pytest.param(True, id="dark")])
def test_the_page_follows_the_appearance_of_the_system(dark: bool, app_server: str, new_page: NewPage) -> None:
    page = new_page(dark=dark)
    page.goto(app_server)
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    paper = "rgb(14, 17, 23)" if dark else "rgb(255, 255, 255)"
    expect(page.locator("[data-testid=stApp]")).to_have_css("background-color", paper)
