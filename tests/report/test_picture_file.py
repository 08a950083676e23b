"""The picture of a run as a file: sound XML that stands alone and says what it shows."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from loopviz.analysis.lines import Question
from loopviz.report.export import Export
from loopviz.report.picture_file import make_picture
from tests.report.planting import Planter
from tests.report.recorded import DAY, PLAIN, read, record, trajectory
from tests.ui.vally_trials import trial, without_trajectory

SVG = "{http://www.w3.org/2000/svg}"


def drawn(document: Any, export: Export = PLAIN) -> ElementTree.Element:
    (run,) = read(document)
    return ElementTree.fromstring(make_picture(run, Question(), export))


def words(root: ElementTree.Element) -> str:
    return " ".join(" ".join(node.text or "" for node in root.iter(f"{SVG}text")).split())


def test_it_says_what_it_shows() -> None:
    said = words(drawn(record(), Export(date=DAY, note="Look\nhere")))
    for part in (
        "fix-cart, trial 2 · model-b",
        "The agent ran npm test 5 times in a row and got the same result each time.",
        "Look here",
        "of 9 calls came after the point where a stop guard would have ended the run.",
        "5 times; 3 are allowed",
        "30 November 2026",
    ):
        assert part in said
    assert drawn(record()).find(f"{SVG}title").text.startswith("fix-cart, trial 2: The agent ran")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(trial(""), id="no calls"),
        pytest.param(trial("abc"), id="no loop"),
        pytest.param(without_trajectory(), id="not judged"),
        pytest.param({**trajectory(), "stimulus": {}}, id="no grader"),
    ],
)
def test_a_run_with_little_to_show(document: Any) -> None:
    root = drawn(document)
    assert int(root.get("height", "0")) > 60 and words(root)


def test_texts_are_texts_and_nothing_is_fetched() -> None:
    document = Planter(lambda text: f"{text}</text><script>1</script>\0\ud800&").plant(record())
    root = drawn(document, Export(date=DAY, note="<b>&"))
    names = {node.tag.removeprefix(SVG) for node in root.iter()}
    assert names <= {"svg", "title", "desc", "rect", "g", "text", "path", "defs", "pattern"}
    used = {key for node in root.iter() for key in node.attrib}
    assert not {key for key in used if "href" in key or key.startswith("on") or key == "style"}
