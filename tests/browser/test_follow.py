"""The switch *Follow* on Inspect, in a real browser: a session that grows, is cut, and is left while it grows."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, StartApp
from tests.browser.inspect_page import InspectPage
from tests.readers import claude_by_hand as claude


def add(path: Path, *numbers: int, command: str = "make test") -> None:
    """Write calls of these numbers, each with its result."""
    lines = [
        line
        for number in numbers
        for line in (
            claude.said(f"m{number}", claude.use(f"c{number}", "Bash", {"command": command})),
            claude.answered(f"c{number}", "1 failed"),
        )
    ]
    with path.open("ab") as file:
        file.write(claude.lines(*lines))


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    add(path, 0, 1)
    return path


def line(page: Page) -> Locator:
    """What is said beside the switch."""
    return page.locator(".st-key-follow-line .look")


def turn(page: Page) -> None:
    page.locator(".st-key-follow-on label").first.click()


def test_new_calls_come_and_the_moment_of_a_level_is_told(
    session: Path, start_app: StartApp, new_page: NewPage
) -> None:
    view = InspectPage(new_page(), start_app(session), run="s1", max=3)
    page = view.page
    expect(view.badge).to_contain_text("PASS")
    turn(page)
    expect(line(page)).to_have_text("session.jsonl 2 calls")
    add(session, 2)
    expect(line(page).get_by_role("status")).to_contain_text("Ladder: level 1 (replan) fired at turn 3 (call 3)")
    expect(line(page)).to_contain_text("Thrash: would stop at turn 3 (call 3)")
    view.click_call(1)
    expect(page.get_by_text("Call 2 ·").first).to_be_visible()
    add(session, 3)
    expect(view.badge).to_contain_text("FAIL")
    expect(view.sentence).to_contain_text("4 times in a row")
    expect(line(page)).to_contain_text("FAIL over the limit at turn 4 (call 4)")
    assert view.state()["selected"] == 1
    expect(page.get_by_text("changed on disk")).to_have_count(0)
    turn(page)
    expect(line(page)).to_have_count(0)
    add(session, 4)
    expect(view.sentence).to_contain_text("4 times in a row")


def test_the_zoom_stays_where_it_is(session: Path, start_app: StartApp, new_page: NewPage) -> None:
    add(session, *range(2, 60))
    view = InspectPage(new_page(), start_app(session), run="s1", **{"from": 10, "to": 20})
    before = view.state()["view"]
    turn(view.page)
    expect(line(view.page)).to_have_text("session.jsonl 60 calls")
    add(session, 60)
    expect(line(view.page)).to_contain_text("61 calls, 1 new")
    assert view.state()["view"] == before


def test_a_file_that_is_cut_is_read_again(session: Path, start_app: StartApp, new_page: NewPage) -> None:
    view = InspectPage(new_page(width=390, dark=True), start_app(session), run="s1")
    turn(view.page)
    expect(line(view.page)).to_have_text("session.jsonl 2 calls")
    session.write_bytes(b"")
    add(session, 7)
    expect(line(view.page)).to_contain_text("The file was cut; it was read from its beginning.")
    expect(line(view.page)).to_contain_text("1 call")


def test_a_file_that_goes_and_comes_again_is_told_anew(session: Path, start_app: StartApp, new_page: NewPage) -> None:
    add(session, 2, 3)
    view = InspectPage(new_page(), start_app(session), run="s1", max=3)
    turn(view.page)
    expect(line(view.page)).to_have_text("session.jsonl 4 calls")
    add(session, 4)
    expect(line(view.page)).to_contain_text("Ladder: level 2 (explore) fired at turn 5 (call 5)")
    session.unlink()
    expect(line(view.page)).to_contain_text("the file is gone")
    add(session, 7, 8, 9)
    expect(line(view.page)).to_contain_text("session.jsonl 3 calls")
    expect(line(view.page)).not_to_contain_text("is gone")
    expect(line(view.page)).to_contain_text("Thrash: would stop at turn 3 (call 3)")
    expect(line(view.page)).to_contain_text("it was read from its beginning")
    expect(line(view.page)).not_to_contain_text("call 5")


def test_no_other_page_stays_blank(session: Path, start_app: StartApp, new_page: NewPage) -> None:
    view = InspectPage(new_page(), start_app(session), run="s1")
    page = view.page
    turn(page)
    for number, name in enumerate(("Runs", "Help", "Tune", "Runs", "Help")):
        expect(line(page)).to_be_visible()
        add(session, 100 + number)
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.locator("h1").first).to_be_visible()
        page.get_by_role("link", name="Inspect", exact=True).click()
        expect(line(page)).to_contain_text(f"{3 + number} calls")
