"""Reading recorded runs, whatever wrote them: bytes in, trajectories out.

A reader is a row of `READERS`. A file is known by what is in it, never by its name: every reader says how sure it is,
and the surest one reads.
"""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path

from loopviz.model import Loaded, Source
from loopviz.readers import (
    anthropic_messages,
    antigravity,
    atbench,
    atif,
    browser_use,
    claude,
    codex,
    copilot,
    gemini,
    gemini_telemetry,
    generic,
    grok,
    inspect_ai,
    kimi,
    langchain,
    langfuse,
    langsmith,
    malt,
    mini_swe_agent,
    openai_chat,
    openai_log,
    openai_responses,
    openhands,
    openinference,
    otel,
    pi,
    qwen,
    sweagent,
    tau,
    vally,
    who_and_when,
)
from loopviz.readers.archives import is_archive, names
from loopviz.readers.base import (
    NOTHING,
    Advance,
    Beside,
    Opened,
    Reader,
    UnknownFormat,
    collecting_paused,
    heads,
    ignore,
)
from loopviz.readers.describing import describe, may_be_json
from loopviz.readers.digesting import Digest
from loopviz.readers.limits import LIMITS, Limits

READERS = (
    vally.TRAJECTORY,
    vally.RESULTS,
    vally.OUTCOME,
    atif.READER,
    copilot.READER,
    claude.SESSION,
    claude.STREAM,
    claude.EXPORT,
    qwen.READER,
    codex.ROLLOUT,
    codex.DOCUMENT,
    codex.STREAM,
    pi.READER,
    kimi.READER,
    antigravity.READER,
    grok.READER,
    mini_swe_agent.READER,
    sweagent.READER,
    openhands.EVENTS,
    openhands.SDK,
    inspect_ai.READER,
    otel.OTLP,
    otel.FLAT,
    openinference.NESTED,
    openinference.PHOENIX,
    langfuse.READER,
    langsmith.READER,
    browser_use.READER,
    who_and_when.READER,
    malt.READER,
    atbench.READER,
    gemini.SESSION,
    gemini.HISTORY,
    gemini_telemetry.READER,
    tau.TAU2,
    tau.TAU,
    openai_log.READER,
    openai_chat.READER,
    openai_responses.READER,
    anthropic_messages.READER,
    langchain.READER,
    generic.READER,
)

HEAD = 1 << 16
"""Bytes that usually tell a format."""

__all__ = [
    "HEAD",
    "READERS",
    "Reader",
    "UnknownFormat",
    "as_read",
    "digest",
    "find_reader",
    "is_hopeless",
    "is_of_format",
    "read_bytes",
    "read_path",
    "reader_named",
]


def read_bytes(
    data: bytes,
    name: str,
    *,
    format: str | None = None,
    advance: Advance = ignore,
    beside: Beside = NOTHING,
    limits: Limits = LIMITS,
) -> Loaded:
    """Read the runs in a file's bytes.

    Args:
        data: The file.
        name: What to call it: its path, or the name of an upload.
        format: Name of the reader to use, whatever the file looks like.
        advance: Told from time to time how many bytes are done.
        beside: Gives small files that lie beside this one.
        limits: How much is unpacked of a format that packs its files.
    Raises:
        UnknownFormat: if no reader knows it, or none has that name.
    """
    reader = find_reader(data, format=format)
    source = Source(name=name, format=reader.name, digest=digest(data), size=len(data))
    with collecting_paused():
        return reader.read(Opened(data=data, source=source, advance=advance, beside=beside, limits=limits))


def read_path(path: str | Path, *, format: str | None = None, advance: Advance = ignore) -> Loaded:
    """Read the runs in a file.

    Raises:
        OSError: if the file cannot be read.
        UnknownFormat: as `read_bytes`.
    """
    return read_bytes(Path(path).read_bytes(), str(path), format=format, advance=advance)


def find_reader(data: bytes, *, format: str | None = None) -> Reader:
    """The reader that knows a file best; the first of the table among equals.

    Raises:
        UnknownFormat: if no reader knows it, or none has the name `format`.
    """
    if format is not None:
        return reader_named(format)
    found = _of_archive(data) or _best(data[:HEAD])
    if found is None and may_be_json(data):
        found = _best(data)
    if found is None:
        raise UnknownFormat(describe(data))
    return found


def is_hopeless(head: bytes) -> bool:
    """Whether the first `HEAD` bytes of a file, or all of a shorter one, show that no reader will know it."""
    return not (_of_archive(head) or _best(head) or may_be_json(head))


def is_of_format(data: bytes) -> bool:
    """Whether an archive is a file of a format that packs its parts, and not a folder of files."""
    return _of_archive(data) is not None


def as_read(data: bytes, limits: Limits = LIMITS) -> bytes:
    """The bytes in which the places of a file's records count: its own, or what a reader makes of an archive."""
    reader = _of_archive(data)
    return data if reader is None or reader.archive is None else reader.archive.unpack(data, limits)


def reader_named(name: str) -> Reader:
    """The reader of this name.

    Raises:
        UnknownFormat: if there is none; the message lists the names that there are.
    """
    for reader in READERS:
        if reader.name == name:
            return reader
    names = ", ".join(reader.name for reader in READERS)
    raise UnknownFormat(f"No reader is called {name!r}; there are {names}.")


def _of_archive(data: bytes) -> Reader | None:
    """The reader whose format packs a file into archives like this one."""
    if not is_archive(data):
        return None
    inside = names(data)
    return next((reader for reader in READERS if reader.archive and reader.archive.knows(inside)), None)


def _best(data: bytes) -> Reader | None:
    """The surest reader of the first objects that any of them knows."""
    for head in heads(data):
        score, best = max(((reader.sniff(head), reader) for reader in READERS), key=itemgetter(0))
        if score > 0:
            return best
    return None


def digest(data: bytes) -> str:
    """What tells a file's bytes from all others: 32 hex digits."""
    return Digest(data).hex()
