"""What the comparison of two runs comes to: a headline, one line that says what each did, and the scale in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from loopviz.comparing.aligning import Alignment, Kind
from loopviz.comparing.sides import LETTERS, Names, Sides, step_place, step_tools
from loopviz.detectors.core.steps import Match
from loopviz.detectors.max_repeat import NAME
from loopviz.model import Trajectory
from loopviz.timeline.contract import Part
from loopviz.timeline.words import code, number, spaced, text

TOLD = 3
"""Kinds of steps after the parting that are named in the line."""
ALIGN_BY: dict[Match, str] = {"observation": "tool, output", "name-args": "tool, arguments", "name": "tool"}
"""The ways of "same" as the alignment names them."""


def title(sides: Sides, aligned: Alignment, names: Names) -> str:
    """The finding as a sentence: `The two trials part at turn 10`."""
    lengths = [len(side) for side in aligned.sides]
    for letter, side, n_steps in zip(LETTERS, sides, lengths, strict=True):
        if side.trajectory.not_judged is not None and not n_steps:
            return f"{letter} holds no trajectory, so there is nothing to align"
    if not any(lengths):
        return f"Neither of the two {names.noun} makes a call"
    if not all(lengths):
        without, other = (0, 1) if not lengths[0] else (1, 0)
        n_calls = len(sides[other].trajectory.calls)
        return f"{LETTERS[without]} makes no call, {LETTERS[other]} makes {number(n_calls)}"
    if not aligned.n_common:
        return f"The two {names.noun} have no step in common"
    if aligned.parting is None:
        return _same_steps(sides, aligned, names)
    return _parting(sides, aligned, names)


def _same_steps(sides: Sides, aligned: Alignment, names: Names) -> str:
    n_steps = len(aligned)
    steps = f"the same {number(n_steps)} steps" if n_steps > 1 else "the same single step"
    if aligned.first_unlike is None and aligned.count(Kind.UNRECORDED):
        return f"The two {names.noun} take {steps}, as far as they are recorded"
    if aligned.first_unlike is None:
        return f"The two {names.noun} take {steps}, with the same outputs"
    return f"The two {names.noun} take {steps}, and first differ at {_place(sides, aligned, aligned.first_unlike)}"


def _parting(sides: Sides, aligned: Alignment, names: Names) -> str:
    column = aligned.parting
    assert column is not None
    ended = [aligned.next_step(side, column) is None for side in (0, 1)]
    if any(ended):
        shorter, longer = (0, 1) if ended[0] else (1, 0)
        walk, trajectory = aligned.sides[shorter], sides[shorter].trajectory
        last = step_place(trajectory, walk, len(walk) - 1)
        words = f"{LETTERS[shorter]} ends after {last}, where {LETTERS[longer]} goes on"
    else:
        words = f"The two {names.noun} part at {_place(sides, aligned, column)}"
    before = aligned.unlike_before
    return words if before is None else f"{words}; {_unlike(aligned, before)} at {_place(sides, aligned, before)}"


def _unlike(aligned: Alignment, column: int) -> str:
    return f"first {_OTHER[Kind(int(aligned.kind[column]))]}"


def marked_in_words(aligned: Alignment) -> str:
    """What is marked in the picture: `where they part`, `the first other output`; nothing where nothing is."""
    if aligned.mark is None:
        return ""
    return f"the {_unlike(aligned, aligned.mark)}" if aligned.parting is None else "where they part"


def _place(sides: Sides, aligned: Alignment, column: int) -> str:
    places = [
        step_place(sides[side].trajectory, aligned.sides[side], step)
        for side in (0, 1)
        if (step := aligned.next_step(side, column)) is not None
    ]
    if len(set(places)) == 1:
        return places[0]
    return " and ".join(f"{place} of {letter}" for place, letter in zip(places, LETTERS, strict=True))


def line(sides: Sides, aligned: Alignment, names: Names) -> list[Part]:
    """What each did from there on, and how it is judged; only what is counted."""
    parts: list[Part] = []
    for side, name in enumerate(_speaking(names)):
        went_on = _went_on(sides, aligned, side)
        parts += [text(name), *went_on, text(f"{'and ' if went_on else ''}{_verdict(sides, side)}.")]
    return spaced(parts)


def _speaking(names: Names) -> tuple[str, str]:
    """`Trial 2`, where that is all that tells them apart; else the letters."""
    if all(name.startswith("trial ") and " · " not in name for name in names.short) and names.noun == "trials":
        return names.short[0].capitalize(), names.short[1].capitalize()
    return LETTERS


def _went_on(sides: Sides, aligned: Alignment, side: int) -> list[Part]:
    """`goes on with bash, edit_file,`; nothing where both took the same steps."""
    if aligned.parting is None or (not aligned.n_common and not len(aligned.sides[side])):
        return []
    first = aligned.next_step(side, aligned.parting)
    if first is None:
        return [text("ends there,")]
    parts: list[Part] = [text("begins with" if not aligned.parting else "goes on with")]
    for tools, count in _in_a_row(sides, aligned, side, first):
        more = f"{number(count)} times," if count > 1 else ","
        parts += [code(tools), text(more)]
    return parts


def _in_a_row(sides: Sides, aligned: Alignment, side: int, first: int) -> Iterator[tuple[str, int]]:
    """The tools of the steps from `first` on, a few of them; equal ones next to each other are counted together."""
    walk, step = aligned.sides[side], first
    for _ in range(TOLD):
        if step < len(walk):
            count = walk.same_tools(step)
            yield step_tools(sides[side].trajectory, walk, step), count
            step += count


def _verdict(sides: Sides, side: int) -> str:
    found = sides[side].inspection
    if found is None:
        return "could not be judged"
    if found.finding.passed:
        return f"passes {NAME}"
    return f"fails {NAME} with {number(found.finding.occurrences)} in a row"


SIGNS: dict[Kind, tuple[str, str]] = {
    Kind.OTHER_OUTPUT: ("≠", "same call, other output"),
    Kind.OTHER_ARGUMENTS: ("≈", "same output, other arguments"),
    Kind.OTHER_BOTH: ("≉", "same tool, other arguments and output"),
    Kind.UNRECORDED: ("?", "same as far as recorded"),
}
"""How matched steps that are not quite the same are marked."""
_OTHER: dict[Kind, str] = {
    Kind.OTHER_OUTPUT: "other output",
    Kind.OTHER_ARGUMENTS: "other arguments",
    Kind.OTHER_BOTH: "other arguments and output",
}


def scale_in_words(sides: Sides, aligned: Alignment, told_apart: int | None = None) -> str:
    """`13 steps are in both, of 14 in A and 21 in B. 1 is only in A, 8 are only in B.` and how they are drawn.

    Args:
        sides: The runs.
        aligned: Their steps in columns.
        told_apart: Steps in both where a value that was never recorded equals no other; None where none is counted as
            equal.
    """
    in_a, in_b = map(len, aligned.sides)
    common, only = aligned.n_common, [aligned.count(Kind.ONLY_A), aligned.count(Kind.ONLY_B)]
    words = [f"{_steps(common)} in both, of {number(in_a)} in A and {number(in_b)} in B."]
    told = [f"{number(n)} {_are(n)} only in {letter}" for letter, n in zip(LETTERS, only, strict=True) if n]
    if told:
        words.append(", ".join(told) + ".")
    if aligned.count(Kind.SAME):
        words.append("Upright line: same call, same output.")
    words += [f"{sign} {what} ({number(n)})." for kind, (sign, what) in SIGNS.items() if (n := aligned.count(kind))]
    if told_apart is not None:
        are = f"{number(told_apart)} {'step' if told_apart == 1 else 'steps'} would be"
        words.append(f"Values that were not recorded count as equal; told apart, {are} in both.")
    if any(only):
        words.append("Hatched: not in this run.")
    return " ".join(words)


def _steps(count: int) -> str:
    return "1 step is" if count == 1 else f"{number(count)} steps are"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def files_in_words(sides: Sides) -> str:
    """`A is line 2, B line 4 of results.jsonl.`; nothing where the files have no lines."""
    lines, names = ([side.trajectory.line for side in sides], [_file(side.trajectory) for side in sides])
    if None in lines:
        return "" if names[0] == names[1] else f"A is {names[0]}, B is {names[1]}."
    one, other = (number(line or 0) for line in lines)
    if names[0] == names[1]:
        return f"A is line {one}, B line {other} of {names[0]}; bytes count from the start of the file."
    return f"A is line {one} of {names[0]}, B line {other} of {names[1]}; bytes count from the start of each file."


def _file(trajectory: Trajectory) -> str:
    return PurePath(trajectory.source.name).name
