"""The text of a spec and where each of its values stands.

PyYAML tells where a value begins. It tells less well where one ends: a block, only where the next thing begins, behind
comments and blank lines. So an end here is that of the last thing written in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import yaml

from loopviz import yaml12
from loopviz.model import Json

Kind = Literal["mapping", "list", "scalar", "alias"]

BOM = "\ufeff"
MERGE = "<<"
"""The key by which older YAML takes the values of another mapping over."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Node:
    """A value as it is written; places are characters of the text."""

    kind: Kind
    start: int
    """Where it begins: at its anchor or tag where it has one."""
    end: int
    """Behind the last thing written in it."""
    style: str = ""
    """Of a scalar: `'`, `"`, `|` or `>`; empty where it is plain."""
    flow: bool = False
    """A mapping or list in braces or brackets."""
    anchor: str | None = None
    """The name of its anchor, or that an alias stands for."""
    tag: str | None = None
    keys: tuple[Node, ...] = ()
    """Of a mapping, as they stand."""
    values: tuple[Node, ...] = ()
    """Of a mapping or a list."""

    def walk(self) -> Iterator[Node]:
        """Itself and everything in it."""
        yield self
        for part in (*self.keys, *self.values):
            yield from part.walk()


@dataclass(frozen=True, eq=False)
class Source:
    """A spec as it is written and as it is meant."""

    text: str
    """Without its byte order mark."""
    value: Json
    root: Node | None
    """None for a file without a document."""

    @cached_property
    def anchors_used(self) -> frozenset[str | None]:
        """The anchors that aliases refer to."""
        return frozenset(node.anchor for node in (self.root.walk() if self.root else ()) if node.kind == "alias")

    @cached_property
    def merges(self) -> dict[str | None, Node]:
        """The merge keys that take over what has an anchor, by its name."""
        nodes = self.root.walk() if self.root else ()
        keys = ((key, value) for node in nodes for key, value in zip(node.keys, node.values, strict=False))
        merged = ((key, value) for key, value in keys if self.text[key.start : key.end] == MERGE)
        return {part.anchor: key for key, value in merged for part in (value, *value.values) if part.kind == "alias"}

    @property
    def ends_in_block(self) -> bool:
        """Whether the last thing in it is a block of text, whose last line has no line break."""
        last = max(self.root.walk(), key=lambda node: node.start) if self.root else None
        return bool(last and last.style in ("|", ">")) and not self.text.endswith(("\n", "\r"))

    @cached_property
    def _starts(self) -> list[int]:
        return [match.start() for match in _LINE.finditer(self.text)] or [0]

    def line(self, at: int) -> int:
        """The line in which a character stands, from 0."""
        return max(bisect_right(self._starts, at) - 1, 0)

    def line_start(self, at: int) -> int:
        """Where the line of a character begins."""
        return self._starts[self.line(at)]

    def next_line(self, at: int) -> int:
        """Where the line after that of a character begins; the end of the text after the last one."""
        line = self.line(at) + 1
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def line_end(self, at: int) -> int:
        """Where the line of a character ends, before its line break."""
        start, stop = self.line_start(at), self.next_line(at)
        return start + len(self.text[start:stop].rstrip("\r\n"))

    def column(self, at: int) -> int:
        """How many characters stand before one in its line."""
        return at - self.line_start(at)

    def line_break(self, at: int) -> str:
        """The line break that a line after that of a character takes: that line's own, else the one before it."""
        for place in (at, self.line_start(at) - 1):
            if place >= 0 and (found := self.text[self.line_end(place) : self.next_line(place)]):
                return found
        return "\n"

    def entry_end(self, node: Node, column: int) -> int:
        """Where a line can follow a value and all that belongs to it.

        Comments right below belong to it that are indented by more than `column`, where its siblings stand.
        """
        at = self.line_end(node.end)
        while (below := self.next_line(at)) < len(self.text):
            line = self.text[below : self.line_end(below)]
            comment = line.lstrip(" \t")
            if not comment.startswith("#") or len(line) - len(comment) <= column:
                break
            at = self.line_end(below)
        return at


@lru_cache(maxsize=4)
def read(text: str) -> Source:
    """Read a spec; the last few are remembered, since a spec is planned for again with every move of a control.

    Raises:
        YamlError: when it is not YAML or is refused.
    """
    value, events = yaml12.load_with_events(text)
    parts = iter(events)
    document = next((part for part in parts if isinstance(part, yaml.DocumentStartEvent)), None)
    return Source(text=text, value=value, root=_node(next(parts), parts, text) if document else None)


def lines(text: str) -> list[str]:
    """The lines of a text, each with its line break; only those that YAML 1.2 knows count."""
    return _LINE.findall(text)


def _node(event: yaml.Event, parts: Iterator[yaml.Event], text: str) -> Node:
    start, end = _span(event)
    if isinstance(event, yaml.AliasEvent):
        return Node(kind="alias", start=start, end=end, anchor=event.anchor)
    if isinstance(event, yaml.ScalarEvent):
        end = _block_end(text, start, end) if event.style in ("|", ">") else end
        style, tag = event.style or "", event.tag
        return Node(kind="scalar", start=start, end=end, style=style, anchor=event.anchor, tag=tag)
    assert isinstance(event, yaml.CollectionStartEvent)
    children: list[Node] = []
    while not isinstance(inner := next(parts), yaml.CollectionEndEvent):
        children.append(_node(inner, parts, text))
    mapping, flow = isinstance(event, yaml.MappingStartEvent), bool(event.flow_style)
    return Node(
        kind="mapping" if mapping else "list",
        start=start,
        end=_span(inner)[1] if flow or not children else children[-1].end,
        flow=flow,
        anchor=event.anchor,
        tag=event.tag,
        keys=tuple(children[::2]) if mapping else (),
        values=tuple(children[1::2] if mapping else children),
    )


def _span(event: yaml.Event) -> tuple[int, int]:
    """Where a part begins and ends as PyYAML tells it."""
    assert event.start_mark and event.end_mark
    return event.start_mark.index, event.end_mark.index


def _block_end(text: str, start: int, end: int) -> int:
    """Where a block of text ends; blank lines below belong to it only where it keeps them (`|+`)."""
    header = text[start:end].split("\n", 1)[0].split("#")[0]
    written = text[start:end]
    if "+" not in header:
        return start + len(written.rstrip())
    return end - (2 if written.endswith("\r\n") else written.endswith(("\n", "\r")))
