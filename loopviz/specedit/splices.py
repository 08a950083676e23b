"""Changes to a text: first as places in it, then as whole lines, so that every other line is the old one by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from loopviz.specedit.source import Node, Source, lines


@dataclass(frozen=True, slots=True)
class Splice:
    """Characters of a text that others take the place of."""

    start: int
    stop: int
    new: str


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that others take the place of, each with its line break."""

    first: int
    """The first line replaced, or before which lines are added, from 0."""
    old: tuple[str, ...]
    new: tuple[str, ...]


def after_line(source: Source, at: int, new: Sequence[str]) -> Splice:
    """Put lines after the line of a character; a last line without a line break leaves the new last one without."""
    below, line_break = source.next_line(at), source.line_break(at)
    if source.line_end(at) == below:
        return Splice(below, below, "".join(line_break + line for line in new))
    return Splice(below, below, "".join(line + line_break for line in new))


def before_line(source: Source, at: int, new: Sequence[str]) -> Splice:
    """Put lines before the line of a character."""
    start, line_break = source.line_start(at), source.line_break(at)
    return Splice(start, start, "".join(line + line_break for line in new))


def without_lines(source: Source, start: int, end: int, texts: Sequence[Node]) -> Iterator[Splice]:
    """Take lines out and keep their comments, each as a line of its own.

    Args:
        source: The text.
        start: A character of the first line.
        end: Where the last value in these lines ends.
        texts: Everything in these lines in which a `#` is no comment.
    """
    gone = at = source.line_start(start)
    stop = source.next_line(max(end - 1, start))
    while at < stop:
        if (comment := _comment(source.text, at, source.line_end(at), texts)) is not None:
            yield from _gone(source, gone, at)
            line = source.text[at:comment]
            yield Splice(at + len(line) - len(line.lstrip(" \t")), comment, "")
            gone = source.next_line(at)
        at = source.next_line(at)
    yield from _gone(source, gone, stop)


def _gone(source: Source, start: int, stop: int) -> Iterator[Splice]:
    """Take out whole lines; a last line without a line break leaves the one before it without."""
    if start == stop:
        return
    if stop == len(source.text) and source.line_end(stop - 1) == stop and start:
        yield Splice(source.line_end(start - 1), stop, "")
    else:
        yield Splice(start, stop, "")


def _comment(text: str, start: int, stop: int, texts: Sequence[Node]) -> int | None:
    """Where the comment of a line begins."""
    at = text.find("#", start, stop)
    while at >= 0:
        inside = any(node.start <= at < node.end for node in texts)
        if not inside and (at == start or text[at - 1] in " \t"):
            return at
        at = text.find("#", at + 1, stop)
    return None


def as_blocks(source: Source, splices: Sequence[Splice]) -> tuple[Block, ...]:
    """What splices do to whole lines: the fewest that hold all changes.

    Splices at one place keep the order in which they are given; two that take out the same characters may overlap.
    """
    blocks: list[Block] = []
    for group in _by_lines(source, sorted(splices, key=lambda splice: (splice.start, splice.stop))):
        start = source.line_start(group[0].start)
        stop = max(source.next_line(max(splice.stop - 1, splice.start)) for splice in group)
        old, new = source.text[start:stop], ""
        at = start
        for splice in group:
            new += source.text[at : splice.start] + splice.new
            at = max(at, splice.stop)
        blocks += _differing(source.line(start), lines(old), lines(new + source.text[at:stop]))
    return tuple(blocks)


def _by_lines(source: Source, splices: Sequence[Splice]) -> Iterator[list[Splice]]:
    """Gather the splices that share a line."""
    group: list[Splice] = []
    reach = -1
    for splice in splices:
        if group and source.line(splice.start) > reach:
            yield group
            group = []
        group.append(splice)
        reach = max(reach, source.line(max(splice.stop - 1, splice.start)))
    if group:
        yield group


def _differing(first: int, old: list[str], new: list[str]) -> Iterator[Block]:
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Block(first + a, tuple(old[a:b]), tuple(new[c:d]))


def put(text: str, blocks: Sequence[Block]) -> str:
    """The text with blocks in place of its lines.

    Args:
        text: The old text.
        blocks: In order, none sharing a line with another.
    """
    old, new, at = lines(text), [], 0
    for block in blocks:
        new += old[at : block.first] + list(block.new)
        at = block.first + len(block.old)
    return "".join(new + old[at:])
