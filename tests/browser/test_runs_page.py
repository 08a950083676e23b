"""The Runs page in a real browser: open, look, filter, search, sort, and go to the run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, StartApp
from tests.ui.vally_trials import trial, without_trajectory, write

HOSTILE = "**x** ![i](http://evil.invalid/x.png) <img src=http://evil.invalid/y.png>"
MIXED = [
    trial("caaaaad", stimulus="loops", number=0, said=True, score=0.8, tools="npm_test"),
    trial("caad", stimulus="loops", number=1, said=True, text="needle"),
    trial("abcdefg", stimulus="quiet", said=True),
    without_trajectory(graders=({"max": 3},)),
]
TITLE = "1 of 4 trials fails max-repeat"


@pytest.fixture(scope="module")
def mixed(start_app: StartApp, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The app on a few trials, and on a file that is none."""
    folder = tmp_path_factory.mktemp("runs")
    stranger = folder / "page.html"
    stranger.write_text("<html>", "utf-8")
    return start_app(write(folder / "results.jsonl", MIXED), stranger)


@pytest.fixture(scope="module")
def hostile(start_app: StartApp, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The app on a trial whose every name is written to be taken for markup."""
    folder = tmp_path_factory.mktemp("hostile")
    records = [
        trial("aaaaaab", stimulus=HOSTILE, model=HOSTILE, status=HOSTILE, said=True, tools=HOSTILE.replace(" ", "_")),
        trial("ab", stimulus="مرحبا 🔁 " * 9, number=1),
        trial("aaab", stimulus="x" * 200, number=2, tools="y" * 200),
    ]
    stranger = folder / "![x](http:evil.invalid) <img src=x>.html"
    stranger.write_text("<html>", "utf-8")
    return start_app(write(folder / "results.jsonl", records), stranger)


def open_runs(page: Page, url: str, title: str = TITLE) -> Locator:
    """Open the page; the rows of its table."""
    page.goto(url)
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    rows = page.get_by_role("region", name="Runs").locator("tbody tr")
    expect(rows.first).to_be_visible()
    return rows


def names(rows: Locator) -> list[str]:
    return rows.locator("th").all_inner_texts()


def fits(page: Page) -> bool:
    """Whether the page can be read without scrolling sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_the_finding_stands_above_the_fold(mixed: str, new_page: NewPage) -> None:
    page = new_page()
    rows = open_runs(page, mixed)
    finding = page.locator(".finding")
    expect(finding).to_have_count(1)
    expect(finding).to_contain_text("loops, trial 1")
    expect(finding).to_contain_text("npm_test gave the same output 5 times in a row; 3 are allowed.")
    expect(finding).to_contain_text("≠ Vally said PASS")
    box = finding.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 720
    assert names(rows) == ["loops", "update-dependency", "loops", "quiet"]
    expect(rows.first).to_contain_text("✗ FAIL")


def test_a_place_in_the_list_opens_the_run_at_its_call(mixed: str, new_page: NewPage) -> None:
    page = new_page()
    open_runs(page, mixed)
    page.get_by_role("link", name="turn 5 (call 5)").click()
    expect(page.locator(".lv-badge")).to_have_text("FAIL")
    expect(page.locator(".lv-status")).to_contain_text("Call 5")


@pytest.mark.parametrize("way", ["a click on a cell", "the keyboard"])
def test_a_row_opens_its_run(way: str, mixed: str, new_page: NewPage) -> None:
    page = new_page()
    rows = open_runs(page, mixed)
    if way == "the keyboard":
        rows.nth(3).get_by_role("link").focus()
        page.keyboard.press("Enter")
    else:
        rows.nth(3).locator("td").nth(5).click()
    expect(page.locator(".lv-badge")).to_have_text("PASS")
    expect(page.locator(".lv-sentence")).to_contain_text("At most 1 in a row")


def test_a_row_is_a_link_that_another_tab_can_open(mixed: str, new_page: NewPage) -> None:
    page = new_page()
    rows = open_runs(page, mixed)
    address = rows.nth(0).get_by_role("link").evaluate("link => link.href")
    other = new_page()
    other.goto(address)
    expect(other.locator(".lv-sentence")).to_contain_text("npm_test gave the same output 5 times in a row")


def test_a_mark_of_the_chart_opens_its_run(mixed: str, new_page: NewPage) -> None:
    page = new_page()
    open_runs(page, mixed)
    marks = page.locator(".st-key-runs-chart path.point")
    expect(marks).to_have_count(4)
    box = marks.last.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".hoverlayer")).to_contain_text("loops, trial 1: 5 in a row")
    page.mouse.down()
    page.mouse.up()
    expect(page.locator(".lv-badge")).to_have_text("FAIL")


def test_counts_search_and_headings_decide_what_the_table_shows(mixed: str, new_page: NewPage) -> None:
    page = new_page()
    rows = open_runs(page, mixed)
    page.get_by_role("radio", name="– not judged 1").click()
    expect(rows).to_have_count(1)
    page.get_by_role("radio", name="all 4").click()
    expect(rows).to_have_count(4)
    page.get_by_label("Search").fill("needle")
    expect(page.get_by_text("No trial fits.")).to_be_visible()
    page.get_by_text("and inside texts").click()
    expect(rows).to_have_count(1)
    page.get_by_label("Search").fill("")
    expect(rows).to_have_count(4)
    heading = page.get_by_role("columnheader", name="Stimulus")
    for direction, first in (("ascending", "loops"), ("descending", "update-dependency"), ("none", "loops")):
        heading.get_by_role("button").click()
        expect(heading).to_have_attribute("aria-sort", direction)
        expect(rows.first.locator("th")).to_have_text(first)


def test_settings_for_all_act_at_once_and_go_along_to_the_run(mixed: str, new_page: NewPage) -> None:
    page = new_page()
    rows = open_runs(page, mixed)
    page.get_by_role("radio", name="one for all").click()
    limit = page.get_by_label("Allowed in a row (max)", exact=True)
    limit.fill("1")
    limit.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("2 of 4 trials fail max-repeat")
    expect(page).to_have_url(re.compile("max=1"))
    rows.nth(1).get_by_role("link").click()
    expect(page.locator(".lv-sentence")).to_contain_text("2 times in a row; 1 is allowed")
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_role("radio", name="as recorded, per run").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)


def test_what_could_not_be_read_stands_in_a_list_of_its_own(mixed: str, new_page: NewPage) -> None:
    page = new_page()
    open_runs(page, mixed)
    listed = page.locator("details", has_text="1 file could not be read")
    expect(listed).to_contain_text("page.html")
    expect(listed).to_contain_text("it looks like an HTML page")


@pytest.mark.parametrize(("width", "dark"), [(390, False), (768, True), (1280, True), (1920, False)])
def test_no_width_needs_sideways_scrolling(width: int, dark: bool, mixed: str, hostile: str, new_page: NewPage) -> None:
    for url, title in ((mixed, TITLE), (hostile, "1 of 3 trials fails max-repeat")):
        page = new_page(width=width, dark=dark)
        rows = open_runs(page, url, title)
        assert fits(page)
        box = rows.first.locator(".is-verdict .badge").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width


def test_names_stay_text(hostile: str, new_page: NewPage) -> None:
    page = new_page()
    rows = open_runs(page, hostile, "1 of 3 trials fails max-repeat")
    expect(page.locator(".finding .title").first).to_have_text(f"{HOSTILE}, trial 1")
    expect(page.locator(".finding code").first).to_have_text(HOSTILE.replace(" ", "_"))
    expect(rows.first.locator("th")).to_have_text(HOSTILE)
    expect(page.locator(".st-key-runs-chart .ytick").first).to_have_text("**x** ![i](http://evil.…")
    page.get_by_role("button", name="More filters").click()
    page.get_by_role("combobox", name="Stimulus").click()
    expect(page.get_by_role("option", name=HOSTILE)).to_be_visible()
    page.get_by_role("option", name=HOSTILE).click()
    expect(rows).to_have_count(1)
    expect(page.locator("img[src*=evil]")).to_have_count(0)


def test_a_file_dropped_on_the_first_page_is_opened(app_server: str, new_page: NewPage, tmp_path: Path) -> None:
    page = new_page()
    page.goto(app_server)
    expect(page.get_by_role("heading", level=1)).to_have_text("Did the agent go in circles?")
    page.locator("input[type=file]:not([webkitdirectory])").set_input_files(write(tmp_path / "dropped.jsonl", MIXED))
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)


@pytest.mark.parametrize(("width", "dark"), [(390, True), (1280, False)])
def test_the_first_page_shows_samples_already_judged(
    width: int, dark: bool, app_server: str, new_page: NewPage
) -> None:
    page = new_page(width=width, dark=dark)
    page.goto(app_server)
    card = page.get_by_role("article").first
    expect(card).to_contain_text("✗ FAIL")
    expect(card).to_contain_text("7 in a row, 3 allowed")
    expect(card.locator("svg")).to_be_visible()
    assert fits(page)
    card.get_by_role("link").click()
    expect(page.locator(".lv-badge")).to_have_text("FAIL")


def test_a_sample_of_many_runs_opens_its_own_table_and_goes_back(app_server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(app_server)
    page.get_by_role("article").filter(has_text="A whole night of trials").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("3 of 17 trials fail max-repeat")
    page.get_by_role("button", name="All samples").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Did the agent go in circles?")
