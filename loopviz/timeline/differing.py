"""In what two values, or several, differ: pieces of sentences."""

from __future__ import annotations

from loopviz.analysis.difference import MOST_FIELDS, Change, Contrast, Difference, Kind
from loopviz.timeline.contract import Part
from loopviz.timeline.words import code, number, text

MOST_NAMED = 3
"""Members that a sentence names."""


def tell_difference(noun: str, difference: Difference) -> list[Part]:
    """`Arguments differ in 1 of 3 fields, [old_string], and there in white space only`."""
    changes = difference.changes
    if not changes:
        return [text(f"{noun} differ {beyond(difference)}")]
    if len(changes) == 1 and not changes[0].path:
        return [text(tell_whole(noun, changes[0]))]
    of = f"{number(len(changes))} of {fields_of(difference)}"
    if len(changes) == 1:
        of = f"{of}, " if difference.n_fields > 1 else ""
        return [text(f"{noun} differ in {of}".rstrip()), code(changes[0].path), *_there(changes[0])]
    parts = [text(f"{noun} differ in {of}:")]
    for place, change in enumerate(changes[:MOST_NAMED]):
        parts += [*([text(",")] if place else []), *tell_member(change)]
    rest = len(changes) - MOST_NAMED
    return parts + ([text(f"and {number(rest)} more")] if rest > 0 else [])


def fields_of(difference: Difference) -> str:
    """The members that were compared: `3 fields`, `the first 2,000 fields`."""
    return f"the first {number(MOST_FIELDS)} fields" if difference.cut else counted(difference.n_fields, "field")


def beyond(difference: Difference) -> str:
    """Where two values differ in none of the members that were compared."""
    return f"beyond {fields_of(difference)}" if difference.cut else "in their kind"


def tell_member(change: Change) -> list[Part]:
    """A member that differs, and in what if that is not altogether: `[command] (1 number)`."""
    what = [] if change.contrast.kind is Kind.APART else [text(f"({in_what(change)})")]
    return [code(change.path), *what]


def _there(change: Change) -> list[Part]:
    kind = change.contrast.kind
    if kind is Kind.APART:
        return []
    apart = kind in (Kind.ADDED, Kind.REMOVED, Kind.TYPE)
    return [text(f", {in_what(change)}" if apart else f", and there in {in_what(change)}")]


def tell_whole(noun: str, change: Change) -> str:
    """A single value that is not called by a name: an output, or arguments that are no object."""
    contrast, what = change.contrast, in_what(change)
    match contrast.kind:
        case Kind.SPACE | Kind.CASE | Kind.SIGNS:
            return f"{noun} differ in {what}"
        case Kind.NUMBERS | Kind.WORDS:
            return f"{noun} are equal but for {what}"
        case Kind.PART | Kind.LINES:
            return f"{noun} differ in {what}"
        case Kind.TYPE:
            return f"{noun} are of different kinds"
    return f"{noun} have {what}"


def in_what(change: Change) -> str:
    """In what the two values differ: `white space only`, `2 numbers in line 3`, `2 of 14 lines`."""
    contrast = change.contrast
    match contrast.kind:
        case Kind.SPACE | Kind.CASE | Kind.SIGNS:
            return f"{contrast.kind.value} only" + (" in the part compared" if contrast.cut else "")
        case Kind.NUMBERS:
            return counted(contrast.count, "number") + _lines(change)
        case Kind.WORDS:
            return counted(contrast.count, "word") + _lines(change)
        case Kind.PART:
            return _of(contrast, "word")
        case Kind.LINES:
            return _of(contrast, "line")
        case Kind.ADDED:
            return "only in this one"
        case Kind.REMOVED:
            return "missing in this one"
        case Kind.TYPE:
            return "another kind of value"
    if not (isinstance(change.before, str) and isinstance(change.after, str)):
        return "nothing in common"
    return f"no word in common{' in the part compared' if contrast.cut else ''}"


def _of(contrast: Contrast, what: str) -> str:
    """`3 of 14 lines`, or `600 of the 1,600 lines compared`."""
    of = counted(contrast.of, what)
    return f"{number(contrast.count)} of " + (f"the {of} compared" if contrast.cut else of)


def counted(count: int, what: str) -> str:
    """`1 line`, `2 lines`."""
    return f"{number(count)} {what}{'' if count == 1 else 's'}"


def _lines(change: Change) -> str:
    """Where they stand in a text of several lines."""
    lines = change.contrast.lines
    if not isinstance(change.after, str) or "\n" not in change.after or not lines:
        return ""
    if len(lines) > MOST_NAMED:
        return f" in {number(len(lines))} lines"
    names = [number(line + 1) for line in lines]
    return f" in line {names[0]}" if len(names) == 1 else f" in lines {', '.join(names[:-1])} and {names[-1]}"
