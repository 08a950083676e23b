"""Quick presses, the browser's Back, refused numbers, and where focus and sight go after a click: in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.inspect_page import InspectPage

LOOP = "same-test-again"
LIMIT, LONGEST = "Allowed in a row (max)", "Longest pattern (max_cycle_period)"


def step_button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def in_address(**fields: str) -> re.Pattern[str]:
    return re.compile("&".join(f"{name}={value}" for name, value in fields.items()))


def test_every_quick_press_is_one_step(app_server: str, new_page: NewPage) -> None:
    inspect = InspectPage(new_page(), app_server, run=LOOP)
    page, limit = inspect.page, inspect.control(LIMIT)
    limit.press("ArrowUp")
    expect(page).to_have_url(in_address(max="4"))
    inspect.same_when("same tool").click(force=True)
    expect(page).to_have_url(in_address(match="name"))
    inspect.control(LONGEST).press("ArrowUp")
    expect(page).to_have_url(in_address(max="4", max_cycle_period="2", match="name"))
    expect(step_button(page, "Undo")).to_be_enabled()
    for _ in range(3):
        page.keyboard.press("Alt+z")
    expect(step_button(page, "Undo")).to_be_disabled()
    expect(limit).to_have_value("3")
    for _ in range(3):
        page.keyboard.press("Alt+Shift+z")
    expect(step_button(page, "Redo")).to_be_disabled()
    expect(page).to_have_url(in_address(max="4", max_cycle_period="2", match="name"))
    expect(limit).to_have_value("4")


def test_back_leaves_the_page_at_the_first_press(app_server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(app_server)
    page.locator("a[href*='run=']").first.click()
    limit = page.get_by_label(LIMIT, exact=True)
    expect(page).to_have_url(re.compile("run="))
    for value in ("4", "5"):
        limit.press("ArrowUp")
        expect(page).to_have_url(in_address(max=value))
    page.go_back()
    expect(page).to_have_url(re.compile("/runs"))
    expect(page.get_by_role("heading", name="Did the agent go in circles?")).to_be_visible()


def test_numbers_that_are_not_used_give_way_to_what_is_in_force(app_server: str, new_page: NewPage) -> None:
    inspect = InspectPage(new_page(), app_server, run=LOOP)
    limit = inspect.control(LIMIT)
    for typed, why in (("0", "max is 0"), ("9" * 20, "it can be 1,000,000 at most here")):
        limit.fill(typed)
        limit.press("Enter")
        expect(inspect.page.get_by_text(re.compile(f"Not used: .*{why}.*stays in force"))).to_be_visible()
        expect(limit).to_have_value("3")
    limit.fill("")
    limit.press("Enter")
    expect(limit).to_have_value("3")
    limit.fill("5")
    limit.press("Enter")
    expect(inspect.page).to_have_url(in_address(max="5"))


def test_the_focus_stays_where_it_was(app_server: str, new_page: NewPage) -> None:
    inspect = InspectPage(new_page(), app_server, run=LOOP, call=12)
    page = inspect.page
    page.get_by_label("First call of the stretch").fill("2")
    last = page.get_by_label("Last call of the stretch")
    last.fill("9")
    last.press("Enter")
    expect(inspect.section("ask").get_by_role("button", name="Clear")).to_be_visible()
    expect(last).to_be_focused()
    changes = inspect.section("changes")
    changes.locator("tr", has_text="same arguments").get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(in_address(match="name-args"))
    expect(changes.get_by_role("heading", name="What would change it")).to_be_focused()
    inspect.section("call").get_by_role("button", name="Ignore this tool").click()
    inspect.section("tool").get_by_role("button", name="Apply").focus()
    page.keyboard.press("Enter")
    expect(inspect.section("tool")).to_be_hidden()
    expect(inspect.section("call").get_by_role("heading").first).to_be_focused()


def test_a_call_chosen_far_below_comes_into_sight(app_server: str, new_page: NewPage) -> None:
    inspect = InspectPage(new_page(), app_server, run="three-answers", call=18)
    link = inspect.section("answers").locator("button.link").last
    link.focus()
    expect(inspect.section("call").get_by_role("heading").first).not_to_be_in_viewport()
    inspect.page.keyboard.press("Enter")
    expect(inspect.section("call").get_by_role("heading").first).to_be_in_viewport()
    expect(inspect.section("call")).to_contain_text("Call 16")
    expect(link).to_be_focused()
