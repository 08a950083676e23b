"""Runs for tests of comparisons, written as words: a letter a step, a capital the same call with other output."""

from __future__ import annotations

from typing import Any

from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.comparing.aligning import Alignment, align
from loopviz.comparing.sides import Names, Side, Sides, names_of
from loopviz.detectors.core.steps import Match
from loopviz.model import Trajectory
from loopviz.settings import MaxRepeatSettings
from tests.detectors.trajectories_by_hand import trajectory_of

THREE = MaxRepeatSettings(max=3)


def run_of(word: str, **fields: Any) -> Trajectory:
    """One run.

    A letter is a call of the tool `tool_a` with arguments and an output of its own; its capital gives another output,
    `_` an empty one. Letters in brackets make one turn, a digit is the tool `tool_a` with other arguments and output.
    """
    calls, turn, inside = [], 0, False
    for sign in word:
        if sign in "()":
            inside = sign == "("
            turn += not inside
            continue
        calls.append({"turn": turn, **_call(sign)})
        turn += not inside
    return trajectory_of(calls, **fields)


def _call(sign: str) -> dict[str, Any]:
    if sign == "_":
        return {"tool": "silent", "arguments": {"of": "_"}, "observation": ""}
    if sign.isdigit():
        return {"tool": "tool_a", "arguments": {"of": sign}, "observation": f"gave {sign}"}
    output = f"gave {sign}"
    return {"tool": f"tool_{sign.lower()}", "arguments": {"of": sign.lower()}, "observation": output}


def aligned(a: str, b: str, match: Match = "name-args") -> Alignment:
    """Two words in columns."""
    return align(RunSet([run_of(a), run_of(b)]), match)


def side_of(run: Trajectory, settings: MaxRepeatSettings = THREE) -> Side:
    """A run as these settings judge it."""
    found = None if run.not_judged else inspect(RunSet([run]), settings)
    return Side(trajectory=run, settings=settings, inspection=found, why_not=run.not_judged or "")


def compared(a: Trajectory, b: Trajectory, match: Match = "name-args") -> tuple[Sides, Alignment, Names]:
    """Two runs beside each other."""
    return (side_of(a), side_of(b)), align(RunSet([a, b]), match), names_of(a, b)


def trials(a: str, b: str, match: Match = "name-args") -> tuple[Sides, Alignment, Names]:
    """Two words as trials 2 and 4 of one stimulus."""
    return compared(run_of(a, stimulus="fix", trial=1), run_of(b, stimulus="fix", trial=3), match)
