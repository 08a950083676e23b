"""The open files: what the command named, what was dropped on the page, or else the bundled samples.

Files are read once, in the background, and shared by all sessions: trajectories never change, so nothing is copied. A
file on disk is known by its path, size and time of change, an upload by its content. A packed file gives several, and
its records are found in it again.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import streamlit as st

from loopviz import config
from loopviz.analysis.runset import Recent, RunSet
from loopviz.analysis.trials import group_by_stimulus
from loopviz.model import Loaded, Trajectory
from loopviz.readers.loading import Unread, find_files, piece, read_record, stamp
from loopviz.samples import samples_folder
from loopviz.ui.launch import paths_given
from loopviz.ui.loading import Loading, Meter, awaited, just_done
from loopviz.ui.shelf import Files, LastUsed, OnDisk, Results, Upload, as_spec, name_of, results_of

KEY_DIGITS = 8
MOST_FILES = 2_000
"""Files kept in memory at once; beyond, the least recently used is read again when it is asked for."""
MOST_LIBRARIES = 8
ALONE = 4
"""Runs kept as sets of their own."""
_UPLOADS = "uploads"


class Library:
    """Everything that is open, in the order it was named."""

    def __init__(
        self,
        loaded: Sequence[Loaded],
        unread: Sequence[Unread],
        specs: Sequence[config.Config],
        places: dict[str, OnDisk | Upload],
        *,
        samples: bool,
        stopped: bool = False,
    ) -> None:
        self.loaded = tuple(loaded)
        self.unread = tuple(unread)
        """Files that could not be read, each with the reason."""
        self.spec = specs[0] if specs else None
        """An eval spec that lies among the open files: its graders judge the runs of its stimuli."""
        self.samples = samples
        """Whether these are the bundled samples, opened for want of anything else."""
        self.stopped = stopped
        """Whether the reading was stopped, so that files are missing, or parts of one."""
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
        for index in range(len(self.trajectories)):
            by_key.setdefault(self.key(index), index)
        return by_key

    def key(self, index: int) -> str:
        """What a link calls a run: its name and the beginning of its digest."""
        trajectory = self.trajectories[index]
        return f"{trajectory.run}.{trajectory.digest[:KEY_DIGITS]}"

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

    def _piece(self, index: int, offset: int, length: int) -> str | None:
        name = self.trajectories[index].source.name
        place = self._places.get(name)
        if place is None:
            return None
        member = name.removeprefix(place.path).removeprefix("/")
        if isinstance(place, Upload):
            return piece(place.data, offset=offset, length=length, member=member)
        return read_record(place.path, place.stamp, offset=offset, length=length, member=member)


def open_library() -> Library:
    """Everything that this session has open; the bundled samples when that is nothing.

    Where the reading takes long, the page shows how far it is instead, and the script ends here.
    """
    ready = just_done()
    if ready is not None:
        return cast(Library, ready.result())
    key, files, missing, samples = _wanted()
    shelf = _shelf()
    loading = shelf.libraries.find(key)
    if loading is None or loading.failed:
        meter = Meter([file.size for file in files])
        loading = Loading(lambda meter: _library(files, missing, meter, shelf.files, samples=samples), meter)
        shelf.libraries.keep(key, loading)
    return awaited(loading)


def read_the_rest() -> None:
    """Read on what was stopped; files that were read to their end are not read again."""
    _shelf().libraries.drop(_wanted()[0])


def _wanted() -> tuple[str, Files, tuple[Unread, ...], bool]:
    """What this session has open: its key, the files, what cannot be found, and whether these are the samples."""
    paths, uploads = paths_given(), tuple(st.session_state.get(_UPLOADS, ()))
    samples = not paths and not uploads
    found, missing = _look(paths or (() if uploads else (str(samples_folder()),)))
    files = (*found, *uploads)
    return name_of((files, missing)), files, missing, samples


def add_uploads(files: Iterable[tuple[str, bytes]]) -> None:
    """Open more files in this session: their names and bytes; one that is open already stays as it is."""
    uploads = list(st.session_state.get(_UPLOADS, ()))
    for name, data in files:
        upload = Upload(name, hashlib.blake2b(data, digest_size=16).hexdigest(), data)
        if upload not in uploads:
            uploads.append(upload)
    st.session_state[_UPLOADS] = tuple(uploads)


def _look(paths: Sequence[str]) -> tuple[tuple[OnDisk, ...], tuple[Unread, ...]]:
    """Which files some paths stand for at this moment, and what of them cannot be found."""
    found, missing = [], []
    seen: set[str] = set()
    for file in find_files(paths):
        if isinstance(file, Unread):
            missing.append(file)
        elif (place := os.path.realpath(file.path)) not in seen:  # named twice, or inside a folder named as well
            seen.add(place)
            found.append(OnDisk(file.path, stamp(file.path), file.named))
    return tuple(found), tuple(missing)


@dataclass(frozen=True, slots=True)
class _Shelf:
    """What all sessions share."""

    libraries: LastUsed[Loading[Library]]
    files: LastUsed[Results]


@st.cache_resource(show_spinner=False)
def _shelf() -> _Shelf:
    return _Shelf(LastUsed(MOST_LIBRARIES), LastUsed(MOST_FILES))


def _library(
    files: Files, missing: tuple[Unread, ...], meter: Meter, kept: LastUsed[Results], *, samples: bool
) -> Library:
    loaded: list[Loaded] = []
    unread = list(missing)
    specs: list[config.Config] = []
    places: dict[str, OnDisk | Upload] = {}
    for file in files:
        results = results_of(file, meter, kept)
        spec = None if samples or any(isinstance(result, Loaded) for result in results) else as_spec(file)
        if spec is not None:
            specs.append(spec)
            continue
        for result in results:
            if isinstance(result, Loaded):
                loaded.append(result)
                places[result.source.name] = file
            elif not samples:
                unread.append(result)
    # Streamlit searches for reference cycles after each run of the script; there are none here, and looking through a
    # hundred thousand runs takes longer than everything else.
    gc.freeze()
    return Library(loaded, unread, specs, places, samples=samples, stopped=meter.is_cut)
