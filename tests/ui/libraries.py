"""What the tests of the pages open: trials written to a file and read back as a library."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from loopviz.readers import read_path
from loopviz.ui.choice import Choice
from loopviz.ui.library import Library
from loopviz.ui.runs_judged import Judged, Opened, all_runs, judge
from tests.ui.vally_trials import write

AS_RECORDED = Choice()


def library_of(folder: Path, records: Iterable[dict[str, Any]], *, threshold: float | None = 0.7) -> Library:
    """The library that holds these trials."""
    path = write(folder / "results.jsonl", records, threshold=threshold)
    return Library([read_path(path)], [], [], {}, samples=False)


def judged_runs(
    folder: Path, records: Iterable[dict[str, Any]], choice: Choice = AS_RECORDED, *, threshold: float | None = 0.7
) -> tuple[Opened, Judged]:
    """The trials as the Runs page has them."""
    opened = all_runs(library_of(folder, records, threshold=threshold))
    return opened, judge(opened.runs, None, choice)
