"""Which runs are tuned on, what judges them now, and what would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import streamlit as st

from loopviz.analysis.overview import FAIL, NOT_JUDGED, Graders
from loopviz.model import BoolArray, IntArray
from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.graders import Entry
from loopviz.tuning.sweep import JUDGED, Sweep, sweep
from loopviz.ui import choice as choices
from loopviz.ui.choice import EXAMPLE, Choice
from loopviz.ui.first_start import part_in_sight, runs_of_part
from loopviz.ui.library import Library
from loopviz.ui.runs_judged import Judged, Opened, all_runs, judge
from loopviz.ui.tune import grader_list

_MEMBERS = "tune.members"
_CANDIDATE = "tune.candidate"
"""The settings that were last chosen for all runs: they stay the candidate when runs are judged as recorded again."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Tuned:
    """Some runs under the graders in force for each run now, and under the candidate for all."""

    opened: Opened
    judged: Judged
    """What each run's own graders say; they are what is in force now."""
    entries: tuple[Entry, ...]
    """The candidate: one grader, or several that must all pass."""
    chosen: int
    """The grader on the controls and in the grids."""
    sweeps: tuple[Sweep, ...]
    """Every setting under the tool filter of each of them; the same runs count in all."""

    @property
    def n_runs(self) -> int:
        """How many runs there are, those that do not count among them."""
        return len(self.opened.runs)

    @property
    def candidate(self) -> MaxRepeatSettings:
        """The settings of the grader on the controls."""
        return self.entries[self.chosen].settings

    @property
    def swept(self) -> Sweep:
        """Every setting under its tool filter."""
        return self.sweeps[self.chosen]

    @property
    def in_force(self) -> tuple[tuple[Entry, Sweep], ...]:
        """The graders that are on."""
        both = zip(self.entries, self.sweeps, strict=True)
        return tuple((entry, swept) for entry, swept in both if entry.on)

    @property
    def graders(self) -> tuple[MaxRepeatSettings, ...]:
        """The settings of those that are on."""
        return tuple(entry.settings for entry, _ in self.in_force)

    @cached_property
    def counts(self) -> BoolArray:
        """Runs that are judged now and would be, shape (n_runs,)."""
        counts: BoolArray = self.swept.counts & (self.judged.overview.verdict != NOT_JUDGED)
        return counts

    @cached_property
    def current_fails(self) -> BoolArray:
        """Runs that count and fail now, shape (n_runs,)."""
        fails: BoolArray = self.counts & (self.judged.overview.verdict == FAIL)
        return fails

    @cached_property
    def candidate_fails(self) -> BoolArray:
        """Runs that count and would fail, shape (n_runs,)."""
        return self.fail_under(self.in_force)

    def fail_under(self, graders: Sequence[tuple[Entry, Sweep]]) -> BoolArray:
        """Runs that count and fail under any of some graders, shape (n_runs,)."""
        fails = np.zeros(self.n_runs, dtype=np.bool_)
        for entry, swept in graders:
            fails |= swept.fails(entry.settings)
        both: BoolArray = fails & self.counts
        return both

    @property
    def newly_fail(self) -> IntArray:
        """Runs that pass now and would fail, ascending."""
        return np.flatnonzero(self.candidate_fails & ~self.current_fails)

    @property
    def newly_pass(self) -> IntArray:
        """Runs that fail now and would pass, ascending."""
        return np.flatnonzero(self.current_fails & ~self.candidate_fails)

    @cached_property
    def graders_now(self) -> tuple[Graders, ...]:
        """The graders in force now, once each, of the runs that count."""
        return tuple(
            {own: None for own, counts in zip(self.judged.graders, self.counts.tolist(), strict=True) if counts}
        )

    @property
    def settings_now(self) -> tuple[tuple[MaxRepeatSettings, ...], ...]:
        """What each run is judged by now, shape (n_runs,); nothing for those that do not count."""
        both = zip(self.judged.graders, self.counts.tolist(), strict=True)
        return tuple(tuple(grader.settings for grader in own) if counts else () for own, counts in both)

    @cached_property
    def current(self) -> MaxRepeatSettings | None:
        """The settings in force now, where all graders of all runs have the same."""
        settings = {grader.settings for own in self.graders_now for grader in own}
        return next(iter(settings)) if len(settings) == 1 else None

    @property
    def comparable(self) -> MaxRepeatSettings | None:
        """The same, where figures under the tool filter of the grids tell what it says."""
        return self.current if self.current is not None and self.current.tools == self.swept.tools else None


def tuned(library: Library) -> Tuned:
    """What the page is about, from the runs that were picked and the settings of this session.

    Raises:
        PatternError: if a tool pattern of the candidate is refused.
    """
    opened = picked(library)
    choice = choices.current()
    judged = judge(opened.runs, library.spec, replace(choice, own=None))
    if choice.own is not None:
        st.session_state[_CANDIDATE] = choice.own
    entries, chosen = grader_list.entries(st.session_state.get(_CANDIDATE) or usual(judged))
    filters = tuple(entry.settings.tools for entry in entries)
    key = ("sweeps", filters, tuple(entry.on for entry in entries), choice.unknown, chosen)
    sweeps = opened.runs.kept.get(key, lambda: _sweeps(opened, entries, chosen))
    return Tuned(opened=opened, judged=judged, entries=entries, chosen=chosen, sweeps=sweeps)


def linked() -> Choice:
    """What the address of the page says: the candidate, also while runs are judged as recorded."""
    now = choices.current()
    return now if now.own is not None else replace(now, own=st.session_state.get(_CANDIDATE))


def _sweeps(opened: Opened, entries: Sequence[Entry], chosen: int) -> tuple[Sweep, ...]:
    """A sweep for each grader; runs that stay out under one that counts stay out of all."""
    unknown = choices.current().unknown
    found = [sweep(opened.runs, entry.settings.tools, unknown) for entry in entries]
    deciding = [swept for place, swept in enumerate(found) if entries[place].on or place == chosen]
    reasons = tuple(next(filter(None, each), JUDGED) for each in zip(*(one.reasons for one in deciding), strict=True))
    return tuple(replace(swept, reasons=reasons) for swept in found)


def usual(judged: Judged) -> MaxRepeatSettings:
    """The settings that judge most runs; Vally's example where none does."""
    counted = Counter(own[0].settings for own in judged.graders if own)
    return counted.most_common(1)[0][0] if counted else EXAMPLE


def picked(library: Library) -> Opened:
    """The runs that were picked on Runs; all that are open where none were, or others are open since."""
    kept: tuple[str, tuple[int, ...]] | None = st.session_state.get(_MEMBERS)
    if kept is None or kept[0] != _name(library):
        part = part_in_sight(library)
        return runs_of_part(library, part) if part else all_runs(library)
    return Opened(library=library, runs=library.together(kept[1]), members=kept[1])


def pick(library: Library, members: Sequence[int] | None) -> None:
    """Tune on some runs from now on, given by their places in the library; None for all."""
    if members is None or len(members) == len(library.trajectories):
        st.session_state.pop(_MEMBERS, None)
    else:
        st.session_state[_MEMBERS] = _name(library), tuple(members)


def _name(library: Library) -> str:
    """What tells a library from another with other runs."""
    return f"{len(library.trajectories)} {library.key(0)} {library.key(len(library.trajectories) - 1)}"
