"""The Help page in a browser: links into it, live examples, a narrow screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage


def opened(page: Page, url: str, anchor: str = "") -> Page:
    page.goto(f"{url}/help{anchor}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")
    return page


def example(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-help-{key}-picture")


def test_a_link_to_a_rule_brings_it_into_sight(app_server: str, new_page: NewPage) -> None:
    page = opened(new_page(), app_server, "#rule-the-count-decides")
    rule = page.locator("#rule-the-count-decides")
    expect(rule).to_contain_text("the largest number of complete copies in a row")
    expect(rule).to_be_in_viewport()
    expect(rule).to_have_class("help-target")
    page.get_by_role("link", name="Thrash", exact=True).first.click()
    expect(page.locator("#thrash")).to_be_in_viewport()
    expect(rule).not_to_be_in_viewport()
    expect(page).to_have_url(f"{app_server}/help#thrash")


def test_a_line_answers_while_it_is_typed_and_a_click_changes_the_verdict(app_server: str, new_page: NewPage) -> None:
    page = opened(new_page(), app_server)
    line = page.locator(".st-key-help-repeat-line").get_by_label("Calls")
    line.fill("A A A A A A")
    shown = example(page, "repeat")
    expect(shown.locator(".lv-sentence")).to_contain_text("6 times in a row; 3 are allowed.")
    shown.get_by_role("button", name="6 allowed").click()
    expect(shown.locator(".lv-badge")).to_have_text("PASS")
    expect(
        page.locator(".st-key-help-repeat-settings").get_by_label("Allowed in a row (max)", exact=True)
    ).to_have_value("6")
    expect(shown.locator(".lv-legend")).to_be_hidden()


def test_the_ladder_shows_words_and_scores(app_server: str, new_page: NewPage) -> None:
    page = opened(new_page(dark=True), app_server)
    box = page.get_by_label("Commands, one a line", exact=True)
    box.fill("ls <b>x</b> y\nls <b>x</b> z")
    box.press("Control+Enter")
    rows = page.locator(".st-key-help-ladder-lines .line")
    expect(rows).to_have_count(2)
    expect(rows.nth(1).locator(".score")).to_have_text("0.50")
    expect(rows.nth(1).locator("code.shared")).to_have_count(2)
    expect(page.locator("b", has_text="x")).to_have_count(0)


@pytest.mark.parametrize("width", [pytest.param(1280, id="wide"), pytest.param(390, id="narrow")])
def test_nothing_sticks_out_at_the_side(width: int, app_server: str, new_page: NewPage) -> None:
    page = opened(new_page(width=width), app_server)
    for key in ("repeat", "outcome", "ladder", "thrash"):
        expect(example(page, key).locator(".lv-badge")).to_be_visible()
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth") <= width
    title, contents = page.get_by_role("heading", level=1), page.get_by_role("navigation", name="On this page")
    places = [part.bounding_box() for part in (title, contents)]
    assert places[0] is not None and places[1] is not None
    assert (places[1]["x"] < places[0]["x"]) == (width == 1280)
