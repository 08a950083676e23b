"""Choosing a threshold on evidence, from two hundred runs to a written config, as a person does it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from loopviz.cli import main
from tests.browser.conftest import NewPage, StartApp
from tests.browser.inspect_page import InspectPage
from tests.browser.tune_runs import folder_of_runs
from tests.ui.vally_trials import trial, write

LOOPS = ("rebook-flight-small-3-0", "rebook-flight-medium-3-3", "rebook-flight-tiny-3-0")
WAITING = "poll-deployment-small-3-0"


class TunePage:
    """One opened Tune page."""

    def __init__(self, page: Page, url: str, query: str = "") -> None:
        self.page = page
        page.goto(f"{url}/tune{query}")
        expect(self.section("spread").locator(".queue")).to_be_visible()

    @property
    def title(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    @property
    def settings(self) -> Locator:
        """The box with both settings."""
        return self.page.locator(".st-key-tune-settings")

    @property
    def labels(self) -> Locator:
        return self.page.locator(".st-key-tune-labels")

    @property
    def home(self) -> Locator:
        return self.page.locator(".st-key-tune-home")

    @property
    def queue(self) -> Locator:
        return self.section("spread").locator(".queue")

    def section(self, name: str) -> Locator:
        return self.page.locator(f".st-key-tune section[data-section={name}]")

    def keep_labels_in(self, name: str) -> None:
        field = self.page.get_by_label("Keep labels in a file beside the runs")
        field.fill(name)
        field.press("Enter")
        self.page.get_by_role("button", name="Keep them there").click()

    def label(self, key: str, n_labelled: int) -> None:
        """Press a key for the run that is offered; so many runs are labelled then."""
        self.page.keyboard.press(key)
        expect(self.queue).to_contain_text(f"{n_labelled} run{'' if n_labelled == 1 else 's'} labelled.")


def test_the_whole_story(
    start_app: StartApp, new_page: NewPage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of_runs(tmp_path / "nightly")
    url = start_app(folder)
    tune = TunePage(new_page(), url)
    expect(tune.settings).to_contain_text("25 of 200 · 12.5 %")

    tune.keep_labels_in("labels.jsonl")
    expect(tune.labels).to_contain_text(f"0 labels, kept in {folder / 'labels.jsonl'}")
    for n_labelled in (1, 2, 3):
        tune.label("o", n_labelled)
    for run in LOOPS:
        label_on_inspect(tune.page, url, run)
    pin(tune.page, url, LOOPS[0], (9, 20), "pin: must be caught")
    pin(tune.page, url, WAITING, (10, 17), "pin: must be left alone")

    tune = TunePage(tune.page, url)
    expect(tune.page.locator(".st-key-tune-head")).to_contain_text(
        "Too few labels to tell: 3 loops and 3 good runs; 5 of each are the least. "
        "Label 2 more loops and 2 more good runs."
    )
    expect(tune.settings).to_contain_text("loop at 9–20 of rebook-flight, trial 1, small-3 ✗ still missed")
    tune.page.get_by_role("button", name="Take the best so far").click()
    expect(tune.settings).to_contain_text("loop at 9–20 of rebook-flight, trial 1, small-3 ✓ now caught")
    expect(tune.settings).to_contain_text("no loop at 10–17 of poll-deployment, trial 1, small-3 ✓ now left alone")
    expect(tune.title).to_have_text("25 of 200 runs would fail; 25 fail now")

    flips = tune.section("flips")
    expect(flips.get_by_role("heading")).to_have_text("50 runs flip: 25 now fail, 25 now pass")
    flips.get_by_role("button", name="Show all 50").click()
    expect(flips.locator("tbody tr")).to_have_count(50)
    told = dict(map(flip, flips.locator("tbody tr").all()))

    expect(tune.home).to_contain_text("eval.yaml · 8 of 8 stimuli · 16 lines added, 0 removed")
    with (folder / "eval.yaml").open("a") as spec:
        spec.write("# somebody else was here\n")
    tune.page.get_by_role("button", name="Write file").click()
    expect(tune.home).to_contain_text("it has changed since it was opened. Nothing was written;")
    tune.page.get_by_role("button", name="Read the files again").click()
    expect(tune.home).not_to_contain_text("it has changed since")
    tune.page.get_by_role("button", name="Write file").click()
    expect(tune.home).to_contain_text("and read back: it judges as the candidate does.")
    expect(flips.get_by_role("heading")).to_have_text("No run flips")
    expect(tune.home).to_contain_text("Text for the pull request, from before the file was written")
    expect(tune.home).to_contain_text("50 runs flip: 25 now fail, 25 now pass.")

    assert (folder / "eval.yaml").read_text().endswith("# somebody else was here\n")
    lines = graded(capsys, folder)
    verdicts = {line["run"]: line["passed"] for line in lines if line["grader"] == "max-repeat"}
    assert {run: verdicts[run] for run in told} == told
    assert list(verdicts.values()).count(False) == 25 and len(verdicts) == 200
    assert [line["passed"] for line in lines if line["grader"] == "pin"] == [True, True]


def label_on_inspect(page: Page, url: str, run: str) -> None:
    """Call a run a loop by its key."""
    inspect = InspectPage(page, url, run=run)
    section = inspect.section("label")
    expect(section.get_by_role("button", name="loop", exact=False).first).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("l")
    expect(section.get_by_role("button", name="loop", exact=False).first).to_have_attribute("aria-pressed", "true")


def pin(page: Page, url: str, run: str, calls: tuple[int, int], words: str) -> None:
    """Mark calls of a run, from 1, and pin them."""
    inspect = InspectPage(page, url, run=run)
    inspect.control("First call of the stretch").fill(str(calls[0]))
    inspect.control("Last call of the stretch").fill(str(calls[1]))
    inspect.control("Last call of the stretch").press("Enter")
    inspect.section("label").get_by_role("button", name=words).click()
    expect(inspect.section("label")).to_contain_text(f"at {calls[0]}–{calls[1]}")


def flip(row: Locator) -> tuple[str, bool]:
    """The run of a row, and whether it passes under the candidate."""
    verdict, stimulus, trial, model = row.locator("td").all_inner_texts()[:4]
    return f"{stimulus}-{model}-{int(trial) - 1}", verdict == "✓ now passes"


def graded(capsys: pytest.CaptureFixture[str], folder: Path) -> list[dict[str, Any]]:
    """What the command line says of the runs under the written spec."""
    files = {name: str(folder / name) for name in ("results.jsonl", "eval.yaml", "labels.jsonl")}
    config = ("--config", files["eval.yaml"], "--labels", files["labels.jsonl"])
    main(["grade", files["results.jsonl"], *config, "--json"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_two_people_label_in_one_file(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    folder = folder_of_runs(tmp_path / "shared")
    url = start_app(folder)
    one = TunePage(new_page(), url)
    one.keep_labels_in("labels.jsonl")
    expect(one.labels).to_contain_text("0 labels, kept in")
    other = TunePage(new_page(), url)
    expect(other.labels).to_contain_text("0 labels, kept in")
    one.label("l", 1)
    other.page.keyboard.press("s")  # both were offered the same run
    expect(other.queue).to_contain_text("1 run labelled.")
    other.label("o", 2)
    one.page.keyboard.press("l")  # the other has just labelled the run that is offered here
    expect(one.queue).to_contain_text("has been labelled not a loop meanwhile; that stays.")
    one.label("l", 3)
    said = [json.loads(line)["label"] for line in (folder / "labels.jsonl").read_text().splitlines()]
    assert sorted(said) == ["loop", "loop", "not a loop"]


def test_what_cannot_be_done_is_said_plainly(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    folder = folder_of_runs(tmp_path / "odd")
    flow = "stimuli: [{name: fix-lint, graders: [{type: max-repeat, config: {max: 3}}]}]\n"
    (folder / "eval.yaml").write_text(flow)
    page = new_page(width=390)
    tune = TunePage(page, start_app(folder), "?max=4&max_cycle_period=3&match=name-args")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(tune.home).to_contain_text("it is written in flow style, in brackets or braces.")
    expect(tune.home).to_contain_text("To paste by hand")

    tune.keep_labels_in("results.jsonl")
    expect(tune.labels).to_contain_text("results.jsonl is there already and holds something else than labels.")
    tune.keep_labels_in("labels.jsonl")
    expect(tune.labels).to_contain_text("labels.jsonl, one line a label")
    (folder / "labels.jsonl").write_text("<<<<<<< ours\n")
    page.keyboard.press("l")
    expect(tune.labels).to_contain_text(
        "has the marks of a merge in it; settle that first. What you said last is not kept."
    )
    (folder / "labels.jsonl").unlink()
    tune.label("l", 1)
    expect(tune.labels).not_to_contain_text("merge")

    page.get_by_label("Watched tools (tools)").fill("run(")
    expect(tune.settings).to_contain_text("a pattern must compile")
    page.get_by_label("Watched tools (tools)").fill("run")
    expect(tune.settings).to_contain_text("Watches run_tests (1 of 7).")


def test_keys_answer_only_for_the_run_that_is_on_offer(start_app: StartApp, new_page: NewPage, tmp_path: Path) -> None:
    folder = tmp_path / "few"
    folder.mkdir()
    write(folder / "results.jsonl", [trial("aaab", stimulus=f"s{number}") for number in range(3)])
    page = new_page()
    tune = TunePage(page, start_app(folder))
    for key in ("l", "l", "o", "s"):
        page.keyboard.press(key)  # faster than any answer: the first alone is meant for the run on offer
    expect(tune.queue).to_contain_text("1 run labelled.")
    expect(tune.queue).not_to_contain_text("meanwhile")
    page.keyboard.press("s")
    expect(tune.queue.locator(".taking")).to_have_count(0)
    for _ in range(6):
        page.wait_for_timeout(500)
        if tune.queue.get_by_text("Every run that counts has a label, or was skipped.").is_visible():
            break
        page.keyboard.press("s")
    expect(tune.queue).to_contain_text("Every run that counts has a label, or was skipped.")
    page.wait_for_timeout(1_000)
    page.keyboard.press("l")
    page.wait_for_timeout(1_000)
    expect(tune.queue).to_contain_text("1 run labelled.")


CROSSED = """plot => {
  const box = node => node.getBoundingClientRect();
  const names = [...plot.querySelectorAll("text.current, text.candidate")].map(node => [node.textContent, box(node)]);
  const inside = (at, { left, top, right, bottom }, by = 0) =>
    at.x > left - by && at.x < right + by && at.y > top - by && at.y < bottom + by;
  const found = [];
  for (const [name, frame] of names) {
    for (const line of plot.querySelectorAll("polyline")) {
      const turn = line.getScreenCTM();
      for (let at = 0; at <= line.getTotalLength(); at += 1) {
        if (inside(line.getPointAtLength(at).matrixTransform(turn), frame)) { found.push(`${name}: line`); break; }
      }
    }
    for (const dot of plot.querySelectorAll("circle")) {
      const { x, y, width } = box(dot);
      if (inside({ x: x + width / 2, y: y + width / 2 }, frame, width / 2)) found.push(`${name}: dot`);
    }
  }
  const [one, other] = names.map(([, frame]) => frame);
  const across = one.left >= other.right || other.left >= one.right;
  const apart = across || one.top >= other.bottom || other.top >= one.bottom;
  if (!apart) found.push("names");
  return [names.length, found];
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_crosses_the_names_in_the_curve(
    width: int, start_app: StartApp, new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page(width=width)
    url = start_app(folder_of_runs(tmp_path / "runs"))
    for query in ("", "?max=1&max_cycle_period=3&match=name-args", "?max=20&max_cycle_period=2&match=name"):
        tune = TunePage(page, url, query)
        plot = tune.section("spread").locator("svg")
        expect(plot).to_be_visible()
        assert plot.evaluate(CROSSED) == [2, []], query
