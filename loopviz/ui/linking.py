"""Addresses of a run and a call: what they say, and how both are found again when a filter or the file has changed.

A call is named three times: by its number, by its id where no other call bears it, and by a digest of what it asked and
got. Number and run settle it while the data are the same; else the id goes first, then the content, then the number.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from loopviz.analysis.matching import Query
from loopviz.model import MISSING, Trajectory
from loopviz.timeline.words import number
from loopviz.ui import choice as choices
from loopviz.ui import guard_links
from loopviz.ui.library import KEY_DIGITS, Library

CALL, CALL_ID, CONTENT, FIND, FIND_AS = "call", "call_id", "content", "find", "find_as"
"""Fields of the address."""
PAGE, HIDE = "page", "hide"
"""The page that the bare address leads to, where it is not Inspect, and whether texts and names are hidden."""
_RUNS = ("run", "a", "b")
_SAFE = frozenset(
    [
        *choices.LINKED,
        *(f"b_{name}" for name in choices.LINKED),
        *guard_links.FIELDS,
        "grader",
        "unknown",
        "only",
        "sort",
        "mode",
        "align",
        "step",
        "runs",
        CALL,
    ]
)
"""Fields that hold settings, numbers and words of our own; what is not named here stays out where names do."""
COPY_LINK = {"label": "Copy link", "link": True}
"""The button that copies the address, which travels apart: it changes with every setting, and the button does not."""
_NAMED_WITH_DIGEST = re.compile(rf"(.+)\.[0-9a-f]{{{KEY_DIGITS}}}", re.DOTALL)

Params = dict[str, str | list[str]]


def link_params(library: Library, index: int, call: int | None, *, hidden: bool = False) -> Params:
    """What the address of a run on Inspect says: the run, a call (from 0 here, from 1 there), the settings in force.

    Args:
        library: What is open.
        index: The run's place in it.
        call: The chosen call, from 0.
        hidden: Name the run by its digest alone, and the call by its number: no text of the run is in the address.
    """
    trajectory = library.trajectories[index]
    params: Params = {"run": library.hidden_key(index), HIDE: "1"} if hidden else {"run": library.key(index)}
    if call is not None and call < len(trajectory.calls):
        params |= {CALL: str(call + 1)} if hidden else _call_fields(trajectory, call)
    return {**params, **choices.to_link(choices.current())}


def without_names(library: Library, params: Mapping[str, list[str]]) -> Params:
    """The fields of an address, runs named by their digests alone, and nothing else that names runs or files."""
    told: Params = {HIDE: "1"}
    for name, values in params.items():
        if name in _SAFE:
            told[name] = list(values)
        elif name in _RUNS and (index := library.find(values[0])) is not None:
            told[name] = library.hidden_key(index)
    return told


@lru_cache(maxsize=4)  # Written twice at each change of a setting, which leaves them as they are.
def _call_fields(trajectory: Trajectory, call: int) -> dict[str, str]:
    ids = trajectory.calls.ids
    fields = {CALL: str(call + 1), CONTENT: call_digest(trajectory, call)}
    call_id = ids[call]
    if call_id and ids.count(call_id) == 1:
        fields[CALL_ID] = call_id
    return fields


def address(params: Mapping[str, str | list[str]]) -> str:
    """These fields as an address of Inspect, which has the bare one of the app."""
    return f"./?{urlencode(params, doseq=True)}"


def query_fields(query: Query) -> dict[str, str]:
    """What is looked for, as fields of the address."""
    return {FIND: query.words} | ({FIND_AS: query.kind} if query.kind == "pattern" else {})


def query_of(fields: Mapping[str, str]) -> Query | None:
    """What the fields of an address look for."""
    words = fields.get(FIND, "").strip()
    return Query(words, "pattern" if fields.get(FIND_AS) == "pattern" else "text") if words else None


def call_digest(trajectory: Trajectory, call: int) -> str:
    """Eight hex digits that stand for a call's tool, arguments and output, however the file spells them."""
    book, digest = trajectory.codebook, hashlib.blake2b(digest_size=4)
    parts = [trajectory.tool(call).encode("utf-8", "surrogatepass")]
    for column in (trajectory.calls.arguments, trajectory.calls.observation):
        value = int(column[call])
        parts.append(b"" if value == MISSING else book.keys[int(book.codes[value])])
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class FoundRun:
    """The run that a link names."""

    index: int
    changed: bool
    """It bears the name, and not the data, that the link was made for."""
    certain: bool = True
    """Its data are told by the link; not so where that holds the bare name."""


def find_run(library: Library, key: str) -> FoundRun | None:
    """The run of this key; else the one run of that name."""
    index = library.find(key)
    if index is None:
        return None
    certain = key in (library.key(index), library.hidden_key(index))
    return FoundRun(index, changed=not certain and bool(_NAMED_WITH_DIGEST.fullmatch(key)), certain=certain)


@dataclass(frozen=True, slots=True)
class Left:
    """A run and a call that were on screen, so that both are found again when their file is read anew."""

    key: str
    run: str
    source: str
    nth: int
    """How many runs of that name stand before it in its file."""
    params: Mapping[str, str]
    """The fields of an address that name the call."""


def leave(library: Library, index: int, call: int | None) -> Left:
    """Note the run and the call on screen."""
    trajectory = library.trajectories[index]
    before = _namesakes(library, trajectory.run, trajectory.source.name).index(index)
    has_call = call is not None and call < len(trajectory.calls)
    params = _call_fields(trajectory, call) if has_call and call is not None else {}
    return Left(library.key(index), trajectory.run, trajectory.source.name, before, params)


def find_again(library: Library, left: Left) -> FoundRun | None:
    """The same run; else the one that stands in its place."""
    found = find_run(library, left.key)
    if found is not None and found.certain:
        return found
    same = _namesakes(library, left.run, left.source)
    return FoundRun(same[min(left.nth, len(same) - 1)], changed=True, certain=False) if same else found


def _namesakes(library: Library, run: str, source: str) -> list[int]:
    """The runs of one name in one file."""
    runs = enumerate(library.trajectories)
    return [index for index, one in runs if one.run == run and one.source.name == source]


def call_again(trajectory: Trajectory, left: Left, *, changed: bool) -> FoundCall:
    """The same call; nothing is said of one that is as it was."""
    found = find_call(trajectory, left.params, changed=changed)
    if found.call is None or str(found.call + 1) != left.params.get(CALL):
        return found
    same = left.params.get(CONTENT) == call_digest(trajectory, found.call)
    return FoundCall(found.call) if same else found


def run_name(key: str) -> str:
    """The name in a key, for a person."""
    named = _NAMED_WITH_DIGEST.fullmatch(key)
    return named[1] if named else key


@dataclass(frozen=True, slots=True)
class FoundCall:
    """The call that a link names, from 0, and what has to be said of how it was found."""

    call: int | None
    note: str = ""


def find_call(trajectory: Trajectory, params: Mapping[str, str], *, changed: bool, certain: bool = True) -> FoundCall:
    """Find the call that a link names.

    Args:
        trajectory: The run.
        params: The fields of the address.
        changed: The run's data are not those that the link was made for.
        certain: Whether that is known; where it is not, a link that describes another call than the one of its number
            was made for other data.
    """
    asked = params.get(CALL)
    n_calls = len(trajectory.calls)
    if asked is None and CALL_ID not in params:
        return FoundCall(None)
    numbered = _numbered(asked, n_calls)
    changed = changed or (not certain and numbered is not None and _is_another(trajectory, numbered, params))
    if numbered is not None and not changed:
        return FoundCall(numbered)
    found = _by_id(trajectory, params) or (changed and _by_content(trajectory, params, numbered)) or None
    if found:
        return found
    if numbered is not None:
        same = params.get(CONTENT) == call_digest(trajectory, numbered)
        what = "holds the same arguments and output" if same else "may be another call than the one meant"
        return FoundCall(numbered, f"Call {number(numbered + 1)} was found by its number alone and {what}.")
    if asked is None or not asked.isdecimal():
        named = params.get(CALL_ID) if asked is None else asked
        return FoundCall(None, f"The link names the call “{named}”, which this run does not have.")
    return FoundCall(None, f"The link names call {number(int(asked[:15]))}; this run has {number(n_calls)}.")


def _numbered(asked: str | None, n_calls: int) -> int | None:
    if asked is None or not re.fullmatch(r"[0-9]{1,15}", asked) or not 0 < int(asked) <= n_calls:
        return None
    return int(asked) - 1


def _is_another(trajectory: Trajectory, call: int, params: Mapping[str, str]) -> bool:
    """Whether the link describes another call than the one of its number."""
    content, call_id = params.get(CONTENT), params.get(CALL_ID)
    return (content is not None and content != call_digest(trajectory, call)) or (
        call_id is not None and call_id != trajectory.calls.ids[call]
    )


def _by_id(trajectory: Trajectory, params: Mapping[str, str]) -> FoundCall | None:
    """The one call that bears the id."""
    ids, call_id = trajectory.calls.ids, params.get(CALL_ID)
    if not call_id or ids.count(call_id) != 1:
        return None
    call = ids.index(call_id)
    moved, asked = f"Call {number(call + 1)} was found by its id", params.get(CALL)
    if asked and asked != str(call + 1):
        moved += f"; it was call {number(int(asked))}" if asked.isdecimal() and len(asked) < 16 else ""
    content = params.get(CONTENT)
    if content is not None:
        same = content == call_digest(trajectory, call)
        moved += ", with the same arguments and output" if same else ", but its arguments or output have changed"
        elsewhere = None if same else _with_content(trajectory, content)
        moved += "" if elsewhere is None else f"; those of the link stand in call {number(elsewhere + 1)} now"
    return FoundCall(call, f"{moved}.")


def _by_content(trajectory: Trajectory, params: Mapping[str, str], numbered: int | None) -> FoundCall | None:
    """The one call with the arguments and output that the link was made for, unless that of its number has them."""
    content = params.get(CONTENT)
    if content is None or (numbered is not None and call_digest(trajectory, numbered) == content):
        return None
    call = _with_content(trajectory, content)
    return None if call is None else FoundCall(call, f"Call {number(call + 1)} was found by its arguments and output.")


def _with_content(trajectory: Trajectory, content: str) -> int | None:
    """The one call with these arguments and this output."""
    same = [call for call in range(len(trajectory.calls)) if call_digest(trajectory, call) == content]
    return same[0] if len(same) == 1 else None
