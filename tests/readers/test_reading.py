"""A file while it is read: its runs, their names, progress, and the files beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from loopviz.model import Loaded, Source
from loopviz.readers.base import Opened
from loopviz.readers.naming import LONGEST_NAME
from loopviz.readers.reading import Reading
from tests.readers.test_telling import reading


def names(file: Reading, given: Sequence[str | None]) -> list[str]:
    for name in given:
        file.run(key=None).facts.run = name
    return [trajectory.run for trajectory in file.loaded().trajectories]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(["a", "b"], ["a", "b"], id="as recorded"),
        pytest.param(["a", "b", "a", "a"], ["a", "b", "a (2)", "a (3)"], id="one name for several"),
        pytest.param([None], ["mine.v1"], id="none: the file's"),
        pytest.param(["", None], ["mine.v1", "mine.v1 (2)"], id="empty ones"),
    ],
)
def test_every_run_has_a_name_of_its_own(given: list[str | None], expected: list[str]) -> None:
    assert names(reading(), given) == expected


def test_long_names_are_cut_and_stay_apart() -> None:
    one, other = names(reading(), ["x" * 500 + "1", "x" * 500 + "2"])
    assert len(one) <= LONGEST_NAME
    assert one != other


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a": 1}', ["mine.v1"]),
        (b'{"a": 1}\n{"a": 2}\n', ["line 1", "line 2"]),
        (b'[{"a": 1}, {"a": 2}]', ["record 1", "record 2"]),
    ],
)
def test_without_a_name_the_place_is_one(data: bytes, expected: list[str]) -> None:
    file = reading(data)
    for node in file.documents():
        file.run(node)
    assert [trajectory.run for trajectory in file.loaded().trajectories] == expected


def test_one_key_is_one_run() -> None:
    file = reading()
    assert file.run(key="a") is file.run(key="a")
    assert file.run(key="a") is not file.run(key="b")
    assert len(file.runs()) == 2


def lines_of(data: bytes) -> Loaded:
    file = reading(data)
    for node, line in file.objects():
        run = file.run(key=line["run"])
        run.at(node)
        run.call(line["tool"])
    return file.loaded()


def test_digests_are_those_of_a_runs_own_events() -> None:
    one = {"run": "a", "tool": "x"}
    data = [json.dumps(line).encode() for line in (one, {"run": "b", "tool": "x"}, one)]
    before, after = lines_of(b"\n".join(data)), lines_of(b"\n".join([data[0], b'{"run": "b", "tool": "y"}', data[2]]))
    (a, b), (same, other) = before.trajectories, after.trajectories
    assert a.digest == same.digest != b.digest != other.digest
    assert a.calls.line.tolist() == [1, 3]


def test_progress_goes_up_to_the_end() -> None:
    data = b'{"a": "' + b"x" * 1_000 + b'"}\n'
    data *= 2_000
    told: list[int] = []
    source = Source(name="a", format="test", digest="", size=len(data))
    file = Reading(Opened(data=data, source=source, advance=told.append))
    assert len(list(file.objects())) == 2_000
    file.loaded()
    assert told == sorted(told)
    assert 3 < len(told) < 20
    assert told[-1] == len(data)


def test_elements_that_are_no_objects_are_problems() -> None:
    file = reading(b'{"runs": [{"a": 1}, 3]}')
    (document,) = file.documents()
    assert [node.raw for node in file.each(document, "runs", noun="run")] == [b'{"a": 1}']
    assert [problem.where for problem in file.loaded().problems] == ["run 2"]


def test_files_beside_this_one() -> None:
    file = reading(beside={"result.json": b'{"reward": 1}', "odd.json": b"{", "reward.txt": b"1\n"})
    result = file.beside("result.json")
    assert result is not None
    assert result.get("reward") == 1
    assert file.beside("none.json") is None
    assert (file.text_beside("reward.txt"), file.text_beside("none.txt")) == ("1\n", None)
    file.beside("odd.json")
    assert [problem.where for problem in file.loaded().problems] == ["odd.json, byte 1"]


def test_what_is_counted_is_said() -> None:
    file = reading()
    file.leave_out("image", "images")
    file.leave_out("image", "images", 1_233)
    file.count("result has no id.", "results have no id.")
    file.leave_out("page", "pages", 0)
    assert file.loaded().notes == ("1,234 images left out.", "1 result has no id.")
