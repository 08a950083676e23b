"""Arguments as the ladder compares them: lower-case, without folders, timestamps and ids, cut short.

Two actions that differ in such things alone count as one and the same.

Decided:

- Texts, not JSON: each text inside the arguments is worked on alone, never the JSON around it. Names of arguments are
  put into lower case and no more.
- Paths lose their folders: after a text is in lower case, each file path in it is cut to its last part, in Windows
  spelling and in POSIX spelling, absolute or not. Addresses with `://` are no paths.
- Times and ids go: next, dates and times of ISO 8601, then UUIDs, then numbers of six or more digits that stand alone
  are deleted, inside addresses as well. Hexadecimal ids stay.
- Long numbers: a number, not a text, with six or more digits before the point becomes the empty text.
- What is compared: compact JSON with sorted keys, of which the first 200 characters are kept. A bare text stays bare,
  and missing arguments are the empty text. Of keys that lower case makes equal, the last one stays.

In code: the patterns below find what the published ones find, in one pass and without a memory that grows with the
match:

* The components of a path are taken possessively: a look ahead leaves the last one over, in place of giving it back.
* Timestamps and numbers begin with a digit, so that a search skips to the next one; what may not stand before the match
  is looked up from behind that digit.

Source: SPEC, section 2, "Normalised arguments".
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from json.encoder import encode_basestring as quote

from loopviz.canonical import decode
from loopviz.model import Json

KEPT = 200
"""How many code points of the normalised arguments are compared."""
SIX_DIGITS = 100_000
"""Numbers from here on are ids or times, and become the empty text."""
_NO_TEXT = '""'
CHUNK = 1_000
"""A long text is worked off in pieces of at least this many code points, until enough of it is known."""

_URL = re.compile(r"""((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,31}://[^\s"'<>]*)""")
_PART = r"""[^\s\\/"'<>|:*?]"""
_WINDOWS = re.compile(rf"(?<!\w)(?:[a-z]:\\|\\\\)(?:{_PART}++\\(?={_PART}))*+({_PART}++)\\?+")
_POSIX = re.compile(r"(?<![\w.~/:@+-])(?=[\w.@+~-]*+/)(?:~?+/)?+(?:[\w.@+-]++/(?=[\w.@+-]))*+([\w.@+-]++)/?+")
_TIMESTAMP = re.compile(
    r"\d(?:\d{3}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?"
    r"|(?<!\d\d)\d:\d\d:\d\d(?:[.,]\d+)?)"
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NUMBER = re.compile(r"\d(?<![0-9a-z_]\d)\d{5,}(?:\.\d+)?(?![0-9a-z_])")
_NUMBERED = re.compile(r"\d[\d:-]{5}")
"""Every timestamp and number begins so; the many texts without one are done with at once."""
_BREAK = re.compile(r"\n|[a-z] ")
"""Where a lower-case text may be cut: nothing that is replaced or deleted goes on beyond it, nor looks beyond it."""


def normalised(key: bytes) -> str:
    """Normalise arguments.

    Args:
        key: Their canonical JSON; `null` where there are none.
    Returns:
        The first 200 code points of compact JSON with its texts normalised; a bare text stays bare, null is empty.
    """
    value = decode(key)
    if value is None:
        return ""
    if isinstance(value, str):
        return normalise_text(value, KEPT)[:KEPT]
    written = _write(value, KEPT)
    return "" if written == _NO_TEXT else written[:KEPT]


def normalise_text(text: str, room: int) -> str:
    """Normalise a text leaf, or as much of it as gives `room` code points: of the rest nothing is said."""
    text = text.lower()
    if len(text) <= CHUNK:
        return _reduce(text)
    pieces = []
    start = 0
    while room > 0 and start < len(text):
        cut = _BREAK.search(text, start + CHUNK)
        stop = cut.end() if cut else len(text)
        pieces.append(_reduce(text[start:stop]))
        room -= len(pieces[-1])
        start = stop
    return "".join(pieces)


def _reduce(text: str) -> str:
    """Cut the paths of a lower-case text, then delete timestamps, UUIDs and numbers, in this order."""
    if "://" in text:
        parts = _URL.split(text)
        parts[::2] = map(_cut_paths, parts[::2])
        text = "".join(parts)
    else:
        text = _cut_paths(text)
    hyphens = text.count("-")
    if _NUMBERED.search(text):
        if hyphens or ":" in text:
            text = _TIMESTAMP.sub("", text)
    elif hyphens < 4:
        return text
    return _NUMBER.sub("", _UUID.sub("", text))


def _cut_paths(text: str) -> str:
    """Leave of each path its last component, the only group of its pattern: all that split keeps of a match."""
    if "\\" in text:
        text = "".join(_WINDOWS.split(text))
    if "/" in text:
        text = "".join(_POSIX.split(text))
    return text


def _write(value: Json, room: int) -> str:
    """Spell the compact JSON of a value, or as much of it as fills the room: of the rest nothing is said."""
    if isinstance(value, str):
        return quote(normalise_text(value, room))
    if isinstance(value, dict):
        return _write_object(value, room)
    if isinstance(value, list):
        return _write_list(value, room)
    return _write_scalar(value)


def _write_object(value: dict[str, Json], room: int) -> str:
    # Canonical members come sorted, so which of two wins does not hang on the order in a file.
    members = {name.lower(): inner for name, inner in value.items()}
    written = ""
    for name in sorted(members):
        if len(written) >= room:
            break
        written += f"{',' if written else '{'}{quote(name)}:"
        written += _write(members[name], room - len(written))
    return f"{written or '{'}}}"


def _write_list(value: list[Json], room: int) -> str:
    written = ""
    for inner in value:
        if len(written) >= room:
            break
        written += "," if written else "["
        written += _write(inner, room - len(written))
    return f"{written or '['}]"


def _write_scalar(value: float | bool | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or math.isnan(value):
        return "null"
    return _NO_TEXT if abs(value) >= SIX_DIGITS else _spell(value)


def _spell(number: float) -> str:
    """A number below 100,000 as JSON.stringify spells it, which takes to exponents two places later than Python."""
    if number == int(number):
        return str(int(number))
    text = repr(number)
    if "e" not in text:
        return text
    return format(Decimal(text), "f") if abs(number) >= 1e-6 else text.replace("e-0", "e-")
