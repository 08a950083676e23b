"""What the canvas script is given: one JSON document, from findings that Python has already made.

The script draws; it detects nothing. `loopviz.timeline.picture` fills a `Payload`, the Streamlit component and the
exported report hand it over unchanged, and `assets/*.js` reads it. Every number here counts from 0 (calls, steps,
turns, columns); the script adds one and sets thousands separators where a person reads it. Texts are shown as they
are, never read as markup.

Long columns travel as short texts made by `encode`: `"u1:AAEC"` is three unsigned bytes. The picture of 100,000 calls
takes about one megabyte so, and no object per call exists on either side.

Order of drawing is order in the payload: a step that lies in several cycles takes the look of the **last** one in
`cycles`, so hand the weakest over first (found but not counted, counted, over the limit; the deciding one last). Copies
and letters need no columns of their own: copy k of a cycle is the steps `start + (k - 1) * period` and on, its letters
begin with `a` at `start`, and what follows the last complete copy is a started one.
"""

from __future__ import annotations

import base64
from enum import IntEnum, IntFlag
from typing import Any, Literal, NotRequired, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

VERSION = 1
"""Goes up when a payload of before would be drawn wrong."""

Encoded = str
"""A column of numbers as `encode` writes it."""


class CallFlag(IntFlag):
    """What is known of one call; the bits of `CallColumns.flags`."""

    ERROR = 1
    """The tool reported an error: a cross in place of the square."""
    EMPTY = 2
    """The result is missing or empty."""
    WATCHED = 4
    """The call passes the tool filter; without it `step` is -1."""
    SEEN_ARGUMENTS = 8
    """An earlier watched call had the same tool and arguments."""
    SEEN_OUTPUT = 16
    """An earlier watched call had the same tool and output."""
    UNKNOWN = 32
    """Arguments or output were redacted or never recorded."""


class Score(IntEnum):
    """What `CallColumns.score` says beside a score in percent, cut to a whole number."""

    NOT_GUARDED = 127
    """The guards do not watch the call."""
    BEGINS = 128
    """Added to a score that was too low, so that a new stretch begins."""
    NOT_COMPARED = 255
    """A stretch begins with nothing compared: the first call, or another tool."""


class CycleState(IntEnum):
    """How a cycle is drawn, and how strong its mark is where several share a pixel."""

    NOT_COUNTED = 0
    """Found under another way of "same" or a longer pattern, and over the limit there: dashed."""
    COUNTED = 1
    """Counted, within the limit: tinted."""
    OVER = 2
    """Over the limit: solid."""


class Part(TypedDict):
    """A piece of a sentence.

    `text` is plain, `strong` semibold, `muted` grey, `code` a name or text from the run in the code font, `swatch` the
    cell of a letter as on the timeline, `mark` a thin sign between two names such as `→`, `or` or `·`.
    """

    kind: Literal["text", "strong", "muted", "code", "swatch", "mark"]
    text: str
    period: NotRequired[int]
    """Of a swatch: its pattern length, which is its hue."""
    state: NotRequired[int]
    """Of a swatch: a `CycleState`."""
    brief: NotRequired[bool]
    """Of a name: shortened in the middle where it is long, whole in its tooltip."""
    action: NotRequired[str]
    """Makes the piece a button; the text goes to `onAction` and, in the app, to the result's `action`."""


class VerdictRow(TypedDict):
    """A line under the sentence: `Where`, `Would pass with`, `Vally said`."""

    label: str
    parts: list[Part]


class Verdict(TypedDict):
    """The block above the lanes."""

    passed: bool | None
    """None where the run could not be judged."""
    badge: str
    """`FAIL`, `PASS` or `NOT JUDGED`."""
    sentence: list[Part]
    rows: list[VerdictRow]


class Figures(TypedDict):
    """What stands right-aligned beside each lane's name, for the whole run; the script only cuts, never counts."""

    call: str
    """`60`; while zoomed the script shows the calls in sight instead."""
    cycles: str
    """`3 + 1`: counted, and found but not counted."""
    steps: str
    breaks: str
    seen: str
    ladder: str
    """`level 2`."""
    thrash: str
    """`no stop` or `stop 16`."""
    events: str


class ToolRow(TypedDict):
    """A lane of marks; tools of the deciding loop first, in its order, then by count, unwatched ones last."""

    name: str
    figure: str
    watched: bool


class CallColumns(TypedDict):
    """One number a call, in file order: shape (n_calls,) unless it says otherwise."""

    step: Encoded
    """Counted step the call belongs to, -1 for a call that is not watched."""
    row: Encoded
    """Index into `tools`."""
    turn: Encoded
    """Turn, -1 for a call that stands alone."""
    flags: Encoded
    """`CallFlag` bits."""
    level: Encoded
    """Ladder level at the call, 0 to 3."""
    identical: Encoded
    """Thrash count at the call: 1 for the first of its kind, 0 where it does not count."""
    score: Encoded
    """How alike the arguments are to those of the first call of the stretch before the call, as `Score` has it."""
    same_arguments: Encoded
    """Nearest earlier call with the same tool and arguments, one entry for each call flagged SEEN_ARGUMENTS."""
    same_output: Encoded
    """Nearest earlier call with the same tool and output, one entry for each call flagged SEEN_OUTPUT."""


class CycleColumns(TypedDict):
    """One number a cycle, in order of drawing: shape (n_cycles,). Steps as in `CallColumns.step`."""

    start: Encoded
    """First step."""
    stop: Encoded
    """Last step + 1, a started copy at the end included."""
    period: Encoded
    occurrences: Encoded
    state: Encoded
    """`CycleState`."""


class WouldBe(TypedDict):
    """Copies that an empty step cut off from a cycle: dotted beside its bracket, numbered on."""

    first: int
    """First call of the dotted part: the empty step's."""
    last: int
    """Its last call."""
    period: int
    number: int
    """Number of the first copy in it."""
    copies: list[tuple[int, int]]
    """First and last call of each complete copy."""


class Flag(TypedDict):
    """Stands at the end of the first failing step."""

    call: int
    """Last call of the step that completes the first copy too many."""
    text: str
    """`over the limit at call 46`, or `first over the limit at call 721` where several cycles are over."""
    short: str
    """`over at 46`, below 640 px."""


class BreakNote(TypedDict):
    """What an empty step broke."""

    call: int
    text: str
    """`empty output ended a b; without it a b × 3`."""


class Stop(TypedDict):
    """A guard's stop; what follows is hatched in its own lane."""

    call: int
    text: str
    """`stops at call 16`."""
    after: str
    """`44 calls after the stop point`."""


class Ladder(TypedDict):
    """The lane of the escalation ladder."""

    similarity: float
    """The score from which two actions are similar."""

    fire_calls: Encoded
    """Calls at which a level fires, ascending: shape (n_fires,)."""
    fire_levels: Encoded
    """The level, 1 to 3."""
    note: str
    """`replan at call 20, explore at call 22`, or empty."""
    stop: Stop | None
    """Where force-done acts, if it does."""


class Thrash(TypedDict):
    """The lane of the thrash detector."""

    n: int
    """Identical calls that stop the run; the dotted line."""
    note: str
    """`2 identical in a row; stops at 3`, or empty; shown beside `note_call`."""
    note_call: int | None
    """The call with the highest count."""
    stop: Stop | None


class Event(TypedDict):
    """Something between the calls."""

    call: int
    """How many calls came before it: it stands at the left edge of this one."""
    kind: Literal["user", "compaction", "cut", "agent", "error", "other"]
    """`agent` is a sub-agent at work, `cut` an output that was cut short."""
    label: str
    """`compacted 118 k → 31 k tokens`."""


class Times(TypedDict):
    """When the calls began; absent where the run does not say, and then there is no time axis."""

    start: Encoded
    """Seconds since the run's first event, NaN where unknown: shape (n_calls,)."""
    end: NotRequired[Encoded]
    """When the result came."""


class Shown(TypedDict):
    """A part of the run, both calls included."""

    first: int
    last: int


class Selected(TypedDict):
    """The call that Python wants selected."""

    call: int | None
    seq: int
    """Change it to move the selection; while it stays the same, the person's own selection stays."""


class Marked(TypedDict):
    """The stretch that Python wants marked."""

    span: tuple[int, int] | None
    """First and last call."""
    seq: int
    """Change it to move the mark, or to clear it; while it stays the same, the person's own stays."""


class Stretch(TypedDict):
    """An answer about a stretch that the person has marked: a card beside it while exactly these calls are marked."""

    first: int
    last: int
    lines: list[list[Part]]
    """The first line is the answer, the others its reasons."""


class Payload(TypedDict):
    """Everything the script draws."""

    version: int
    run: str
    """Names the run: zoom, stretch and selection survive every change but that of this text."""
    n_calls: int
    n_steps: int
    limit: int
    """Times in a row that are allowed."""
    verdict: Verdict | None
    """None to draw the lanes alone."""
    idle: list[Part]
    """The status line while no call is selected."""
    figures: Figures
    tools: list[ToolRow]
    calls: CallColumns
    empty_steps: Encoded
    """Steps without output, ascending; none in ways of "same" that do not look at outputs."""
    cycles: CycleColumns
    would_be: list[WouldBe]
    flag: Flag | None
    break_notes: list[BreakNote]
    ladder: Ladder
    thrash: Thrash
    events: list[Event]
    """In the order of their calls."""
    times: Times | None
    axis: NotRequired[Literal["calls", "time"]]
    """The axis that a run opens with; afterwards the person's own choice stays."""
    view: NotRequired[Shown]
    """The part that a run opens with, for a link; absent where that is all of it. Then the person's own zoom stays."""
    selected: Selected
    marked: NotRequired[Marked]
    """Absent where only the person marks."""
    stretch: Stretch | None
    hits: NotRequired[Encoded]
    """Calls that hold what the person looks for, ascending; absent where nothing is looked for, or found."""


def encode(values: ArrayLike) -> Encoded:
    """Write a column as a short text: the type of its numbers, a colon, their little-endian bytes in base64.

    Types are those of numpy: `u1 i1 u2 i2 i4` for integers, the smallest that holds them all, and `f4` for floats.
    `d1` is `i1` holding each number's difference from the one before, the first from 0: slowly rising columns shrink
    to it.

    Args:
        values: Integers of at most 32 bits, booleans, or floats; shape (n,).
    Raises:
        ValueError: if an integer needs more than 32 bits; the message says which value.
    """
    column = np.asarray(values)
    if column.dtype.kind == "f" and column.size:
        return _text("f4", column.astype("<f4"))
    return _encode_integers(column.astype(np.int64))


def decode(text: Encoded) -> NDArray[Any]:
    """Read a column that `encode` wrote; integers come back as int64, floats as float32."""
    kind, _, body = text.partition(":")
    data = base64.b64decode(body)
    if kind == "d1":
        return np.cumsum(np.frombuffer(data, dtype="<i1"), dtype=np.int64)
    column = np.frombuffer(data, dtype=f"<{kind}")
    return column if kind == "f4" else column.astype(np.int64)


def _encode_integers(column: NDArray[np.int64]) -> Encoded:
    low, high = (int(column.min()), int(column.max())) if column.size else (0, 0)
    kind = next((kind for kind in ("u1", "i1", "u2", "i2", "i4") if _holds(kind, low, high)), None)
    if kind is None:
        raise ValueError(f"column: {high if high > -low else low} needs more than 32 bits")
    if kind in ("u1", "i1"):
        return _text(kind, column.astype(f"<{kind}"))
    steps = np.diff(column, prepend=0)
    if _holds("i1", int(steps.min()), int(steps.max())):
        return _text("d1", steps.astype("<i1"))
    return _text(kind, column.astype(f"<{kind}"))


def _holds(kind: str, low: int, high: int) -> bool:
    limits = np.iinfo(kind)
    return bool(limits.min <= low and high <= limits.max)


def _text(kind: str, column: NDArray[Any]) -> Encoded:
    return f"{kind}:{base64.b64encode(column.tobytes()).decode('ascii')}"
