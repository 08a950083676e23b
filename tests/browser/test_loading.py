"""A long load in a real browser: the page says how far it is, and a click ends it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, StartApp
from tests.ui.vally_trials import trial

RUNS = 6_000
"""Enough to take seconds on any machine."""
READ_MS = 180_000
"""How long a busy machine may take to read them."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    record = json.dumps(trial("abcabcaaaad", stimulus="s", said=True))
    (folder / "a.jsonl").write_text(f"{record}\n" * RUNS, "utf-8")
    (folder / "b.jsonl").write_text(f"{record}\n", "utf-8")
    return folder


def test_progress_and_stop(large: Path, start_app: StartApp, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{start_app(large)}/runs")
    expect(headed(page, "Reading the runs…")).to_be_visible()
    expect(page.get_by_text(re.compile(r"of \d+ MB, file 1 of 2"))).to_be_visible()
    expect(page.get_by_text(str(large / "a.jsonl"))).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    found = headed(page, "fail max-repeat")
    expect(found).to_be_visible()
    expect(page.get_by_text("Reading was stopped: what was read before is open.")).to_be_visible()
    kept = int(re.sub(r"\D", "", found.inner_text().split(" of ")[1].split()[0]))
    assert 0 < kept < RUNS
    expect(page.get_by_text("1 file could not be read")).to_be_visible()

    page.get_by_role("button", name="Read the rest").click()
    expect(headed(page, f"{RUNS + 1:,} trials")).to_be_visible(timeout=READ_MS)
    expect(page.get_by_text("Reading was stopped")).to_have_count(0)


def headed(page: Page, words: str) -> Locator:
    """The headline with these words; for a moment the one before it may still stand."""
    return page.get_by_role("heading", level=1).filter(has_text=words)
