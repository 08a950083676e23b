"""Present in a real browser: the replay walks and climbs, texts can be hidden, the file opens alone, paper holds it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, StartApp
from tests.ui.vally_trials import trial, write

LOOP = "same-test-again"


def opened(page: Page, url: str, link: str = f"run={LOOP}") -> Page:
    page.goto(f"{url}/?page=present&{link}")
    expect(page.locator(".story").get_by_role("heading", level=1)).to_contain_text("in a row")
    return page


def line(page: Page) -> Locator:
    return page.locator(".call-line")


def cells(page: Page, look: str) -> Locator:
    return page.locator(f".picture.wide g{look}")


def test_keys_walk_the_run_while_the_ladder_climbs(app_server: str, new_page: NewPage) -> None:
    page = opened(new_page(), app_server)
    expect(cells(page, ".copy")).to_have_count(7)
    expect(cells(page, ".todo")).to_have_count(0)
    page.keyboard.press("Home")
    expect(line(page)).to_contain_text("Call 1 of 22")
    expect(cells(page, ".copy.todo")).to_have_count(7)
    for _ in range(13):
        page.keyboard.press("ArrowRight")
    expect(line(page)).to_contain_text("Call 14 of 22")
    expect(line(page)).to_contain_text("the 5th time, the same result")
    expect(line(page)).to_contain_text("a warning guard would say: try another way")
    expect(cells(page, ".copy.todo")).to_have_count(2)
    expect(cells(page, ".step:not(.todo)")).to_have_count(3)
    expect(page.get_by_role("slider", name="Call")).to_have_attribute(
        "aria-valuetext", re.compile("^Call 14 of 22, run_tests")
    )
    page.keyboard.press("End")
    expect(cells(page, ".todo")).to_have_count(0)


def test_it_plays_to_the_end_and_pauses(app_server: str, new_page: NewPage) -> None:
    page = opened(new_page(), app_server)
    page.get_by_role("radio", name="10 calls a second").click()
    expect(page.get_by_role("radio", name="10 calls a second")).to_be_checked()
    page.get_by_role("button", name="Play").click()
    expect(line(page)).to_contain_text(re.compile(r"Call ([5-9]|1\d) of 22"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(line(page)).to_contain_text("Call 22 of 22")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_hidden_texts_are_gone_from_page_address_and_file(app_server: str, new_page: NewPage, tmp_path: Path) -> None:
    page = opened(new_page(), app_server)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(line(page)).to_contain_text("tests/test_money.py")
    page.get_by_text("hide texts", exact=True).click()
    expect(page.get_by_text("Texts are hidden.")).to_be_visible()
    expect(line(page)).to_contain_text("Call 2 of 22 read_file")
    expect(line(page)).not_to_contain_text("tests/")
    expect(page).to_have_url(re.compile(r"run=run-[0-9a-f]{8}&hide=1"))
    with page.expect_download() as download:
        page.get_by_role("button", name="One HTML file").click()
    saved = tmp_path / "present.html"
    download.value.save_as(saved)
    assert "test_money" not in saved.read_text("utf-8")


def test_the_file_plays_without_a_network(app_server: str, new_page: NewPage, tmp_path: Path) -> None:
    page = opened(new_page(), app_server)
    with page.expect_download() as download:
        page.get_by_role("button", name="One HTML file").click()
    saved = tmp_path / "present.html"
    download.value.save_as(saved)
    alone = new_page(dark=True)
    alone.context.set_offline(True)
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(saved.as_uri())
    expect(alone.get_by_role("heading", level=1)).to_contain_text("7 times in a row")
    alone.keyboard.press("Home")
    alone.keyboard.press("ArrowRight")
    expect(line(alone)).to_contain_text("Call 2 of 22")
    assert asked == [saved.as_uri()]


def test_a_file_that_changes_moves_nothing_and_is_not_named_where_texts_are_hidden(
    tmp_path: Path, start_app: StartApp, new_page: NewPage
) -> None:
    loops = [trial("aaaaa", stimulus="loops"), trial("aaaaaa", number=1, stimulus="loops")]
    results = write(tmp_path / "results.jsonl", loops)
    page = new_page()
    frames: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    opened(page, start_app(results), "hide=1")
    sent = b"".join(frame if isinstance(frame, bytes) else frame.encode() for frame in frames)
    assert b"in a row" in sent
    assert b"loops-trial-0" not in sent
    title, switch = page.locator(".story h1"), page.get_by_text("hide texts", exact=True)
    before = title.bounding_box()
    write(results, [*loops, trial("abc", number=2)])
    for _ in range(40):  # the page looks at the disk when it answers, and seldom
        switch.click()
        page.wait_for_timeout(250)
        if page.get_by_text("changed on disk at").is_visible():
            break
    if "hide=1" in page.url:
        switch.click()
    expect(page.get_by_text("results.jsonl")).to_be_visible()
    switch.click()
    expect(page.get_by_text("A file changed on disk at")).to_be_visible()
    expect(page.get_by_text("results.jsonl")).to_have_count(0)
    assert title.bounding_box() == before


@pytest.mark.parametrize("size", [pytest.param("A4", id="A4"), pytest.param("Letter", id="letter")])
@pytest.mark.parametrize("link", [pytest.param(f"run={LOOP}", id="a run"), pytest.param("runs=all", id="all runs")])
def test_it_prints_on_one_page_without_controls(size: str, link: str, app_server: str, new_page: NewPage) -> None:
    page = opened(new_page(dark=True), app_server, link)
    expect(page.locator(".picture.wide svg")).to_be_visible()
    paper = page.pdf(format=size)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    page.emulate_media(media="print")
    expect(page.locator(".controls, .below").filter(visible=True)).to_have_count(0)
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    expect(page.locator(".picture.middle svg")).to_be_visible()


@pytest.mark.parametrize("dark", [pytest.param(False, id="light"), pytest.param(True, id="dark")])
def test_nothing_sticks_out_on_a_narrow_page(dark: bool, app_server: str, new_page: NewPage) -> None:
    page = opened(new_page(width=390, dark=dark), app_server)
    expect(page.locator(".picture.thin svg")).to_be_visible()
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth") <= 390


def test_the_file_of_many_runs_prints_on_one_page(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    loops = [trial("aaaaa", stimulus=f"stimulus-{k}") for k in range(12)]
    files = [write(tmp_path / f"night-{k}.jsonl", loops) for k in range(3)]
    page = opened(new_page(), start_app(*files), "runs=all")
    with page.expect_download() as download:
        page.get_by_role("button", name="One HTML file").click()
    saved = tmp_path / "present.html"
    download.value.save_as(saved)
    page.goto(saved.as_uri())
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
