"""The benchmark's fixtures are what it says they are, and its table tells the truth. Nothing here looks at a clock."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from benchmarks import comparing, detection, following, formats, rivals, runs_page
from benchmarks.actions import REPEATED, REQUEST_ID, Action
from benchmarks.browser import NotPossible
from benchmarks.fixture import long_run, long_run_actions, many_runs
from benchmarks.memory import item_f
from benchmarks.sizes import Sizes
from benchmarks.table import MET, MISSED, NOT_MEASURED, Row, Unit, render, seconds, summary
from benchmarks.timing import Yardstick
from loopviz.readers import read_bytes
from tests.readers.contract import FORMATS, Format

TINY = Sizes(
    calls=300, runs=12, steps=10, rounds=1, scaling=(50, 100), rival_calls=100, pages=(50,), presses=1, listed=(2, 5),
    format_bytes=20_000, memory_bytes=20_000, formats_in_memory=1, aligned=60,
    followed=(20, 40), new_lines=12,
)  # fmt: skip


def distinct(made: Sequence[Action]) -> float:
    return len({(action.tool, json.dumps(action.arguments)) for action in made}) / len(made)


@pytest.mark.parametrize("n_calls", [0, 1, 7, 1000])
def test_as_many_calls_as_asked_for(n_calls: int) -> None:
    assert len(list(long_run_actions(n_calls))) == n_calls


def test_the_same_calls_every_time() -> None:
    assert list(long_run_actions(500)) == list(long_run_actions(500))


def test_the_share_of_repeated_calls() -> None:
    made = list(long_run_actions(5000))
    assert distinct(made) == pytest.approx(1 - REPEATED, abs=0.01)


def test_some_calls_send_a_request_id_and_some_fail() -> None:
    made = list(long_run_actions(2000))
    assert 0.05 < sum(REQUEST_ID in action.arguments for action in made) / len(made) < 0.2
    assert 0.01 < sum(not action.success for action in made) / len(made) < 0.2


def test_a_long_run_is_read_whole() -> None:
    loaded = read_bytes(long_run(600), "long-run.json")
    (trajectory,) = loaded.trajectories
    assert loaded.problems == trajectory.problems == ()
    assert len(trajectory.calls) == 600
    assert 300 < trajectory.n_turns < 600
    assert (trajectory.calls.turn >= 0).all()
    assert np.isfinite(trajectory.calls.started_s).all() and np.isfinite(trajectory.calls.ended_s).all()
    assert [trajectory.tool(call) for call in range(600)] == [action.tool for action in long_run_actions(600)]


def test_a_run_for_the_browser_has_a_step_for_every_call() -> None:
    (trajectory,) = read_bytes(long_run(200, parallel=False), "long-run.json").trajectories
    assert trajectory.n_turns == len(trajectory.calls) == 200


def test_many_runs_are_read_whole() -> None:
    loaded = read_bytes(b"".join(many_runs(5, 20)), "results.jsonl")
    assert loaded.problems == ()
    assert [len(trajectory.calls) for trajectory in loaded.trajectories] == [20] * 5
    assert all(trajectory.grade for trajectory in loaded.trajectories)
    tools = [trajectory.tool(call) for trajectory in loaded.trajectories for call in range(20)]
    assert tools == [action.tool for action in long_run_actions(100)]


def test_about_four_hundred_bytes_a_call() -> None:
    assert 380 < len(long_run(2000)) / 2000 < 450


def row(unit: Unit, bound: float, figure: float | None) -> Row:
    return Row(item="a", what="something", unit=unit, bound=bound, figure=figure)


@pytest.mark.parametrize(
    ("unit", "bound", "figure", "verdict"),
    [
        pytest.param(Unit.JSON, 2.5, 4.9, MET, id="seconds below so many J"),
        pytest.param(Unit.JSON, 2.5, 5.1, MISSED, id="seconds above"),
        pytest.param(Unit.JSON, 1 / 40, 0.06, MISSED, id="seconds above a part of J"),
        pytest.param(Unit.FILE, 4.0, 4.0, MET, id="just kept"),
        pytest.param(Unit.FASTER, 20.0, 21.0, MET, id="faster is better"),
        pytest.param(Unit.FASTER, 20.0, 19.0, MISSED, id="not fast enough"),
        pytest.param(Unit.EMPTY_APP, 1.35, None, NOT_MEASURED, id="nothing measured is nothing kept"),
    ],
)
def test_verdict(unit: Unit, bound: float, figure: float | None, verdict: str) -> None:
    assert row(unit, bound, figure).verdict(json_s=2.0) == verdict


def test_the_table_shows_ratios_with_their_bounds() -> None:
    rows = [row(Unit.JSON, 1 / 40, 0.04), row(Unit.FASTER, 20.0, 58.3), row(Unit.FILE, 4.0, None)]
    lines = render(rows, json_s=2.0).splitlines()
    assert len({len(line) for line in lines}) == 1
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    assert cells == [
        ["a", "something", "≤ J/40", "J/50", "", MET],
        ["a", "something", "≥ 20 × as fast", "58.3 × as fast", "", MET],
        ["a", "something", "≤ 4.00 × the file", "–", "", NOT_MEASURED],
    ]
    assert summary(rows, json_s=2.0) == "2 met, 0 MISSED, 1 not measured."


@pytest.mark.parametrize(
    ("value", "words"), [(0.01234, "0.0123 s"), (1.5, "1.50 s"), (123.4, "123 s")], ids=["small", "middling", "large"]
)
def test_seconds_have_three_figures(value: float, words: str) -> None:
    assert seconds(value) == words


def test_every_detection_item_gives_its_rows() -> None:
    yardstick = Yardstick(long_run(TINY.calls))
    runs = read_bytes(b"".join(many_runs(TINY.runs, TINY.steps)), "results.jsonl").trajectories
    rows = [*detection.item_a(yardstick, TINY), *detection.item_b(yardstick, TINY)]
    rows += detection.item_c(runs, yardstick, TINY)
    assert [row.item for row in rows] == ["a"] + 5 * ["b"] + 8 * ["c"]
    assert all(row.figure is not None for row in rows)


@pytest.mark.parametrize("format", [pytest.param(one, id=one.name) for one in FORMATS])
def test_a_file_of_each_format_is_read_whole(format: Format) -> None:
    loaded = read_bytes(formats.file_of(format, 150_000), "file")
    assert loaded.source.format == format.name
    assert loaded.problems == ()
    calls = sum(len(trajectory.calls) for trajectory in loaded.trajectories)
    assert calls >= len(loaded.trajectories) * formats.TURNS


def test_the_size_of_a_file_is_about_the_one_asked_for() -> None:
    atif = next(format for format in FORMATS if format.name == "atif")
    assert len(formats.file_of(atif, 500_000)) == pytest.approx(500_000, rel=0.2)


def test_every_format_is_timed() -> None:
    rows = formats.item_h(TINY)
    assert [row.what.split()[-1] for row in rows] == [format.name for format in FORMATS]
    assert all(row.figure is not None and row.figure > 0 for row in rows)


def test_a_pattern_is_never_used_twice() -> None:
    used = [change.settings.tools for change in (*detection._tool_changes(), *detection._tool_changes())]
    assert len(set(used)) == len(used) == 4


def test_a_rival_that_is_not_installed_says_how_to_install_it() -> None:
    def prepare(made: Sequence[Action]) -> rivals.Work:
        raise ImportError

    rival = rivals.Rival(package="never-heard-of", prepare=prepare)
    found = rivals._compare(rival, list(long_run_actions(10)), lambda: None, TINY)
    assert found.figure is None
    assert "pip install never-heard-of" in found.what


def test_the_runs_page_has_a_row_for_each_action_even_without_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def none() -> Iterator[None]:
        raise NotPossible("no Chromium here")
        yield

    monkeypatch.setattr(runs_page, "chromium_open", none)
    rows = runs_page.item_j(TINY)
    assert [row.item for row in rows] == ["j"] * len(runs_page.ACTIONS)
    assert all(row.verdict(1.0) == NOT_MEASURED and "no Chromium here" in row.what for row in rows)


def test_the_best_round_of_the_runs_page_counts() -> None:
    row = runs_page._best("sort it", 100, 100_000, [(300.0, 150.0), (280.0, 200.0), (900.0, 500.0)])
    assert (row.figure, row.seconds, row.verdict(1.0)) == (1.4, "280 ms to 200 ms", MET)


def test_every_session_that_is_followed_gives_a_row(tmp_path: Path) -> None:
    rows = following.item_m(tmp_path, TINY)
    assert [row.what.split()[1] for row in rows] == list(following.SESSIONS)
    assert all(row.figure is not None and row.figure >= 1 for row in rows)


@pytest.mark.slow
def test_memory_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "long-run.json"
    path.write_bytes(long_run(2000))
    figures = [row.figure for row in item_f(path, path, TINY)]
    assert all(figure is None or figure > 0 for figure in figures)


def test_the_hard_alignments_are_what_they_are_called() -> None:
    hard = comparing.worst_cases(60)
    assert {what: len(set(a.tolist()) & set(b.tolist())) for what, (a, b) in hard.items() if "random" not in what} == {
        "all alike": 1,
        "all different": 0,
        "reversed": 60,
    }
    assert {len(side) for pair in hard.values() for side in pair} == {60}


def test_an_alignment_is_held_to_seconds() -> None:
    rows = comparing.item_l(Yardstick(b"[1]"), TINY)
    assert [(row.item, row.unit, row.bound) for row in rows] == [("l", Unit.SECONDS, 1.0)] * 6
    assert rows[0].what == "align two runs of 60 steps, from their calls on"
