"""What every reader promises of what it makes of a file, sound or spoilt, as one check that says what does not hold."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from urllib.parse import urlencode

import numpy as np

from loopviz.analysis.inspection import inspect
from loopviz.analysis.lines import Question, judge_lines
from loopviz.analysis.runset import RunSet
from loopviz.canonical import canonical_text, decode
from loopviz.model import MISSING, NULL_VALUE, Codebook, GraderResult, Loaded, Place, Problem, Trajectory
from loopviz.readers import READERS, UnknownFormat, as_read, read_bytes
from loopviz.settings import MaxRepeatSettings

FORMATS = frozenset(reader.name for reader in READERS)
LONGEST_NAME = 140
"""Characters of a run's name, with what tells it from others of the same name."""
_DIGEST = re.compile(r"[0-9a-f]{32}")


def read(data: bytes, *, format: str, is_json: bool = False) -> list[Loaded]:
    """Read bytes as whatever they look like, and as a file of a format all the same, and check both.

    Args:
        is_json: Whether every record of the file is JSON, so that what calls point at must be JSON too.
    Raises:
        AssertionError: if a promise is not kept.
    """
    found, refusal = [], ""
    try:
        found.append(read_bytes(data, "a file.json"))
    except UnknownFormat as error:
        refusal = str(error)
    assert bool(found) != refusal.startswith("This is no recorded run that loopviz can read: it ")
    _check_texts([refusal])
    if not found or found[0].source.format != format:
        found.append(read_bytes(data, "a file.json", format=format))
    for loaded in found:
        check(loaded, data, is_json=is_json)
    return found


def check(loaded: Loaded, data: bytes, *, is_json: bool = False) -> None:
    """Check everything about what a file gave."""
    text = as_read(data)
    assert loaded.source.format in FORMATS
    assert loaded.source.size == len(data)
    names = [trajectory.run for trajectory in loaded.trajectories]
    assert len(set(names)) == len(names), "two runs bear one name"
    _check_problems(loaded.problems)
    _check_texts(loaded.notes)
    books = {id(trajectory.codebook): trajectory.codebook for trajectory in loaded.trajectories}
    for book in books.values():
        _check_codebook(book)
    for trajectory in loaded.trajectories:
        _check_facts(trajectory)
        _check_columns(trajectory)
        _check_story(trajectory, len(text))
        _check_places(trajectory, text, is_json=is_json)
        _check_problems(trajectory.problems)
    judge(loaded.trajectories)


def judge(trajectories: tuple[Trajectory, ...]) -> None:
    """Let all detectors run, over each run and over all together, and say what `loopviz grade` says."""
    for trajectory in trajectories:
        inspect(RunSet([trajectory]), MaxRepeatSettings(max=3))
    _check_texts(json.dumps(line, ensure_ascii=False) for line in judge_lines(RunSet(trajectories), Question()))


def _check_problems(problems: Iterable[Problem]) -> None:
    for problem in problems:
        assert problem.where, f"no place is said: {problem.message}"
        assert problem.message.endswith((".", "]")), f"no sentence: {problem.message}"
        _check_texts((problem.where, problem.message))


def _check_texts(texts: Iterable[str | None]) -> None:
    """Every text can be written."""
    for text in texts:
        assert text is None or type(text) is str
        (text or "").encode()


def _check_codebook(book: Codebook) -> None:
    _check_texts(book.tools)
    assert len(set(book.tools)) == len(book.tools)
    assert len(set(book.values)) == len(book.values) == len(book.codes)
    assert len(set(book.keys)) == len(book.keys) == len(book.empty) == len(book.near_empty)
    assert book.values[NULL_VALUE] == b"null"
    assert (np.sort(np.unique(book.codes)) == np.arange(len(book.keys))).all()
    for value, code in zip(book.values, book.codes, strict=True):
        json.loads(value.decode())
        key = canonical_text(value)
        assert book.keys[code].strip() == key.strip(), "two values share an identity and differ"


def _check_facts(trajectory: Trajectory) -> None:
    assert 0 < len(trajectory.run) <= LONGEST_NAME
    assert _DIGEST.fullmatch(trajectory.digest)
    for field in fields(trajectory):
        value = getattr(trajectory, field.name)
        if isinstance(value, str):
            _check_texts([value])
        if isinstance(value, float):
            assert math.isfinite(value), f"{field.name} is {value}"
    urlencode({"run": trajectory.run, "ids": [call_id for call_id in trajectory.calls.ids if call_id]}, doseq=True)
    assert trajectory.outcome in (None, True, False)
    assert trajectory.duration_s is None or trajectory.duration_s >= 0
    for count in (trajectory.trial, trajectory.total_tokens, trajectory.total_cost, trajectory.line):
        assert count is None or count >= 0
    for result in () if trajectory.grade is None else trajectory.grade.walk():
        _check_grade(result)


def _check_grade(result: GraderResult) -> None:
    _check_texts((result.name, result.type, result.evidence, result.status, result.kind, result.label))
    assert result.passed in (None, True, False)
    assert result.score is None or math.isfinite(result.score)


def _check_columns(trajectory: Trajectory) -> None:
    calls, book = trajectory.calls, trajectory.codebook
    assert {np.shape(getattr(calls, name)) for name in calls.__slots__ if name != "ids"} == {(len(calls),)}
    assert len(calls.ids) == len(calls)
    _check_texts(calls.ids)
    assert len(trajectory.turn_starts) == trajectory.n_turns
    _check_range(calls.turn, -1, trajectory.n_turns)
    _check_range(calls.tool, 0, len(book.tools))
    _check_range(calls.arguments, MISSING, len(book.values))
    _check_range(calls.observation, MISSING, len(book.values))
    _check_range(calls.event, 0, math.inf)
    _check_range(calls.line, 0, math.inf)
    for times in (calls.started_s, calls.ended_s, trajectory.turn_starts):
        assert not np.isinf(times).any()


def _check_range(column: np.ndarray, first: float, stop: float) -> None:
    assert ((first <= column) & (column < stop)).all()


def _check_story(trajectory: Trajectory, size: int) -> None:
    for told in trajectory.events:
        _check_texts((told.kind, told.text))
        assert 0 <= told.call <= len(trajectory.calls)
        assert -1 <= told.turn < trajectory.n_turns
        assert told.time_s is None or math.isfinite(told.time_s)
        if told.place is not None:
            _check_place(told.place, size)
    for use in trajectory.usage:
        _check_texts((use.model,))
        assert 0 <= use.call <= len(trajectory.calls)
        assert -1 <= use.turn < trajectory.n_turns
        for figure in (use.input_tokens, use.output_tokens, use.cache_read_tokens, use.cache_write_tokens, use.cost):
            assert figure is None or (figure >= 0 and math.isfinite(figure))


def _check_place(place: Place, size: int) -> None:
    assert place.line is None or place.line > 0
    assert place.offset is None or 0 <= place.offset <= place.offset + place.length <= size


def _check_places(trajectory: Trajectory, text: bytes, *, is_json: bool) -> None:
    """What calls and results point at stands in the file, and is JSON where all of the file is."""
    for start, stop in _pointed_at(trajectory):
        assert 0 <= start <= stop <= len(text)
        if is_json:
            decode(text[start:stop])


def _pointed_at(trajectory: Trajectory) -> Iterator[tuple[int, int]]:
    calls = trajectory.calls
    for offset, length in zip(calls.offset.tolist(), calls.length.tolist(), strict=True):
        yield offset, offset + length
    for offset, length in zip(calls.result_offset.tolist(), calls.result_length.tolist(), strict=True):
        if offset >= 0:
            yield offset, offset + length
        else:
            assert not length
