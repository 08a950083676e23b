"""What would change it, a tool ignored or with a limit of its own, undo and redo: in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.conftest import NewPage, StartApp
from tests.browser.inspect_page import InspectPage

LOOP = "same-test-again"
LONG = "long-afternoon"
HOSTILE = '<img src=x onerror="alert(1)"> **bold** | $x$'
LIMIT, TOOLS = "Allowed in a row (max)", "Watched tools (tools)"


def row(page: InspectPage, words: str) -> Locator:
    """A row of the table, by what it says of the setting."""
    return page.section("changes").locator("tr", has_text=words)


def open_tool(page: InspectPage, button: str) -> Locator:
    page.section("call").get_by_role("button", name=button, exact=True).click()
    section = page.section("tool")
    expect(section).to_be_visible()
    return section


def test_a_row_is_applied_by_a_click_and_by_the_keyboard(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    expect(row(page, "7 allowed")).to_contain_text("PASS instead of FAIL")
    row(page, "7 allowed").click()
    expect(page.badge).to_have_text("PASS")
    expect(page.control(LIMIT)).to_have_value("7")
    expect(page.section("changes").locator("tr[aria-current]")).to_contain_text("as now 7 allowed")
    row(page, "6 allowed").get_by_role("button").focus()
    page.page.keyboard.press("Enter")
    expect(page.badge).to_have_text("FAIL")
    assert page.section("changes").evaluate("node => node.contains(node.getRootNode().activeElement)")


def test_rows_that_change_nothing_unfold(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    rows = page.section("changes").locator("table").nth(1).locator("tbody tr")
    expect(rows).to_have_count(2)
    page.section("changes").get_by_role("button", name="Show all 12").click()
    expect(rows).to_have_count(12)
    rows.filter(has_text="without edit").click()
    expect(page.control(TOOLS)).to_have_value("^(?!edit$)")


def test_undo_and_redo(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    undo, redo = (page.page.get_by_role("button", name=re.compile(f"^{name}")) for name in ("Undo", "Redo"))
    limit = page.control(LIMIT)
    for _ in range(4):
        limit.press("ArrowUp")
    expect(page.badge).to_have_text("PASS")
    page.same_when("same tool").click(force=True)
    expect(page.page).to_have_url(re.compile("max=7&.*match=name"))
    expect(redo).to_be_disabled()
    undo.click()
    expect(page.page).to_have_url(re.compile("max=7&.*match=observation"))
    expect(page.same_when("same output")).to_be_checked()
    limit.press("Alt+z")
    expect(limit).to_have_value("3")
    expect(page.page).not_to_have_url(re.compile("max="))
    expect(undo).to_be_disabled()
    page.page.keyboard.press("Alt+Shift+z")
    expect(limit).to_have_value("7")
    page.page.get_by_role("button", name="Back to the recorded settings").click()
    expect(limit).to_have_value("3")
    undo.click()
    expect(limit).to_have_value("7")


def test_ignoring_a_tool_warns_of_a_new_loop_and_is_applied(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LONG, call=735)
    section = open_tool(page, "Ignore this tool")
    expect(section).to_contain_text(
        "This makes a new loop. grep → read_file → list_dir 4 times in a row, calls 734–749"
    )
    expect(section).to_contain_text("Now calls of run_tests keep it apart.")
    expect(section.locator("pre")).to_have_text("^(?!run_tests$)")
    section.get_by_role("button", name="Apply").click()
    expect(page.control(TOOLS)).to_have_value("^(?!run_tests$)")
    expect(section).to_be_hidden()


def test_the_other_runs_that_change_are_a_click_away(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LONG, call=735)
    section = open_tool(page, "Ignore this tool")
    section.get_by_role("link", name="same-test-again").click()
    expect(page.page).to_have_url(re.compile("run=same-test-again.*tool="))
    expect(page.badge).to_have_text("PASS")
    expect(page.section("tool")).to_be_hidden()


def test_a_limit_of_its_own_is_stepped_and_copied(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP, call=12)
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    section = open_tool(page, "Own limit for this tool")
    expect(section).to_contain_text("PASS: both graders pass")
    section.get_by_role("button", name="Allow one fewer").click()
    expect(section).to_contain_text("FAIL: one of the two graders fails")
    section.get_by_role("button", name="Allow one more").click()
    expect(section).to_contain_text("PASS: both graders pass")
    section.get_by_role("button", name="Copy").click()
    expect(section.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("graders:\n  - type: max-repeat\n    name: run_tests\n")
    section.get_by_role("button", name="Close").click()
    expect(section).to_be_hidden()
    expect(page.badge).to_have_text("FAIL")


def test_names_that_try_to_be_markup_stay_text(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    page = InspectPage(new_page(), start_app(_run_of(tmp_path, HOSTILE)), run="odd", call=2)
    expect(row(page, f"without {HOSTILE}")).to_be_visible()
    section = open_tool(page, "Ignore this tool")
    expect(section).to_contain_text(f"Without {HOSTILE}")
    section.get_by_role("button", name="Apply").click()
    expect(page.sentence).to_have_text("The tool filter matches none of its calls, so nothing can repeat.")
    assert page.page.locator("[data-testid=stMain] img").count() == 0


def _run_of(folder: Path, tool: str) -> Path:
    events: list[dict[str, Any]] = []
    for number in range(5):
        ids = {"toolCallId": f"call_{number}", "toolName": tool}
        events.append({"type": "tool_call", "data": {**ids, "arguments": {}}})
        events.append({"type": "tool_result", "data": {**ids, "success": True, "result": "same"}})
    path = folder / "odd.json"
    path.write_text(json.dumps({"id": "odd", "stimulus": {"name": "odd"}, "events": events}))
    return path
