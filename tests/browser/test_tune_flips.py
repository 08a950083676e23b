"""The table of flips: every column sorts, by click and by key, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import NewPage, StartApp
from tests.browser.test_tune import TunePage
from tests.browser.tune_runs import folder_of_runs

CANDIDATE = "?max=4&max_cycle_period=3&match=name-args"


@pytest.fixture
def tune(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> TunePage:
    return TunePage(new_page(), start_app(folder_of_runs(tmp_path / "nightly")), CANDIDATE)


def column(flips: Locator, name: str) -> list[str]:
    heads = flips.locator("thead tr").last.locator("th").all_inner_texts()
    place = [head.rstrip(" ↑↓") for head in heads].index(name)
    return [row.locator("td").nth(place).inner_text() for row in flips.locator("tbody tr").all()]


def test_a_column_sorts_by_click_and_by_key(tune: TunePage) -> None:
    flips = tune.section("flips")
    head = flips.locator("th[aria-sort]", has_text="Call")
    before = column(flips, "Call")
    expect(head).to_have_attribute("aria-sort", "none")
    expect(flips).to_contain_text("labelled first.")

    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(flips).to_contain_text("sorted as marked.")
    ascending = [int(value.replace(",", "")) for value in column(flips, "Call")]
    assert ascending == sorted(ascending)

    button = flips.get_by_role("button", name="Sort by First over the limit, Call")
    expect(button).to_be_focused()
    tune.page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    descending = [int(value.replace(",", "")) for value in column(flips, "Call")]
    assert descending == sorted(descending, reverse=True) and descending[0] >= ascending[-1]

    expect(button).to_be_focused()
    tune.page.keyboard.press("Space")
    expect(head).to_have_attribute("aria-sort", "none")
    expect(flips).to_contain_text("labelled first.")
    assert column(flips, "Call") == before


def test_only_one_column_is_marked(tune: TunePage) -> None:
    flips = tune.section("flips")
    for name in ("Trial", "Current"):
        flips.locator("th[aria-sort]", has_text=name).get_by_role("button").click()
        expect(flips.locator("th[aria-sort$=cending]")).to_have_count(1)
        expect(flips.locator("th[aria-sort$=cending]")).to_contain_text(name)
