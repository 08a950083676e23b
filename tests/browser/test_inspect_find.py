"""Finding one's way on Inspect in a real browser: the box "Go to", hits from call to call, links that still open."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, StartApp
from tests.browser.inspect_page import InspectPage
from tests.ui.vally_trials import trial, write

OF_THREE = "read-edit-test"
LOOPS = "loops-trial-0"
HOSTILE = '<img src="http://198.51.100.7/x.png"> **b**'


class Finding(InspectPage):
    """Inspect with the box "Go to"."""

    @property
    def box(self) -> Locator:
        return self.page.get_by_label("Go to", exact=True)

    @property
    def said(self) -> Locator:
        """The lines above the verdict."""
        return self.page.locator(".st-key-said .lines")

    @property
    def found(self) -> Locator:
        return self.section("found")

    def go(self, words: str) -> None:
        self.box.fill(words)
        self.box.press("Enter")


def trials_of(folder: Path, *steps: str, tools: str = "read edit plan", text: str = "needle") -> Path:
    records = [
        trial(
            letters, stimulus="loops", number=number, graders=({"max": 3, "tools": ["^read$"]},), tools=tools, text=text
        )
        for number, letters in enumerate(steps)
    ]
    return write(folder / "results.jsonl", records)


def test_a_place_is_gone_to_and_the_reading_said(app_server: str, new_page: NewPage) -> None:
    page = Finding(new_page(), app_server, run=OF_THREE)
    page.go("12")
    expect(page.said).to_have_text("Read as call 12. Also: turn 12, counted step 12, text.")
    expect(page.status).to_contain_text("Call 12")
    expect(page.section("call")).to_contain_text("Call 12")
    page.said.get_by_role("button", name="turn 12").click()
    expect(page.status).to_contain_text("Call 13 · turn 12")
    expect(page.box).to_have_value("turn 12")
    page.go("99")
    expect(page.said).to_contain_text("There is no call 99: this run has 27.")
    expect(page.status).to_contain_text("Call 13")
    page.go("call_009")
    expect(page.said).to_contain_text("Read as call id: call 9.")
    page.go("7-12")
    expect(page.status).to_contain_text("Calls 7–12 marked")
    page.page.get_by_role("button", name="Put away").click()
    expect(page.said).to_be_hidden()


def test_a_call_out_of_sight_is_brought_into_view(app_server: str, new_page: NewPage) -> None:
    page = Finding(new_page(), app_server, run="long-afternoon")
    page.page.locator(".lv-stage").hover(position={"x": 200, "y": 60})
    for _ in range(6):
        page.page.mouse.wheel(0, -240)
    page.page.wait_for_function("document.querySelector('.st-key-timeline') && true")
    last = page.timeline.evaluate("root => root.loopviz.state().view.last")
    page.go(str(last + 20))
    expect(page.status).to_contain_text(f"Call {last + 20}")
    view = page.state()["view"]
    assert view["first"] <= last + 19 <= view["last"]


def test_a_text_is_found_call_by_call(app_server: str, new_page: NewPage) -> None:
    page = Finding(new_page(), app_server, run=OF_THREE)
    page.go("RUN_tests")
    expect(page.said).to_contain_text("“RUN_tests” stands in 7 places: 7 of 27 calls.")
    expect(page.status).to_contain_text("Call 4")
    expect(page.status).to_contain_text("hit 1 of 7")
    assert page.state()["hits"] == [3, 8, 11, 14, 17, 20, 24]
    expect(page.found.locator("mark").first).to_have_text("run_tests")
    for key, hit in (("Enter", 2), ("Enter", 3), ("Shift+Enter", 2)):
        page.box.press(key)
        expect(page.status).to_contain_text(f"hit {hit} of 7")
    page.page.locator(".lv-stage").focus()
    for key, words in (("F", "hit 1 of 7"), ("F", "hit 7 of 7, went on from the last"), ("f", "hit 1 of 7, went on")):
        page.page.keyboard.press(key)
        expect(page.status).to_contain_text(words)
    expect(page.found).to_contain_text("call 1 of 7 with a hit")
    page.found.get_by_role("button", name="← Previous hit").click()
    expect(page.found).to_contain_text("That was the first hit; went on from the last.")
    page.found.locator(".found-row").nth(2).click()
    expect(page.section("call")).to_contain_text("Call 12")
    page.found.get_by_role("button", name="Clear").click()
    expect(page.found).to_be_hidden()
    expect(page.box).to_have_value("")
    assert page.state()["hits"] == []


def test_the_words_stay_when_the_run_changes_and_the_address_keeps_up(app_server: str, new_page: NewPage) -> None:
    page = Finding(new_page(), app_server, run=OF_THREE)
    page.go("edit")
    expect(page.found).to_be_visible()
    expect(page.page).to_have_url(re.compile(r"call=\d+.*&find=edit$"))
    page.page.get_by_role("button", name="Next →", exact=True).click()
    expect(page.page).to_have_url(re.compile("run=two-searches[^&]*&find=edit$"))
    expect(page.box).to_have_value("edit")
    expect(page.said).to_contain_text("“edit” stands")
    second = new_page()
    second.goto(page.page.url)
    expect(second.get_by_label("Go to", exact=True)).to_have_value("edit")


def test_a_pattern_is_searched_refused_or_stopped(start_app: StartApp, tmp_path: Path, new_page: NewPage) -> None:
    url = start_app(trials_of(tmp_path, "aab", text="a" * 40 + "!"))
    page = Finding(new_page(), url, run=LOOPS)
    page.page.get_by_role("button", name="Pattern", exact=True).click()
    page.go("a{40}!")
    expect(page.said).to_contain_text("Read as pattern.")
    page.go("(")
    expect(page.said).to_contain_text("Not searched: the pattern '(' is refused")
    page.go("(a+)+$")
    expect(page.said).to_contain_text("must finish within 1 second")
    expect(page.badge).to_be_visible()


def test_texts_of_the_run_are_unfolded_and_stay_text(start_app: StartApp, tmp_path: Path, new_page: NewPage) -> None:
    page = Finding(new_page(), start_app(trials_of(tmp_path, "aab", text=HOSTILE)), run=LOOPS)
    page.go('"http://')
    expect(page.found.locator("mark").first).to_have_text('"http://')
    assert page.page.locator("[data-testid=stMain] img").count() == 0
    page.go(HOSTILE)
    expect(page.said).to_contain_text(HOSTILE)
    page.go("Do loops")
    page.found.locator(".found-row", has_text="prompt").click()
    expect(page.page.locator("details[data-fold=Prompt]")).to_have_attribute("open", "")


def opened(page: Page, url: str, query: str) -> Finding:
    return Finding(page, f"{url}/?{query}")


def test_a_link_to_what_is_not_watched_or_has_changed_still_opens(
    start_app: StartApp, tmp_path: Path, new_page: NewPage
) -> None:
    url = start_app(trials_of(tmp_path, "abcab", "ab"))
    first = opened(new_page(), url, f"run={LOOPS}&call=3")
    expect(first.said).to_contain_text("Call 3, plan, is not watched by these settings")
    expect(first.section("call")).to_contain_text("Call 3")
    first.said.get_by_role("button", name="watch this tool too").click()
    expect(first.control("Watched tools (tools)")).to_have_value("^read$ ^plan$")
    expect(first.said).to_be_hidden()
    expect(first.page).to_have_url(re.compile("call=3.*content="))
    query = first.page.url.partition("?")[2]

    trials_of(tmp_path, "babcab", "ab")
    moved = opened(new_page(), url, query)
    expect(moved.said).to_contain_text("The run has changed since this link was made.")
    expect(moved.status).to_contain_text("Call ")
    trials_of(tmp_path, "a", "ab")
    gone = opened(new_page(), url, query)
    expect(gone.said).to_contain_text("The link names call 3; this run has 1.")
    missing = opened(new_page(), url, "run=nowhere.01234567&call=3")
    expect(missing.said).to_contain_text("The link names the run nowhere, which is not among the open files.")
    missing.said.get_by_role("button", name="All runs").click()
    expect(missing.page.get_by_role("region", name="Runs")).to_be_visible()


def test_the_address_is_copied_and_a_record_saved(app_server: str, new_page: NewPage) -> None:
    page = Finding(new_page(), app_server, run=OF_THREE, call=12)
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.section("call").get_by_role("button", name="Copy link").click()
    expect(page.section("call").get_by_role("button", name="Copied")).to_be_visible()
    copied = page.page.evaluate("navigator.clipboard.readText()")
    again = Finding(new_page(), copied)
    expect(again.status).to_contain_text("Call 12")
    fold = page.section("call").locator("details[data-fold='Raw result']")
    fold.locator("summary").click()
    with page.page.expect_download() as download:
        fold.get_by_role("button", name="Save as a file").click()
    assert download.value.suggested_filename == "read-edit-test-call-12-result.json"
    assert "tool_result" in Path(download.value.path()).read_text("utf-8")


def test_without_a_clipboard_the_address_is_shown(app_server: str, new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false;"
    )
    shown = Finding(page, app_server, run=OF_THREE, call=12)
    shown.section("call").get_by_role("button", name="Copy link").click()
    field = shown.section("call").get_by_label("To be copied by hand")
    expect(field).to_be_focused()
    expect(field).to_have_value(re.compile("call=12"))


def test_all_runs_are_searched_and_lead_back(start_app: StartApp, tmp_path: Path, new_page: NewPage) -> None:
    page = Finding(new_page(), start_app(trials_of(tmp_path, "aab", "bca")), run=LOOPS)
    page.go("needle")
    page.said.get_by_role("button", name="Look in all 2 runs").click()
    rows = page.page.get_by_role("region", name="Runs").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(page.page.get_by_label("Search", exact=True)).to_have_value("needle")
    rows.nth(1).locator("a.hits").click()
    expect(page.box).to_have_value("needle")
    expect(page.status).to_contain_text("hit 1 of 3")


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_scrolls_sideways(width: int, app_server: str, new_page: NewPage) -> None:
    page = Finding(new_page(width=width, dark=True), app_server, run=OF_THREE)
    page.go("test")
    expect(page.found).to_be_visible()
    main = page.page.locator("[data-testid=stMain]")
    assert main.evaluate("node => node.scrollWidth - node.clientWidth") <= 0
