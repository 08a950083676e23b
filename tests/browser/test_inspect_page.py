"""Inspect in a real browser: settings answer at once, the timeline can be walked, a link restores it all."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage, StartApp
from tests.browser.inspect_page import InspectPage

LOOP = "same-test-again"
OF_THREE = "read-edit-test"


def test_the_first_sample_is_judged_and_says_why(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    expect(page.badge).to_have_text("FAIL")
    expect(page.sentence).to_contain_text("run_tests gave the same output 7 times in a row; 3 are allowed.")
    expect(page.row("Where")).to_have_text(re.compile(r"Over the limit at turn \d+ \(call \d+\)\."))
    expect(page.row("Would pass with")).to_have_text("7 allowed")
    expect(page.row("Vally said")).to_contain_text("recomputed here: FAIL, 7 in a row")


def test_a_limit_typed_or_stepped_changes_the_verdict_at_once(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    limit = page.control("Allowed in a row (max)")
    limit.fill("7")
    limit.press("Enter")
    expect(page.badge).to_have_text("PASS")
    limit.press("ArrowDown")
    expect(page.badge).to_have_text("FAIL")
    expect(page.sentence).to_contain_text("6 are allowed")
    page.page.get_by_role("button", name="Back to the recorded settings").click()
    expect(limit).to_have_value("3")
    expect(page.sentence).to_contain_text("3 are allowed")


def test_longest_pattern_and_match_mode_change_verdict_and_picture(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=OF_THREE)
    expect(page.badge).to_have_text("FAIL")
    period = page.control("Longest pattern (max_cycle_period)")
    period.fill("2")
    period.press("Enter")
    expect(page.badge).to_have_text("PASS")
    page.same_when("same tool").click(force=True)
    expect(page.sentence).to_contain_text("At most")
    period.fill("3")
    period.press("Enter")
    expect(page.badge).to_have_text("FAIL")
    expect(page.sentence).to_contain_text("were called 5 times in a row")


def test_a_cell_of_the_grid_sets_both(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=OF_THREE)
    page.page.get_by_role("button", name=re.compile("^same arguments, longest pattern 5")).click()
    expect(page.badge).to_have_text("PASS")
    expect(page.control("Longest pattern (max_cycle_period)")).to_have_value("5")
    expect(page.same_when("same arguments")).to_be_checked()


def test_a_way_out_in_the_verdict_can_be_clicked(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    page.row("Would pass with").get_by_role("button", name="7 allowed").click()
    expect(page.badge).to_have_text("PASS")
    expect(page.control("Allowed in a row (max)")).to_have_value("7")


def test_watched_tools_change_what_is_counted(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    tools = page.control("Watched tools (tools)")
    tools.fill("^edit$ ^grep$")
    tools.press("Enter")
    expect(page.badge).to_have_text("PASS")
    expect(page.section("figures")).to_contain_text("left out")


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        pytest.param("(", "must compile", id="one that does not compile"),
        pytest.param("(?i)", "empty", id="one that is empty"),
    ],
)
def test_a_refused_pattern_says_why_and_the_last_good_one_holds(
    pattern: str, why: str, app_server: str, new_page: NewPage
) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    tools = page.control("Watched tools (tools)")
    tools.fill(pattern)
    tools.press("Enter")
    expect(page.page.get_by_text(re.compile("Not used:"))).to_contain_text(why)
    expect(page.badge).to_have_text("FAIL")
    expect(tools).to_have_value(pattern)
    tools.fill("")
    tools.press("Enter")
    expect(page.page.get_by_text("Not used:")).to_have_count(0)


def test_a_pattern_that_never_ends_is_refused_while_another_browser_goes_on(
    start_app: StartApp, tmp_path: Path, new_page: NewPage
) -> None:
    url = start_app(_run_with(tmp_path, tool="a" * 40))
    slow, other = InspectPage(new_page(), url, run="out"), InspectPage(new_page(), url, run="out")
    tools = slow.control("Watched tools (tools)")
    tools.fill("(a+)+$b")
    tools.press("Enter")
    limit = other.control("Allowed in a row (max)")
    limit.press("ArrowUp")
    expect(other.sentence).to_contain_text("4 are allowed", timeout=10_000)
    expect(slow.page.get_by_text("Not used:").or_(slow.page.get_by_text("Not judged:"))).to_be_visible()


def test_clicking_and_walking_the_timeline(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    page.click_call(11)
    expect(page.status).to_contain_text("Call 12")
    expect(page.section("call")).to_contain_text("Call 12")
    for key, call in (("ArrowRight", 13), ("ArrowLeft", 12), ("Home", 1), ("n", 10), ("End", 22)):
        page.page.keyboard.press(key)
        expect(page.status).to_contain_text(f"Call {call}")
    expect(page.section("call")).to_contain_text("Call 22")


def test_zoom_and_selection_stay_when_a_setting_changes(app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(), app_server, run=LOOP)
    page.click_call(11)
    expect(page.section("call")).to_contain_text("Call 12")
    page.page.locator(".lv-stage").hover(position={"x": 700, "y": 60})
    for _ in range(4):
        page.page.mouse.wheel(0, -240)
    page.page.wait_for_function("() => !document.querySelector('.st-key-timeline *')?.shadowRoot || true")
    zoomed = page.state()
    assert not zoomed["whole"]
    limit = page.control("Allowed in a row (max)")
    limit.press("ArrowUp")
    expect(page.sentence).to_contain_text("4 are allowed")
    after = page.state()
    assert (after["view"], after["selected"]) == (zoomed["view"], zoomed["selected"])


def test_a_link_restores_run_call_and_settings(app_server: str, new_page: NewPage) -> None:
    first = InspectPage(new_page(), app_server, run=OF_THREE)
    period = first.control("Longest pattern (max_cycle_period)")
    period.fill("4")
    period.press("Enter")
    first.same_when("same tool").click(force=True)
    expect(first.sentence).to_contain_text("were called")
    first.click_call(11)
    expect(first.section("call")).to_contain_text("Call 12")
    expect(first.page).to_have_url(re.compile("match=name.*|.*call=12"))
    page = new_page()
    page.goto(first.page.url)
    second = page.locator(".lv-sentence")
    expect(second).to_contain_text("were called")
    expect(page.get_by_label("Longest pattern (max_cycle_period)", exact=True)).to_have_value("4")
    expect(page.locator("section[data-section=call]")).to_contain_text("Call 12")


HOSTILE = '**bold** <img src="http://198.51.100.7/x.png"> ![i](http://198.51.100.7/y.png) $x$ :home: [a](javascript:1)'


def test_hostile_text_stays_text(start_app: StartApp, tmp_path: Path, new_page: NewPage) -> None:
    url = start_app(_run_with(tmp_path, tool=HOSTILE[:60], text=HOSTILE))
    page = InspectPage(new_page(), url, run=HOSTILE)
    expect(page.sentence).to_contain_text("**bold**")
    page.click_call(3)
    call = page.section("call")
    expect(call).to_contain_text(HOSTILE)
    assert call.locator("img, a").count() == 0
    assert page.page.locator("[data-testid=stMain] img, [data-testid=stMain] a[href*='198.51']").count() == 0


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
@pytest.mark.parametrize("run", [LOOP, "long-afternoon"])
def test_nothing_scrolls_sideways(width: int, run: str, app_server: str, new_page: NewPage) -> None:
    page = InspectPage(new_page(width=width, dark=width == 768), app_server, run=run)
    expect(page.section("figures")).to_be_visible()
    main = page.page.locator("[data-testid=stMain]")
    assert main.evaluate("node => node.scrollWidth - node.clientWidth") <= 0
    assert page.page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_a_run_that_was_not_judged_says_why(app_server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{app_server}/?run=nightly::main::scripted-agent::update-config::trial-1")
    expect(page.get_by_role("heading", name="This run could not be judged")).to_be_visible()
    expect(page.get_by_text("holds no trajectory")).to_be_visible()


def test_a_trial_that_passed_in_spite_of_max_repeat_and_a_disagreement_are_shown(
    app_server: str, new_page: NewPage
) -> None:
    page = InspectPage(new_page(), app_server, run="answer-from-docs-trial-1")
    expect(page.badge).to_have_text("FAIL")
    expect(page.row("Vally said")).to_contain_text("≠ PASS")
    page.page.goto(f"{app_server}/?run=deploy-preview-trial-2")
    expect(page.row("Vally said")).to_contain_text("trial passed 0.83 ≥ 0.70")
    page.page.get_by_role("radio", name="Grader 2: 2 allowed").click(force=True)
    expect(page.badge).to_have_text("PASS")


def _run_with(folder: Path, *, tool: str, text: str = "out") -> Path:
    """A small run, written to a file, whose calls all use one tool and hold one text everywhere."""
    events: list[dict[str, Any]] = []
    for number in range(6):
        call_id = f"call_{number} {text[:20]}"
        events += [
            {"type": "turn_start", "data": {"turnId": str(number)}},
            {"type": "assistant_message", "data": {"content": text}},
            {
                "type": "tool_call",
                "data": {"toolName": tool, "toolCallId": call_id, "arguments": {text: text, "n": number}},
            },
            {"type": "tool_result", "data": {"toolCallId": call_id, "success": True, "result": text}},
            {"type": "turn_end", "data": {"turnId": str(number)}},
        ]
    stimulus = {
        "name": text,
        "prompt": text,
        "graders": [{"type": "max-repeat", "name": text, "config": {"max": 3}}],
    }
    path = folder / "run.json"
    path.write_text(json.dumps({"id": text, "stimulus": stimulus, "events": events, "output": text}))
    return path
