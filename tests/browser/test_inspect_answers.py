"""Inspect's three answers, what was seen before, the other trials, and what the guards' controls say, in a browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.inspect_page import InspectPage


def test_three_questions_have_three_answers_and_a_place_to_click(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run="three-answers")
    answers = page.section("answers")
    expect(answers.locator(".answer h3")).to_have_text(["Yes, 4 in a row", "Yes, level 2 of 3", "Yes, at call 6"])
    expect(answers.locator(".parting")).to_contain_text("They first part at call 6. Identical arguments, different")
    expect(answers.locator(".parting")).to_contain_text("In calls 16–27 it is the other way round")
    expect(answers).to_contain_text("Before it began")
    answers.locator(".parting").get_by_role("button", name="calls 8–13").click()
    expect(page.status).to_contain_text("Call 8")
    page.click_call(9)
    expect(page.status).to_contain_text("0.83 like call 8, the first of this stretch; 0.75 needed")
    expect(page.section("call")).to_contain_text("Before it began")


def test_a_control_says_where_it_changes_nothing_and_follows_its_change(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run="three-answers")
    page.page.get_by_role("button", name="Guards").click()
    settings = page.page.locator(".st-key-guard-settings")
    expect(settings).to_contain_text("No pair here lies below 0.833: up to there nothing changes.")
    similarity = settings.get_by_role("spinbutton", name="Similar from (similarity)")
    similarity.fill("0.9")
    similarity.press("Enter")
    expect(settings).to_contain_text("No pair here lies between 0.834 and 1.00: in between nothing changes.")
    expect(page.section("answers").locator(".answer h3").nth(1)).to_have_text("Yes, level 1 of 3")


def test_seen_before_shows_what_no_detector_counts(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run="something-in-between")
    expect(page.section("answers").locator(".answer h3")).to_have_text(["No", "No", "No"])
    expect(page.section("answers").locator(".parting")).to_contain_text("But 9 of 22 calls repeat an earlier one")
    seen = page.section("seen")
    expect(seen.get_by_role("img", name="13 distinct of 22")).to_be_visible()
    expect(seen).to_contain_text("never twice in a row")
    seen.get_by_role("button", name="call 5").click()
    expect(page.status).to_contain_text("Call 5")


def test_the_other_trials_are_a_click_away_and_follow_the_settings(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run="fix-rounding-trial-2")
    trials = page.section("trials")
    expect(trials.get_by_role("heading")).to_contain_text("times in a row: 1 2 3; this one 6")
    expect(trials.locator("[aria-current]")).to_have_text(re.compile("trial 3 · this one.*✕ over · trial failed"))
    trials.get_by_role("button", name=re.compile("^trial 4")).click()
    expect(trials.locator("[aria-current]")).to_have_text(re.compile("trial 4 · this one.*at the limit · trial passed"))
    expect(page.badge).to_have_text("PASS")
    expect(page.page).to_have_url(re.compile("run=fix-rounding-trial-3"))
    limit = page.control("Allowed in a row (max)")
    limit.fill("2")
    limit.press("Enter")
    expect(trials.locator("[aria-current]")).to_contain_text("✕ over")


def test_a_run_that_is_alone_shows_no_trials(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(width=390), app_server, run="honest-waiting")
    expect(page.section("answers")).to_contain_text("The run's recorded outcome is good all the same.")
    expect(page.section("trials")).to_be_hidden()
