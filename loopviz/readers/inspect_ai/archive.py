"""An `.eval` archive as the one JSON document that Inspect writes for the same log."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass

from loopviz.model import Json, Problem
from loopviz.readers.archives import members
from loopviz.readers.base import Advance, Stopped, ignore
from loopviz.readers.decoding import decode, spell
from loopviz.readers.limits import Limits

_HEADERS = ("start.json", "_journal/start.json", "header.json")
"""Members that describe the log, the one that says most last: a log that is being written has no `header.json`."""
_SAMPLE = re.compile(r"samples/.*_epoch_\d+\.json", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A log as one document, its samples in the order of the archive."""

    text: bytes
    problems: tuple[Problem, ...] = ()


def knows(names: frozenset[str]) -> bool:
    """Whether an archive with members of these names is a log."""
    return "_journal/start.json" in names or any(map(_SAMPLE.fullmatch, names))


def unpack(data: bytes, limits: Limits, advance: Advance = ignore) -> Unpacked:
    """Make one document of an archive; a sample that is cut off stands last and stays open.

    Args:
        data: The archive.
        limits: How much is unpacked.
        advance: Told from time to time how many bytes of the archive are unpacked; when it raises `Stopped`, the rest
            is left out.
    """
    headers: dict[str, Json] = {}
    samples: dict[str, bytes] = {}
    problems: list[Problem] = []
    is_cut = False
    with suppress(Stopped):  # What reads the text is stopped in its turn, and says so.
        for member in members(data, _is_wanted, limits, advance):
            if member.fault:
                problems.append(Problem(where=member.name or "archive", message=member.fault))
            text = member.data.strip()
            if member.name in _HEADERS:
                headers[member.name] = _decoded(text)
            elif text[:1] == b"{":
                samples.pop(member.name, None)  # One that is written again stands where it was written last.
                samples[member.name] = text
                is_cut = member.is_cut
    header = next((found for name in reversed(_HEADERS) if isinstance(found := headers.get(name), dict)), {})
    described = spell({key: value for key, value in header.items() if key != "samples"})[1:-1]
    beginning = b"{" + described + (b"," if described else b"") + b'"samples":['
    return Unpacked(b"".join((beginning, b",\n".join(samples.values()), b"" if is_cut else b"]}")), tuple(problems))


def _is_wanted(name: str) -> bool:
    return name in _HEADERS or _SAMPLE.fullmatch(name) is not None


def _decoded(text: bytes) -> Json:
    try:
        return decode(text)
    except ValueError:
        return None
