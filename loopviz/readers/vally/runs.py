"""From a record of Vally's to a trajectory: the run's own fields, its events, and what was said about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec import Raw

from loopviz.model import Json, Source, Trajectory, Usage, conversation
from loopviz.readers.assembly import Assembled, Assembly
from loopviz.readers.digesting import Digest
from loopviz.readers.encoding import Text
from loopviz.readers.fields import amount, count, member, name, text
from loopviz.readers.interning import Interner
from loopviz.readers.jsontext import Record, elements, members
from loopviz.readers.nodes import Origin, note_damage
from loopviz.readers.problems import Problems
from loopviz.readers.scanning import Members, Span
from loopviz.readers.texts import plain, spoken
from loopviz.readers.times import known, seconds
from loopviz.readers.vally.events import EventReader
from loopviz.readers.vally.grades import outcome_of, read_grade, threshold_of
from loopviz.readers.vally.shapes import Shape
from loopviz.readers.vally.story import money
from loopviz.readers.watching import Watch

NO_TRAJECTORY = "The record holds no trajectory."
NO_EVENTS = "The trajectory has no list of events."

_EMPTY = Interner().codebook()
"""Stands in until the whole file is read."""
_KINDS = {b"[": "a list", b"{": "an object", b'"': "a text", b"t": "true or false", b"f": "true or false", b"n": "null"}
_RECORD_FIELDS = (
    "itemId", "evalName", "variant", "stimulus", "model", "trialIndex", "totalTrials", "status", "durationMs",
    "error", "gradeResult",
)  # fmt: skip
_TRAJECTORY_FIELDS = ("id", "stimulus", "output", "metrics", "metadata", "endReason")


@dataclass(slots=True)
class _Parts:
    """A record taken apart."""

    record: dict[str, Json]
    """Fields of the trial; none for a bare trajectory."""
    trajectory: dict[str, Json]
    """Fields of the trajectory, its events aside."""
    events: Span | None
    """Where the list of events stands."""
    not_judged: str | None
    is_trial: bool

    @property
    def stimulus_spec(self) -> dict[str, Json] | None:
        """The stimulus as recorded; a trial may give its name alone."""
        given = (self.trajectory.get("stimulus"), self.record.get("stimulus"))
        return next((value for value in given if isinstance(value, dict)), None)


@dataclass(slots=True)
class RunReader:
    """Reads the records of one file; all their trajectories share the interner's codebook."""

    text: Text
    source: Source
    interner: Interner
    watch: Watch
    _stimuli: dict[bytes, Json] = field(default_factory=dict)
    """Stimuli decoded already: the trials of one stimulus share it."""

    def read(self, record: Record, found: Members, shape: Shape) -> Trajectory:
        """Read a record that holds a run, or should.

        Its codebook is that of the values seen so far.
        """
        problems = Problems(record.where)
        note_damage(Origin(self.text, problems), record, found)
        parts = self._take_apart(found, shape, problems)
        assembly = Assembly(self.text, self.interner, problems, line=record.line)
        events = EventReader(assembly, self.interner, problems)
        told = events.read(self._elements(parts.events) if parts.events else ())
        return self._trajectory(record, parts, told, events, problems)

    def _elements(self, span: Span) -> Iterator[tuple[int, Raw | bytes]]:
        watch = self.watch
        for offset, raw in elements(self.text.data, *span):
            yield offset, raw
            if offset >= watch.due and not watch.goes_on(offset):
                return

    def _take_apart(self, found: Members, shape: Shape, problems: Problems) -> _Parts:
        if shape is Shape.TRAJECTORY:
            return self._with_trajectory({}, found, problems, is_trial=False)
        record = self._values(found, _RECORD_FIELDS, problems)
        span = found.spans.get("trajectory")
        inner = members(self.text.data, *span) if span else None
        if inner is not None:
            return self._with_trajectory(record, inner, problems, is_trial=True)
        kind = self._kind(span)
        reason = NO_TRAJECTORY if kind == "null" else f"The record's trajectory is {kind}, not an object."
        return _Parts(record, {}, None, reason, is_trial=True)

    def _with_trajectory(
        self, record: dict[str, Json], found: Members, problems: Problems, *, is_trial: bool
    ) -> _Parts:
        events = found.spans.get("events")
        kind = self._kind(events)
        reason = None
        if kind != "a list":
            reason = NO_EVENTS if kind == "null" else f"The trajectory's events are {kind}, not a list."
            events = None
        trajectory = self._values(found, _TRAJECTORY_FIELDS, problems)
        return _Parts(record, trajectory, events, reason, is_trial)

    def _values(self, found: Members, wanted: tuple[str, ...], problems: Problems) -> dict[str, Json]:
        """Decode the wanted members; one that is no JSON is a problem and counts as absent."""
        values = {}
        for key in wanted:
            if span := found.spans.get(key):
                raw = self.text.data[span.start : span.stop]
                try:
                    values[key] = self._stimulus(raw) if key == "stimulus" else plain(raw)
                except ValueError:
                    problems.add(self._byte(span.start), f"`{key}` is not JSON, or is cut off; it is left out.")
        return values

    def _stimulus(self, raw: bytes) -> Json:
        if raw not in self._stimuli:
            self._stimuli[raw] = plain(raw)
        return self._stimuli[raw]

    def _kind(self, span: Span | None) -> str:
        """What sort of value stands there, by its first byte; nothing counts as null."""
        first = self.text.data[span.start : span.start + 1] if span else b"n"
        return _KINDS.get(first, "a number")

    def _byte(self, position: int) -> str:
        return f"byte {self.text.offset(position):,}"

    def _digest(self, record: Record) -> str:
        piece = memoryview(self.text.data)[record.start : record.stop]
        if len(piece) == self.source.size:
            return self.source.digest
        return Digest(piece).hex()

    def _trajectory(
        self, record: Record, parts: _Parts, told: Assembled, events: EventReader, problems: Problems
    ) -> Trajectory:
        own, trial = parts.trajectory, parts.record
        stimulus, metadata, metrics = parts.stimulus_spec, own.get("metadata"), own.get("metrics")
        grade = read_grade(trial.get("gradeResult"), problems)
        threshold = threshold_of(stimulus, trial.get("gradeResult"))
        first_s = known(seconds(member(metadata, "startedAt")))
        started_s = first_s if first_s is not None else known(events.first_event_s)
        return Trajectory(
            run=name(own.get("id")) or name(trial.get("itemId")) or record.where or "line 1",
            source=self.source,
            codebook=_EMPTY,
            calls=told.calls,
            n_turns=told.n_turns,
            not_judged=parts.not_judged,
            digest=self._digest(record),
            line=record.line,
            stimulus=_stimulus_name(trial, stimulus),
            stimulus_spec=stimulus,
            prompt=_prompt(stimulus),
            trial=_trial(parts),
            trials=_trials(parts),
            variant=text(trial.get("variant")),
            eval_name=text(trial.get("evalName")),
            model=text(trial.get("model")) or text(member(metadata, "model")) or events.model,
            status=text(trial.get("status")),
            end_reason=text(own.get("endReason")),
            error=_said(trial.get("error")),
            output=_said(own.get("output")),
            started_s=started_s,
            duration_s=_duration(trial, metrics, metadata, started_s, known(events.last_event_s)),
            max_turns=_max_turns(stimulus),
            grade=grade,
            outcome=outcome_of(grade, threshold),
            threshold=threshold,
            events=told.events,
            usage=told.usage,
            total_tokens=None if told.usage else _total_tokens(metrics),
            total_cost=None if _has_cost(told.usage) else money(member(metrics, "tokenUsage", "cost")),
            turn_starts=told.turn_starts,
            last_event_s=known(events.last_event_s),
            problems=problems.listed(),
        )


def _stimulus_name(trial: dict[str, Json], stimulus: Json) -> str | None:
    given = (trial.get("stimulus"), member(trial, "gradeResult", "stimulusName"), member(stimulus, "name"))
    return next((found for found in map(text, given) if found), None)


def _prompt(stimulus: Json) -> str | None:
    """What the agent was asked; of a conversation every request."""
    prompt = text(member(stimulus, "prompt"))
    turns = member(stimulus, "turns")
    if prompt or not isinstance(turns, list):
        return prompt
    return conversation(spoken(member(turn, "prompt") or turn) for turn in turns)


def _trial(parts: _Parts) -> int | None:
    """Trial from 0; one without a number is the only one."""
    return (count(parts.record.get("trialIndex")) or 0) if parts.is_trial else None


def _trials(parts: _Parts) -> int | None:
    given = count(parts.record.get("totalTrials"))
    only_one = parts.is_trial and count(parts.record.get("trialIndex")) is None
    return 1 if given is None and only_one else given


def _max_turns(stimulus: Json) -> int | None:
    return count(member(stimulus, "constraints", "max_turns")) or None


def _said(value: Json) -> str | None:
    return None if value is None else spoken(value)


def _duration(
    trial: dict[str, Json], metrics: Json, metadata: Json, started_s: float | None, last_s: float | None
) -> float | None:
    """Seconds: as recorded, else from the recorded start to the recorded end, else to the last event."""
    recorded_ms = amount(trial.get("durationMs"))
    recorded_ms = amount(member(metrics, "wallTimeMs")) if recorded_ms is None else recorded_ms
    if recorded_ms is not None:
        return recorded_ms / 1_000
    completed_s = known(seconds(member(metadata, "completedAt")))
    end_s = last_s if completed_s is None else completed_s
    return None if started_s is None or end_s is None or end_s < started_s else end_s - started_s


def _total_tokens(metrics: Json) -> int | None:
    """Input and output tokens; those of a cache are not added."""
    counts = [count(member(metrics, "tokenUsage", key)) for key in ("inputTokens", "outputTokens")]
    known_counts = [tokens for tokens in counts if tokens is not None]
    return sum(known_counts) if known_counts else count(member(metrics, "tokenUsage", "totalTokens"))


def _has_cost(usage: tuple[Usage, ...]) -> bool:
    return any(use.cost is not None for use in usage)
