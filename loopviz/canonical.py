"""Canonical JSON: one spelling for all values that are deep-equal in the grader's language.

Two values are equal here exactly when a JavaScript deep-equal of the parsed texts says so: the order of keys does not
matter, the order of a list does, numbers are doubles, `true` is not `1`, texts compare exactly, and of a key given
twice the last one wins (SPEC, section 1, "Fingerprints"). `canonical` spells a value so that equal values, and only
those, get equal bytes: sorted keys, no white space, whole numbers up to 2^53 without a point.

What JSON cannot hold is spelled so that it stays apart from everything else: `1e999` beyond the range of doubles,
`NaN`, and a lone surrogate as its escape.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

import msgspec

Json = Any
"""A decoded JSON value: None, bool, int, float, str, list or dict."""

MAX_DEPTH = 200
"""A value nested deeper than this is read as the text that spells it, so that nobody runs out of stack on one.

It is equal to no text all the same.
"""

SHALLOW = 2 * MAX_DEPTH
"""A text of so few characters is not nested deeper than that."""

_EXACT = 2**53
"""Every whole number up to here is a double of its own."""
_LONGEST_INT = 400
"""Digits; a number of more is beyond the range of doubles, and `int` is slow or refuses."""
_LONG_NUMBER = b"0" * 16
"""As it looks when all digits are made `0`: searching for digits would cost more than decoding."""
_DIGITS_AS_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_BRACES_AS_BRACKETS = bytes.maketrans(b"{}", b"[]")
_TOO_DEEP = b"[" * (MAX_DEPTH + 1)
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_SPACE = b" \t\r\n"
_NESTED = frozenset((dict, list))
PLAIN = frozenset((str, bool, int))
"""Kinds of members that an object is spelled with as they stand, unless `has_long_number`."""
_NO_TEXT = b" "
"""Stands before a value read as a text: still JSON, but the spelling of no other value."""


class _OddError(ValueError):
    """The quick way cannot spell this value."""


def canonical(value: Json) -> bytes:
    """Spell a decoded value: equal bytes exactly for deep-equal values.

    Raises:
        RecursionError: for a value nested about as deep as the interpreter's stack; `decode` never returns one.
    """
    try:
        return encode_in_order(_as_doubles(value))
    except (_OddError, UnicodeEncodeError):
        return _spell(value).encode()


def canonical_text(raw: bytes) -> bytes:
    """Spell a JSON text: equal bytes exactly for texts of deep-equal values.

    Raises:
        ValueError: where `decode` does.
    """
    return read(raw)[1]


def read(raw: bytes) -> tuple[Json, bytes]:
    """Decode a JSON text and spell it canonically in one go; numbers may come back as other, equal ones.

    Raises:
        ValueError: where `decode` does.
    """
    try:
        return read_strictly(raw)
    except ValueError:
        value = decode(raw)
        spelled = canonical(value)
        return value, _NO_TEXT + spelled if is_deep(raw) else spelled


def read_strictly(raw: bytes) -> tuple[Json, bytes]:
    """What `read` does, for texts that every JSON library decodes to the same.

    Raises:
        ValueError: if the text is no strict JSON in UTF-8, holds a lone surrogate or a number beyond the range of
            doubles, or is nested deeper than `MAX_DEPTH`.
    """
    if len(raw) > MAX_DEPTH and raw[:1] != b'"' and is_deep(raw):
        raise _OddError
    value = _doubles.decode(raw)
    if type(value) is str:
        # Save for these two escapes there is only one way to write a text.
        return value, encode_in_order(value) if b"\\u" in raw or b"\\/" in raw else raw.strip(_SPACE)
    if has_long_number(raw):
        value = _as_doubles(value)
    return value, encode_in_order(value)


def decode(raw: bytes) -> Json:
    """Decode a JSON text, more forgivingly than the standard says.

    Control characters in texts, `NaN`, `Infinity`, numbers beyond the range of doubles and lone surrogates are taken.
    Bytes that are not UTF-8 become lone surrogates, each its own, because texts compare exactly. A value nested deeper
    than `MAX_DEPTH` comes back as the text that spells it.

    Raises:
        ValueError: if it is not JSON all the same; the message says what is wrong and at which character.
    """
    try:
        value = decode_strictly(raw)
    except (ValueError, RecursionError):
        if not is_deep(raw):
            return decode_loosely(raw)
    else:
        # Most texts are too short to be deep, or so flat that there is no need to count brackets.
        if len(raw) <= SHALLOW or is_flat(value) or not is_deep(raw):
            return value
    return raw.decode("utf-8", "surrogateescape")


def decode_loosely(raw: bytes) -> Json:
    """What `decode` does, for a text that is not much deeper than `MAX_DEPTH`, and slower.

    Raises:
        ValueError: as `decode`.
    """
    return json.loads(raw.decode("utf-8", "surrogateescape"), strict=False, parse_int=_whole)


def is_flat(value: Json) -> bool:
    """Whether a value is no list, and no object that holds a list or an object."""
    return _NESTED.isdisjoint(map(type, value.values() if type(value) is dict else (value,)))


def is_deep(raw: bytes) -> bool:
    """Whether a JSON text is nested deeper than `MAX_DEPTH`."""
    if raw.count(b"[") + raw.count(b"{") <= MAX_DEPTH:
        return False
    brackets = _TEXT.sub(b"", raw).translate(_BRACES_AS_BRACKETS, _NOT_BRACKETS)
    for _ in range(MAX_DEPTH):
        if not brackets or _TOO_DEEP in brackets:
            break
        before = len(brackets)
        brackets = brackets.replace(b"[]", b"")
        if len(brackets) == before:  # They do not match, which is another fault.
            return False
    return bool(brackets)


def has_long_number(raw: bytes) -> bool:
    """Whether a JSON text may hold a number of so many digits that it is no double as it stands."""
    return _LONG_NUMBER in raw.translate(_DIGITS_AS_ZEROS)


def _double(number: float) -> float | int:
    """The double itself, as an `int` where that says the same."""
    return int(number) if -_EXACT <= number <= _EXACT and number.is_integer() else number


def _finite(text: str) -> float | int:
    number = float(text)
    if math.isinf(number):
        raise _OddError
    return _double(number)


def _whole(text: str) -> float | int:
    return int(text) if len(text) < _LONGEST_INT else float(text)


def _nearest(number: int) -> float | int:
    try:
        return _double(float(number))
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _as_doubles(value: Json) -> Json:
    """The same value with numbers as doubles; `_OddError` where one is no finite number."""
    match value:
        case bool() | None | str():
            return value
        case int():
            number = value if -_EXACT <= value <= _EXACT else _nearest(value)
        case float():
            number = _double(value)
        case list():
            return [_as_doubles(item) for item in value]
        case _:
            return {key: _as_doubles(item) for key, item in value.items()}
    if not math.isfinite(number):
        raise _OddError
    return number


def _spell(value: Json) -> str:
    """What `canonical` does, for every value and slowly."""
    match value:
        case str():
            return _spell_text(value)
        case bool() | None:
            return encode_in_order(value).decode()
        case int() | float():
            return _spell_number(value)
        case list():
            return f"[{','.join(map(_spell, value))}]"
        case _:
            return "{" + ",".join(f"{_spell_text(key)}:{_spell(value[key])}" for key in sorted(value)) + "}"


def _spell_text(text: str) -> str:
    try:
        return encode_in_order(text).decode()
    except UnicodeEncodeError:
        return json.dumps(text)


def _spell_number(number: float) -> str:
    double = _nearest(number) if isinstance(number, int) else _double(number)
    if math.isnan(double):
        return "NaN"
    if math.isinf(double):
        return "1e999" if double > 0 else "-1e999"
    return encode_in_order(double).decode()


encode_in_order: Callable[[Json], bytes] = msgspec.json.Encoder(order="sorted").encode
"""Spells a value with its keys in order, which is canonical where its numbers are."""
decode_strictly: Callable[[bytes | str], Json] = msgspec.json.Decoder().decode
"""Decodes a JSON text however deep it is, and takes nothing that the standard forbids."""
_doubles = msgspec.json.Decoder(float_hook=_finite)
