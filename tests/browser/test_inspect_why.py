"""Inspect in a real browser: what a call is set against, why it counts or not, and near-repeats."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.inspect_page import InspectPage


def test_a_call_is_set_against_the_near_repeat_before_it(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run="read-edit-test", call=14)
    call = page.section("call")
    expect(call.get_by_role("heading", name="Against call 11, the near-repeat before it")).to_be_visible()
    expect(call).to_contain_text("Arguments differ in 2 of 3 fields")
    expect(call).to_contain_text("So it counts as the same output, and would not as the same arguments.")
    expect(call.locator(".diff .removed").first).to_contain_text("····lines.append")
    expect(call.locator(".diff .added mark").first).to_have_text("····")
    expect(call.get_by_role("heading", name="Why here")).to_be_visible()
    expect(call).to_contain_text("The next step (call 23, bash) is different and ends the pattern.")


def test_another_call_can_be_chosen_to_compare_with(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run="clock-in-output", call=16)
    call = page.section("call")
    expect(call.get_by_role("heading", name="Against call 13, the near-repeat before it")).to_be_visible()
    other = call.get_by_role("button", name="call 15, the call before it of this tool")
    other.click()
    expect(call.get_by_role("heading", name="Against call 15, the call before it of this tool")).to_be_visible()
    expect(other).to_have_attribute("aria-pressed", "true")
    page.click_call(9)
    expect(call.get_by_role("heading", name="Against call 9, the near-repeat before it")).to_be_visible()


@pytest.mark.parametrize(
    ("run", "tells"),
    [
        ("clock-in-output", ["bash", "9", "equal but for 1 number", "same arguments"]),
        ("request-id", ["search_docs", "8", "only request_id differs", "same output"]),
        ("something-in-between", ["run_tests", "9", "never two", "same output · same arguments"]),
        ("three-answers", ["bash", "6", "only command differs in 1 word", "same tool only"]),
    ],
)
def test_near_repeats_teach_the_lesson_of_a_sample(
    run: str, tells: list[str], app_server: str, new_page: NewPage
) -> None:
    page = InspectPage(new_page(), app_server, run=run)
    row = page.section("near").locator("tbody tr").first
    for words in tells:
        expect(row).to_contain_text(words)
    row.press("Enter")
    expect(page.section("call").get_by_role("heading", name=re.compile("^Against call"))).to_be_visible()


def test_a_quiet_run_has_no_near_repeats(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run="healthy-fix")
    expect(page.section("cycles")).to_be_visible()
    expect(page.section("near")).to_be_hidden()


def test_unwatched_calls_that_join_copies_are_named(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run="plan-left-out", call=5)
    expect(page.section("call")).to_contain_text(
        "3 calls in between are not watched (calls 4, 6, 8: update_plan), so they do not keep the copies apart."
    )
    page.click_call(5)
    expect(page.section("call")).to_contain_text("Calls 5 and 7 are neighbours for the grader")


def test_the_cycles_say_what_ended_them(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run="empty-in-between")
    expect(page.section("cycles")).to_contain_text("empty output at call 7")
    page.page.goto(f"{app_server}/?run=read-edit-test")
    row = page.section("cycles").locator("tbody tr").first
    expect(row).to_contain_text("different step: call 23, bash")
    expect(row).to_have_attribute("title", "The next step (call 23, bash) is different and ends the pattern.")
