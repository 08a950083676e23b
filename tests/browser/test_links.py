"""Links in a real browser: what one person copies, another opens, and sees the same page, run, call, zoom and note."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.inspect_page import InspectPage

LOOP = "same-test-again"
NOTE = "Note in this link:"


@pytest.fixture
def copied(new_page: NewPage) -> Callable[[], Page]:
    """Pages in which what is copied can be read, as the clipboard needs a permission."""

    def opened() -> Page:
        page = new_page()
        page.add_init_script("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        return page

    return opened


def link_box(page: Page) -> None:
    page.get_by_role("button", name="Link", exact=True).click()


def copy_button(page: Page) -> Locator:
    return page.locator(".st-key-link-options button[title]")


def copy(page: Page) -> str:
    page.evaluate("window.copied = null")
    copy_button(page).click()
    page.wait_for_function("window.copied")
    address: str = page.evaluate("window.copied")
    return address


def fields(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def test_a_link_brings_another_person_to_the_same_place(
    app_server: str, copied: Callable[[], Page], new_page: NewPage
) -> None:
    inspect = InspectPage(copied(), app_server, run=LOOP, call=12, max=4, max_cycle_period=2, match="name")
    for _ in range(2):
        inspect.page.locator(".lv-stage").press("+")
    shown = inspect.state()["view"]
    assert shown["last"] - shown["first"] < 21
    link_box(inspect.page)
    expect(inspect.page.get_by_text("This address opens on this computer alone.")).to_be_visible()
    note = inspect.page.get_by_label("Note for whoever opens it")
    note.fill("Why <b>here</b>?")
    expect(copy_button(inspect.page)).to_have_attribute("title", re.compile("note=Why"))
    address = copy(inspect.page)
    other = new_page()
    other.goto(address)
    expect(other.locator(".line").filter(has_text=NOTE)).to_contain_text("Why <b>here</b>?")
    there = InspectPage.of(other)
    expect(there.status).to_contain_text("Call 12")
    assert there.state()["view"] == shown
    expect(there.control("Allowed in a row (max)")).to_have_value("4")


def test_a_link_without_names_has_none_and_leads_there(
    app_server: str, copied: Callable[[], Page], new_page: NewPage
) -> None:
    page = InspectPage(copied(), app_server, run=LOOP, call=12, find="FAILED").page
    link_box(page)
    page.locator(".st-key-link-options label").filter(has_text="Leave out names").click()
    expect(copy_button(page)).to_have_attribute("title", re.compile("hide=1"))
    address = copy(page)
    assert re.fullmatch(r"run-[0-9a-f]{8}", fields(address)["run"])
    assert set(fields(address)) == {"run", "hide", "call"}
    other = new_page()
    other.goto(address)
    expect(InspectPage.of(other).status).to_contain_text("Call 12")
    expect(other).to_have_url(re.compile(LOOP))


def test_a_link_whose_run_is_not_there_says_so(app_server: str, new_page: NewPage) -> None:
    for name in ("nowhere.01234567", "run-01234567"):
        page = InspectPage(new_page(), app_server, run=name, note="Look").page
        said = page.locator(".line").filter(has_text="which is not among the open files")
        expect(said).to_contain_text(name.removesuffix(".01234567"))
        expect(page.get_by_text(NOTE)).to_be_visible()


def test_the_note_goes_when_it_is_put_away_and_with_the_run(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP, note="Look").page
    expect(page.get_by_text(NOTE)).to_be_visible()
    expect(page).to_have_url(re.compile("note=Look"))
    page.locator(".st-key-link-note").get_by_role("button", name="Put away").click()
    expect(page.get_by_text(NOTE)).to_be_hidden()
    page.goto(f"{app_server}/?run={LOOP}&note=Look")
    expect(page.get_by_text(NOTE)).to_be_visible()
    page.get_by_role("button", name="Next →").click()
    expect(page.get_by_text(NOTE)).to_be_hidden()
    expect(page).not_to_have_url(re.compile("note="))


@pytest.mark.parametrize("name", ["Runs", "Tune", "Compare", "Present", "Help"])
def test_a_link_leads_to_its_page(name: str, app_server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{app_server}/?page={name.lower()}&max=4&max_cycle_period=2&match=name&note=Look")
    expect(page.get_by_text(NOTE)).to_be_visible()
    expect(page.locator("[data-testid=stTopNavLink][aria-current=page], a[aria-current=page]").first).to_have_text(name)


def test_a_page_hands_out_its_own_address(app_server: str, copied: Callable[[], Page]) -> None:
    page = copied()
    page.goto(f"{app_server}/?page=compare")
    expect(page).to_have_url(re.compile("compare.*a="))
    link_box(page)
    plain = fields(copy(page))
    assert plain["page"] == "compare" and urlsplit(copy(page)).path == "/"
    page.locator(".st-key-link-options label").filter(has_text="Leave out names").click()
    expect(copy_button(page)).to_have_attribute("title", re.compile("hide=1"))
    hidden = fields(copy(page))
    assert all(re.fullmatch(r"run-[0-9a-f]{8}", hidden[side]) for side in "ab")
    assert plain["a"].rpartition(".")[2] == hidden["a"].removeprefix("run-")


def test_guards_come_along(app_server: str, copied: Callable[[], Page], new_page: NewPage) -> None:
    page = InspectPage(copied(), app_server, run=LOOP, ladder="0.75-4-6-9", thrash="5-run").page
    link_box(page)
    expect(copy_button(page)).to_have_attribute("title", re.compile("ladder="))
    told = fields(copy(page))
    assert (told["ladder"], told["thrash"]) == ("0.75-4-6-9", "5-run")
    other = new_page()
    other.goto(f"{app_server}/?run={LOOP}&ladder=0.75-4-6-9&thrash=1")
    expect(other.get_by_text("Not used of this link: thrash “1” (n: it must be")).to_be_visible()
    other.get_by_role("button", name="Guards").click()
    expect(other.get_by_role("spinbutton", name="Replan at (replan)")).to_have_value("4")
    expect(other.get_by_role("spinbutton", name="Identical calls that stop (n)")).to_have_value("3")


def test_present_hands_out_a_link_with_a_note(app_server: str, copied: Callable[[], Page], new_page: NewPage) -> None:
    page = copied()
    page.goto(f"{app_server}/?page=present&run={LOOP}")
    link_box(page)
    page.get_by_label("Note for whoever opens it").fill("Look")
    expect(copy_button(page)).to_have_attribute("title", re.compile("note=Look"))
    address = copy(page)
    assert fields(address)["page"] == "present" and fields(address)["run"].startswith(LOOP)
    other = new_page()
    other.goto(address)
    expect(other.locator(".line").filter(has_text=NOTE)).to_contain_text("Look")
    expect(other.locator(".story").get_by_role("heading", level=1)).to_contain_text("in a row")


def test_present_with_hidden_texts_leaves_names_out(app_server: str, copied: Callable[[], Page]) -> None:
    page = copied()
    page.goto(f"{app_server}/?page=present&run={LOOP}&hide=1")
    expect(page.locator(".story").get_by_role("heading", level=1)).to_contain_text("in a row")
    link_box(page)
    expect(page.get_by_text("Texts are hidden, so the link names no run.")).to_be_visible()
    hidden = fields(copy(page))
    assert re.fullmatch(r"run-[0-9a-f]{8}", hidden["run"]) and hidden["hide"] == "1"
