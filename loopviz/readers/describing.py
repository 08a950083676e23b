"""Saying what a file looks like that no reader knows."""

from __future__ import annotations

import re

from loopviz.readers.encoding import as_text
from loopviz.readers.jsontext import peek
from loopviz.readers.texts import readable

HEAD = 1 << 16
MOST_NAMES = 5

_MAGIC = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "an empty zip archive",
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"SQLite format 3": "an SQLite database",
    b"PAR1": "a Parquet table",
}
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_YAML = re.compile(rb"(?:---\s*\n|%YAML|#[^\n]*\n|\s)*(?:- )?[\w./-]+:(?:\s|$)")
_OBJECT_LINE = re.compile(rb'\n\{[ \t]*"')
_BARE_UTF16 = re.compile(rb"(?:[\t\n\r -~]\x00){8}|(?:\x00[\t\n\r -~]){8}")
_BLANK = b" \t\r\n\x00"


def describe(data: bytes) -> str:
    """A sentence that says what a file looks like instead of a recorded run."""
    return f"This is no recorded run that loopviz can read: it {_looks(data)}."


def may_be_json(data: bytes) -> bool:
    """Whether a file begins like JSON, has a line that does, or begins with so many blanks that nobody can tell."""
    text = as_text(data[:HEAD])
    head = text.data[text.start :].lstrip(_BLANK)
    if not head:
        return len(data) >= HEAD
    return head[:1] in (b"{", b"[") or _OBJECT_LINE.search(head) is not None


def _looks(data: bytes) -> str:
    for magic, kind in _MAGIC.items():
        if data.startswith(magic):
            return f"looks like {kind}"
    if _BARE_UTF16.match(data):
        return "looks like UTF-16 without the mark that should begin it; save it as UTF-8"
    head = _head(data[:HEAD]) or _head(data)[:HEAD]
    if not data:
        return "is empty"
    if not head:
        return "holds nothing but blanks"
    if _HTML.search(head[:1_000]):
        return "looks like an HTML page"
    if head.startswith(b"<"):
        return "looks like XML"
    if head[:1] in b"{[":
        return _looks_as_json(head)
    if b"\x00" in head:
        return "looks like binary data"
    return "looks like YAML" if _YAML.match(head) else "is not JSON"


def _head(data: bytes) -> bytes:
    """The text of a file, or of its beginning, without blanks at its ends."""
    text = as_text(data)
    return text.data[text.start :].strip(_BLANK)


def _looks_as_json(head: bytes) -> str:
    names: dict[str, None] = {}
    for record in peek(as_text(head)):
        names |= dict.fromkeys(record)
    if not names:
        return "begins like JSON, but holds no objects with members"
    shown = ", ".join(f"`{readable(name)}`" for name in list(names)[:MOST_NAMES])
    return f"is JSON, but has none of the members that tell a known format; it has {shown}"
