"""One run, written in every format, comes back as one and the same trajectory, with the same verdicts."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import MATCHES
from loopviz.model import Loaded, Trajectory
from loopviz.readers import READERS, read_bytes
from loopviz.settings import MaxRepeatSettings
from tests.readers.contract import ABILITIES, FORMATS, Format
from tests.readers.stories import LOOPS, SHORT, STORIES, expected, found

HOLDING = [
    pytest.param(format, story, id=f"{format.name}: {story}") for format in FORMATS for story in format.stories()
]
each = pytest.mark.parametrize("format", [pytest.param(format, id=format.name) for format in FORMATS])

TURNED_OFF = {"failed": ("failed",), "ids": ("id",), "arguments": ("arguments",), "results": ("observation", "unknown")}
"""Ability, and what cannot be compared without it."""


def comparable(calls: list[dict[str, Any]], format: Format) -> list[dict[str, Any]]:
    """What the format can record of each call."""
    off = {field for ability in format.lacks for field in TURNED_OFF.get(ability, ())}
    return [{field: value for field, value in call.items() if field not in off} for call in calls]


def read(format: Format, *names: str) -> Loaded:
    stories = [STORIES[name].named(f"s{number}") for number, name in enumerate(names, start=1)]
    loaded = read_bytes(format.write(stories), "a.json")
    assert loaded.source.format == format.name
    assert not [*loaded.problems, *(problem for t in loaded.trajectories for problem in t.problems)]
    return loaded


def test_every_reader_has_a_writer() -> None:
    assert {format.name for format in FORMATS} == {reader.name for reader in READERS}
    assert all(format.lacks <= ABILITIES for format in FORMATS)


@pytest.mark.parametrize(("format", "story"), HOLDING)
def test_the_run_comes_back(format: Format, story: str) -> None:
    (trajectory,) = read(format, story).trajectories
    assert comparable(found(trajectory), format) == comparable(expected(STORIES[story]), format)
    assert trajectory.not_judged is None
    if "names" not in format.lacks:
        assert trajectory.run == "s1"


@each
def test_what_was_said_comes_back(format: Format) -> None:
    if "messages" in format.lacks:
        pytest.skip("the format holds no messages")
    (trajectory,) = read(format, "loops").trajectories
    assert trajectory.prompt == LOOPS.prompt
    assert [(told.kind, told.text, told.call) for told in trajectory.events] == [
        ("user", LOOPS.prompt, 0),
        ("assistant", "Let me look.", 0),
        ("assistant", LOOPS.answer, len(LOOPS.calls)),
    ]


@each
def test_two_runs_stay_apart(format: Format) -> None:
    if "several" in format.lacks:
        pytest.skip("the format holds one run in a file")
    one, other = read(format, "one call", "several turns").trajectories
    assert comparable(found(one), format) == comparable(expected(STORIES["one call"]), format)
    assert comparable(found(other), format) == comparable(expected(STORIES["several turns"]), format)
    assert one.run != other.run
    assert one.digest != other.digest


@each
def test_names_and_digests_survive_reloading(format: Format) -> None:
    data = format.write([SHORT])
    (one,), (other,) = (read_bytes(data, "a.json").trajectories for _ in range(2))
    assert (one.run, one.digest) == (other.run, other.digest)
    assert len(one.digest) == 32


def verdicts(trajectory: Trajectory) -> dict[str, Any]:
    """What the three detectors say, the grader in all ways of being the same."""
    runs = RunSet([trajectory])
    graded = {match: inspect(runs, MaxRepeatSettings(max=3, max_cycle_period=4, match=match)) for match in MATCHES}
    any_of_them = graded[MATCHES[0]]
    return {
        **{match: (seen.finding.evidence, list(seen.finding.cycles)) for match, seen in graded.items()},
        "ladder": any_of_them.ladder.fired(0),
        "thrash": (any_of_them.thrash.stop(0), any_of_them.thrash.count.tolist()),
    }


@each
def test_the_verdicts_are_the_same(format: Format) -> None:
    if format.lacks & {"parallel", "arguments", "results"}:
        pytest.skip("the format cannot hold all of the run")
    (trajectory,) = read(format, "loops").trajectories
    (reference,) = read(FORMATS[0], "loops").trajectories
    assert verdicts(trajectory) == verdicts(reference)
    assert not verdicts(reference)["observation"][0].startswith("no")
