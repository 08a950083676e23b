from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from loopviz.analysis.inspection import Inspection
from loopviz.presenting.picture import plain_picture, stops_of
from loopviz.presenting.svg import Ground, width_of, wrapped
from loopviz.timeline.palette import PALETTES
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import call
from tests.presenting.test_scene import loop, quiet

SVG = "{http://www.w3.org/2000/svg}"
LOOP = quiet(9) + [call("run_tests", {"path": "tests"}, "2 failing")] * 7 + quiet(6, 20)


def drawn(found: Inspection, width: int = 1120, theme: Ground = "light", **more: Any) -> ElementTree.Element:
    return ElementTree.fromstring(plain_picture(found, width=width, theme=theme, hide_texts=False, **more))


def texts(picture: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in picture.iter(f"{SVG}text")]


def test_it_shows_the_repeat_the_stop_and_the_ladder() -> None:
    said = texts(drawn(look(LOOP)))
    assert "the same test, the same result, 7\u00a0times; 3 are allowed" in said
    assert "22 calls, in order" in said
    assert "a stop guard would have ended the run here, after call 12" in said
    assert "10 more calls" in said
    assert "2 · try another way" in said
    cells = [node for node in drawn(look(LOOP)).iter(f"{SVG}g") if "copy" in (node.get("class") or "").split()]
    assert [(node.get("data-call"), node[1].text) for node in cells] == [(str(9 + k), str(k + 1)) for k in range(7)]


def test_it_stands_alone_and_tells_what_it_is() -> None:
    svg = plain_picture(look(LOOP), width=1120, theme="dark", hide_texts=False)
    assert not re.findall(r"(?:href|src|@import|<script|<style|<foreignObject|<image|var\()", svg)
    assert set(re.findall(r"url\((.*?)\)", svg)) <= {"#plain-hatch"}
    assert "xmlns:" not in svg
    picture = ElementTree.fromstring(svg)
    assert picture.find(f"{SVG}title") is not None
    assert PALETTES["dark"].ground in svg
    description = picture.find(f"{SVG}desc")
    assert description is not None
    assert description.text is not None
    assert "Calls 10 to 16: the same test" in description.text


def test_as_part_of_a_page_it_takes_the_colours_of_the_page() -> None:
    svg = plain_picture(look(LOOP), width=1120, theme="page", hide_texts=False, name="one")
    assert "var(--p1)" in svg
    assert "#one-hatch" in svg
    assert not re.search(r"#[0-9A-F]{6}", svg)


@pytest.mark.parametrize("width", [358, 720, 1120])
@pytest.mark.parametrize(
    ("calls", "settings"),
    [
        pytest.param([], {}, id="no calls"),
        pytest.param([call()], {}, id="one call"),
        pytest.param(quiet(12), {}, id="no repeat"),
        pytest.param(loop(3), {}, id="stopped at its end"),
        pytest.param(loop(30, 3) + quiet(5), {"max_cycle_period": 3}, id="many copies"),
        pytest.param(quiet(2_000), {}, id="bins"),
        pytest.param([call("<b>&" * 30, {}, "x")] * 5, {}, id="a long name that looks like markup"),
        pytest.param([call("x\x00\ud800\u202e", {}, "x")] * 5, {}, id="signs that XML cannot hold"),
        pytest.param([call(out=t, tool=t, turn=k) for k in range(5) for t in "ab"], {}, id="two calls at once"),
        pytest.param([call(args=k, out="a" if k % 2 else "b") for k in range(9)], {}, id="a limit nobody passes"),
    ],
)
def test_nothing_is_too_small_or_outside(width: int, calls: list[dict[str, Any]], settings: dict[str, Any]) -> None:
    picture = drawn(look(calls, **settings), width)
    height = float(picture.get("height") or 0)
    for node in picture.iter(f"{SVG}text"):
        size, words = float(node.get("font-size") or 0), node.text or ""
        wide = width_of(words, size) * {"middle": 0.5}.get(node.get("text-anchor") or "", 1)
        x, y = float(node.get("x") or 0), float(node.get("y") or 0)
        assert size >= 11
        assert 0 <= y <= height
        left = x - (wide if node.get("text-anchor") in ("middle", "end") else 0)
        right = x + (wide if node.get("text-anchor") in ("middle", None) else 0)
        assert left >= -1
        assert right <= width + 1
    for node in picture.iter(f"{SVG}rect"):
        assert float(node.get("x") or 0) + float(node.get("width") or 0) <= width + 3


def test_a_run_of_very_many_calls_stays_small() -> None:
    found = look(quiet(6_000) + loop(900) + quiet(3_000, 7_000))
    svg = plain_picture(found, width=1120, theme="light", hide_texts=False)
    assert len(svg) < 100_000
    assert "× 894" in svg


def test_hidden_texts_are_not_in_it() -> None:
    found = look([call("bash", {"command": "npm test"}, "2 failing")] * 5)
    told = [plain_picture(found, width=358, theme="light", hide_texts=hidden) for hidden in (False, True)]
    assert ["npm test" in svg for svg in told] == [True, False]


def test_a_replay_rests_at_the_last_call_of_each_cell() -> None:
    assert stops_of(look(LOOP), 1120) == list(range(22))
    rests = stops_of(look(quiet(500) + loop(4)), 358)
    assert rests[-1] == 503
    assert rests == sorted(set(rests))
    assert len(rests) < 25


def test_lines_are_broken_where_they_no_longer_fit() -> None:
    assert wrapped("one two three", 10, 1_000) == ["one two three"]
    lines = wrapped("one two three", 10, 45)
    assert " ".join(lines) == "one two three"
    assert len(lines) > 1
    assert wrapped("a" * 100, 10, 60)[0].endswith("…")
