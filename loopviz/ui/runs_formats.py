"""Which reader reads each open file, and the choice of another one, which holds while the session lasts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

from loopviz.model import Loaded
from loopviz.readers import READERS
from loopviz.timeline.words import number
from loopviz.ui.library import Library
from loopviz.ui.opening import AUTOMATIC, read_as

FORMATS = sorted((reader.name, f"{reader.name} · {reader.title}") for reader in READERS)
"""What a person may choose: the name, as the command line takes it, and what to call it."""

Cell = dict[str, Any]


def format_cell(library: Library, place: int, found: str = "") -> Cell:
    """The control that says how a file is read, and changes it.

    Args:
        library: What is open.
        place: Of the file among those that are open.
        found: The reader that knows it best, where it is read by that.
    """
    file = library.files[place]
    automatic = f"automatic: {found}" if found and file.format is None else "automatic"
    return {"file": place, "chosen": file.format or AUTOMATIC, "automatic": automatic, "label": f"Read {file.path} as"}


def places_by_path(library: Library) -> dict[str, int]:
    """Where each file stands among those that are open, by what it is called."""
    return {file.path: place for place, file in enumerate(library.files)}


def rows_of_read(library: Library, most: int) -> tuple[int, list[tuple[str, str, Cell]]]:
    """(how many files were read, a row for each of the first): name, what it held, how it is read.

    Those whose reader the person chose come first.
    """
    place = {id(file): at for at, file in enumerate(library.files)}
    held: defaultdict[int, list[Loaded]] = defaultdict(list)
    for loaded in library.loaded:
        file = library.file_of(loaded.source)
        if file is not None:
            held[place[id(file)]].append(loaded)
    in_order = sorted(held, key=lambda at: (library.files[at].format is None, at))
    return len(held), [
        (library.files[at].path, _held(held[at]), format_cell(library, at, _format(held[at]))) for at in in_order[:most]
    ]


def choose_format(library: Library, action: str | None) -> bool:
    """Do what was chosen, `file=3&format=atif`; whether anything was."""
    fields = dict(parse_qsl(action or "", keep_blank_values=True))
    if "format" not in fields:
        return False
    read_as(library.files[int(fields["file"])].key, fields["format"])
    return True


def _held(files: Sequence[Loaded]) -> str:
    runs = sum(len(file.trajectories) for file in files)
    words = f"{number(runs)} run{'' if runs == 1 else 's'}"
    return f"{words} in {number(len(files))} files" if len(files) > 1 else words


def _format(files: Sequence[Loaded]) -> str:
    """The reader that read a file; none where several read parts of it."""
    names = {file.source.format for file in files}
    return names.pop() if len(names) == 1 else ""
