"""Spoiling sound files: their JSON structure, and their bytes.

Every choice is made by a function `choose(n)` that gives a number from 0 to before `n`. Hypothesis draws it, and then
finds the smallest damage that does harm; a generator with a seed makes thousands of files a minute.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from tests.readers.packing import tarred, zipped, zstd

Choose = Callable[[int], int]
Edit = Callable[[list[Any], Choose], None]
"""Spoils some records in place."""


class Members(list[tuple[str, Any]]):
    """An object: its members in order, in which a key may stand twice."""


@dataclass(frozen=True)
class Spelled:
    """A value as its JSON text, or as something that is none."""

    text: str


TIMES = (
    '"2026-01-02T03:04:05Z"', '"2026-01-02T03:04:05.123456789+05:30"', '"2026-01-02 03:04:05"', '"20260102T030405Z"',
    '"Fri, 02 Jan 2026 03:04:05 GMT"', '"2026-01-02"', "1767323045", "1767323045123", "1767323045123456789",
    '"1767323045.5"', "[1767323045, 5]", '{"seconds": "1767323045", "nanos": 5}', '"0001-01-01T00:00:00Z"',
    '"0001-01-01T00:00:00+14:00"', '"9999-12-31T23:59:59.999999Z"', '"9999-12-31T23:59:59-14:00"', '"yesterday"',
    "0", "-62135596800", "253402300800", "1e300", "-1e300", "NaN", '""', '"24:00"', '{"seconds": [], "nanos": {}}',
    "[null, null]", '"2026-02-30T00:00:00Z"', '"12345678901234567890"',
)  # fmt: skip
"""Points in time in every notation that is read, some at the ends of what can be, and some that are none."""

ODD = (
    "null", "true", "false", "0", "-1", "1.5", "1e400", "-1e400", "NaN", "-Infinity", "9" * 400, "-" + "9" * 5_000,
    "1e-400", '""', '" "', '"x"', '"[REDACTED]"', r'"\ud800"', r'"\udc00\ud800"', r'"\u0000"', '"\\u001b[31m"',
    r'"{\"a\": [1, {\"b\": null}]}"', r'"[{\"type\": \"text\", \"text\": \"x\"}]"', '"{"', '"["',
    r'"{\"a\": \"\ud800\"}"', "[]", "[[]]", "[null]", "[1]", '["x"]', "[{}]", '[{"type": 1}]', '[{"type": "text"}]',
    '[{"type": "image"}]', '[{"type": "text", "text": ["x"]}]', "{}", '{"": ""}', '{"a": 1}', '{"a": 1, "a": 2}',
    '{"content": [1]}', '{"content": {"content": {"content": null}}}', '{"type": []}', '{"text": {}}',
    r'{"\ud800": 1}', '{"id": ["x"], "name": {"x": 1}, "type": 7, "role": [], "content": 0}', '"' + "x" * 3_000 + '"',
    "[" * 300 + "]" * 300, '{"a": ' * 250 + "[]" + "}" * 250, "[" * 3_000 + "]" * 3_000,
    '{"a": ' * 3_000 + "1" + "}" * 3_000, '"' + r"{\"a\": " * 300 + "1" + "}" * 300 + '"', *TIMES,
)  # fmt: skip
"""Values that stand where others belong."""

LAYOUTS = ("\n", "\n", "\n", "\r\n", "\n\n", " ", "", "\n \x00\n")
"""What stands between the records of a file of lines."""


def parse(data: bytes) -> list[Any]:
    """The records of a sound file: the document, or its lines."""
    text = data.decode()
    decoder = json.JSONDecoder(object_pairs_hook=Members)
    records, at = [], 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        record, at = decoder.raw_decode(text, at)
        records.append(record)
    return records


def spell(value: Any) -> str:
    """The JSON text of a value."""
    if isinstance(value, Spelled):
        return value.text
    if isinstance(value, Members):
        return "{" + ", ".join(f"{json.dumps(key)}: {spell(member)}" for key, member in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(spell, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def spoil(data: bytes, choose: Choose, *, most: int = 6) -> bytes:
    """Spoil the structure of a file, which stays JSON in every record of it."""
    records = parse(data)
    for _ in range(1 + choose(most)):
        EDITS[choose(len(EDITS))](records, choose)
    if len(records) > 1 and not choose(12):
        return f"[{', '.join(map(spell, records))}]".encode()
    return LAYOUTS[choose(len(LAYOUTS))].join(map(spell, records)).encode()


@dataclass(frozen=True)
class Slot:
    """A place in a container that holds a value."""

    whole: list[Any]
    index: int

    @property
    def key(self) -> str:
        return self.whole[self.index][0] if isinstance(self.whole, Members) else ""

    def get(self) -> Any:
        held = self.whole[self.index]
        return held[1] if isinstance(self.whole, Members) else held

    def put(self, value: Any) -> None:
        self.whole[self.index] = (self.key, value) if isinstance(self.whole, Members) else value


def slots(whole: list[Any]) -> Iterator[Slot]:
    """Every place of a value, at any depth."""
    for index in range(len(whole)):
        slot = Slot(whole, index)
        yield slot
        held = slot.get()
        if isinstance(held, list):
            yield from slots(held)


def _any(records: list[Any], choose: Choose, having: Callable[[Slot], bool] = lambda _: True) -> Slot | None:
    found = [slot for slot in slots(records) if having(slot)]
    return found[choose(len(found))] if found else None


def _odd(records: list[Any], choose: Choose) -> None:
    """Another sort of value."""
    if slot := _any(records, choose):
        slot.put(Spelled(ODD[choose(len(ODD))]))


def _odd_scalar(records: list[Any], choose: Choose) -> None:
    """Another sort of value for what is no container: ids, names, texts, times."""
    if slot := _any(records, choose, lambda slot: not isinstance(slot.get(), list)):
        slot.put(Spelled(ODD[choose(len(ODD))]))


def _odd_everywhere(records: list[Any], choose: Choose) -> None:
    """Another value for every member of one key."""
    if slot := _any(records, choose, lambda slot: bool(slot.key)):
        value = Spelled(ODD[choose(len(ODD))])
        for each in list(slots(records)):
            if each.index < len(each.whole) and each.key == slot.key:
                each.put(value)


def _lose(records: list[Any], choose: Choose) -> None:
    if slot := _any(records, choose):
        del slot.whole[slot.index]


def _again(records: list[Any], choose: Choose) -> None:
    """An element that comes again, or a key given twice."""
    if slot := _any(records, choose):
        slot.whole.insert(choose(len(slot.whole) + 1), deepcopy(slot.whole[slot.index]))


def _more(records: list[Any], choose: Choose) -> None:
    """An odd element, a key given twice with an odd value, or an unknown key."""
    if slot := _any(records, choose):
        value = Spelled(ODD[choose(len(ODD))])
        key = ("of_the_future", slot.key)[choose(2)]
        slot.whole.insert(choose(len(slot.whole) + 1), (key, value) if isinstance(slot.whole, Members) else value)


def _rename(records: list[Any], choose: Choose) -> None:
    if slot := _any(records, choose, lambda slot: isinstance(slot.whole, Members)):
        other = _any(records, choose, lambda slot: isinstance(slot.whole, Members))
        slot.whole[slot.index] = (other.key if other else "", slot.get())


def _copy(records: list[Any], choose: Choose) -> None:
    """Another part of the file."""
    if slot := _any(records, choose):
        other = _any(records, choose)
        slot.put(deepcopy(other.get() if other else None))


def _link(records: list[Any], choose: Choose) -> None:
    """One text for another: ids come again, parents stand in circles, times go backwards."""
    if slot := _any(records, choose, lambda slot: isinstance(slot.get(), str)):
        other = _any(records, choose, lambda slot: isinstance(slot.get(), str))
        slot.put(other.get() if other else "")


def _link_ids(records: list[Any], choose: Choose) -> None:
    """One id for another."""

    def is_id(slot: Slot) -> bool:
        return "id" in slot.key.lower() and not isinstance(slot.get(), list)

    if slot := _any(records, choose, is_id):
        other = _any(records, choose, is_id)
        slot.put(other.get() if other else "")


def _time(records: list[Any], choose: Choose) -> None:
    """Another time, or none."""

    def is_time(slot: Slot) -> bool:
        value = slot.get()
        return "time" in slot.key.lower() or (isinstance(value, str) and value[4:5] == "-" and value[:4].isdecimal())

    if slot := _any(records, choose, is_time):
        slot.put(Spelled(TIMES[choose(len(TIMES))]))


def _exchange(records: list[Any], choose: Choose) -> None:
    """Two elements of one container in the other order."""
    if slot := _any(records, choose):
        whole, other = slot.whole, choose(len(slot.whole))
        whole[slot.index], whole[other] = whole[other], whole[slot.index]


def _turn_round(records: list[Any], choose: Choose) -> None:
    if slot := _any(records, choose):
        slot.whole.reverse()


def _wrap(records: list[Any], choose: Choose) -> None:
    """A value inside a list, an object, or a text."""
    if slot := _any(records, choose):
        value = slot.get()
        wrapped = ([value], Members([("content", value)]), Members([(slot.key, value)]), spell(value))
        slot.put(wrapped[choose(len(wrapped))])


def _unwrap(records: list[Any], choose: Choose) -> None:
    """A part of a container instead of the container."""
    if slot := _any(records, choose, lambda slot: isinstance(slot.get(), list) and bool(slot.get())):
        slot.put(Slot(slot.get(), choose(len(slot.get()))).get())


EDITS: Sequence[Edit] = (
    _odd, _odd_scalar, _odd_scalar, _odd_everywhere, _lose, _again, _more, _rename, _copy, _link, _link_ids, _time,
    _exchange, _turn_round, _wrap, _unwrap,
)  # fmt: skip


JUNK = (
    b"\x00", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3", b"\x80", b"\r", b"\n", b"\r\n", b"\n\n",
    b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\\u", b"\\ud800", b"NaN", b"-Infinity", b"9" * 400, b"1e999",
    b"null", b"{}", b"[]", b'"":', b"'", b"//", b"\x1b[31m", b"\x00" * 300, b" " * 300, b"[" * 300, b'{"a":' * 300,
    b"\xe2\x80\xa8",
)  # fmt: skip
"""Pieces that harm a text where they do not belong."""

Harm = Callable[[bytes, Choose], bytes]


def _flip(data: bytes, choose: Choose) -> bytes:
    at = choose(len(data))
    return data[:at] + bytes([data[at] ^ 1 << choose(8)]) + data[at + 1 :]


def _overwrite(data: bytes, choose: Choose) -> bytes:
    at, junk = choose(len(data)), JUNK[choose(len(JUNK))]
    return data[:at] + junk + data[at + len(junk) :]


def _insert(data: bytes, choose: Choose) -> bytes:
    at = choose(len(data) + 1)
    return data[:at] + JUNK[choose(len(JUNK))] + data[at:]


def _block(data: bytes, choose: Choose) -> tuple[int, int]:
    start = choose(len(data))
    return start, min(len(data), start + 1 + choose((4, 40, 400)[choose(3)]))


def _cut_out(data: bytes, choose: Choose) -> bytes:
    start, stop = _block(data, choose)
    return data[:start] + data[stop:]


def _repeat(data: bytes, choose: Choose) -> bytes:
    start, stop = _block(data, choose)
    at = choose(len(data) + 1)
    return data[:at] + data[start:stop] + data[at:]


def _swap(data: bytes, choose: Choose) -> bytes:
    (start, stop), (begin, end) = sorted((_block(data, choose), _block(data, choose)))
    if begin < stop:
        return data
    return data[:start] + data[begin:end] + data[stop:begin] + data[start:stop] + data[end:]


def _cut_end(data: bytes, choose: Choose) -> bytes:
    return data[: choose(len(data) + 1)]


def _cut_begin(data: bytes, choose: Choose) -> bytes:
    return data[choose(len(data)) :]


def _random(data: bytes, choose: Choose) -> bytes:
    at = choose(len(data) + 1)
    return data[:at] + bytes(choose(256) for _ in range(choose(20))) + data[at:]


def _same_line_ends(data: bytes, choose: Choose) -> bytes:
    return data.replace(b"\n", (b"\r\n", b"\r", b"\n\x00\n", b" ")[choose(4)])


def _zeros(data: bytes, choose: Choose) -> bytes:
    """What a crashed writer leaves."""
    at = choose(len(data) + 1)
    return data[:at] + bytes(len(data) - at)


def _twice(data: bytes, choose: Choose) -> bytes:
    return data + (b"", b"\n", b",")[choose(3)] + data


HARM: Sequence[Harm] = (
    _flip, _flip, _overwrite, _insert, _insert, _cut_out, _cut_out, _repeat, _swap, _cut_end, _cut_begin, _random,
    _same_line_ends, _zeros, _twice,
)  # fmt: skip

ENCODINGS: Sequence[Callable[[bytes], bytes]] = (
    *(lambda data: data,) * 6,
    lambda data: b"\xef\xbb\xbf" + data,
    lambda data: b"\xff\xfe" + data.decode("utf-8", "replace").encode("utf-16-le"),
    lambda data: b"\xfe\xff" + data.decode("utf-8", "replace").encode("utf-16-be"),
    lambda data: data.decode("utf-8", "replace").encode("utf-16-le"),
    lambda data: data.decode("utf-8", "replace").encode("utf-32"),
    lambda data: data.decode("utf-8", "replace").encode("latin-1", "replace"),
)
PACKINGS: Sequence[Callable[[bytes], bytes]] = (
    gzip.compress,
    zstd.compress,
    lambda data: zipped({"a.json": data, "in/b.jsonl": data}),
    lambda data: tarred({"a.json": data, "in/b.jsonl": data}),
    lambda data: gzip.compress(tarred({"a.json": data})),
)


def harm(data: bytes, choose: Choose, *, most: int = 6) -> bytes:
    """Spoil the bytes of a file, before or after it is written in another encoding."""
    times = choose(most) + 1
    before = choose(times + 1)
    for number in range(times + 1):
        if number == before:
            data = ENCODINGS[choose(len(ENCODINGS))](data)
        elif data:
            data = HARM[choose(len(HARM))](data, choose)
    return data


def harm_packed(data: bytes, choose: Choose, *, most: int = 4) -> bytes:
    """Pack a file, which may be spoilt already, and spoil what comes out."""
    if choose(2):
        data = harm(data, choose)
    data = PACKINGS[choose(len(PACKINGS))](data)
    for _ in range(choose(most) + 1):
        if data:
            data = HARM[choose(len(HARM))](data, choose)
    return data
