"""What people say of runs: a loop, or not a loop, of a whole run or of a stretch of its calls.

A label file holds one label a line, as JSON. A label names its run by the run's name and the digest of what the run
did, so that it follows the run into another file, outlives a new grade, and never sticks to another run; stimulus and
trial stand there for people.

    {"run": "t1", "digest": "64:5f3a…", "stimulus": "fix-lint", "label": "loop", "calls": [30, 58], "stretch": "c07d…"}

Calls count from 1, both ends included. A *pin* is a stretch that must be caught (`loop`) or left alone (`not a loop`).

Decided:

- One label each: a run has one, and so has each stretch of it; a later line on the same replaces the one before.
- Order of a label file: lines stand by stimulus, run and stretch, so that what two people add seldom meets in a merge.
  A line that is no label is never touched; fields that are not known here stay.
- Runs that changed: one that did something else since is not labelled any more. Its labels are told, and wait for a
  person to say again.
- Runs that did the same: they share their labels where they share a name. Those without one, which are called by their
  place in a file, count as having the same name, since places move.
- Labels of older files: a digest without a number of calls before it is of the bytes of the run's record. It counts
  where it still fits, and the line stays as it is until somebody says something else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from loopviz.model import Json, Problem, Trajectory
from loopviz.tuning.call_digests import calls_digest, stretch_digest

Verdict = Literal["loop", "not a loop"]
LOOP: Verdict = "loop"
NOT_A_LOOP: Verdict = "not a loop"
Stretch = tuple[int, int]
"""First and last call, from 1, both included."""
Key = tuple[str, str, Stretch | None]
"""Name and digest of a run, and the stretch."""

_OWN = ("run", "digest", "stimulus", "trial", "label", "calls", "stretch", "pin", "note")
_BY_PLACE = re.compile(r"(?:line|record|message|simulation) [\d,]+.*")
"""What a run is called that has no name of its own."""
_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What a person says of a run, or of a stretch of its calls."""

    run: str
    digest: str
    """Of what the run did, as `calls_digest` has it; of an older file that of its bytes, as `Trajectory.digest`."""
    label: Verdict
    calls: Stretch | None = None
    """None for the whole run."""
    stretch: str | None = None
    """Digest of these calls by themselves, which tells in a run that changed whether they are as they were."""
    pin: bool = False
    """Whether every setting must agree; of a stretch only."""
    stimulus: str | None = None
    trial: int | None = None
    note: str = ""
    others: dict[str, Json] = field(default_factory=dict, hash=False)
    """Fields of the line that are not known here."""

    @property
    def key(self) -> Key:
        """What there is one label of."""
        return "" if self.is_of_bytes else own_name(self.run), self.digest, self.calls

    @property
    def is_of_bytes(self) -> bool:
        """Whether its digest is of the bytes of a record, grades included, as older files have it."""
        return ":" not in self.digest

    @property
    def n_calls(self) -> str:
        """How many calls its run had, in digits, as its digest says."""
        return self.digest.partition(":")[0]

    @property
    def place(self) -> tuple[Any, ...]:
        """Where it stands among others in a file."""
        return self.stimulus or "", self.run, self.digest, self.calls or (0, 0)

    def line(self) -> str:
        """The line of a file that says so."""
        said = {
            "run": self.run,
            "digest": self.digest,
            "stimulus": self.stimulus,
            "trial": self.trial,
            "label": self.label,
            "calls": None if self.calls is None else list(self.calls),
            "stretch": self.stretch,
            "pin": self.pin or None,
            "note": self.note or None,
        }
        known = {name: value for name, value in said.items() if value is not None}
        line = json.dumps({**known, **self.others}, ensure_ascii=False)
        return line if line.isprintable() else json.dumps({**known, **self.others})  # A lone surrogate is no UTF-8.


def label_of(
    trajectory: Trajectory, label: Verdict, *, calls: Stretch | None = None, pin: bool = False, note: str = ""
) -> Label:
    """A label of a run.

    Raises:
        ValueError: for a stretch that the run does not have, or a pin of a whole run.
    """
    if calls is not None and not 1 <= calls[0] <= calls[1] <= len(trajectory.calls):
        raise ValueError(f"calls {calls[0]} to {calls[1]}: the run has {len(trajectory.calls):,} calls")
    if pin and calls is None:
        raise ValueError("a pin needs a stretch of calls")
    return Label(
        run=trajectory.run,
        digest=calls_digest(trajectory),
        label=label,
        calls=calls,
        stretch=None if calls is None else stretch_digest(trajectory, *calls),
        pin=pin,
        stimulus=trajectory.stimulus,
        trial=trajectory.trial,
        note=note,
    )


def own_name(run: str) -> str:
    """The name of a run; none for one that is called by its place."""
    return "" if _BY_PLACE.fullmatch(run) else run


def keys_of(trajectory: Trajectory, calls: Stretch | None) -> tuple[Key, Key]:
    """The keys that a label of a run may bear: its own, and that of an older file."""
    return (own_name(trajectory.run), calls_digest(trajectory), calls), ("", trajectory.digest, calls)


@dataclass(frozen=True, slots=True)
class Book:
    """The lines of a label file, and what they say."""

    lines: tuple[str, ...] = ()
    """Without line ends."""
    labels: tuple[Label, ...] = ()
    """The last one of each key, in the order of the file."""
    problems: tuple[Problem, ...] = ()
    is_torn: bool = False
    """Whether a merge left its marks in it: then it must not be written."""

    def put(self, label: Label) -> Book:
        """The book with this label, in the place of what was said of the same."""
        kept = self.remove(label.key)
        at = next((n for n, other in _places(kept.lines) if other > label.place), len(kept.lines))
        end = "\r" if any(line.endswith("\r") for line in kept.lines) else ""
        return read((*kept.lines[:at], label.line() + end, *kept.lines[at:]))

    def remove(self, *keys: Key) -> Book:
        """The book without what it says of a run or stretch."""
        return read(line for line in self.lines if (said := _parse(line)) is None or said.key not in keys)

    def find(self, *keys: Key) -> Label | None:
        """What is said of a run or a stretch."""
        return next((label for label in self.labels if label.key in keys), None)

    def text(self) -> str:
        """The file."""
        return "".join(f"{line}\n" for line in self.lines)


def read(lines: Iterable[str]) -> Book:
    """Read a label file's lines; what is no label is a problem, and stays."""
    kept: list[str] = []
    labels: dict[Key, Label] = {}
    problems: list[Problem] = []
    torn = False
    for number, line in enumerate(lines, start=1):
        kept.append(line)
        if not line.strip():
            continue
        where = f"line {number}"
        if line.startswith(_CONFLICT):
            torn = True
            problems.append(Problem(where=where, message="A merge left its mark here; settle it before labelling on."))
            continue
        try:
            label = parse(line)
        except ValueError as error:
            problems.append(Problem(where=where, message=f"{error} The line is kept and not used."))
            continue
        before = labels.pop(label.key, None)
        if before is not None and before.label != label.label:
            said = f"This says {label.label!r} where a line before says {before.label!r}; this one counts."
            problems.append(Problem(where=where, message=said))
        elif before is not None and before.pin != label.pin:
            problems.append(
                Problem(where=where, message="A line before says the same, one of both as a pin; it stays one.")
            )
            label = replace(label, pin=True)
        labels[label.key] = label
    return Book(tuple(kept), tuple(labels.values()), tuple(problems), torn)


def parse(line: str) -> Label:
    """Read one line.

    Raises:
        ValueError: if it is no label, with the reason as a sentence.
    """
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("This is no JSON.") from None
    if not isinstance(said, dict):
        raise ValueError("A label should be an object.")
    for name in ("run", "digest"):
        if not isinstance(said.get(name), str) or not said[name]:
            raise ValueError(f"`{name}` should be a text.")
    if said.get("label") not in get_args(Verdict):
        raise ValueError("`label` should be `loop` or `not a loop`.")
    calls = _stretch(said.get("calls"))
    pin = said.get("pin", False)
    if not isinstance(pin, bool):
        raise ValueError("`pin` should be `true` or `false`.")
    if pin and calls is None:
        raise ValueError("A pin needs `calls`.")
    return Label(
        run=said["run"],
        digest=said["digest"],
        label=said["label"],
        calls=calls,
        stretch=_of_type(said.get("stretch"), str),
        pin=pin,
        stimulus=_of_type(said.get("stimulus"), str),
        trial=_of_type(said.get("trial"), int),
        note=_of_type(said.get("note"), str) or "",
        others={name: value for name, value in said.items() if name not in _OWN},
    )


def _places(lines: Sequence[str]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    for number, line in enumerate(lines):
        label = _parse(line)
        if label is not None:
            yield number, label.place


def _parse(line: str) -> Label | None:
    try:
        return parse(line)
    except ValueError:
        return None


def _stretch(calls: Json) -> Stretch | None:
    if calls is None:
        return None
    whole = isinstance(calls, list) and len(calls) == 2 and all(type(call) is int for call in calls)
    if not whole or not 1 <= calls[0] <= calls[1]:
        raise ValueError("`calls` should be the first and the last call, counted from 1.")
    return calls[0], calls[1]


def _of_type(value: Json, kind: type) -> Any:
    return value if type(value) is kind else None
