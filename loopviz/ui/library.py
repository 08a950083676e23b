"""A set of open files and the runs in them, shared by all sessions: trajectories never change, so nothing is copied.

A file on disk is known by its path, size and time of change, an upload by its content. A packed file gives several, and
its records are found in it again.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from loopviz.analysis.runset import Recent, RunSet
from loopviz.analysis.trials import group_by_stimulus
from loopviz.model import Loaded, Source, Trajectory
from loopviz.readers.limits import limits_given
from loopviz.readers.loading import Unread, piece, read_record
from loopviz.ui.loading import Meter
from loopviz.ui.shelf import Files, Neighbours, OnDisk, Read, Reads, Spec, Upload, as_spec, results_of

KEY_DIGITS = 8
ALONE = 4
"""Runs kept as sets of their own."""

Places = dict[tuple[str, str], OnDisk | Upload]
"""The file that each was read from, by the name and the digest of what it gave."""


class Library:
    """Everything that is open, in the order it was named."""

    def __init__(
        self,
        loaded: Sequence[Loaded],
        unread: Sequence[Unread],
        specs: Sequence[Spec],
        places: Places,
        *,
        samples: bool,
        stopped: bool = False,
        files: Files = (),
        reads: Mapping[str, Read] = MappingProxyType({}),
    ) -> None:
        self.loaded = tuple(loaded)
        self.unread = tuple(unread)
        """Files that could not be read, each with the reason."""
        self.open_spec = specs[0] if specs else None
        """An eval spec that lies among the open files."""
        self.spec = self.open_spec.config if self.open_spec else None
        """What it says: its graders judge the runs of its stimuli."""
        self.samples = samples
        """Whether these are the bundled samples, opened for want of anything else."""
        self.stopped = stopped
        """Whether the reading was stopped, so that files are missing, or parts of one."""
        self.files = files
        """The files themselves, packed ones as they are."""
        self.reads = reads
        """What each gave, by `name_of` it."""
        self.trajectories: tuple[Trajectory, ...] = tuple(t for file in loaded for t in file.trajectories)
        self._places = places
        self._alone: dict[int, RunSet] = {}
        self._together: Recent[RunSet] = Recent(ALONE)

    @cached_property
    def runs(self) -> RunSet:
        """All runs as one set."""
        return RunSet(self.trajectories)

    def alone(self, index: int) -> RunSet:
        """One run as a set of its own; the last few are kept."""
        kept = self._alone.get(index)
        if kept is None:
            kept = RunSet([self.trajectories[index]])
            self._alone = {**dict(list(self._alone.items())[1 - ALONE :]), index: kept}
        return kept

    def together(self, places: tuple[int, ...]) -> RunSet:
        """Some runs as a set of their own; the last few are kept."""
        return self._together.get(places, lambda: RunSet([self.trajectories[place] for place in places]))

    def same_stimulus(self, index: int) -> tuple[int, ...]:
        """The runs of the same stimulus, this one among them; this one alone where it names none."""
        return self._by_stimulus.get(self.trajectories[index].stimulus or "", (index,))

    @cached_property
    def _by_stimulus(self) -> dict[str, tuple[int, ...]]:
        return group_by_stimulus(self.trajectories)

    @cached_property
    def _by_key(self) -> dict[str, int]:
        by_key: dict[str, int] = {}
        for key in (self.key, self.hidden_key):
            for index in range(len(self.trajectories)):
                by_key.setdefault(key(index), index)
        return by_key

    def key(self, index: int) -> str:
        """What a link calls a run: its name and the beginning of its digest."""
        trajectory = self.trajectories[index]
        return f"{trajectory.run}.{trajectory.digest[:KEY_DIGITS]}"

    def hidden_key(self, index: int) -> str:
        """What a link calls a run whose name it must not tell: `run-5f3a0c1e`, as an export without texts does."""
        return f"run-{self.trajectories[index].digest[:KEY_DIGITS]}"

    def with_file(self, file: OnDisk, loaded: Loaded) -> Library:
        """The same with one file as it is now; runs of its that are new stand behind its others."""
        before = next(one for one in self.loaded if one.source.name == file.path)
        return Library(
            [loaded if one is before else one for one in self.loaded],
            self.unread,
            () if self.open_spec is None else (self.open_spec,),
            {**self._places, (loaded.source.name, loaded.source.digest): file},
            samples=self.samples,
            stopped=self.stopped,
            files=tuple(file if one.path == file.path else one for one in self.files),
            reads=self.reads,
        )

    def find(self, key: str) -> int | None:
        """The run that a link names; where its data has changed, the one run that still bears the name."""
        if key in self._by_key:
            return self._by_key[key]
        for name in (key, key.rpartition(".")[0]):
            same = [index for index, trajectory in enumerate(self.trajectories) if trajectory.run == name]
            if len(same) == 1:
                return same[0]
        return None

    def raw_record(self, index: int, call: int) -> str | None:
        """The event of a call as its file spells it; None where the file has changed or gone since it was read."""
        calls = self.trajectories[index].calls
        return self._piece(index, int(calls.offset[call]), int(calls.length[call]))

    def raw_result(self, index: int, call: int) -> str | None:
        """The event of a call's result, in the same way; None also where the call has none."""
        calls = self.trajectories[index].calls
        offset = int(calls.result_offset[call])
        return None if offset < 0 else self._piece(index, offset, int(calls.result_length[call]))

    def file_of(self, source: Source) -> OnDisk | Upload | None:
        """The file that something was read from."""
        return self._places.get((source.name, source.digest))

    def _piece(self, index: int, offset: int, length: int) -> str | None:
        source = self.trajectories[index].source
        place = self.file_of(source)
        if place is None:
            return None
        member, limits = source.name.removeprefix(place.path).removeprefix("/"), limits_given()
        if isinstance(place, Upload):
            return piece(place.data, offset=offset, length=length, member=member, limits=limits)
        return read_record(place.path, place.stamp, offset=offset, length=length, member=member, limits=limits)


def files_to_read(files: Files) -> Files:
    """Those that hold runs of their own; the others only lie beside them."""
    return tuple(file for file in files if isinstance(file, OnDisk) or file.is_open)


def read_library(files: Files, missing: Sequence[Unread], meter: Meter, reads: Reads, *, samples: bool) -> Library:
    """Read some files, those left out that were read before.

    Args:
        files: The files, in the order in which they are shown.
        missing: What was named and is not there.
        meter: Told how far it is; it may stop the reading.
        reads: What was read before; what is read now is added.
        samples: Whether these are the bundled samples.
    """
    loaded: list[Loaded] = []
    unread = list(missing)
    specs: list[Spec] = []
    places: Places = {}
    neighbours = Neighbours(files)
    for file in files_to_read(files):
        results = results_of(file, meter, reads, neighbours.of(file))
        spec = None if samples or any(isinstance(result, Loaded) for result in results) else as_spec(file)
        if spec is not None:
            specs.append(spec)
            continue
        for result in results:
            if isinstance(result, Loaded):
                loaded.append(result)
                places[result.source.name, result.source.digest] = file
            elif not samples:
                unread.append(result)
    # Streamlit searches for reference cycles after each run of the script; there are none here, and looking through a
    # hundred thousand runs takes longer than everything else.
    gc.freeze()
    return Library(
        loaded,
        [neighbours.noted(each) for each in unread],
        specs,
        places,
        samples=samples,
        stopped=meter.is_cut,
        files=files_to_read(files),
        reads=reads.own,
    )
