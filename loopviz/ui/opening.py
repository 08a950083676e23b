"""What this session has open: what the command named, what was dropped on the page, or else the bundled samples.

Files are looked at when they are opened, and stay as they were read then: what becomes of them on disk is noticed and
offered for reading again, never read unasked. What several sessions open alike is read once.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from loopviz.readers.limits import limits_given
from loopviz.readers.loading import Unread, find_files, stamp
from loopviz.samples import samples_folder
from loopviz.ui.disk_watch import Changes, DiskWatch, Stamps, stamps_of
from loopviz.ui.launch import labels_given, paths_given, read_as_given
from loopviz.ui.library import Library, files_to_read, read_library
from loopviz.ui.loading import Loading, Meter, awaited
from loopviz.ui.shelf import File, Files, LastUsed, OnDisk, Read, Reads, Upload, dropped, name_of

MOST_FILES = 2_000
"""Files kept in memory at once; beyond, the least recently used is read again when it is asked for."""
MOST_LIBRARIES = 8
AUTOMATIC = ""
"""The choice of no reader in particular."""
_OPEN, _UPLOADS, _READ_AS = "opened", "uploads", "read_as"
_INSTEAD, _FOLLOWED = "opened.instead", "opened.followed"

Formats = Mapping[Hashable, str]
"""Names of the readers that the person chose, by the keys of files; `AUTOMATIC` where the command named another."""


@dataclass(frozen=True, slots=True)
class _Open:
    """The files that a session has open, and what they gave."""

    asked: Hashable
    """What the session asked for; when that changes the files are looked at anew."""
    key: str
    loading: Loading[Library]
    watch: DiskWatch | None
    """None where nothing is watched: the samples, and what was dropped."""


@dataclass(frozen=True, slots=True)
class _Look:
    """Files on disk at one moment."""

    files: tuple[OnDisk, ...]
    missing: tuple[Unread, ...]
    stamps: Stamps
    """Those named twice included."""


def open_library() -> Library:
    """Everything that this session has open.

    Where the reading takes long, the page shows how far it is instead, and the script ends here.
    """
    uploads, formats = tuple(st.session_state.get(_UPLOADS, ())), _formats()
    asked = (paths_given(), read_as_given(), uploads, tuple(formats.items()))
    opened = _opened()
    if opened is None or opened.asked != asked:
        opened = _open(asked, uploads, formats, opened)
        st.session_state[_OPEN] = opened
    try:
        return _in_place_of(awaited(opened.loading))
    except Exception:
        read_again()  # the next time; this time it is said
        raise


def show_instead(library: Library, file: OnDisk) -> None:
    """Show this library from now on, in which a file that is followed stands as it was at this moment."""
    st.session_state[_INSTEAD] = (_read_by_now(), library)
    st.session_state[_FOLLOWED] = (file, True)


def end_following() -> None:
    """The file that was followed stays as it was last shown; what becomes of it from now on is noticed."""
    if _FOLLOWED in st.session_state:
        st.session_state[_FOLLOWED] = (st.session_state[_FOLLOWED][0], False)


def _in_place_of(library: Library) -> Library:
    """The library that is shown in place of one that was read: the same, unless a file of it is followed."""
    base, instead = st.session_state.get(_INSTEAD, (None, None))
    return instead if base is library and instead is not None else library


def _read_by_now() -> Library | None:
    opened = _opened()
    return None if opened is None or not opened.loading.is_done() else opened.loading.result()


def read_the_rest() -> None:
    """Read on what was stopped; files that were read to their end are not read again."""
    opened = _opened()
    if opened is not None:
        _shelf().libraries.drop(opened.key)
        read_again()


def read_again() -> None:
    """Look at the files anew, and read those that have changed."""
    opened = _opened()
    if opened is not None:
        st.session_state[_OPEN] = replace(opened, asked=None)
    st.session_state.pop(_INSTEAD, None)
    st.session_state.pop(_FOLLOWED, None)


def changes_on_disk() -> Changes:
    """How the open files differ from what was read, as far as that is known; this hardly waits for the disk."""
    opened = _opened()
    if opened is None or opened.watch is None:
        return Changes()
    changes = opened.watch.changes()
    file, is_followed = st.session_state.get(_FOLLOWED, (None, False))
    is_shown = file is not None and (is_followed or stamp(file.path) == file.stamp)
    return changes.without(file.path) if file is not None and is_shown else changes


def is_watched() -> bool:
    """Whether anything is open that may change on disk."""
    opened = _opened()
    return opened is not None and opened.watch is not None


def add_uploads(files: Iterable[tuple[str, bytes]]) -> None:
    """Open more files in this session: their names and bytes; one that is open already stays as it is."""
    st.session_state[_UPLOADS] = dropped(files, st.session_state.get(_UPLOADS, ()))


def read_as(key: Hashable, format: str) -> None:
    """Read the file of this key by another reader from now on; `AUTOMATIC` for the one that knows it best."""
    st.session_state[_READ_AS] = {**_formats(), key: format}


def _formats() -> Formats:
    formats: Formats = st.session_state.get(_READ_AS, {})
    return formats


def _opened() -> _Open | None:
    opened: _Open | None = st.session_state.get(_OPEN)
    return opened


def _open(asked: Hashable, uploads: tuple[Upload, ...], formats: Formats, before: _Open | None) -> _Open:
    paths = paths_given()
    samples = not paths and not uploads
    look = _look(paths or (() if uploads else (str(samples_folder()),)))
    by_default = None if samples else read_as_given()
    files: Files = (
        *(_as_chosen(file, formats, by_default) for file in look.files),
        *(_as_chosen(upload, formats, None) for upload in uploads),
    )
    key = name_of((files, look.missing))
    shelf = _shelf()
    loading = shelf.libraries.find(key)
    if loading is None or loading.failed:
        reads = Reads(shelf.files, _reads(before))
        meter = Meter([file.size for file in files_to_read(files)])
        loading = Loading(lambda meter: read_library(files, look.missing, meter, reads, samples=samples), meter)
        shelf.libraries.keep(key, loading)
    limits = limits_given()
    watch = DiskWatch(look.stamps, lambda: _but_labels(stamps_of(paths, limits), look.stamps)) if paths else None
    return _Open(asked, key, loading, watch)


def _as_chosen(file: File, formats: Formats, by_default: str | None) -> File:
    return replace(file, format=formats.get(file.key, by_default) or None)


def _reads(before: _Open | None) -> Mapping[str, Read]:
    """What the files gave that a session had open before."""
    if before is None or before.loading.failed or not before.loading.is_done():
        return {}
    return before.loading.result().reads


def _look(paths: Iterable[str]) -> _Look:
    """Which files some paths stand for at this moment, and what of them cannot be found."""
    files, missing = [], []
    stamps: dict[str, tuple[int, int] | None] = {}
    seen: set[str] = set()
    for found in find_files(tuple(paths), limits_given()):
        if isinstance(found, Unread):
            missing.append(found)
            continue
        if _is_labels(found.path):
            continue
        stamps[found.path] = stamp(found.path)
        if (place := os.path.realpath(found.path)) not in seen:  # named twice, or inside a folder named as well
            seen.add(place)
            files.append(OnDisk(found.path, stamps[found.path], found.named))
    return _Look(tuple(files), tuple(missing), stamps)


def _but_labels(now: Stamps, before: Stamps) -> Stamps:
    """Files as they are now, but that of the labels as it was before: this app writes it itself."""
    others = {path: known for path, known in now.items() if not _is_labels(path)}
    return others | {path: known for path, known in before.items() if _is_labels(path)}


def _is_labels(path: str) -> bool:
    """Whether labels are kept in this file: it holds no run, wherever it lies."""
    labels = labels_given()
    return labels is not None and os.path.realpath(path) == os.path.realpath(labels)


@dataclass(frozen=True, slots=True)
class _Shelf:
    """What all sessions share."""

    libraries: LastUsed[Loading[Library]]
    files: LastUsed[Read]


@st.cache_resource(show_spinner=False)
def _shelf() -> _Shelf:
    return _Shelf(LastUsed(MOST_LIBRARIES), LastUsed(MOST_FILES))
