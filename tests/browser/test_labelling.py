"""Labels on Inspect where the label file refuses them: what was typed stays until it is kept."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.conftest import NewPage, StartApp
from tests.browser.inspect_page import InspectPage
from tests.browser.test_tune import TunePage
from tests.browser.tune_runs import folder_of_runs

RUN = "rebook-flight-small-3-0"
NOTE = "books the same flight again"


def note_of(inspect: InspectPage) -> Locator:
    return inspect.section("label").get_by_label("Note on the run")


def test_a_note_stays_until_the_file_has_it(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    folder = folder_of_runs(tmp_path / "runs")
    url = start_app(folder)
    page = new_page()
    TunePage(page, url).keep_labels_in("labels.jsonl")
    expect(page.locator(".st-key-tune-labels")).to_contain_text("0 labels, kept in")

    inspect = InspectPage(page, url, run=RUN)
    (folder / "labels.jsonl").write_text("<<<<<<< ours\n")
    note_of(inspect).fill(NOTE)
    inspect.section("label").get_by_role("button", name="loop").first.click()
    expect(inspect.section("label")).to_contain_text("What you said last is not kept.")
    expect(note_of(inspect)).to_have_value(NOTE)

    inspect = InspectPage(page, url, run=RUN)  # as after a lost connection
    expect(note_of(inspect)).to_have_value(NOTE)
    (folder / "labels.jsonl").unlink()
    inspect.section("label").get_by_role("button", name="loop").first.click()
    expect(inspect.section("label").get_by_role("button", name="loop").first).to_have_attribute("aria-pressed", "true")
    expect(inspect.section("label")).not_to_contain_text("not kept")
    assert f'"note": "{NOTE}"' in (folder / "labels.jsonl").read_text()

    note_of(inspect).fill("")
    inspect.section("label").get_by_role("button", name="not a loop").first.click()
    expect(inspect.section("label").get_by_role("button", name="not a loop").first).to_have_attribute(
        "aria-pressed", "true"
    )
    assert NOTE not in (folder / "labels.jsonl").read_text()


def test_a_key_takes_the_note_along(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    folder = folder_of_runs(tmp_path / "runs")
    url = start_app(folder)
    page = new_page()
    TunePage(page, url).keep_labels_in("labels.jsonl")
    expect(page.locator(".st-key-tune-labels")).to_contain_text("0 labels, kept in")
    inspect = InspectPage(page, url, run=RUN)
    note_of(inspect).fill(NOTE)
    note_of(inspect).blur()
    page.keyboard.press("l")
    expect(inspect.section("label").get_by_role("button", name="loop").first).to_have_attribute("aria-pressed", "true")
    assert f'"note": "{NOTE}"' in (folder / "labels.jsonl").read_text()


def chosen(inspect: InspectPage, words: str) -> Locator:
    return inspect.section("label").get_by_role("button", name=words, pressed=True).first


def test_a_note_is_changed_on_a_label_that_stands(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    folder = folder_of_runs(tmp_path / "runs")
    labels = tmp_path / "labels.jsonl"
    inspect = InspectPage(new_page(), start_app(folder, "--labels", str(labels)), run=RUN)
    keep = inspect.section("label").get_by_role("button", name="Keep note")
    inspect.section("label").get_by_role("button", name="loop").first.click()
    expect(chosen(inspect, "loop")).to_be_visible()
    expect(keep).to_be_hidden()
    note_of(inspect).fill(NOTE)
    expect(keep).to_be_visible()
    note_of(inspect).press("Enter")
    expect(keep).to_be_hidden()
    assert f'"note": "{NOTE}"' in labels.read_text()
    note_of(inspect).fill("")
    keep.click()
    expect(keep).to_be_hidden()
    expect(chosen(inspect, "loop")).to_be_visible()
    assert NOTE not in labels.read_text()


def test_a_stray_key_undoes_no_pin(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    folder = folder_of_runs(tmp_path / "runs")
    labels = tmp_path / "labels.jsonl"
    inspect = InspectPage(new_page(), start_app(folder, "--labels", str(labels)), run=RUN)
    inspect.control("First call of the stretch").fill("9")
    inspect.control("Last call of the stretch").fill("20")
    inspect.control("Last call of the stretch").press("Enter")
    inspect.section("label").get_by_role("button", name="pin: must be caught").click()
    expect(chosen(inspect, "pin: must be caught")).to_be_visible()
    note_of(inspect).blur()
    for key in ("l", "o"):
        inspect.page.keyboard.press(key)
    inspect.page.wait_for_timeout(1_000)
    assert '"pin": true' in labels.read_text() and len(labels.read_text().splitlines()) == 1


def test_what_another_browser_said_since_stays(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    folder = folder_of_runs(tmp_path / "runs")
    labels = tmp_path / "labels.jsonl"
    url = start_app(folder, "--labels", str(labels))
    one = InspectPage(new_page(), url, run=RUN)
    one.section("label").get_by_role("button", name="not a loop").first.click()
    expect(chosen(one, "not a loop")).to_be_visible()
    other = InspectPage(new_page(), url, run=RUN)
    other.section("label").get_by_role("button", name="loop").first.click()
    expect(chosen(other, "loop")).to_be_visible()
    one.section("label").get_by_role("button", name="not a loop").first.click()  # takes back what it shows
    expect(one.page.get_by_text("Said meanwhile, and left as it is: loop.")).to_be_visible()
    assert '"label": "loop"' in labels.read_text()
