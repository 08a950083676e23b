"""Changing a list of tools: the patterns that stay keep their spelling, their place and their comments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from loopviz.model import Json
from loopviz.specedit.source import Node, Source
from loopviz.specedit.spelling import in_brackets, quote_of, spelled
from loopviz.specedit.splices import Splice, after_line, before_line, without_lines
from loopviz.specedit.spots import Spot

_UP_TO_COMMA = re.compile(r"(?:\s|(?<=\s)#[^\r\n]*)*,")


def change_list(spot: Spot, wanted: Sequence[str]) -> Iterator[Splice]:
    """Make a list hold other texts.

    Args:
        spot: The list; or what stands in its place and is none, on one line.
        wanted: What it is to hold; at least one.
    Raises:
        Blocked: for what cannot be changed with nothing else changed.
    """
    spot.require_its_own()
    if spot.node.kind == "list" and spot.node.values:
        if spot.node.tag is not None:
            raise spot.blocked(f"it bears the tag {spot.node.tag}")
        changes = _changes(spot.value, wanted)
        for place in (place for change in changes for place in range(change[0], change[1])):
            _require_simple(spot, place)
        yield from (_in_brackets if spot.node.flow else _in_lines)(spot, changes)
        return
    spot.require_alone()
    if "#" in spot.source.text[spot.node.start : spot.node.end] or spot.node.style in ("|", ">"):
        raise spot.blocked("its value is written over several lines")
    if spot.node.kind == "mapping" and not spot.node.flow:
        raise spot.blocked("it is a mapping and should be a list of patterns")
    space = " " if spot.node.start == spot.node.end else ""
    yield Splice(spot.node.start, spot.node.end, space + in_brackets(wanted, '"'))


Change = tuple[int, int, tuple[str, ...]]
"""Entries from, up to, and what takes their place."""


def _changes(old: Sequence[Json], new: Sequence[str]) -> list[Change]:
    """The entries that change; those that come in beyond them stand at a place of their own."""
    told = [json.dumps(item) for item in old]
    matcher = SequenceMatcher(None, told, [json.dumps(item) for item in new], autojunk=False)
    return [(a, b, tuple(new[c:d])) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]


def _require_simple(spot: Spot, place: int) -> None:
    item = spot.item(place)
    item.require_alone()
    if item.node.kind != "scalar" or item.node.style in ("|", ">"):
        raise item.blocked(f"entry {place + 1} is written over several lines", item.node.start)


def _in_lines(spot: Spot, changes: Sequence[Change]) -> Iterator[Splice]:
    source, items, quote = spot.source, spot.node.values, quote_of(spot.node.values)
    for first, stop, new in changes:
        yield from _replaced(items[first:stop], new)
        if gone := items[first + len(new) : stop]:
            yield from without_lines(source, spot.dash(first + len(new)), gone[-1].end, gone)
        if more := new[stop - first :]:
            at = max(stop - 1, 0)
            dash, start = spot.dash(at), items[at].start
            gap = start - dash if source.line(dash) == source.line(start) else 2
            entries = [f"{' ' * spot.dash_column}-{' ' * (gap - 1)}{spelled(item, quote)}" for item in more]
            if stop:
                yield after_line(source, source.entry_end(items[at], spot.dash_column), entries)
            else:
                yield before_line(source, dash, entries)


def _in_brackets(spot: Spot, changes: Sequence[Change]) -> Iterator[Splice]:
    text, items, quote = spot.source.text, spot.node.values, quote_of(spot.node.values)
    between = text[items[0].end : items[1].start] if items[1:] else ", "
    separator = ", " if "#" in between else between
    for first, stop, new in changes:
        yield from _replaced(items[first:stop], new)
        if first + len(new) < stop:
            yield from _out_of_brackets(spot.source, items, first + len(new), stop)
        if more := [spelled(item, quote) for item in new[stop - first :]]:
            at = items[stop - 1].end if stop else items[0].start
            yield Splice(at, at, "".join(separator + item if stop else item + separator for item in more))


def _replaced(items: Sequence[Node], new: Sequence[str]) -> Iterator[Splice]:
    """Texts put in place of others, in the same quotes."""
    for node, text in zip(items, new, strict=False):
        yield Splice(node.start, node.end, spelled(text, node.style))


def _out_of_brackets(source: Source, items: Sequence[Node], first: int, stop: int) -> Iterator[Splice]:
    """Take entries out of a list in brackets, each with one comma; comments stay.

    The comma goes that stands before an entry. Where a comment stands there too, or nothing, it is the one behind.
    """
    text = source.text
    before = first > 0 and "#" not in text[items[first - 1].end : items[first].start]
    for place in range(first, stop):
        node = items[place]
        if before and "#" not in text[items[place - 1].end : node.start]:
            yield Splice(items[place - 1].end, node.end, "")
            continue
        comma = _UP_TO_COMMA.match(text, items[place - 1].end if before else node.end)
        if comma is None or comma.end() - 1 != node.end:
            yield _cut(source, node.start, node.end)
            yield from [Splice(comma.end() - 1, comma.end(), "")] if comma else []
        else:
            yield _cut(source, node.start, comma.end())


def _cut(source: Source, start: int, end: int) -> Splice:
    """Take out a part of a line with the space behind it; all of the line where nothing else stands in it."""
    line_start, line_end = source.line_start(start), source.line_end(end)
    if source.text[line_start:start].isspace() and not source.text[end:line_end].strip():
        return Splice(line_start, source.next_line(end), "")
    behind = source.text[end:line_end]
    return Splice(start, line_end - len(behind.lstrip(" \t")), "")
