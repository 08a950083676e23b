"""The Runs page driven without a browser: what stands on it, and what its controls do."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.ui import launch
from loopviz.ui.runs_controls import PAGE
from tests.ui.vally_trials import trial, without_trajectory, write

PATIENCE_S = 60
MIXED = [
    trial("caaaaad", stimulus="loops", number=0, said=True, score=0.8, tools="npm_test"),
    trial("caad", stimulus="loops", number=1, model="small-3", said=True, text="needle"),
    trial("abc", stimulus="quiet", said=True),
    without_trajectory(graders=({"max": 3},)),
]
ALL = ["loops 1", "update-dependency 1", "loops 2", "quiet 1"]


@pytest.fixture(autouse=True)
def _no_paths_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")


def opened(*paths: Path) -> AppTest:
    """The app on these paths, at its first page."""
    launch.give_paths([str(path) for path in paths])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=PATIENCE_S).run()
    assert not app.exception
    return app


@pytest.fixture
def mixed(tmp_path: Path) -> AppTest:
    return opened(write(tmp_path / "results.jsonl", MIXED))


def drawn(app: AppTest, key: str) -> Any:
    """What the component of that key was given; None where it is not on the page."""
    protos = [element.proto for element in app.get("bidi_component")]
    return next((json.loads(proto.json) for proto in protos if proto.id.endswith(f"-{key}")), None)


def rows(app: AppTest) -> list[str]:
    """Name and trial of each row in sight."""
    table = drawn(app, "table")
    return [] if table is None else [f"{row['cells'][0]} {row['cells'][1]}" for row in table["rows"]]


def pills(app: AppTest) -> list[str]:
    return [option.content for option in app.button_group(key="runs.filter").proto.options]


def texts(app: AppTest) -> str:
    return "\n".join(text.value for text in app.text)


def test_the_finding_comes_first(mixed: AppTest) -> None:
    assert [title.value for title in mixed.title] == ["1 of 4 trials fails max-repeat"]
    assert "2 pass. 1 could not be judged: it holds no trajectory." in texts(mixed)
    assert "Recorded in the runs: 3 allowed in a row (max 3) in all 3" in texts(mixed)
    assert [item["title"] for item in drawn(mixed, "findings")["items"]] == ["loops, trial 1"]
    assert rows(mixed) == ALL


def test_counts_are_filters(mixed: AppTest) -> None:
    assert pills(mixed) == [
        "all **4**",
        "✗ fail **1**",
        "– not judged **1**",
        "≠ Vally said otherwise **1**",
        "detectors disagree **1**",
    ]
    mixed.button_group(key="runs.filter").set_value("unjudged").run()
    assert rows(mixed) == ["update-dependency 1"]


def test_counts_follow_the_search_and_the_other_filters(mixed: AppTest) -> None:
    mixed.text_input(key="runs.search").set_value("loops").run()
    assert pills(mixed)[:3] == ["all **2**", "✗ fail **1**", "– not judged **0**"]
    mixed.selectbox(key="runs.only.models").set_value("small-3").run()
    assert pills(mixed)[:2] == ["all **1**", "✗ fail **0**"]
    mixed.button_group(key="runs.filter").set_value("fail").run()
    assert rows(mixed) == []
    mixed.text_input(key="runs.search").set_value("").run()
    assert mixed.button_group(key="runs.filter").value == "fail"


@pytest.mark.parametrize(
    ("words", "inside", "found"),
    [
        pytest.param("", False, ALL, id="nothing asked for"),
        pytest.param("LOOPS", False, ["loops 1", "loops 2"], id="a stimulus"),
        pytest.param("small", False, ["loops 2"], id="a model"),
        pytest.param("npm_", False, ["loops 1"], id="a tool"),
        pytest.param("call_007", False, ["loops 1"], id="a call id"),
        pytest.param("needle", False, [], id="a text inside, not asked for"),
        pytest.param("needle", True, ["loops 2"], id="a text inside"),
    ],
)
def test_search(words: str, inside: bool, found: list[str], mixed: AppTest) -> None:
    mixed.toggle(key="runs.inside").set_value(inside)
    mixed.text_input(key="runs.search").set_value(words).run()
    assert rows(mixed) == found
    assert [info.value for info in mixed.info] == (
        [] if found else ["No trial fits. Change the search or the filters."]
    )


def test_one_for_all_begins_with_what_most_runs_recorded_and_judges_all_anew(mixed: AppTest) -> None:
    mixed.button_group(key="runs.mode").set_value("own").run()
    assert mixed.number_input(key="set.max").value == 3
    mixed.number_input(key="set.max").set_value(1).run()
    assert [title.value for title in mixed.title] == ["2 of 4 trials fail max-repeat"]
    assert "Your settings, for all trials: 1 allowed in a row (max 1)" in texts(mixed)
    mixed.button_group(key="runs.mode").set_value("recorded").run()
    assert [title.value for title in mixed.title] == ["1 of 4 trials fails max-repeat"]


def test_a_refused_pattern_says_why_and_changes_nothing(mixed: AppTest) -> None:
    mixed.button_group(key="runs.mode").set_value("own").run()
    mixed.text_input(key="set.tools").set_value("(").run()
    assert "What stood before stays in force." in texts(mixed)
    assert [title.value for title in mixed.title] == ["1 of 4 trials fails max-repeat"]


def test_further_filters_and_columns(mixed: AppTest) -> None:
    mixed.selectbox(key="runs.only.models").set_value("small-3").run()
    assert rows(mixed) == ["loops 2"]
    mixed.toggle(key="runs.show.Spent").set_value(False).run()
    assert "Spent" not in {column["group"] for column in drawn(mixed, "table")["columns"]}


def test_files_without_settings_are_judged_by_the_example(tmp_path: Path) -> None:
    app = opened(write(tmp_path / "a.jsonl", [trial("aaaa", graders=())]))
    assert "No max-repeat settings in this file. Shown: Vally's example, max 3." in texts(app)
    assert [title.value for title in app.title] == ["This trial fails max-repeat"]


def test_long_sets_come_in_pages(tmp_path: Path) -> None:
    app = opened(write(tmp_path / "a.jsonl", [trial("ab", number=number) for number in range(PAGE + 5)]))
    assert len(rows(app)) == PAGE
    next(button for button in app.button if button.label == "Next →").click().run()
    assert rows(app) == [f"fix-failing-test {number}" for number in range(PAGE + 1, PAGE + 6)]
    assert any(caption.value.startswith(f"Rows {PAGE + 1}–{PAGE + 5} of {PAGE + 5}") for caption in app.caption)
    app.text_input(key="runs.search").set_value("trial-7").run()
    assert rows(app)[0] == "fix-failing-test 8"


def test_what_could_not_be_read_is_listed(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html>", "utf-8")
    app = opened(write(tmp_path / "a.jsonl", MIXED), page)
    assert [one["title"] for one in drawn(app, "files")["lists"]] == [
        "1 file could not be read",
        "2 notes on the files",
        "1 file was read",
    ]
    assert drawn(app, "files")["lists"][0]["rows"][0][0] == str(page)


def test_nothing_that_can_be_read(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html>", "utf-8")
    app = opened(page)
    assert [title.value for title in app.title] == ["No run could be read"]
    assert drawn(app, "files")["lists"][0]["rows"][0][0] == str(page)
    assert [header.value for header in app.header] == ["Open your own"]


def test_nothing_given_shows_the_samples() -> None:
    app = opened()
    assert [title.value for title in app.title] == ["Did the agent go in circles?"]
    assert drawn(app, "samples")[0]["badge"]["look"] == "fail"
    assert "Vally results.jsonl" in texts(app)


def test_a_file_dropped_on_the_page_is_opened(tmp_path: Path) -> None:
    path = write(tmp_path / "dropped.jsonl", MIXED)
    app = opened()
    app.file_uploader(key="open.files").set_value([("dropped.jsonl", path.read_bytes(), "text/plain")]).run()
    assert [title.value for title in app.title] == ["1 of 4 trials fails max-repeat"]


def test_signs_that_no_text_may_hold_do_not_stop_the_page(tmp_path: Path) -> None:
    lone = "half \ud800 sign"
    records = [
        trial(
            "aaaab", stimulus=lone, model=lone, status=lone, tools=f"{lone} b", graders=({"max": 2, "tools": [lone]},)
        ),
        trial("ab", stimulus=f"{lone} too", model="m"),
    ]
    app = opened(write(tmp_path / "results.jsonl", records))
    assert len(rows(app)) == 2
    app.text_input(key="runs.search").set_value("half").run()
    assert not app.exception
    assert len(rows(app)) == 2


def test_a_file_whose_name_is_no_text_is_listed_all_the_same(tmp_path: Path) -> None:
    strange = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl")
    write(tmp_path / "plain.jsonl", MIXED)
    write(Path(strange), MIXED)
    app = opened(tmp_path)
    assert len(rows(app)) == 8
    files = app.selectbox(key="runs.only.files").options
    assert [name.rpartition("/")[2] for name in files] == ["caf\ufffd.jsonl", "plain.jsonl"]
