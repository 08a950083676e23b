"""Batches of OTLP: every span is found where it stands, in whatever order and under whatever names."""

from __future__ import annotations

import json

import pytest

from loopviz.model import Json
from loopviz.readers import read_bytes
from loopviz.readers.otlp import nanoseconds
from tests.readers.otel_by_hand import otlp, tool

A, B, C = (tool(name, number, flat=False) for number, name in enumerate("abc"))

DOCUMENTS = [
    pytest.param(otlp(A, B, C), "abc", id="a scope"),
    pytest.param({"resourceSpans": [*otlp(A)["resourceSpans"], *otlp(B, C)["resourceSpans"]]}, "abc", id="two batches"),
    pytest.param({"resource_spans": [{"scope_spans": [{"spans": [A, B]}, {"spans": [C]}]}]}, "abc", id="other names"),
    pytest.param(
        {"resourceSpans": [{"instrumentationLibrarySpans": [{"spans": [A]}], "scopeSpans": [{"spans": [B, C]}]}]},
        "abc",
        id="two names in an odd order",
    ),
    pytest.param(
        {"resourceSpans": [{"scopeSpans": [{"spans": [A, 3, None, B]}, {"spans": None}, 4]}, 5]}, "ab", id="odd"
    ),
    pytest.param({"of_the_future": [A], "resourceSpans": otlp(A, B)["resourceSpans"]}, "ab", id="a copy before"),
    pytest.param(otlp(A, A, B), "ab", id="written twice"),
]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(("document", "names"), DOCUMENTS)
def test_spans_are_found_where_they_stand(document: Json, names: str, indent: int | None) -> None:
    data = json.dumps(document, indent=indent).encode()
    (trajectory,) = read_bytes(data, "a.json", format="otel.otlp").trajectories
    calls = trajectory.calls
    spans = [json.loads(data[at : at + n]) for at, n in zip(calls.offset.tolist(), calls.length.tolist(), strict=True)]
    assert spans == [{"a": A, "b": B, "c": C}[name] for name in names]


def test_a_batch_that_is_cut_off_keeps_its_spans() -> None:
    data = json.dumps(otlp(A, B, C)).encode()
    loaded = read_bytes(data[: data.index(b'"c"')], "a.json", format="otel.otlp")
    assert [len(trajectory.calls) for trajectory in loaded.trajectories] == [2]


TIMES = [
    pytest.param("1750000001500000000", 1750000001.5, id="as it should be"),
    pytest.param(0, None, id="zero"),
    pytest.param("0", None, id="zero as a text"),
    pytest.param("", None, id="empty"),
    pytest.param(1750000001500000000, 1750000001500000000, id="a number"),
    pytest.param("2026-01-01T00:00:00", "2026-01-01T00:00:00", id="a date of as many letters"),
    pytest.param("１" * 19, "１" * 19, id="digits of another script"),
]


@pytest.mark.parametrize(("written", "time"), TIMES)
def test_points_in_time(written: Json, time: Json) -> None:
    assert nanoseconds(written) == time
