"""A file that changes on disk, and one that is read by another reader, in a real browser."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, StartApp
from tests.ui.vally_trials import trial, write

CHAT = [
    {"role": "user", "content": "go"},
    {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "bash", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "a", "content": "ok"},
]
AS_IT_WAS = [trial("abc", stimulus="quiet"), trial("aaaab", stimulus="loops")]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return write(tmp_path / "results.jsonl", AS_IT_WAS)


def notice(page: Page, words: str, answer: Locator) -> None:
    """Have the page answer to clicks until it says so: it looks at the disk then, and seldom."""
    for _ in range(40):
        answer.click()
        page.wait_for_timeout(250)
        if page.get_by_text(words).is_visible():
            return
    expect(page.get_by_text(words)).to_be_visible()


def test_runs_keeps_what_was_read_until_it_is_reloaded(results: Path, start_app: StartApp, new_page: NewPage) -> None:
    page = new_page(width=390, dark=True)
    page.goto(f"{start_app(results)}/runs")
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("1 of 2 trials fails max-repeat")
    top = title.evaluate("node => node.offsetTop")
    write(results, [*AS_IT_WAS, trial("bbbbb", stimulus="more")])
    answer = page.get_by_text("Pick by hand")
    notice(page, "results.jsonl changed on disk at", answer)
    expect(title).to_have_text("1 of 2 trials fails max-repeat")
    assert title.evaluate("node => node.offsetTop") == top
    page.get_by_role("button", name="Put away").click()
    expect(page.get_by_text("changed on disk")).to_have_count(0)
    write(results, [*AS_IT_WAS, trial("bbbbb", stimulus="more"), trial("ccccc", stimulus="yet more")])
    notice(page, "results.jsonl changed on disk at", answer)
    page.get_by_role("button", name="Reload").click()
    expect(title).to_have_text("3 of 4 trials fail max-repeat")
    expect(page.get_by_text("changed on disk")).to_have_count(0)


def test_inspect_keeps_run_settings_and_call(results: Path, start_app: StartApp, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{start_app(results)}/?run=loops-trial-0&call=4&max=2&max_cycle_period=1&match=name")
    said = page.get_by_text("in a row; 2 are allowed.")
    expect(said.first).to_contain_text("4 times")
    write(results, [trial("abcd", stimulus="quiet"), trial("aaaaaab", stimulus="loops")])
    notice(page, "results.jsonl changed on disk at", page.get_by_label("same tool, longest pattern 1: "))
    expect(said.first).to_contain_text("4 times")
    page.get_by_role("button", name="Reload").click()
    expect(said.first).to_contain_text("6 times")
    expect(page.get_by_text("The run has changed since it was last shown here.")).to_be_visible()
    expect(page.get_by_text("Call 4 ·").first).to_be_visible()
    assert "max=2" in page.url and "call=4" in page.url


def test_another_reader_is_chosen_and_gone_back_from(
    tmp_path: Path, results: Path, start_app: StartApp, new_page: NewPage
) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps(CHAT))
    page = new_page(dark=True)
    page.goto(f"{start_app(results, chat)}/runs")
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("1 of 3 trials fails max-repeat")
    page.get_by_text("2 files were read").click()
    choice = page.get_by_label(f"Read {chat} as")
    expect(choice.locator("option:checked")).to_have_text("automatic: openai.chat")
    choice.select_option("atif")
    expect(page.get_by_text("This is no recorded run of the format atif, which was chosen for it.")).to_be_visible()
    expect(title).to_have_text("1 of 2 trials fails max-repeat")
    choice.select_option("langchain")
    expect(page.get_by_text("1 by the reader that you chose")).to_be_visible()
    expect(title).to_have_text("1 of 3 trials fails max-repeat")
    choice.select_option("")
    expect(page.get_by_text("each by the reader that knows it best")).to_be_visible()


def test_what_is_gone_from_a_folder_is_said(tmp_path: Path, start_app: StartApp, new_page: NewPage) -> None:
    (tmp_path / "runs").mkdir()
    for name in "ab":
        write(tmp_path / f"runs/{name}.jsonl", AS_IT_WAS)
    page = new_page()
    page.goto(f"{start_app(tmp_path / 'runs')}/runs")
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("2 of 4 trials fail max-repeat")
    shutil.move(tmp_path / "runs/a.jsonl", tmp_path / "runs/c.jsonl")
    notice(page, "Files on disk: 1 new and 1 gone", page.get_by_text("Pick by hand"))
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_text("Files on disk")).to_have_count(0)
    expect(title).to_have_text("2 of 4 trials fail max-repeat")
