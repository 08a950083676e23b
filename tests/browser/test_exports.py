"""What is handed on from the app, in a real browser: every format, and pixels that the browser itself draws."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from loopviz import cli
from loopviz.samples import samples_folder
from tests.browser.conftest import NewPage, StartApp
from tests.browser.inspect_page import InspectPage

LOOP = "01-same-test-again.json"


def report(page: Page, format: str) -> Page:
    page.get_by_role("button", name="Report", exact=True).click()
    page.locator(".st-key-report-options").get_by_role("radio", name=format, exact=True).click()
    return page


def download(page: Page, to: Path, box: str = "report-options") -> str:
    with page.expect_download() as started:
        page.locator(f".st-key-{box}").get_by_role("button", name="Download").click()
    started.value.save_as(to)
    return started.value.suggested_filename


@pytest.mark.parametrize(
    ("format", "words"),
    [
        pytest.param("SVG", "For people who never saw", id="SVG"),
        pytest.param("Markdown", "For an issue", id="Markdown"),
        pytest.param("CSV", "as a table", id="CSV"),
        pytest.param("JSON", "for programs", id="JSON"),
    ],
)
def test_each_format_is_what_the_command_writes(
    format: str, words: str, start_app: StartApp, new_page: NewPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = {"Markdown": ".md"}.get(format, f".{format.lower()}")
    source = str(samples_folder() / LOOP)
    page = report(InspectPage(new_page(), start_app(source), run="same-test-again").page, format)
    expect(
        page.locator(".st-key-report-options").get_by_text({"SVG": "sharp at any size"}.get(format, words))
    ).to_be_visible()
    name = download(page, tmp_path / "app")
    assert name.startswith("same-test-again-") and name.endswith(ending)
    assert cli.main(["report", source, "-o", str(tmp_path / f"command{ending}")]) == cli.OK
    assert (tmp_path / "app").read_text("utf-8") == (tmp_path / f"command{ending}").read_text("utf-8")


def test_a_png_is_the_picture_twice_as_sharp(app_server: str, new_page: NewPage, tmp_path: Path) -> None:
    page = report(InspectPage(new_page(), app_server, run="same-test-again").page, "PNG")
    expect(page.get_by_text("for slides and chats")).to_be_visible()
    assert download(page, tmp_path / "a.png").endswith(".png")
    data = (tmp_path / "a.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 20_000
    width, height = struct.unpack(">II", data[16:24])
    assert width == 2_400 and 600 < height < 2_400


def test_markdown_can_be_copied(app_server: str, new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    report(InspectPage(page, app_server, run="same-test-again").page, "Markdown")
    page.locator(".st-key-report-options").get_by_role("button", name="Copy", exact=True).click()
    page.wait_for_function("window.copied")
    assert page.evaluate("window.copied").startswith("### ✗ FAIL · `same-test-again`\n")


def test_the_runs_that_are_shown_are_handed_on(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    page = new_page()
    page.goto(start_app(samples_folder() / "nightly" / "results.jsonl"))
    page.locator("label, button").filter(has_text="fail 3").first.click()
    page.get_by_role("button", name="Export", exact=True).click()
    options = page.locator(".st-key-runs-export-options")
    expect(options.get_by_text("3 trials as shown in the table")).to_be_visible()
    options.get_by_role("radio", name="JSON", exact=True).click()
    expect(options.get_by_text("for programs")).to_be_visible()
    assert download(page, tmp_path / "a.json", "runs-export-options") == "loopviz-runs.json"
    rows = json.loads((tmp_path / "a.json").read_text("utf-8"))["findings"]
    assert len({(row["run"], row["about"]["trial"]) for row in rows}) == 3
    options.get_by_role("radio", name="Folder of reports", exact=True).click()
    expect(options.get_by_text("in one .zip")).to_be_visible()
    download(page, tmp_path / "a.zip", "runs-export-options")
    with zipfile.ZipFile(tmp_path / "a.zip") as pages:
        assert len(pages.namelist()) == 4 and "index.html" in pages.namelist()
