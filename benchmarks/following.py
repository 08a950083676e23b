"""Item m: what a new call costs in a session that is followed, short or long."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from benchmarks.formats import story_of
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Unit
from benchmarks.timing import timed
from loopviz.analysis.lines import Question
from loopviz.config import Overrides
from loopviz.following.asking import Asked
from loopviz.following.follower import Follower
from tests.readers.contract import FORMATS

AT_MOST = 1.5
TOGETHER = 4
"""Lines that are new at each look."""
SESSIONS = ("claude.session", "codex.rollout", "copilot.events")
ASKED = Asked(question=Question(overrides=Overrides(max=3, max_cycle_period=10)))


def item_m(folder: Path, sizes: Sizes) -> list[Row]:
    """Follow sessions of several lengths, and let each grow by a few lines at a time."""
    return [_row(format, folder, sizes) for format in SESSIONS]


def _row(format: str, folder: Path, sizes: Sizes) -> Row:
    growing = [_Growing(format, folder / f"{n_calls}.jsonl", n_calls, sizes) for n_calls in sizes.followed]
    for _ in range(0, sizes.new_lines, TOGETHER):  # in turn, so that a hiccup of the machine meets all of them
        for one in growing:
            one.grow()
    costs = [1e6 * one.cost_s() for one in growing]
    return Row(
        item="m",
        what=f"follow {format} of {', '.join(f'{n:,}' for n in sizes.followed)} calls: cost per new call",
        unit=Unit.SPREAD,
        bound=AT_MOST,
        figure=max(costs) / min(costs),
        seconds=f"{', '.join(f'{cost:.3g}' for cost in costs)} µs a call",
    )


class _Growing:
    """A session that is followed, and what each look cost at which some lines were new."""

    def __init__(self, format: str, path: Path, n_calls: int, sizes: Sizes) -> None:
        self._path = path
        lines = _lines(format, n_calls + sizes.new_lines)
        n_old = len(lines) - sizes.new_lines
        self._new = [b"".join(lines[at : at + TOGETHER]) for at in range(n_old, len(lines), TOGETHER)]
        path.write_bytes(b"".join(lines[:n_old]))
        self._follower = Follower(str(path), ASKED)
        self._follower.poll()
        self._n_before = self._n_calls()
        self._looks_s: list[float] = []

    def grow(self) -> None:
        """Write the next lines, and look at the file."""
        with self._path.open("ab") as file:
            file.write(self._new[len(self._looks_s)])
        self._looks_s.append(timed(self._follower.poll)[0])

    def cost_s(self) -> float:
        """Processor seconds of a new call: half of the looks took no more for each."""
        return median(self._looks_s) * len(self._looks_s) / (self._n_calls() - self._n_before)

    def _n_calls(self) -> int:
        loaded = self._follower.loaded()
        return 0 if loaded is None else sum(len(run.calls) for run in loaded.trajectories)


def _lines(format: str, least_calls: int) -> list[bytes]:
    """The lines of a session of so many calls at least, which is a turn each and mostly a call each."""
    write = next(each.write for each in FORMATS if each.name == format)
    return write([story_of(0, least_calls)]).splitlines(keepends=True)
