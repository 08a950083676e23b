"""Finding the runs that the labels of a file are of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from loopviz.model import Trajectory
from loopviz.tuning.call_digests import calls_digest, stretch_digest
from loopviz.tuning.labels import Book, Key, Label, Stretch, own_name


@dataclass(frozen=True, slots=True)
class Applied:
    """What a label file says of the runs that are open."""

    of_run: tuple[tuple[Label, ...], ...]
    """The labels of each run."""
    stale: tuple[Label, ...]
    """Labels of runs that bear the same name and have changed since."""
    unfit: tuple[Label, ...]
    """Labels of calls that their run does not have."""
    absent: tuple[Label, ...]
    """Labels of runs that are not open."""


def apply(book: Book, trajectories: Sequence[Trajectory]) -> Applied:
    """Find the run of each label."""
    found = _Found(book)
    of_run = tuple(found.labels_of(each) for each in trajectories)
    lost = [label for label in book.labels if label.key not in found.met]
    stale = tuple(_changed(lost, trajectories))
    keys = {label.key for label in stale}
    absent = tuple(label for label in lost if label.key not in keys)
    return Applied(of_run, stale, tuple(found.unfit.values()), absent)


class _Found:
    """The labels of a book by what they name their runs with; a run's digest is worked out where one may fit."""

    def __init__(self, book: Book) -> None:
        self.met: set[Key] = set()
        self.unfit: dict[Key, Label] = {}
        self._labels: dict[tuple[str, str], list[Label]] = {}
        self._n_calls: dict[str, set[str]] = {}
        for label in book.labels:
            name, digest, _ = label.key
            self._labels.setdefault((name, digest), []).append(label)
            if not label.is_of_bytes:
                self._n_calls.setdefault(name, set()).add(label.n_calls)

    def labels_of(self, trajectory: Trajectory) -> tuple[Label, ...]:
        """The labels of a run: of two on the same stretch that of the newer form."""
        n_calls, name = len(trajectory.calls), own_name(trajectory.run)
        found = list(self._labels.get(("", trajectory.digest), ()))
        if str(n_calls) in self._n_calls.get(name, ()):
            found += self._labels.get((name, calls_digest(trajectory)), ())
        self.met.update(label.key for label in found)
        unfit = {label.key: label for label in found if label.calls and label.calls[1] > n_calls}
        self.unfit |= unfit
        fitting: dict[Stretch | None, Label] = {label.calls: label for label in found if label.key not in unfit}
        return tuple(fitting.values())


def _changed(lost: Sequence[Label], trajectories: Sequence[Trajectory]) -> list[Label]:
    """The labels of runs that are there by name and did something else."""
    if not lost:
        return []
    names = {label.run for label in lost}
    named: dict[str, list[Trajectory]] = {}
    for each in trajectories:
        if each.run in names:
            named.setdefault(each.run, []).append(each)
    return [label for label in lost if any(may_be(label, each) for each in named.get(label.run, ()))]


def may_be(label: Label, trajectory: Trajectory) -> bool:
    """Whether a label was said of this run before it changed, as far as names tell; that of a place does not."""
    told = ((label.stimulus, trajectory.stimulus), (label.trial, trajectory.trial))
    same = all(None in (said, now) or said == now for said, now in told)
    return same and label.run == trajectory.run and bool(own_name(label.run))


def is_as_it_was(label: Label, trajectory: Trajectory) -> bool | None:
    """Whether the calls of a label's stretch are the same in a run that changed; None where that is not known."""
    if label.calls is None or label.stretch is None:
        return None
    return label.calls[1] <= len(trajectory.calls) and stretch_digest(trajectory, *label.calls) == label.stretch


def renewed(label: Label, trajectory: Trajectory) -> Label:
    """The same said again of a run that has changed since.

    Raises:
        ValueError: for a stretch that the run does not have any more.
    """
    if label.calls is not None and label.calls[1] > len(trajectory.calls):
        raise ValueError(f"the run has {len(trajectory.calls):,} calls now")
    stretch = None if label.calls is None else stretch_digest(trajectory, *label.calls)
    return replace(label, digest=calls_digest(trajectory), run=trajectory.run, stretch=stretch)
