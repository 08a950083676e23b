"""What a run did, as a digest."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from loopviz.model import Codebook, Trajectory
from loopviz.tuning import call_digests
from loopviz.tuning.applying import apply
from loopviz.tuning.call_digests import calls_digest, stretch_digest
from loopviz.tuning.labels import LOOP, Book, label_of
from tests.detectors.trajectories_by_hand import trajectory_of
from tests.tuning.sets_by_hand import run_of

CALL = {"tool": "t", "arguments": {"a": 1}, "observation": "out", "turn": 0}


def run(*changes: dict[str, Any], **fields: Any) -> Trajectory:
    return trajectory_of([{**CALL, **change} for change in changes], **fields)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"tool": "u"}, id="tool"),
        pytest.param({"arguments": {"a": 2}}, id="arguments"),
        pytest.param({"arguments": None}, id="no arguments"),
        pytest.param({"observation": "Out"}, id="output"),
        pytest.param({"observation": None}, id="no output"),
        pytest.param({"turn": 1}, id="turn"),
        pytest.param({"turn": None}, id="no turn"),
    ],
)
def test_whatever_a_call_did_is_told_apart(change: dict[str, Any]) -> None:
    assert calls_digest(run({}, {})) != calls_digest(run({}, change))


def test_order_and_number_are_told_apart() -> None:
    digests = {calls_digest(run_of(steps)) for steps in ("ab", "ba", "abb", "")}
    assert len(digests) == 4
    assert calls_digest(run_of("abb")).startswith("3:")


def test_no_output_is_not_null() -> None:
    null = run({})
    column = null.calls.observation.copy()
    column[0] = 0
    nulled = trajectory_of([CALL])
    object.__setattr__(nulled.calls, "observation", column)
    assert calls_digest(run({"observation": None})) != calls_digest(nulled)


def test_how_a_file_spells_values_and_where_they_stand_does_not_count() -> None:
    one = run({}, {"observation": "second"})
    book = one.codebook
    n_values = len(book.values)
    spelled = Codebook(
        tools=("other", *book.tools),
        values=(*book.values, *(b" " + value for value in book.values)),
        codes=np.concatenate([book.codes, book.codes]),
        keys=book.keys,
        empty=book.empty,
        near_empty=book.near_empty,
    )
    calls = replace(
        one.calls,
        tool=one.calls.tool + 1,
        arguments=one.calls.arguments + n_values,
        observation=one.calls.observation + n_values,
        ids=("x", "y"),
    )
    assert calls_digest(replace(one, codebook=spelled, calls=calls)) == calls_digest(one)


def test_a_stretch_is_the_same_wherever_it_stands() -> None:
    late = run({"tool": "u"}, {"turn": 1}, {"turn": 2, "observation": "end"})
    early = run({}, {"turn": 1, "observation": "end"})
    assert stretch_digest(late, 2, 3) == stretch_digest(early, 1, 2)
    assert stretch_digest(late, 1, 2) != stretch_digest(early, 1, 2)


def test_runs_are_digested_where_a_label_may_fit_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [run_of("ab" * (1 + place % 3), run=f"t{place}") for place in range(30)]
    labels = Book().put(label_of(runs[4], LOOP))
    others = [replace(one) for one in runs]
    digested = []
    digest = call_digests._digest

    def noted(trajectory: Trajectory, start: int, stop: int, *, turn: int) -> str:
        digested.append(trajectory.run)
        return digest(trajectory, start, stop, turn=turn)

    monkeypatch.setattr(call_digests, "_digest", noted)
    for _ in range(2):
        assert sum(map(bool, apply(labels, others).of_run)) == 1
    assert digested == ["t4"]


def test_a_digest_keeps_no_run_alive() -> None:
    one = run({})
    calls_digest(one)
    gone = weakref.ref(one)
    del one
    gc.collect()
    assert gone() is None
