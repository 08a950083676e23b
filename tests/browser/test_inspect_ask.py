"""Asking about a stretch in a real browser: by dragging, by keys, by the form; and what its answer does."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.inspect_page import InspectPage

LOOP = "same-test-again"
CLOCK = "clock-in-output"


def drag(page: InspectPage, first: int, last: int) -> None:
    """Drag over calls of the timeline, counted from 0."""
    start, end = (place(page, call) for call in (first, last))
    page.page.mouse.move(*start)
    page.page.mouse.down()
    page.page.mouse.move(*end, steps=5)
    page.page.mouse.up()


def place(page: InspectPage, call: int) -> tuple[float, float]:
    page.page.locator(".lv-stage").scroll_into_view_if_needed()
    x = page.timeline.evaluate("(root, call) => root.loopviz.x(call)", call)
    box = page.page.locator(".lv-over").bounding_box()
    assert box
    return box["x"] + x, box["y"] + page.state()["lanes"]["steps"]


def ask(page: InspectPage, first: int, last: int) -> Locator:
    """Ask by the form, in calls from 1."""
    page.control("First call of the stretch").fill(str(first))
    page.control("Last call of the stretch").fill(str(last))
    page.control("Last call of the stretch").press("Enter")
    section = page.section("ask")
    expect(section.get_by_role("heading", level=2)).to_contain_text(f"About calls {first}–{last}")
    return section


def stretch_is(page: Page, stretch: dict[str, int] | None) -> None:
    """Wait until the timeline marks these calls, from 0."""
    page.wait_for_function(
        """wanted => {
          const find = (root) => root.querySelector(".loopviz") ?? [...root.querySelectorAll("*")]
            .reduce((found, node) => found ?? (node.shadowRoot && find(node.shadowRoot)), null);
          return JSON.stringify(find(document)?.loopviz?.state().stretch) === JSON.stringify(wanted);
        }""",
        arg=stretch,
    )


def test_a_drag_asks_hover_goes_on_and_escape_clears(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(height=1000), app_server, run=CLOCK, max=3)
    drag(page, 4, 11)
    section, card = page.section("ask"), page.page.locator(".lv-answer")
    expect(section).to_contain_text("About calls 5–12")
    expect(section).to_contain_text("Its 8 counted steps all differ: no two gave the same output.")
    expect(card).to_contain_text("but the outputs differ, first between call 5 and call 6")
    page.page.mouse.move(*place(page, 2))
    expect(page.page.locator(".lv-card")).to_contain_text("Call 3")
    page.page.keyboard.press("Escape")
    expect(section.get_by_role("heading")).to_have_count(0)
    expect(card).to_be_hidden()


def test_keys_mark_and_ask(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP, call=10)
    expect(page.status).to_contain_text("Call 10")
    page.page.locator(".lv-stage").focus()
    for _ in range(3):
        page.page.keyboard.press("Shift+ArrowRight")
    expect(page.section("ask")).to_contain_text("About calls 10–13")
    expect(page.section("ask")).to_contain_text("Counts.")


def test_the_form_marks_and_the_nearest_setting_is_applied(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=CLOCK, max=3)
    section = ask(page, 5, 12)
    stretch_is(page.page, {"first": 4, "last": 11})
    expect(section).to_contain_text("Does not count.")
    section.get_by_role("button", name="Apply").first.click()
    expect(page.badge).to_have_text("FAIL")
    expect(page.same_when("same arguments")).to_be_checked()
    expect(section).to_contain_text("Counts.")
    page.control("Allowed in a row (max)").fill("20")
    page.control("Allowed in a row (max)").press("Enter")
    expect(section).to_contain_text("9 times in a row (calls 5–13); 20 are allowed.")
    stretch_is(page.page, {"first": 4, "last": 11})
    section.get_by_role("button", name="Clear").click()
    stretch_is(page.page, None)
    expect(section.get_by_role("heading")).to_have_count(0)


def test_the_setting_on_the_card_is_applied(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=CLOCK, max=3)
    ask(page, 5, 12)
    page.page.locator(".lv-answer").get_by_role("button", name="same arguments").click()
    expect(page.badge).to_have_text("FAIL")
    expect(page.section("ask")).to_contain_text("Counts.")


def test_another_run_clears_it(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    section = ask(page, 10, 16)
    page.page.get_by_role("button", name="Next →").click()
    expect(section.get_by_role("heading")).to_have_count(0)
    stretch_is(page.page, None)


def test_the_other_runs_are_looked_at_on_demand_and_open_under_those_settings(
    app_server: str, new_page: NewPage
) -> None:
    page = InspectPage(new_page(), app_server, run=CLOCK, max=3)
    section = ask(page, 5, 12)
    expect(section).not_to_contain_text("newly")
    section.get_by_role("button", name=re.compile(r"^Look at the other \d+ runs$")).click()
    expect(section).to_contain_text(re.compile(r"In the other \d+ judged runs"))
    link = section.get_by_role("link").first
    expect(link).to_have_attribute("href", re.compile("match=name-args"))
    link.click()
    expect(page.same_when("same arguments")).to_be_checked()
    expect(section.get_by_role("heading")).to_have_count(0)
    expect(page.page).not_to_have_url(re.compile(f"run={CLOCK}"))


def test_nothing_scrolls_sideways_on_a_narrow_screen(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(width=390, dark=True), app_server, run="plan-left-out", max=3)
    ask(page, 3, 14)
    expect(page.section("ask").get_by_role("button", name="Apply")).not_to_have_count(0)
    sizes: Any = page.page.locator("[data-testid=stMain]").evaluate("node => node.scrollWidth - node.clientWidth")
    assert sizes <= 0
