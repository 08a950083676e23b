"""A JSON value of a file and where it stands: decoded only when asked, so that what nobody needs costs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from msgspec import Raw, Struct

from loopviz.canonical import MAX_DEPTH, decode_strictly
from loopviz.model import Json
from loopviz.readers.decoding import decode
from loopviz.readers.encoding import MOST_INVALID, Text
from loopviz.readers.jsontext import Record, elements, is_lines, line_record, lines, members, records, sound_list
from loopviz.readers.problems import Problems
from loopviz.readers.scanning import Members
from loopviz.readers.texts import kind_of

_TOGETHER = 8
"""Elements of a list that are decoded at once, which takes less than one after the other."""
_MOST_TOGETHER = 1 << 16
"""Bytes that they have at most, since it takes memory too."""


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """A file that values are taken from."""

    text: Text
    problems: Problems
    """What is wrong with it goes here."""

    def byte(self, position: int) -> str:
        """The place of byte `position` of the text, as a person would say it."""
        return f"byte {self.text.offset(position):,}"


class Node(Struct, eq=False, gc=False):
    """A JSON value in a file."""

    origin: Origin
    start: int
    """Where it begins in the text."""
    stop: int
    line: int | None = None
    """Line that it stands in, from 1, in a file of lines."""
    number: int | None = None
    """From 1, of an element of a list."""
    _members: Members | None = None

    @property
    def raw(self) -> bytes:
        """Its JSON text."""
        return self.origin.text.data[self.start : self.stop]

    @property
    def position(self) -> int:
        """Its position, from 0, in the list or in the file of lines that it belongs to."""
        return (self.number or self.line or 1) - 1

    def bare(self) -> Node:
        """The same value without what was found in it meanwhile, for those that keep many."""
        return Node(self.origin, self.start, self.stop, self.line, self.number)

    def where(self, noun: str) -> str:
        """Its place, as a person would say it: `line 3`, or `message 3` where elements are called messages."""
        if self.number is not None:
            return f"{noun} {self.number:,}"
        return f"line {self.line:,}" if self.line is not None else self.origin.byte(self.start)

    def keys(self) -> frozenset[str]:
        """The keys of the object that it is."""
        return frozenset(self._found().spans)

    def member(self, *path: str) -> Node | None:
        """The member at the end of a path of keys."""
        node = self
        for key in path:
            span = node._found().spans.get(key)
            if span is None:
                return None
            node = Node(self.origin, *span, self.line)
        return node

    def get(self, *path: str) -> Json:
        """The value of a member; None where there is none, or it is no JSON, which is noted."""
        node = self.member(*path)
        if node is None:
            return None
        try:
            return decode(node.raw)
        except ValueError:
            message = f"`{path[-1]}` is not JSON, or is cut off; it is left out."
            self.origin.problems.add(self.origin.byte(node.start), message)
            return None

    def has_list(self, *path: str) -> bool:
        """Whether a list stands at the end of a path of keys."""
        node = self.member(*path)
        return node is not None and self.origin.text.data[node.start : node.start + 1] == b"["

    def elements(self, *path: str) -> Iterator[Node]:
        """The elements of the list at the end of a path of keys; none where there is no list."""
        node = self.member(*path)
        if node is None or not node.has_list():
            return
        origin, line = self.origin, self.line
        for number, (start, raw) in enumerate(elements(origin.text.data, node.start, node.stop), start=1):
            yield Node(origin, start, start + len(raw), line, number)

    def object(self, problems: Problems, noun: str) -> dict[str, Json] | None:
        """The object that it is, decoded; None, with a problem, where it is none."""
        try:
            value = decode(self.origin.text.data[self.start : self.stop])
        except ValueError:
            problems.add(self.where(noun), f"This {noun} is not JSON, or is cut off; it is left out.")
            return None
        if type(value) is dict:
            return value
        problems.add(self.where(noun), f"This {noun} should be an object; it is {kind_of(value)} and is left out.")
        return None

    def _found(self) -> Members:
        if self._members is None:
            self._members = members(self.origin.text.data, self.start, self.stop) or Members()
        return self._members


def decoded_elements(data: bytes, start: int, stop: int) -> Iterator[Iterable[tuple[tuple[int, Raw | bytes], Json]]]:
    """The elements of the list in data[start:stop], a few at a time: where each begins, its bytes, and its value.

    What is no JSON has the value `None`.
    """
    found = elements(data, start, stop)
    while some := [*islice(found, _TOGETHER)]:
        values = _decoded_together(data, some)
        yield zip(some, map(_decoded, some) if values is None else values, strict=True)


def _decoded_together(data: bytes, some: list[tuple[int, Raw | bytes]]) -> list[Json] | None:
    """The values of elements that follow each other; None where they are long, may be deep, or are not sound JSON."""
    first, (last, raw) = some[0][0], some[-1]
    if last + len(raw) - first > _MOST_TOGETHER:
        return None
    together = b"[%b]" % data[first : last + len(raw)]
    if together.count(b"[") + together.count(b"{") > MAX_DEPTH:
        return None
    try:
        values: list[Json] = decode_strictly(together)
    except ValueError:
        return None
    return values if len(values) == len(some) else None


def _decoded(element: tuple[int, Raw | bytes]) -> Json:
    try:
        return decode(bytes(element[1]))
    except ValueError:
        return None


def top_nodes(origin: Origin, *, one_line_is_lines: bool = False) -> Iterator[Node]:
    """The objects at the top of a file: the document, its lines, or the elements of its list; what is none is noted.

    Args:
        one_line_is_lines: Whether a file of a single line is a file of lines, not a document.
    """
    for record in records(origin.text, one_line_is_lines=one_line_is_lines):
        node = _top_node(origin, record)
        if node is not None:
            yield node


def top_objects(origin: Origin) -> Iterator[tuple[Node, dict[str, Json]]]:
    """The same for a file of lines, each object decoded."""
    listed = sound_list(origin.text)
    if listed is not None:
        yield from _element_objects(origin, listed)
        return
    if is_lines(origin.text):
        yield from _line_objects(origin)
        return
    for top in top_nodes(origin, one_line_is_lines=True):
        for node in top.elements() if top.has_list() else (top,):
            value = node.object(origin.problems, "record")
            if value is not None:
                yield node, value


def _line_objects(origin: Origin) -> Iterator[tuple[Node, dict[str, Json]]]:
    for number, start, stop in lines(origin.text.data, origin.text.start):
        value = line_object(origin, number, start, stop)
        if value is not None:
            yield Node(origin, start, stop, number), value


def line_object(origin: Origin, number: int, start: int, stop: int) -> dict[str, Json] | None:
    """The object in a line, decoded; None where there is none, which is noted, and so is what is unsound in it."""
    text = origin.text
    try:
        value = decode(text.data[start:stop])
    except ValueError:
        value = None
    # Nearly every line is sound in every way; only the others are worth a closer look.
    if isinstance(value, dict) and not (text.invalid and text.n_invalid(start, stop)):
        return value
    node = _top_node(origin, line_record(text.data, number, start, stop))
    return None if node is None else node.object(origin.problems, "line")


def _element_objects(origin: Origin, found: Iterable[tuple[int, Raw]]) -> Iterator[tuple[Node, dict[str, Json]]]:
    data, may_be_invalid = origin.text.data, bool(origin.text.invalid)
    for number, (start, raw) in enumerate(found, start=1):
        stop = start + len(raw)
        value = decode(data[start:stop])
        if not isinstance(value, dict) or (may_be_invalid and origin.text.n_invalid(start, stop)):
            node = _top_node(origin, Record(start=start, stop=stop, members=members(data, start, stop), number=number))
            value = None if node is None else value
        if value is not None:
            yield Node(origin, start, stop, None, number), value


def _top_node(origin: Origin, record: Record) -> Node | None:
    if record.members is None:
        place = record.where or origin.byte(record.start)
        origin.problems.add(place, f"This {_noun(record)} {record.fault}; it is left out.")
        return None
    note_damage(origin, record, record.members)
    return Node(origin, record.start, record.stop, record.line, record.number, record.members)


def _noun(record: Record) -> str:
    return "record" if record.line is None else "line"


def note_damage(origin: Origin, record: Record, found: Members) -> None:
    """Note what makes a record less than sound JSON in UTF-8."""
    start, stop, text = record.start, record.stop, origin.text
    if invalid := text.n_invalid(start, stop):
        first = next(at for at in text.invalid if at >= start)
        many = "One byte here is" if invalid == 1 else f"{invalid:,} bytes from here on are"
        many = "Bytes from here on are" if invalid == MOST_INVALID else many
        message = f"{many} not UTF-8; each is shown as � and compared as it stands."
        origin.problems.add(origin.byte(first), message)
    if not found.closed:
        origin.problems.add(origin.byte(stop), "The file is cut off here; what stands before is kept.")
    elif not found.clean:
        origin.problems.add(origin.byte(start), "Not all of this record is JSON; what can be read is kept.")
