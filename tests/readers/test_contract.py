"""What every reader promises: it knows its own, refuses what is not, and never raises for what a file holds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.model import Loaded
from loopviz.readers import READERS, UnknownFormat, find_reader, read_bytes
from loopviz.readers.base import heads
from tests.readers.contract import SAMPLES, Sample

each = pytest.mark.parametrize("sample", [pytest.param(sample, id=sample.format) for sample in SAMPLES])

NOT_OURS = [
    pytest.param(b"", id="nothing"),
    pytest.param(b" \n\r\n", id="blanks"),
    pytest.param(b"\x00" * 100, id="zero bytes"),
    pytest.param(b"<!DOCTYPE html><html></html>", id="an HTML page"),
    pytest.param(b"name: eval\nstimuli:\n  - name: x\n", id="YAML"),
    pytest.param(b"PK\x03\x04" + bytes(range(256)), id="a zip archive"),
    pytest.param(b"1", id="a number"),
    pytest.param(b'"events"', id="a text"),
    pytest.param(b"[]", id="an empty list"),
    pytest.param(b"{}", id="an empty object"),
    pytest.param(b'{"hello": {"events": []}}', id="another object"),
    pytest.param(b"[" * 100_000, id="very deep"),
    pytest.param(b"{" * 100_000, id="very deep, of objects"),
    pytest.param(bytes(range(256)) * 10, id="every byte"),
]


def n_calls(loaded: Loaded) -> int:
    return sum(len(trajectory.calls) for trajectory in loaded.trajectories)


def check(loaded: Loaded) -> None:
    """Columns fit each other and their codebook, and every text can be written."""
    for trajectory in loaded.trajectories:
        book, calls = trajectory.codebook, trajectory.calls
        columns = [getattr(calls, name) for name in calls.__slots__]
        assert {len(column) for column in columns} == {len(calls)}
        assert (calls.turn < trajectory.n_turns).all()
        assert len(trajectory.turn_starts) == trajectory.n_turns
        assert all(0 <= told.call <= len(calls) for told in trajectory.events)
        for column in (calls.arguments, calls.observation):
            assert (column < len(book.values)).all()
        texts = [trajectory.run, *(told.text for told in trajectory.events), *(p.message for p in trajectory.problems)]
        "".join([*texts, *book.tools]).encode()
        for raw in (*book.values, *book.keys):
            json.loads(raw.decode())


def test_names_are_unique() -> None:
    names = [reader.name for reader in READERS]
    assert len(set(names)) == len(names)


def test_every_reader_has_a_sample() -> None:
    assert {sample.format for sample in SAMPLES} == {reader.name for reader in READERS}


@each
def test_knows_its_own(sample: Sample) -> None:
    scores = {reader.name: reader.sniff(next(heads(sample.data))) for reader in READERS}
    assert 0 < scores[sample.format] <= 1
    assert max(scores, key=lambda name: scores[name]) == sample.format
    loaded = read_bytes(sample.data, "any name")
    assert loaded.source.format == sample.format
    assert n_calls(loaded) == sample.calls
    assert not loaded.problems
    check(loaded)


@pytest.mark.parametrize("data", NOT_OURS)
def test_refuses_what_is_not_ours(data: bytes) -> None:
    assert [reader.sniff(next(heads(data))) for reader in READERS] == [0.0] * len(READERS)
    with pytest.raises(UnknownFormat, match="loopviz can read"):
        find_reader(data)


@each
@pytest.mark.parametrize("data", NOT_OURS)
def test_never_raises_when_told_to_read_it_all_the_same(sample: Sample, data: bytes) -> None:
    loaded = read_bytes(data, "any name", format=sample.format)
    assert n_calls(loaded) == 0
    assert loaded.source.format == sample.format


@each
def test_a_long_file_is_known_by_its_beginning(sample: Sample) -> None:
    head = sample.data[: len(sample.data) // 3]
    assert sample.reader.sniff(next(heads(head))) > 0


@each
def test_survives_being_cut_anywhere(sample: Sample) -> None:
    whole = n_calls(read_bytes(sample.data, "a"))
    for cut in range(len(sample.data)):
        loaded = read_bytes(sample.data[:cut], "a", format=sample.format)
        within_a_record = sample.data[:cut].count(b"{") > sample.data[:cut].count(b"}")
        problems = [*loaded.problems, *(problem for t in loaded.trajectories for problem in t.problems)]
        assert n_calls(loaded) <= whole
        assert problems or not within_a_record
        check(loaded)


@each
@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda data: b"\xef\xbb\xbf" + data, id="a byte order mark"),
        pytest.param(lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le"), id="UTF-16, little end first"),
        pytest.param(lambda data: b"\xfe\xff" + data.decode().encode("utf-16-be"), id="UTF-16, big end first"),
        pytest.param(lambda data: data.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(lambda data: b"\n\n" + data + b"\n\n", id="blank lines"),
        pytest.param(lambda data: data.rstrip(), id="no line end"),
        pytest.param(
            lambda data: re.sub(rb"\{(?=\")", rb'{"of_the_future":[1,{"x":null}],', data), id="unknown fields"
        ),
    ],
)
def test_reads_the_same_from_a_file_that_differs_in_nothing(sample: Sample, spoil: Callable[[bytes], bytes]) -> None:
    plain, spoilt = (read_bytes(data, "a") for data in (sample.data, spoil(sample.data)))
    assert spoilt.source.format == plain.source.format
    assert not spoilt.problems
    for one, other in zip(plain.trajectories, spoilt.trajectories, strict=True):
        assert (one.run, one.n_turns, one.prompt, one.outcome) == (
            other.run,
            other.n_turns,
            other.prompt,
            other.outcome,
        )
        assert not other.problems
        assert one.calls.turn.tolist() == other.calls.turn.tolist()
        assert one.calls.ids == other.calls.ids
        assert [told.text for told in one.events] == [told.text for told in other.events]
        assert [one.tool(number) for number in range(len(one.calls))] == [
            other.tool(number) for number in range(len(other.calls))
        ]
    check(spoilt)


@each
@given(data=st.data())
def test_survives_any_damage(sample: Sample, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(sample.data)), label="at")
    length = data.draw(st.integers(0, 40), label="length")
    junk = data.draw(st.binary(max_size=12) | st.sampled_from([b"{", b"}", b"[", b"]", b'"', b",", b"\\", b"NaN"]))
    check(read_bytes(sample.data[:at] + junk + sample.data[at + length :], "a", format=sample.format))
