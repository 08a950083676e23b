"""The list of runs: failed first, each with its verdict and a link to its page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from loopviz.report.index import Entry, counts, entry, headline, make_index
from loopviz.report.names import file_name
from tests.report.recorded import PLAIN, read, report, trajectory
from tests.ui.vally_trials import without_trajectory


def listed(*documents: Any) -> tuple[list[Entry], str]:
    entries = [entry(report(one).document, file_name(read(one)[0], PLAIN)) for one in documents]
    return entries, make_index(entries, [], PLAIN)


def run(name: str, n_same: int) -> dict[str, Any]:
    return {**trajectory(n_same), "stimulus": {**trajectory()["stimulus"], "name": name}}


def test_failed_first_then_not_judged_then_the_others_by_their_figure() -> None:
    _, html = listed(run("one", 1), run("three", 3), run("five", 5), without_trajectory(), run("seven", 7))
    names = re.findall(r'<a href="[^"]+"><bdi>([^<]+)</bdi>', html)
    assert names == ["seven", "five", "update-dependency, trial 1", "three", "one"]


@pytest.mark.parametrize(
    ("documents", "head", "line"),
    [
        pytest.param([run("a", 5)], "1 run, which fails max-repeat", "", id="one that fails"),
        pytest.param([run("a", 1)], "1 run, which passes max-repeat", "", id="one that passes"),
        pytest.param([without_trajectory()], "1 run, which could not be judged by max-repeat", "", id="one not judged"),
        pytest.param([run("a", 1), run("b", 2)], "None of 2 runs fails max-repeat", "2 pass.", id="none fails"),
        pytest.param(
            [run("a", 5), run("b", 2), without_trajectory()],
            "1 of 3 runs fails max-repeat",
            "1 passes. 1 could not be judged.",
            id="some of each",
        ),
    ],
)
def test_headline(documents: list[Any], head: str, line: str) -> None:
    entries, html = listed(*documents)
    assert (headline(entries), counts(entries)) == (head, line)
    assert f"<h1>{head}</h1>" in html


def test_a_row_says_what_repeated_and_where() -> None:
    _, html = listed(run("five", 5))
    cells = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", html)]
    assert cells[:6] == ["five", "✗ fail", "5", "3", "abash", "call 5"]


def test_what_could_not_be_read_is_listed() -> None:
    html = make_index([], [("a.json", "It holds no recorded run.")], PLAIN)
    assert "1 file could not be read" in html and "a.json: It holds no recorded run." in html
