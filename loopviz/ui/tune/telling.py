"""What of the labels needs a person: of runs that have changed, of runs not open, lines that are none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from loopviz.model import Trajectory
from loopviz.tuning.applying import Applied, is_as_it_was, may_be
from loopviz.tuning.labels import Book, Key, Label
from loopviz.tuning.words import calls_words, counted

NAMED = 20
"""Labels of changed runs, and lines that are no label, that are told one by one."""


def show_said(book: Book, applied: Applied, trajectories: Sequence[Trajectory], fault: str | None) -> dict[str, Any]:
    """What the script draws.

    Args:
        book: What is said.
        applied: The same by run.
        trajectories: The runs that are open.
        fault: Why the file cannot be read or written.
    """
    rows = [_row(label, named(label, trajectories)) for label in applied.stale[:NAMED]]
    return {
        "faults": [*([fault] if fault else []), *_problems(book)],
        "stale": {"title": _stale_title(applied.stale), "rows": rows} if rows else None,
        "notes": list(_absent(applied)),
    }


def kept_words(book: Book) -> str:
    """`71 labels, 4 of them pins`."""
    pins = sum(label.pin for label in book.labels)
    return f"{counted(len(book.labels), 'label')}{f', {pins:,} of them {_pins(pins)}' if pins else ''}"


def _pins(number: int) -> str:
    return "a pin" if number == 1 else "pins"


def named(label: Label, trajectories: Iterable[Trajectory]) -> list[Trajectory]:
    """The runs that a label of a changed run may be of: those of its name, of its stimulus and trial where known."""
    return [each for each in trajectories if may_be(label, each)]


def find(key: Key, labels: Iterable[Label]) -> Label | None:
    """The label of a run that has changed, by its key."""
    return next((label for label in labels if label.key == key), None)


def action(word: str, label: Label) -> str:
    """`renew=DIGEST&name=t1&calls=30-58`, or `forget=` likewise."""
    name, digest, calls = label.key
    stretch = {} if calls is None else {"calls": f"{calls[0]}-{calls[1]}"}
    return urlencode({word: digest, "name": name, **stretch})


def key_of(name: str, digest: str, calls: str | None) -> Key:
    """The key that an action names."""
    first, _, last = (calls or "").partition("-")
    return name, digest, (int(first), int(last)) if first and last else None


def _row(label: Label, runs: Sequence[Trajectory]) -> dict[str, Any]:
    where = "" if label.calls is None else f" at {calls_words(label.calls)}"
    can, now = _now(label, runs)
    trial = "" if label.trial is None else f", trial {label.trial + 1}"
    return {
        "run": f"{label.stimulus or label.run}{trial}",
        "said": f"{'pinned: ' if label.pin else ''}{label.label}{where}",
        "now": now,
        "again": action("renew", label) if can else "",
        "forget": action("forget", label),
    }


def _now(label: Label, runs: Sequence[Trajectory]) -> tuple[bool, str]:
    """Whether it can be said again, and what became of the run."""
    if len(runs) != 1:
        return False, f"{len(runs):,} runs have this name" if runs else "another trial of this name is open"
    n_calls = len(runs[0].calls)
    if label.calls is not None and label.calls[1] > n_calls:
        return False, f"has {counted(n_calls, 'call')} now"
    return True, f"has changed{_since(label)}; {counted(n_calls, 'call')} now{_there(label, runs[0])}"


def _since(label: Label) -> str:
    """What else may be behind it: a label of an older version was of all that the file says of the run."""
    return ", or was graded anew" if label.is_of_bytes else ""


def _there(label: Label, run: Trajectory) -> str:
    """What became of the calls that the label is of."""
    same = is_as_it_was(label, run)
    return "" if same is None else ", these as they were" if same else ", these too are others"


def _stale_title(stale: Sequence[Label]) -> str:
    runs = "a run that has" if len({label.key[:2] for label in stale}) == 1 else "runs that have"
    more = f"; the first {NAMED} are shown" if len(stale) > NAMED else ""
    return f"{counted(len(stale), 'label')} of {runs} changed since, not used until said again{more}"


def _problems(book: Book) -> Iterator[str]:
    for problem in book.problems[:NAMED]:
        yield f"Label file, {problem.where}: {problem.message}"
    if len(book.problems) > NAMED:
        yield f"{len(book.problems) - NAMED:,} more lines of the label file have a problem."


def _absent(applied: Applied) -> Iterator[str]:
    if applied.absent:
        of = len({label.key[:2] for label in applied.absent})
        are = "is" if of == 1 else "are"
        yield f"{counted(len(applied.absent), 'label')} of {counted(of, 'run')} that {are} not open."
