"""What of a link is not understood, in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.ui import launch
from loopviz.ui.link_faults import LONGEST_VALUE, faults
from tests.ui.test_runs_view import drawn
from tests.ui.vally_trials import trial, write

PAGES = ["runs", "inspect"]


@pytest.mark.parametrize(
    ("params", "told"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param(
            {
                "page": "runs",
                "grader": "2",
                "unknown": "distinct",
                "from": "2",
                "to": "4",
                "only": "fail",
                "sort": "-calls",
                "search": "bash",
                "thrash": "6",
                "utm": "x",
            },
            [],
            id="all is well",
        ),
        pytest.param({"page": "evil"}, ["page “evil” (it must be one of runs, inspect)"], id="no such page"),
        pytest.param({"grader": "x"}, ["grader “x” (it must be a number from 1 on)"], id="no number"),
        pytest.param({"unknown": "evil"}, ["unknown “evil” (it must be equal or distinct)"], id="unknown values"),
        pytest.param({"from": "x"}, ["from and to “x – ” (they must be two calls"], id="half a zoom"),
        pytest.param({"from": "5", "to": "4"}, ["from and to “5 – 4”"], id="a zoom the wrong way round"),
        pytest.param({"thrash": "1"}, ["thrash “1” (n: it must be"], id="a guard"),
        pytest.param({"only": "ducks", "sort": "-ducks"}, ["only “ducks”", "; sort “-ducks”"], id="the table of runs"),
        pytest.param({"page": "\u202eevil"}, ["page “\\u202eevil”"], id="signs that nobody sees"),
        pytest.param({"unknown": "x" * 999}, [f"“{'x' * (LONGEST_VALUE - 1)}…”"], id="a long value"),
    ],
)
def test_the_line(params: dict[str, str], told: list[str]) -> None:
    line = faults(params, PAGES)
    assert bool(line) is bool(told)
    assert all(words in line for words in told)


def test_it_stands_above_the_page_and_not_in_its_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")
    launch.give_paths([str(write(tmp_path / "results.jsonl", [trial("abc", number=1)]))])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=60)
    for name, value in {"page": "evil", "ladder": "0.75-9-5-8", "thrash": "6"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    shown = drawn(app, "link-note-said")["lines"][0][0]["text"]
    assert "page “evil”" in shown and "ladder “0.75-9-5-8”" in shown
    assert app.session_state["choice"].guards.thrash.n == 6
    assert app.query_params["thrash"] in ("6", ["6"])
    assert not {"note", "ladder", "page"} & set(app.query_params)


@pytest.mark.parametrize(
    ("link", "told"),
    [
        pytest.param({"grader": "99"}, "The link names grader 99; this run has 2.", id="a grader"),
        pytest.param({"from": "300", "to": "400"}, "calls from 300 on; this run has 3.", id="a part of the picture"),
        pytest.param({"grader": "2", "from": "2", "to": "3"}, "", id="both are there"),
    ],
)
def test_what_the_run_does_not_have_is_told(
    link: dict[str, str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")
    runs = [trial("abc", stimulus="one", number=0, graders=({"max": 3}, {"max": 9}))]
    launch.give_paths([str(write(tmp_path / "results.jsonl", runs))])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=60)
    for name, value in {"run": "one-trial-0", **link}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    _, lines = app.session_state["link"]
    said = " ".join(part["text"] for line in lines for part in line)
    assert told in said
    assert bool(said) is bool(told)
