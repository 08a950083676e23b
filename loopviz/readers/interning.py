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
from array import array

import numpy as np

from loopviz import canonical
from loopviz.model import MISSING, BoolArray, Codebook, IntArray, Json
from loopviz.readers.decoding import spell
from loopviz.readers.redaction import LONGEST_MARKER, is_redacted

NULL_IDENTITY = 0

_NOTHING: tuple[Json, ...] = (None, "", {}, [])
_SAYS_NOTHING = frozenset(("", "[]", "{}", "null", '""'))
_EMPTY, _NEAR_EMPTY, _REDACTED = 1, 2, 4


class Interner:
    """Builds the codebook that all trajectories of one file share."""

    def __init__(self) -> None:
        self._tools: dict[str, int] = {}
        self._values: dict[bytes, int] = {}
        self._respelled: dict[bytes, int] = {}
        """Texts that no other library would read: what stands for them instead."""
        self._codes = array("q")
        self._identities: dict[bytes, int] = {}
        self._traits = bytearray()
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
        key = canonical.canonical_plain(value)
        raw = key if key is not None and type(value) is str else spell(value)
        index = self._values.get(raw)
        if index is None:
            index = self.value(raw) if key is None else self._add(raw, value, key)
        return index

    def identity(self, value: int) -> int:
        """Identity of the value with this index; a missing one is equal to `null`."""
        return NULL_IDENTITY if value == MISSING else self._codes[value]

    def redacted(self, values: IntArray) -> BoolArray:
        """Which of these values, given by their indexes, are redaction markers; a missing one is none."""
        codes = np.frombuffer(self._codes, dtype=np.int64)[values]
        traits = np.frombuffer(self._traits, dtype=np.uint8)[codes]
        redacted: BoolArray = (traits & _REDACTED != 0) & (values != MISSING)
        return redacted

    def codebook(self) -> Codebook:
        """Everything interned so far."""
        return Codebook(
            tools=tuple(self._tools),
            values=tuple(self._values),
            codes=np.array(self._codes, dtype=np.int32),
            keys=tuple(self._identities),
            empty=self._having(_EMPTY),
            near_empty=self._having(_NEAR_EMPTY),
        )

    def _having(self, trait: int) -> BoolArray:
        """Which identities have a trait, shape (n_identities,)."""
        having: BoolArray = np.frombuffer(self._traits, dtype=np.uint8) & trait != 0
        return having

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
        if key == raw:
            key = raw  # One text in memory instead of two.
        code = self._identities.setdefault(key, len(self._identities))
        if code == len(self._traits):
            self._traits.append(_traits(value))
        index = len(self._values)
        self._values[raw] = index
        self._codes.append(code)
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
    # Nearly all results end at the first test, and nearly all arguments at the second.
    if isinstance(value, str) and len(value.strip()) > LONGEST_MARKER:
        return 0
    if isinstance(value, dict) and value and "content" not in value:
        return is_redacted(value) * _REDACTED
    empty = is_empty(value)
    near_empty = empty or is_near_empty(value)
    return empty * _EMPTY | near_empty * _NEAR_EMPTY | is_redacted(value) * _REDACTED
