"""Giving every value of a file its integer: one for each distinct text, and one for each identity behind the texts.

A text seen before costs one look-up; a new one is decoded and spelled canonically once. Two texts share an identity
when they are deep-equal in the grader's language (`loopviz.canonical`).

Decided:

- What an empty output is: one that is missing, `null`, `""`, `{}` or `[]`, or an object with a member `content` all of
  whose members are one of these. Only this one level is looked at.
- What is not empty: white space, `0`, `false` and the text `[]` are outputs like any other.

Source: SPEC, section 1, "Fingerprints".
"""

from __future__ import annotations

import json

import numpy as np

from loopviz import canonical
from loopviz.canonical import PLAIN, encode_in_order, has_long_number
from loopviz.model import MISSING, NULL_VALUE, BoolArray, Codebook, IntArray, Json
from loopviz.readers.decoding import encode, spell
from loopviz.readers.redaction import BEGINNINGS, LONGEST_MARKER, is_redacted

_NOTHING: tuple[Json, ...] = (None, "", {}, [])
_SAYS_NOTHING = frozenset(("", "[]", "{}", "null", '""'))
_LOOK = 1 << 12
"""Characters of a text that nearly always tell that it is not empty, without a copy of the whole."""
_EMPTY, _NEAR_EMPTY, _REDACTED = 1, 2, 4
_NOT_PLAIN = frozenset((object,))
"""Stands for the kinds of members of what is no object."""


class Interner:
    """Builds the codebook that all trajectories of one file share."""

    def __init__(self) -> None:
        self._tools: dict[str, int] = {}
        self._values: dict[bytes, int] = {}
        self._respelled: dict[bytes, int] = {}
        """Texts that no other library would read: what stands for them instead."""
        self._keys: list[bytes] = []
        """Of each value, its canonical text."""
        self._traits = bytearray()
        """Of each value."""
        self.value(b"null")

    def tool(self, name: str) -> int:
        """Index of a tool's name."""
        return self._tools.setdefault(name, len(self._tools))

    def value(self, raw: bytes) -> int:
        """Index of a JSON text.

        Raises:
            ValueError: if it is no JSON that `loopviz.canonical.decode` takes.
        """
        index = self._values.get(raw)
        if index is not None:
            return index
        try:
            return self._add(raw, *canonical.read_strictly(raw))
        except ValueError:
            return self._odd_value(raw)

    def decoded(self, value: Json) -> int:
        """Index of a decoded value, spelled anew."""
        if type(value) is str:
            return self.text(value)
        # Nearly all others are arguments: an object of texts, truths and numbers, which this one frame deals with.
        kinds = {*map(type, value.values())} if type(value) is dict else _NOT_PLAIN
        if not kinds <= PLAIN:
            return self.value(spell(value))
        try:
            raw = encode(value)
        except (UnicodeEncodeError, OverflowError):
            return self.value(spell(value))
        index = self._values.get(raw)
        if index is not None:
            return index
        if int in kinds and has_long_number(raw):
            return self.value(raw)
        index = self._values[raw] = len(self._keys)
        # A long text that needs no second spelling should not be held twice.
        self._keys.append(raw if [*value] == sorted(value) else encode_in_order(value))
        self._traits.append(_traits(value))
        return index

    def text(self, text: str) -> int:
        """The same for a text."""
        try:
            raw = encode(text)
        except UnicodeEncodeError:
            return self.value(spell(text))
        index = self._values.setdefault(raw, len(self._keys))
        if index == len(self._keys):
            self._keys.append(raw)
            self._traits.append(0 if len(text[:_LOOK].strip()) > LONGEST_MARKER else _traits(text))
        return index

    def key(self, value: int) -> bytes:
        """Canonical text of the value with this index; a missing one is equal to `null`."""
        return self._keys[NULL_VALUE if value == MISSING else value]

    def empties(self, value: int) -> tuple[bool, bool]:
        """Whether a result is empty, and whether it is nearly so; one that is missing is both."""
        traits = self._traits[NULL_VALUE if value == MISSING else value]
        return traits & _EMPTY != 0, traits & _NEAR_EMPTY != 0

    def is_redacted(self, value: int) -> bool:
        """Whether the value with this index is a redaction marker; a missing one is none."""
        return value != MISSING and self._traits[value] & _REDACTED != 0

    def redacted(self, values: IntArray) -> BoolArray:
        """Which of these values, given by their indexes, are redaction markers; a missing one is none."""
        traits = np.frombuffer(self._traits, dtype=np.uint8)[values]
        redacted: BoolArray = (traits & _REDACTED != 0) & (values != MISSING)
        return redacted

    def codebook(self) -> Codebook:
        """Everything interned so far."""
        identities = dict.fromkeys(self._keys, 0)
        for code, key in enumerate(identities):
            identities[key] = code
        codes = np.fromiter(map(identities.__getitem__, self._keys), dtype=np.int32, count=len(self._keys))
        traits = np.zeros(len(identities), dtype=np.uint8)
        traits[codes] = np.frombuffer(self._traits, dtype=np.uint8)
        return Codebook(
            tools=tuple(self._tools),
            values=tuple(self._values),
            codes=codes,
            keys=tuple(identities),
            empty=traits & _EMPTY != 0,
            near_empty=traits & _NEAR_EMPTY != 0,
        )

    def _odd_value(self, raw: bytes) -> int:
        """Index of a text that is no strict JSON: kept as it is where `json.loads` takes it, else spelled anew."""
        index = self._respelled.get(raw)
        if index is None:
            value, key = canonical.read(raw)
            text = raw if _is_readable(raw) else key
            index = self._values.get(text)
            index = self._add(text, value, key) if index is None else index
            self._respelled[raw] = index
        return index

    def _add(self, raw: bytes, value: Json, key: bytes) -> int:
        index = self._values[raw] = len(self._keys)
        self._keys.append(raw if key == raw else key)  # One text in memory instead of two.
        self._traits.append(_traits(value))
        return index


def _is_readable(raw: bytes) -> bool:
    if canonical.is_deep(raw):
        return False
    try:
        json.loads(raw.decode())
    except ValueError:
        return False
    return True


def is_empty(value: Json) -> bool:
    """Whether a result is empty: nothing in it, or a `content` and nothing in any of its members.

    White space, `0` and `false` are content, and so is what is empty only two levels down.
    Source: SPEC, section 1, "Fingerprints".
    """
    if isinstance(value, dict) and "content" in value:
        return all(member in _NOTHING for member in value.values())
    return value in _NOTHING


def is_near_empty(value: Json) -> bool:
    """Whether a result is empty, or a text that once trimmed says so.

    Source: SPEC, section 3.
    """
    return value.strip() in _SAYS_NOTHING if isinstance(value, str) else is_empty(value)


def _traits(value: Json) -> int:
    # Nearly all arguments end at the first test, and nearly all results at the second.
    if type(value) is dict and value and "content" not in value:
        for leaf in value.values():
            if type(leaf) is str and leaf[:1] not in BEGINNINGS:
                return 0
            return is_redacted(value) * _REDACTED
    if type(value) is str and len(value[:_LOOK].strip()) > LONGEST_MARKER:
        return 0
    empty = is_empty(value)
    near_empty = empty or is_near_empty(value)
    return empty * _EMPTY | near_empty * _NEAR_EMPTY | is_redacted(value) * _REDACTED
