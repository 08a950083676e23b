"""A report opened from disk with the network refused: it draws, answers, leads to calls, and prints on paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from loopviz.analysis.lines import Question
from loopviz.readers import read_bytes
from loopviz.report.export import Export
from loopviz.report.page import make_page
from loopviz.samples import samples_folder
from tests.browser.conftest import NewPage
from tests.report.recorded import report, trajectory

LOOP = "01-same-test-again.json"
LONG = "14-long-afternoon.json"
Opened = Callable[..., Page]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Write the report of a sample."""

    def written(sample: str) -> Path:
        (run,) = read_bytes((samples_folder() / sample).read_bytes(), sample).trajectories
        path = tmp_path / f"{sample}.html"
        path.write_text(make_page(run, Question(), Export(date=date(2026, 11, 30))).html, "utf-8")
        return path

    return written


@pytest.fixture
def open_report(write: Callable[[str], Path], new_page: NewPage) -> Opened:
    """Open the report of a sample from disk, offline; any request but the one for the file fails the test."""

    def opened(sample: str = LOOP, place: str = "", **look: Any) -> Page:
        page = new_page(**look)
        page.context.set_offline(True)
        address = write(sample).as_uri()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address + place)
        expect(page.locator("html.live")).to_be_attached()
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert {url.partition("#")[0] for url in asked} == {address}
        return page

    return opened


def state(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("document.getElementById('timeline').loopviz.state()")
    return found


def click_call(page: Page, call: int) -> None:
    """Click a call on the timeline, counted from 0."""
    x = page.evaluate("(call) => document.getElementById('timeline').loopviz.x(call)", call)
    page.locator(".lv-stage").click(position={"x": x, "y": state(page)["lanes"]["steps"]})


def ink(page: Page) -> int:
    """Pixels of the lanes that are not empty."""
    pixels: int = page.evaluate(
        """() => {
          const canvas = document.querySelectorAll(".lv-stage canvas")[1];
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          let inked = 0;
          for (let at = 3; at < data.length; at += 4) if (data[at]) inked++;
          return inked;
        }"""
    )
    return pixels


def test_it_is_drawn_and_says_its_verdict(open_report: Opened) -> None:
    page = open_report()
    expect(page.locator("h1")).to_have_text("same-test-again FAIL")
    expect(page.locator(".sentence")).to_contain_text("gave the same output 7 times in a row; 3 are allowed.")
    assert ink(page) > 20_000
    expect(page.locator(".still")).to_be_hidden()


def test_a_click_shows_the_texts_of_the_call(open_report: Opened) -> None:
    page = open_report()
    expect(page.locator("#chosen")).to_be_hidden()
    click_call(page, 14)
    chosen = page.locator("#chosen")
    expect(chosen).to_contain_text("call 15")
    expect(chosen).to_contain_text("6th of 7")
    expect(chosen.locator("pre").filter(has_text="4 run, 1 failed")).to_be_visible()  # linked in the list, told here
    assert page.url.endswith("#call-15")


def test_keys_walk_from_cycle_to_cycle_wherever_the_focus_is(open_report: Opened) -> None:
    page = open_report("11-three-answers.json")
    page.keyboard.press("n")
    expect(page.locator("#chosen")).to_contain_text(re.compile(r"call \d+"))
    first = state(page)["selected"]
    page.keyboard.press("n")
    page.wait_for_function("(first) => document.getElementById('timeline').loopviz.state().selected > first", arg=first)
    page.keyboard.press("p")
    page.wait_for_function(
        "(first) => document.getElementById('timeline').loopviz.state().selected === first", arg=first
    )
    page.keyboard.press("ArrowRight")
    expect(page.locator("#chosen .who")).to_contain_text(f"call {first + 2}")


@pytest.mark.parametrize(
    ("sample", "call"),
    [pytest.param(LOOP, 15, id="a short run"), pytest.param(LONG, 641, id="a long run")],
)
def test_an_address_leads_to_a_call(sample: str, call: int, open_report: Opened) -> None:
    page = open_report(sample, f"#call-{call}")
    assert state(page)["selected"] == call - 1
    row = page.locator(f"#call-{call}")
    expect(row).to_be_visible()
    expect(row).to_be_in_viewport()
    expect(page.locator("#chosen .who")).to_contain_text(f"call {call} ·")


def test_links_lead_from_call_to_call(open_report: Opened) -> None:
    page = open_report(place="#call-15")
    page.locator("article.call").filter(has_text="7th of 7").get_by_role("link", name="call 10").click()
    page.wait_for_function("document.getElementById('timeline').loopviz.state().selected === 9")
    expect(page.locator("#call-10")).to_be_in_viewport()


def test_a_call_that_is_not_in_the_file_is_said(new_page: NewPage, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(report(trajectory(1_500)).html, "utf-8")
    page = new_page()
    page.goto(f"{path.as_uri()}#call-800")
    words = "The texts of call {} are not in this file; the recorded run holds them."
    expect(page.locator("#chosen")).to_have_text(words.format("800"))
    expect(page.locator("#chosen")).to_be_in_viewport()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.evaluate("location.hash = '#call-900'")
    expect(page.locator("#chosen")).to_have_text(words.format("900"))
    expect(page.locator("#chosen")).to_be_in_viewport()


@pytest.mark.parametrize("place", [pytest.param("", id="no place"), pytest.param("#call-0", id="a place that is none")])
def test_an_address_that_names_no_call_lets_go_of_the_one_before(place: str, open_report: Opened) -> None:
    page = open_report(place="#call-3")
    expect(page.locator("#chosen")).to_contain_text("call 3")
    page.evaluate("(place) => (location.hash = place)", place)
    expect(page.locator("#chosen")).to_be_hidden()
    assert state(page)["selected"] is None


@pytest.mark.parametrize("dark", [pytest.param(False, id="light"), pytest.param(True, id="dark")])
def test_it_follows_the_readers_appearance(dark: bool, open_report: Opened) -> None:
    page = open_report(dark=dark)
    assert state(page)["theme"] == ("dark" if dark else "light")
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == ("rgb(14, 17, 23)" if dark else "rgb(255, 255, 255)")


@pytest.mark.parametrize("sample", [LOOP, LONG])
def test_a_narrow_screen_does_not_scroll_sideways(sample: str, open_report: Opened) -> None:
    page = open_report(sample, "#call-20", width=390)
    page.locator("details").evaluate_all("all => all.forEach((one) => (one.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_without_a_script_its_letters_lead_to_the_calls(write: Callable[[str], Path], browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(write(LOOP).as_uri())
    cells = page.locator(".cells a")
    expect(cells).to_have_count(22)
    expect(page.locator("#call-5")).to_be_hidden()
    cells.nth(4).click()
    expect(page.locator("#call-5")).to_be_visible()
    expect(page.locator("#call-5")).to_be_in_viewport()
    context.close()


def test_it_prints_on_one_page_light_and_sharp(open_report: Opened) -> None:
    page = open_report(dark=True)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert (state(page)["theme"], state(page)["whole"]) == ("light", True)
    sharpness = (
        "(() => { const one = document.querySelector('.lv-stage canvas'); return one.width / one.offsetWidth })()"
    )
    assert page.evaluate(sharpness) == pytest.approx(4, abs=0.02)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert state(page)["theme"] == "dark"
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    assert len(paper) > 150_000  # the lanes are on it: without them it is a third of that


def test_nothing_that_is_put_into_the_page_runs(write: Callable[[str], Path], browser: Browser) -> None:
    """The policy, tried: an inline handler, a style, a picture and a script of somebody else's do nothing."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(write(LOOP).as_uri())
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.body.append(script);
          document.body.insertAdjacentHTML("beforeend",
            "<img src='data:,x' onerror='window.ran = true'><p id='styled' style='position: fixed'>x</p>");
        }"""
    )
    expect(page.locator("#styled")).to_have_css("position", "static")
    page.wait_for_function("document.querySelector('img').complete")
    assert page.evaluate("window.ran") is None
    assert any("script-src" in words for words in refused) and any("img-src" in words for words in refused)
    context.close()


def test_the_app_hands_over_the_file_that_the_command_writes(
    app_server: str, new_page: NewPage, tmp_path: Path
) -> None:
    from loopviz import cli

    page = new_page()
    page.goto(f"{app_server}/?run=same-test-again&max=4&max_cycle_period=1&match=name-args")
    expect(page.locator(".lv-badge")).to_be_visible()
    page.get_by_role("button", name="Report", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "app.html")
    options = ["--max", "4", "--max-cycle-period", "1", "--match", "name-args"]
    assert cli.main(["report", str(samples_folder() / LOOP), "-o", str(tmp_path / "command.html"), *options]) == cli.OK
    assert (tmp_path / "app.html").read_bytes() == (tmp_path / "command.html").read_bytes()
    assert re.fullmatch(r"same-test-again-[0-9a-f]{8}\.html", download.value.suggested_filename)
