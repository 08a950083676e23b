"""Comparing in a real browser: why one trial passed and another failed, the picture's own keys, two nights."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, StartApp
from tests.ui.vally_trials import trial, write

TOOLS = "run_tests read_file edit_file"


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three nights: in the last one a trial fails that passed before."""
    folder = tmp_path_factory.mktemp("nights")
    for night, words in enumerate((("bcbca", "bcbcab"), ("bcbca", "bcbcab"), ("bcbcabc", "bcbcbaaaaaac"))):
        records = [trial(word, number=number, tools=TOOLS, score=0.9) for number, word in enumerate(words)]
        for record in records:
            record["trajectory"]["id"] += f"-night-{night}"
            _without_numbers(record)
        write(folder / f"night-{night}.jsonl", records)
    return folder


def _without_numbers(record: dict[str, Any]) -> None:
    """Calls of one letter are the same call: their number goes from the arguments; a time stands at each event."""
    night = record["trajectory"]["id"][-1]
    for at, event in enumerate(record["trajectory"]["events"]):
        event["timestamp"] = f"2026-11-0{int(night) + 1}T01:00:{at:02d}.000Z"
        if "arguments" in event["data"]:
            del event["data"]["arguments"]["n"]


class ComparePage:
    """One opened Compare page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def title(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    @property
    def stage(self) -> Locator:
        return self.page.locator(".st-key-compare .stage")

    @property
    def status(self) -> Locator:
        return self.page.locator(".st-key-compare .status")

    def section(self, name: str, key: str = "compare") -> Locator:
        return self.page.locator(f".st-key-{key} section[data-section={name}]")


def test_why_did_this_trial_pass_and_that_one_fail(start_app: StartApp, new_page: NewPage, nights: Path) -> None:
    page = new_page()
    page.goto(start_app(nights / "night-2.jsonl"))
    page.get_by_role("link", name="fix-failing-test, trial 2").first.click()
    page.get_by_role("button", name="Compare with trial 1").click()
    compare = ComparePage(page)
    expect(compare.title).to_have_text("The two trials part at turn 5")
    expect(compare.section("picture")).to_contain_text("Atrial 1✓ pass")
    expect(compare.section("picture")).to_contain_text("Btrial 2✗ FAIL")
    expect(compare.section("middle")).to_contain_text("What each did where they part")
    expect(page).to_have_url(re.compile(r"/compare\?mode=runs&align=name-args&a=.*trial-0.*&b=.*trial-1"))


def test_keys_walk_and_a_link_brings_the_step_back(start_app: StartApp, new_page: NewPage, nights: Path) -> None:
    page = new_page()
    page.goto(start_app(nights / "night-2.jsonl") + "/compare")
    compare = ComparePage(page)
    expect(compare.title).to_have_text("The two trials part at turn 5")
    compare.stage.focus()
    page.keyboard.press("n")
    expect(compare.status).to_have_text("A turn 5 run_tests · B – · only in A")
    page.keyboard.press("End")
    expect(compare.status).to_contain_text("A turn 7 edit_file")
    expect(page).to_have_url(re.compile("step="))
    last = compare.status.inner_text()
    expect(compare.section("middle")).to_contain_text("Step ")
    again = ComparePage(new_page())
    again.page.goto(page.url)
    expect(again.status).to_have_text(last)
    again.page.get_by_role("button", name="Inspect B here").click()
    expect(again.page).to_have_url(re.compile(r"run=fix-failing-test-trial-1-night-2.*call=12"))


def test_a_tool_without_a_row_of_its_own_is_called_by_its_name(
    start_app: StartApp, new_page: NewPage, tmp_path: Path
) -> None:
    trials = [trial("abcdefghijkl", number=0), trial("abcdefghijk", number=1)]
    page = new_page()
    page.goto(start_app(write(tmp_path / "results.jsonl", trials)) + "/compare")
    compare = ComparePage(page)
    compare.stage.focus()
    page.keyboard.press("End")
    expect(compare.status).to_have_text(re.compile(r"^A turn 12 (?!other)\w+ · B – · only in A$"))


def test_the_picture_as_a_table(start_app: StartApp, new_page: NewPage, nights: Path) -> None:
    page = new_page(width=390, dark=True)
    page.goto(start_app(nights / "night-2.jsonl") + "/compare")
    compare = ComparePage(page)
    words = compare.section("words")
    words.get_by_text("The same as a table").click()
    expect(words.get_by_role("row").nth(1)).to_contain_text("turns 1–4: read_file, edit_file")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_two_settings_turn_the_verdict(start_app: StartApp, new_page: NewPage, nights: Path) -> None:
    page = new_page()
    page.goto(start_app(nights / "night-2.jsonl") + "/compare")
    page.get_by_text("two settings", exact=True).click()
    compare = ComparePage(page)
    expect(compare.title).to_have_text(re.compile("under both settings|under A and"))
    field = page.get_by_role("spinbutton", name="B: allowed in a row (max)")
    field.fill("9")
    field.press("Enter")
    expect(page).to_have_url(re.compile("b_max=9"))


def test_last_night_against_tonight(start_app: StartApp, new_page: NewPage, nights: Path) -> None:
    page = new_page()
    page.goto(start_app(nights) + "/compare?mode=sets")
    compare = ComparePage(page)
    expect(compare.title).to_have_text("1 trial newly fails in B")
    sets = compare.section("sets", "compare-sets")
    expect(sets.locator("svg.trend")).to_have_attribute("aria-label", re.compile("night-2.jsonl, 3 Nov: 1 of 2 fail"))
    sets.get_by_role("button", name="Compare both runs of fix-failing-test, trial 2").click()
    expect(compare.title).to_have_text(re.compile("The two trials part at turn 5"))
