"""The Compare page driven without a browser: which runs stand on it, what it says of them, and the ways there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from loopviz.comparing import aligning
from loopviz.comparing.aligning import Alignment
from loopviz.readers import read_path
from loopviz.ui import launch
from loopviz.ui.compare import runs
from tests.ui.vally_trials import trial, without_trajectory, write

PATIENCE_S = 60
PAGE = "views/compare.py"
TRIALS = [
    trial("abc", number=0, score=0.9),
    trial("abaaaaac", number=1, score=0.2),
    trial("xyz", stimulus="other", number=0, score=0.9),
    without_trajectory(),
]
"""Steps hold their number in the arguments, so runs are alike for as long as their words are."""


@pytest.fixture(autouse=True)
def _no_paths_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")


def opened(*paths: Path, **params: str) -> AppTest:
    """The Compare page of the app on these paths, by this address."""
    launch.give_paths([str(path) for path in paths])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=PATIENCE_S)
    app.session_state["visited"] = True
    app.switch_page(PAGE)
    for name, value in params.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def drawn(app: AppTest, key: str) -> Any:
    """What the component of that key was given; None where it is not on the page."""
    protos = [element.proto for element in app.get("bidi_component")]
    return next((json.loads(proto.json) for proto in protos if proto.id.endswith(f"-{key}")), None)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return write(tmp_path / "results.jsonl", TRIALS)


def keys(path: Path) -> list[str]:
    return [f"{run.run}.{run.digest[:8]}" for run in read_path(path).trajectories]


def test_a_trial_that_passes_stands_beside_one_that_fails(results: Path) -> None:
    app = opened(results)
    assert app.title[0].value == "The two trials part at turn 3"
    names = [verdict["name"] for verdict in drawn(app, "compare")["picture"]["verdicts"]]
    assert names == ["trial 1", "trial 2"]


def test_a_run_without_other_trials_stands_beside_the_next_that_ended_well(tmp_path: Path) -> None:
    alone = [
        trial("abaaaaac", stimulus="one", score=0.2),
        trial("abc", stimulus="two", score=0.1),
        trial("abd", stimulus="three", score=0.9),
    ]
    app = opened(write(tmp_path / "results.jsonl", alone))
    assert [app.selectbox[side].options[app.selectbox[side].index or 0] for side in (0, 1)] == [
        "three, trial 1 · ✓ ended well",
        "one, trial 1 · ✗ ended badly",
    ]


def test_a_link_brings_back_runs_alignment_and_step(results: Path) -> None:
    one, _, other, _ = keys(results)
    app = opened(results, a=other, b=one, align="name", step="2")
    assert app.title[0].value == "The two runs have no step in common"
    assert drawn(app, "compare")["picture"]["selected"] == 1
    assert app.query_params["a"] == other and app.query_params["align"] == "name"


def test_a_run_that_is_not_there_is_told(results: Path) -> None:
    app = opened(results, a="gone.12345678", b=keys(results)[1])
    assert "The link names the run gone, which is not among the open files." in app.text[0].value


def test_a_run_that_is_missing_on_both_sides_is_told_once(results: Path) -> None:
    app = opened(results, a="gone.12345678", b="gone.12345678", step="2")
    assert len(app.text) == 1
    assert "step" not in app.query_params


@pytest.mark.parametrize("mode", ["runs", "settings"])
def test_a_step_that_is_not_there_is_told(results: Path, mode: str) -> None:
    app = opened(results, mode=mode, a=keys(results)[0], b=keys(results)[1], step="999")
    assert app.text[0].value.startswith("The link names step 999, and there are ")
    assert "step" not in app.query_params


def test_where_the_settings_of_each_side_come_from(results: Path, tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.jsonl", [trial("abc", number=7, graders=())])
    app = opened(results, plain, a=keys(results)[0], b=keys(plain)[0])
    (foot,) = drawn(app, "compare")["foot"]
    assert "A as recorded, B by Vally's example" in foot


def test_settings_of_a_link_that_are_refused_are_told(results: Path) -> None:
    app = opened(results, mode="settings", a=keys(results)[1], b_max="0")
    assert app.text[0].value.startswith("The link's settings of B are not used: max ")


def spans_without_texts(path: Path, trace: str) -> Path:
    """Spans of two tool calls that hold neither arguments nor results."""
    spans = [
        {
            "traceId": trace * 32,
            "spanId": f"{number:016x}",
            "name": "execute_tool bash",
            "startTimeUnixNano": str(number * 10**9),
            "endTimeUnixNano": str(number * 10**9 + 5),
            "attributes": [
                {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
                {"key": "gen_ai.tool.name", "value": {"stringValue": "bash"}},
                {"key": "gen_ai.tool.call.id", "value": {"stringValue": f"c{number}"}},
            ],
        }
        for number in (1, 2)
    ]
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}), "utf-8")
    return path


def test_values_that_were_not_recorded_are_said_to_be_that(tmp_path: Path) -> None:
    app = opened(*(spans_without_texts(tmp_path / f"{trace}.json", trace) for trace in "12"))
    assert app.title[0].value == "The two runs take the same 2 steps, as far as they are recorded"
    (foot,) = drawn(app, "compare")["foot"]
    assert "told apart, 0 steps would be in both." in foot


def test_it_is_said_while_steps_are_aligned(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    heard: list[list[str]] = []

    @contextmanager
    def spinner(words: str, **_: Any) -> Iterator[None]:
        said.append(words)
        yield
        said.remove(words)

    def align(*given: Any) -> Alignment:
        heard.append(said.copy())
        return aligning.align(*given)

    monkeypatch.setattr(st, "spinner", spinner)
    monkeypatch.setattr(runs, "align", align)
    opened(results)
    assert heard and all(words == ["Aligning the steps…"] for words in heard)


def test_a_name_turns_no_words_around(tmp_path: Path) -> None:
    app = opened(write(tmp_path / "results.jsonl", [trial("abc", stimulus="m\u202elive")]))
    assert not any("\u202e" in option for box in app.selectbox for option in box.options)


def test_a_run_without_a_trajectory(results: Path) -> None:
    app = opened(results, a=keys(results)[0], b=keys(results)[3])
    assert app.title[0].value == "B holds no trajectory, so there is nothing to align"
    shown = drawn(app, "compare")
    assert shown["picture"]["picture"] is None
    assert shown["picture"]["verdicts"][1]["badge"] == "– not judged"


def test_one_run_alone(tmp_path: Path) -> None:
    app = opened(write(tmp_path / "results.jsonl", [trial("abc")]))
    assert app.title[0].value == "A and B are the same run"


def test_swap(results: Path) -> None:
    app = opened(results)
    app.button(key="compare.swap").click().run()
    names = [verdict["name"] for verdict in drawn(app, "compare")["picture"]["verdicts"]]
    assert names == ["trial 2", "trial 1"]


def test_two_settings(results: Path) -> None:
    app = opened(results, mode="settings", a=keys(results)[1], b_max="9", b_max_cycle_period="2")
    assert app.title[0].value == "The run fails under A and passes under B"
    app.number_input(key="compare.set.max").set_value(2).run()
    assert app.title[0].value == "The run fails under both settings"
    assert app.query_params["b_max"] == "2"


def test_settings_that_are_refused_say_why(results: Path) -> None:
    app = opened(results, mode="settings", a=keys(results)[1], b_max="9")
    app.number_input(key="compare.set.max").set_value(0).run()
    assert not app.exception
    assert any(text.value.startswith("Not used: max ") for text in app.text)
    assert app.query_params["b_max"] == "9"


def test_two_sets_are_the_last_two_files(tmp_path: Path) -> None:
    nights = [
        write(tmp_path / f"night-{night}.jsonl", [trial(word, number=0), trial("abc", number=1)])
        for night, word in enumerate(("abc", "aaaaa"))
    ]
    app = opened(*nights, mode="sets")
    assert app.title[0].value == "1 trial newly fails in B"
    (group,) = drawn(app, "compare-sets")["sets"]["groups"]
    assert [(row["name"], row["compare"]) for row in group["rows"]] == [("fix-failing-test, trial 1", "pair=0.2")]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        pytest.param(
            {"by": "file", "a": "gone.jsonl", "b": "neither"},
            [
                "The link names the set gone.jsonl, which is not among the open runs.",
                "The link names the set neither, which is not among the open runs.",
                "Shown instead: other sets.",
            ],
            id="no set of these names",
        ),
        pytest.param(
            {"by": "colour"},
            ["The link names sets by colour, which is none of the ways to tell these runs apart."],
            id="no such way",
        ),
        pytest.param({"by": "file"}, [], id="nothing amiss"),
    ],
)
def test_sets_that_a_link_names_and_that_are_not_there(tmp_path: Path, params: dict[str, str], said: list[str]) -> None:
    nights = [write(tmp_path / f"{night}.jsonl", [trial("abc", number=night)]) for night in range(2)]
    app = opened(*nights, mode="sets", **params)
    assert [text.value for text in app.text] == said


def test_one_set_on_both_sides(tmp_path: Path) -> None:
    nights = [write(tmp_path / f"{night}.jsonl", [trial("aaaaa", number=night)]) for night in range(2)]
    app = opened(*nights, mode="sets", by="file", a=str(nights[0]), b=str(nights[0]))
    assert app.title[0].value == "A and B are the same set"


def test_one_set_alone(tmp_path: Path) -> None:
    app = opened(write(tmp_path / "results.jsonl", [trial("abc")]), mode="sets")
    assert app.title[0].value == "There is one set of runs here"


def test_two_runs_picked_by_hand_lead_here(results: Path) -> None:
    launch.give_paths([str(results)])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=PATIENCE_S).run()
    app.toggle(key="runs.picking").set_value(True).run()
    assert not [button for button in app.button if button.key == "runs.compare"]
    one, other = keys(results)[0], keys(results)[2]
    app.session_state["runs.picked"] = frozenset((one, other))
    app.run()
    app.button(key="runs.compare").click().run()
    assert (app.query_params["a"], app.query_params["b"]) == (one, other)


def test_a_name_of_a_run_is_never_markup(tmp_path: Path) -> None:
    hostile = "![x](http://example.invalid/p.png) <b>$x$"
    app = opened(write(tmp_path / "results.jsonl", [trial("abc", stimulus=hostile), trial("ab", stimulus="quiet")]))
    said = [element.value for kind in ("title", "markdown", "caption") for element in app.get(kind)]
    assert not any("example.invalid" in words for words in said)
