"""The vocabulary: what a recorded run is, whatever format it came from.

A `Trajectory` holds the whole story of one agent run. Its tool calls are columns of small integers (`Calls`), because
a hundred thousand of them must be compared within a frame; texts live once, in the `Codebook` that the trajectories
of one file share. Everything here is immutable once a reader has handed it over.

What a run has by the thousand, its events and their places, are structs of msgspec: it makes one in a fraction of the
time that a dataclass takes.

Numbers that a person sees count from 1; everything here counts from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

IntArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]

Json = Any
"""A decoded JSON value: None, bool, int, float, str, list or dict."""

NULL_VALUE = 0
"""Index of JSON `null` in every codebook."""
MISSING = -1
"""Where a value index would stand if the file had recorded one."""


def conversation(requests: Iterable[str]) -> str | None:
    """The requests of a conversation as one prompt, with a blank line between; None where there are none."""
    return "\n\n".join(filter(None, requests)) or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something in a file that could not be used as it stood: kept beside the good part, never dropped in silence."""

    where: str
    """The place, as a person would say it: `event 12`, `line 3`, `byte 8,123`."""
    message: str


class Place(Struct, frozen=True, kw_only=True, gc=False):
    """Where a record stands in its file."""

    line: int | None
    """Line in a file of lines, from 1; None in a single document."""
    offset: int | None
    """Byte where the event begins, from 0; also known in a file of lines, where it counts from the file's start."""
    length: int
    """Bytes of the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The file that a trajectory came from."""

    name: str
    """The path or upload name as the person gave it."""
    format: str
    """The reader's name, for example `vally.trajectory`."""
    digest: str
    """Hex digest of the file's bytes."""
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderResult:
    """What a file records of one grader, with its parts, as deep as they go."""

    name: str
    type: str | None
    """The grader's type, such as `max-repeat`; None where the record does not say."""
    passed: bool | None
    score: float | None = None
    evidence: str | None = None
    status: str | None = None
    kind: str | None = None
    label: str | None = None
    """A short verdict in words, of graders that are language models."""
    configured_name: str | None = None
    metadata: Json = None
    details: tuple[GraderResult, ...] = ()

    def walk(self) -> Iterator[GraderResult]:
        """This result and every one inside it, outermost first."""
        yield self
        for part in self.details:
            yield from part.walk()


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """Something in the story that is not a tool call: a message, a thought, an error, a compaction."""

    kind: str
    """`user`, `assistant`, `reasoning`, `error`, `system`, `compaction`, `cut`, `skill`, or the format's own word."""
    text: str
    call: int
    """How many calls came before it, so it stands just before the call of this number (from 0)."""
    turn: int
    """The turn it belongs to, or -1."""
    time_s: float | None = None
    """Seconds since the epoch."""
    place: Place | None = None


class Usage(Struct, frozen=True, kw_only=True, gc=False):
    """Tokens and cost of one model response, counted once."""

    turn: int
    """The turn the response opened, or -1."""
    call: int
    """How many calls came before that turn began, or before the record where it belongs to no turn."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    cost: float | None = None
    """In the file's own currency, US dollars unless it says otherwise."""
    model: str | None = None


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True, eq=False)
class Codebook:
    """Every distinct JSON text of one file, once, with the integer that stands for its identity.

    Two texts get one identity when they are deep-equal in the grader's language (SPEC, section 1, "Fingerprints").
    Filled by a reader through `loopviz.readers.interning`, read by everybody else.
    """

    tools: tuple[str, ...]
    """Tool names; a call's `tool` is an index here."""
    values: tuple[bytes, ...]
    """Distinct JSON texts as the file spells them, UTF-8; a call's `arguments` and `observation` are indexes here."""
    codes: IntArray
    """Identity of each value, shape (n_values,): equal values have equal codes, code 0 is `null`."""
    keys: tuple[bytes, ...]
    """Canonical JSON of each identity, `keys[code]`: sorted keys, numbers as doubles, no white space."""
    empty: BoolArray
    """Whether an identity is an empty observation, shape (n_identities,)."""
    near_empty: BoolArray
    """The same for the thrash detector's wider meaning, shape (n_identities,)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calls:
    """The tool calls of one trajectory as columns, in file order; every array has shape (n_calls,)."""

    tool: IntArray
    """Index into `Codebook.tools`."""
    arguments: IntArray
    """Index into `Codebook.values`, MISSING where the file gives none."""
    observation: IntArray
    """Index into `Codebook.values`, MISSING where no result was found."""
    turn: IntArray
    """Number of the call's turn, from 0 over all turns, empty ones included; -1 for a call that stands alone."""
    failed: BoolArray
    """The tool reported an error."""
    executed: BoolArray
    """False for a call that could not be parsed and never ran."""
    unknown_arguments: BoolArray
    """The arguments were redacted or never recorded."""
    unknown_observation: BoolArray
    """The result was redacted or never recorded."""
    started_s: FloatArray
    """Seconds since the epoch, NaN where unknown."""
    ended_s: FloatArray
    """When the result came; NaN where unknown."""
    event: IntArray
    """Position of the call in the file's own list of events, from 0."""
    line: IntArray
    """Line in a file of lines, from 1; 0 in a single document."""
    offset: IntArray
    """Byte of the file where the call's event begins."""
    length: IntArray
    """Bytes of the call's event."""
    result_offset: IntArray
    """Byte where the event of its result begins, -1 where there is none."""
    result_length: IntArray
    ids: tuple[str | None, ...]
    """Call ids as recorded."""

    def __len__(self) -> int:
        return len(self.tool)


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True, eq=False)
class Trajectory:
    """One recorded agent run."""

    run: str
    """Its name in every list: the trajectory's id, else the record's item id, else `line 3`."""
    source: Source
    codebook: Codebook
    calls: Calls
    n_turns: int = 0
    """Turns by their starts, empty ones included."""
    not_judged: str | None = None
    """Why it cannot be judged (no trajectory, no list of events); None for a run that can."""
    digest: str = ""
    """Hex digest of this run's own bytes, so that a link can tell when the data changed."""
    line: int | None = None
    """Line of the record in a file of lines, from 1."""
    stimulus: str | None = None
    stimulus_spec: Json = None
    """The stimulus as recorded, graders included."""
    prompt: str | None = None
    """What the agent was asked; of several requests, all, as `conversation` puts them together."""
    trial: int | None = None
    """Trial of this stimulus, from 0."""
    trials: int | None = None
    """How many trials the record says there are."""
    variant: str | None = None
    eval_name: str | None = None
    model: str | None = None
    status: str | None = None
    end_reason: str | None = None
    error: str | None = None
    """What the record says went wrong outside the agent."""
    output: str | None = None
    """The agent's final text."""
    started_s: float | None = None
    duration_s: float | None = None
    max_turns: int | None = None
    grade: GraderResult | None = None
    """The trial's own result, every grader inside it."""
    outcome: bool | None = None
    """Whether the recorded outcome is good: the trial's own verdict, a weighted score included; None if unrecorded."""
    threshold: float | None = None
    """The score from which the trial passes, where the file records one."""
    events: tuple[Event, ...] = ()
    usage: tuple[Usage, ...] = ()
    total_tokens: int | None = None
    """Recorded total of input and output tokens, where there is no usage per response."""
    total_cost: float | None = None
    turn_starts: FloatArray = field(default_factory=lambda: np.zeros(0))
    """Seconds since the epoch of each turn's start, NaN where unknown, shape (n_turns,)."""
    last_event_s: float | None = None
    """When the last event happened, in seconds since the epoch."""
    problems: tuple[Problem, ...] = ()

    def tool(self, call: int) -> str:
        """Name of the tool of call `call` (from 0)."""
        return self.codebook.tools[int(self.calls.tool[call])]

    def arguments_json(self, call: int) -> bytes | None:
        """Arguments of call `call` (from 0) as the file spells them; None where it gives none."""
        return self._value(int(self.calls.arguments[call]))

    def observation_json(self, call: int) -> bytes | None:
        """Result of call `call` (from 0) as the file spells it; None where there is none."""
        return self._value(int(self.calls.observation[call]))

    def _value(self, index: int) -> bytes | None:
        return None if index == MISSING else self.codebook.values[index]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loaded:
    """What one file gave."""

    source: Source
    trajectories: tuple[Trajectory, ...] = ()
    problems: tuple[Problem, ...] = ()
    """What belongs to no single run: lines that are not JSON, records of unknown types."""
    notes: tuple[str, ...] = ()
    """What was told apart and left out on purpose: run summaries, comparisons."""
