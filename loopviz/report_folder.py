"""The folder that `loopviz report` writes of many runs: a page a run, and a list of them."""

from __future__ import annotations

from pathlib import Path

from loopviz.report.index import Entry, counts, entry, headline, make_index
from loopviz.report.names import INDEX, file_name, is_page_name
from loopviz.report.page import LISTED, make_page
from loopviz.report_runs import Asked, tell
from loopviz.status import say
from loopviz.whole_files import write_whole

NAMED = 5
"""How many pages are named that were removed."""
HEAD = 4_000
"""Characters from a page's beginning that hold the mark of its folder."""


def write_folder(folder: Path, asked: Asked) -> None:
    """Write it, and remove the pages of an earlier report that are not written again.

    Raises:
        Refused: where there is no run.
        OSError: if something cannot be written.
    """
    entries: list[Entry] = []
    taken: set[str] = set()
    for runs in asked.runs_by_file():
        for trajectory in runs:
            name = file_name(trajectory, asked.export, taken)
            taken.add(name)
            page = make_page(trajectory, asked.question, asked.export, index=INDEX)
            asked.count(page)
            write_whole(folder / name, page.html)
            entries.append(entry(page.document, name))
    write_whole(folder / INDEX, make_index(entries, asked.unread, asked.export))
    _remove_old_pages(folder, taken)
    reports = f"{len(entries):,} report{'' if len(entries) == 1 else 's'}"
    tell(f"Wrote {folder / INDEX} and {reports}: {f'{headline(entries)}. {counts(entries)}'.strip()}")


def _remove_old_pages(folder: Path, written: set[str]) -> None:
    """Remove the pages that an earlier report wrote into the folder: no list leads to them, and they may tell more."""
    old = [
        path
        for path in sorted(folder.iterdir())
        if path.name not in written and is_page_name(path.name) and _is_page_of_a_folder(path)
    ]
    for path in old:
        path.unlink()
    if old:
        names = ", ".join(path.name for path in old[:NAMED]) + (", …" if len(old) > NAMED else "")
        say(f"note: removed {len(old):,} page{'' if len(old) == 1 else 's'} of an earlier report: {names}")


def _is_page_of_a_folder(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with open(path, encoding="utf-8", errors="replace") as file:
        return f'<meta name="{LISTED}"' in file.read(HEAD)
