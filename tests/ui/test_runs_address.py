"""The address of Runs: search, chosen count and order go out and come back; what is not known is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.ui import launch
from tests.ui.test_runs_view import MIXED, rows
from tests.ui.vally_trials import write


@pytest.fixture(autouse=True)
def _no_paths_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")


def opened(tmp_path: Path, **link: str) -> AppTest:
    launch.give_paths([str(write(tmp_path / "results.jsonl", MIXED))])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=60)
    for name, value in {"page": "runs", **link}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def fields(app: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in dict(app.query_params).items()}


def test_what_is_on_screen_is_in_the_address_and_comes_back(tmp_path: Path) -> None:
    app = opened(tmp_path)
    assert fields(app) == {}
    app.text_input(key="runs.search").set_value("needle").run()
    app.toggle(key="runs.inside").set_value(True).run()
    told = fields(app)
    assert told == {"search": "needle", "inside": "1"}
    other = opened(tmp_path, **told)
    assert rows(other) == rows(app) and len(rows(app)) == 1
    assert fields(other) == told


def test_a_chosen_count_and_an_order_come_back(tmp_path: Path) -> None:
    link = {"only": "fail", "sort": "-calls", "search": "^loops", "search_as": "pattern"}
    app = opened(tmp_path, **link)
    assert rows(app) == ["loops 1"]
    assert app.session_state["runs.sort"].column == "calls"
    assert fields(app) == link


@pytest.mark.parametrize(
    "link",
    [
        pytest.param({"only": "ducks", "sort": "ducks"}, id="no such count or column"),
        pytest.param({"search": "x" * 61}, id="a long search"),
    ],
)
def test_what_is_not_known_is_left(link: dict[str, str], tmp_path: Path) -> None:
    app = opened(tmp_path, **link)
    assert len(rows(app)) == len(MIXED)
    assert fields(app) == {}


def test_a_long_search_stays_out(tmp_path: Path) -> None:
    app = opened(tmp_path)
    app.text_input(key="runs.search").set_value("x" * 61).run()
    assert fields(app) == {}
