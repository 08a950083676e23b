"""Splitting JSON files into records, with the place of each, without decoding what is inside.

The quick way lets msgspec check and skip the values; whatever it refuses goes to the token scan of
`loopviz.readers.scanning`. Neither ever raises for what a file holds.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from itertools import islice, repeat

import msgspec
import numpy as np
from msgspec import Raw, Struct

from loopviz.model import IntArray
from loopviz.readers.encoding import Text
from loopviz.readers.scanning import BLANK, Members, Span, find_elements, find_members, key_text, skip

SAMPLE = 20
"""How many lines are looked at to tell a file of lines from a single document."""

NO_OBJECT = "is not a JSON object"
BEHIND_LIST = "stands behind the list that the file begins with"

_NEWLINES = re.compile(rb"\n+")
_KEY = re.compile(rb'[\s{,]*("[^"\\]*+(?:\\.[^"\\]*+)*+")\s*:\s*', re.DOTALL)
_BLANKS = re.compile(rb"[ \t\r\n\x00]*")
_DOCUMENT = re.compile(rb'\{|\[\s*(?:[\[\]{"]|\Z)')
"""How an object begins, or a list that may hold some; `[12:00] Started` is a line of a log."""
_LIST_LINE = re.compile(rb"\[\s*[{\]]")
_SEPARATORS = (b",", b", ")
"""What stands between two elements of a list that a program wrote in one line."""
_LINE_END = ord("\n")
_TAIL = 1 << 12
_END = re.compile(rb"\s*\}\s*")
_OBJECT = msgspec.json.Decoder(dict[str, Raw])
_LIST = msgspec.json.Decoder(list[Raw])
_REFUSED = (ValueError, RecursionError)


class Record(Struct, frozen=True, kw_only=True, gc=False):
    """One value at the top of a file: the document, a line, or an element of a list at the top."""

    start: int
    stop: int
    members: Members | None = None
    """The members of the object that it is; None where it is none."""
    line: int | None = None
    """From 1, in a file of lines."""
    number: int | None = None
    """From 1, in a list."""
    fault: str = NO_OBJECT
    """Why it has no members."""

    @property
    def where(self) -> str:
        """The place, as a person would say it; empty for a document."""
        if self.line is not None:
            return f"line {self.line:,}"
        return "" if self.number is None else f"record {self.number:,}"


def records(text: Text, *, one_line_is_lines: bool = False) -> Iterator[Record]:
    """Split a file into its records.

    Args:
        text: The file.
        one_line_is_lines: Whether a file of a single line is a file of lines, not a document.
    """
    data = text.data
    start, stop = _strip(data, text.start, len(data))
    if data[start : start + 1] == b"[":
        sound = _sound_elements(data, start, stop)
        if sound is not None:
            return _list_records(data, sound)
    found = _sound_members(data, start, stop)
    if found is not None and not (one_line_is_lines and data.find(b"\n", start, stop) < 0):
        return iter([Record(start=start, stop=stop, members=found)])
    if found is not None or _looks_like_lines(data, text.start):
        return _lines(data, text.start)
    if _looks_like_lists(data, text.start):
        return _lists(data, text.start)
    return _stream(data, start, stop)


def sound_list(text: Text) -> Iterator[tuple[int, Raw]] | None:
    """The elements of the list that a file is: where each begins, and its bytes; None where it is none, or not JSON."""
    start, stop = _strip(text.data, text.start, len(text.data))
    return _sound_elements(text.data, start, stop) if text.data[start : start + 1] == b"[" else None


def is_lines(text: Text) -> bool:
    """Whether `records` takes a file for one of lines, a single line for one as well."""
    data = text.data
    start, stop = _strip(data, text.start, len(data))
    if data[start : start + 1] == b"[" and _sound_elements(data, start, stop) is not None:
        return False
    if _sound_members(data, start, stop) is not None:
        return data.find(b"\n", start, stop) < 0
    return _looks_like_lines(data, text.start)


def members(data: bytes, start: int, stop: int) -> Members | None:
    """Find the members of the object in data[start:stop]; None where there is no object."""
    start, stop = _strip(data, start, stop)
    if data[start : start + 1] != b"{":
        return None
    return _sound_members(data, start, stop) or find_members(data, start, stop)


def _sound_members(data: bytes, start: int, stop: int) -> Members | None:
    """The same, and None as well where the object is not JSON, or a key stands in it twice."""
    try:
        raws = _OBJECT.decode(memoryview(data)[start:stop])
    except _REFUSED:
        return None
    found = Members(stop=stop)
    position = start
    for name, raw in raws.items():
        key = _KEY.match(data, position, stop)
        if key is None or (key[1][1:-1] != name.encode() and key_text(key[1]) != name):
            return None
        position = key.end() + len(raw)
        found.spans[name] = Span(key.end(), position)
    return found if _END.match(data, position if raws else start + 1, stop) else None


def elements(data: bytes, start: int, stop: int) -> Iterator[tuple[int, Raw | bytes]]:
    """Find the elements of the list in data[start:stop]: where each begins, and its bytes.

    The list is given up piece by piece as it is read. What is no JSON comes as it stands.
    """
    sound = _sound_elements(data, start, stop)
    return find_elements(data, start, stop) if sound is None else sound


def _sound_elements(data: bytes, start: int, stop: int) -> Iterator[tuple[int, Raw]] | None:
    """The same; None where the list is not JSON."""
    try:
        raws = _LIST.decode(memoryview(data)[start:stop])
    except _REFUSED:
        return None
    begins = _begins(data, start, stop, raws)
    raws.reverse()
    return zip(begins, map(list[Raw].pop, repeat(raws, len(raws))), strict=True)


def _begins(data: bytes, start: int, stop: int, raws: list[Raw]) -> array[int]:
    """Where each element of the list in data[start:stop] begins."""
    lengths = np.fromiter(map(len, raws), dtype=np.int64, count=len(raws))
    total = int(lengths.sum())
    for separator in _SEPARATORS:
        if total + (len(raws) - 1) * len(separator) + len(b"[]") == stop - start:
            at = start + 1 + np.cumsum(lengths + len(separator)) - lengths - len(separator)
            if _all_after(separator, data, at[1:]):
                return array("q", at.tobytes())
    begins = array("q")
    position = start + 1
    for length in lengths.tolist():
        position = skip(data, position, stop)
        begins.append(position)
        position += length
    return begins


def _all_after(separator: bytes, data: bytes, positions: IntArray) -> bool:
    """Whether the separator stands before each of these bytes."""
    octets = np.frombuffer(data, dtype=np.uint8)
    return all((octets[positions - len(separator) + place] == octet).all() for place, octet in enumerate(separator))


def peek(text: Text) -> Iterator[dict[str, bytes]]:
    """Look at a file, or its beginning: the members of one object after the other, the last of them perhaps cut."""
    data = text.data
    for record in records(text):
        is_list = record.line is not None and data[record.start : record.start + 1] == b"["
        inner = _list_records(data, elements(data, record.start, record.stop)) if is_list else (record,)
        for each in inner:
            if each.members:
                yield {key: data[span.start : span.stop] for key, span in each.members.spans.items()}


def _list_records(data: bytes, found: Iterable[tuple[int, Raw | bytes]]) -> Iterator[Record]:
    for number, (at, raw) in enumerate(found, start=1):
        end = at + len(raw)
        yield Record(start=at, stop=end, members=members(data, at, end), number=number)


def lines(data: bytes, position: int) -> Iterator[tuple[int, int, int]]:
    """Every line from byte `position` on that is not blank: its number from 1, and where it begins and ends."""
    number = 0
    while position < len(data):
        blank = _NEWLINES.match(data, position)
        if blank:  # There may be millions of them.
            number += blank.end() - position
            position = blank.end()
            continue
        number += 1
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        start, stop = _strip(data, position, end)
        if start < stop:
            yield number, start, stop
        elif b"\x00" in data[position:end]:
            yield number, position, end
        position = end + 1


def _lines(data: bytes, position: int) -> Iterator[Record]:
    for number, start, stop in lines(data, position):
        yield line_record(data, number, start, stop)


def line_record(data: bytes, number: int, start: int, stop: int) -> Record:
    """A line as a record: an object of which something is missing, or behind which something stands, is none."""
    found = members(data, start, stop)
    if found is None:
        fault = NO_OBJECT if data[start:stop].strip(BLANK) else "holds nothing but zero bytes"
        return Record(start=start, stop=stop, line=number, fault=fault)
    if not found.closed:
        return Record(start=start, stop=stop, line=number, fault="is cut off")
    if found.stop < stop:
        return Record(start=start, stop=stop, line=number, fault="holds something else after its JSON object")
    return Record(start=start, stop=stop, line=number, members=found)


def _lists(data: bytes, position: int) -> Iterator[Record]:
    """Lines that hold a list each: records without members of their own."""
    for number, start, stop in lines(data, position):
        if data[start : start + 1] == b"[":
            is_sound = _sound_elements(data, start, stop) is not None
            yield Record(start=start, stop=stop, line=number, members=Members(clean=is_sound, stop=stop))
        else:
            yield line_record(data, number, start, stop)


def _stream(data: bytes, start: int, stop: int) -> Iterator[Record]:
    """Records of a text that is not JSON as a whole: cut off, or one document after the other."""
    if data[start : start + 1] == b"[":
        end = start + 1
        for record in _list_records(data, elements(data, start, stop)):
            yield record
            end = record.stop
        end = skip(data, skip(data, end, stop) + len(b"]"), stop)
        if end < stop:
            yield Record(start=end, stop=stop, fault=BEHIND_LIST)
        return
    while start < stop:
        if data[start : start + 1] == b"{":
            found = _sound_document(data, start, stop) or find_members(data, start, stop)
            yield Record(start=start, stop=found.stop, members=found)
            start = skip(data, found.stop, stop)
        else:
            following = data.find(b"\n{", start, stop)
            following = stop if following < 0 else following + 1
            yield Record(start=start, stop=following, fault="is not JSON")
            start = following


def _sound_document(data: bytes, start: int, stop: int) -> Members | None:
    """The members of a document at byte `start` that ends where the next seems to begin; None where it is not sound."""
    following = data.find(b"\n{", start, stop)
    return _sound_members(data, *_strip(data, start, stop if following < 0 else following))


def _looks_like_lines(data: bytes, start: int) -> bool:
    """Whether a text that is no JSON as a whole is one of lines that hold an object each, bad ones between them.

    One that begins as a document does is, if most of its first lines are such objects; any other, if a single one is.
    """
    if data.find(b"\n", start) < 0:
        return False
    sample = list(islice(_lines(data, start), SAMPLE))
    good = sum(line.members is not None for line in sample)
    if len(sample) > 1 and 2 * good >= len(sample):
        return True
    if not sample or _DOCUMENT.match(data, sample[0].start):
        return False
    # What is indented may be a part of a document that follows a few words.
    return any(line.members and data[line.start - 1] == _LINE_END for line in _lines(data, start))


def _looks_like_lists(data: bytes, start: int) -> bool:
    """Whether most of the first lines of a text, of more than one, hold a list of objects or of nothing each."""
    sample = list(islice(lines(data, start), SAMPLE))
    is_list = [bool(_LIST_LINE.match(data, at)) and _sound_elements(data, at, end) is not None for _, at, end in sample]
    return len(sample) > 1 and 2 * sum(is_list) > len(sample)


def _strip(data: bytes, start: int, stop: int) -> tuple[int, int]:
    """The same piece of a text without blanks at its ends."""
    if start < stop and data[start] not in BLANK and data[stop - 1] not in BLANK:
        return start, stop
    blank = _BLANKS.match(data, start, stop)
    start = blank.end() if blank else start
    kept = 0
    while start < stop and not kept:
        tail = data[max(start, stop - _TAIL) : stop]
        kept = len(tail.rstrip(BLANK))
        stop -= len(tail) - kept
    return start, stop
