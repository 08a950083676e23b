"""The Present page driven without a browser: which run it shows, and what its address says."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.ui import launch
from tests.ui.vally_trials import trial, without_trajectory, write

PATIENCE_S = 60
RUNS = [
    trial("caaaaad", number=0, tools="run_tests"),
    trial("abc", number=1),
    without_trajectory(),
]


@pytest.fixture(autouse=True)
def _no_paths_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")


def opened(tmp_path: Path, records: list[dict[str, object]], **link: str) -> AppTest:
    """The page Present of an app on these trials."""
    launch.give_paths([str(write(tmp_path / "results.jsonl", records))])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=PATIENCE_S)
    app.run()
    for name, value in link.items():
        app.query_params[name] = value
    app.switch_page("views/present.py").run()
    assert not app.exception
    return app


def test_it_opens_on_the_run_at_hand_and_offers_the_others(tmp_path: Path) -> None:
    app = opened(tmp_path, RUNS)
    box = app.selectbox(key="present.list")
    assert box.value == 0
    assert box.options == [
        "All 3 runs",
        "fix-failing-test, trial 1 · large-3",
        "fix-failing-test, trial 2 · large-3",
        "update-dependency, trial 1 · large-3",
    ]
    box.select_index(2).run()
    assert app.query_params["run"].startswith("fix-failing-test-trial-1.")
    app.selectbox(key="present.list").select_index(0).run()
    assert app.query_params["runs"] == "all"
    app.switch_page("views/inspect.py").run()
    app.switch_page("views/present.py").run()
    assert app.query_params["runs"] == "all"
    app.session_state["run"] = ""  # as going to another run elsewhere does
    app.run()
    assert "runs" not in app.query_params


def test_hidden_texts_hide_the_name_of_the_run_in_the_address_too(tmp_path: Path) -> None:
    app = opened(tmp_path, RUNS)
    app.toggle(key="present.toggle").set_value(True).run()
    hidden = app.query_params["run"]
    assert app.query_params["hide"] == "1"
    assert "fix-failing-test" not in hidden
    other = opened(tmp_path, RUNS[::-1], run=hidden, hide="1")
    assert other.toggle(key="present.toggle").value is True
    assert other.selectbox(key="present.list").value == 2


def test_the_only_run_has_no_set_to_offer(tmp_path: Path) -> None:
    app = opened(tmp_path, RUNS[:1])
    assert app.selectbox(key="present.list").options == ["fix-failing-test, trial 1 · large-3"]


def test_a_run_that_is_not_judged_can_be_presented(tmp_path: Path) -> None:
    app = opened(tmp_path, RUNS[2:])
    assert app.selectbox(key="present.list").options == ["update-dependency, trial 1 · large-3"]


def test_without_runs_it_leads_to_where_they_are_opened(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("nothing", "utf-8")
    launch.give_paths([str(tmp_path / "empty.txt")])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=PATIENCE_S).run()
    app.switch_page("views/present.py").run()
    assert app.title[0].value == "Nothing to present yet"
