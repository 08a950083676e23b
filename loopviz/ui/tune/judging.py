"""What settings are held against: labels, recorded outcomes in their place, pins; and the suggestion from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from loopviz.model import BoolArray
from loopviz.tuning.evidence import Evidence, Score, Source, from_labels, from_outcomes, score, score_together
from loopviz.tuning.in_force import own_pins, own_score
from loopviz.tuning.labels import Label
from loopviz.tuning.pins import Pins, find_pins
from loopviz.tuning.suggest import Suggestion, suggest
from loopviz.ui.library import Library
from loopviz.ui.tune import keeping
from loopviz.ui.tune.state import Tuned

SOURCE = "tune.source"
WORDS: dict[Source, str] = {"labels": "labels", "outcomes": "recorded outcomes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is known of the runs of the page."""

    kept: keeping.Kept
    """What is said of all runs that are open."""
    labels: tuple[tuple[Label, ...], ...]
    """Of each run of the page."""
    evidence: Evidence
    """What people or outcomes say, under the tool filter of the grader on the controls."""
    of_each: tuple[Evidence, ...]
    """The same under the filter of each grader."""
    pins: Pins
    pins_of_each: tuple[Pins, ...]
    now: Score
    """How what is in force now fits."""
    pins_now: BoolArray
    """Which pins it keeps, shape (n_pins,)."""
    suggestion: Suggestion | None
    can_stand_in: bool
    """Whether any run records how it ended."""

    @property
    def n_labelled(self) -> int:
        """How many runs people said something of."""
        return sum(map(bool, self.labels))

    @property
    def n_used(self) -> int:
        """How many labels are of these runs as they are; copies of a run share theirs."""
        return len({label.key for own in self.labels for label in own})


def said(library: Library, tuned: Tuned) -> Said:
    """Gather what is known; kept while neither labels nor figures change."""
    kept = keeping.now(library)
    labels = tuple(kept.applied.of_run[member] for member in tuned.opened.members)
    trajectories = tuned.opened.runs.trajectories
    can_stand_in = any(each.outcome is not None for each in trajectories)
    source = source_in_force(has_labels=any(labels), can_stand_in=can_stand_in)
    filters = tuple((entry.settings.tools, entry.on) for entry in tuned.entries)
    key = ("said", source, labels, filters, tuned.chosen, tuned.swept.unknown)
    evidence, pins, now, pins_now, suggestion = tuned.opened.runs.kept.get(
        key, lambda: _work_out(tuned, labels, source)
    )
    return Said(
        kept=kept,
        labels=labels,
        evidence=evidence[tuned.chosen],
        of_each=evidence,
        pins=pins[tuned.chosen],
        pins_of_each=pins,
        now=now,
        pins_now=pins_now,
        suggestion=suggestion,
        can_stand_in=can_stand_in,
    )


def source_in_force(*, has_labels: bool, can_stand_in: bool) -> Source:
    """What the person chose to judge by; without a choice labels, or outcomes where there are none."""
    chosen: Source | None = st.session_state.get(SOURCE)
    return chosen or ("outcomes" if can_stand_in and not has_labels else "labels")


def _work_out(
    tuned: Tuned, labels: Sequence[Sequence[Label]], source: Source
) -> tuple[tuple[Evidence, ...], tuple[Pins, ...], Score, BoolArray, Suggestion | None]:
    """Evidence and pins under each grader's filter, how current settings fit, and the suggestion for the candidate."""
    runs = tuned.opened.runs
    evidence = tuple(
        from_labels(runs, swept, labels) if source == "labels" else from_outcomes(runs, swept) for swept in tuned.sweeps
    )
    pins = tuple(find_pins(runs, swept, labels) for swept in tuned.sweeps)
    told, pinned = evidence[tuned.chosen], pins[tuned.chosen]
    now, pins_now = current_score(tuned, told, labels), current_pins(tuned, pinned)
    return evidence, pins, now, pins_now, suggest(told, pinned, tuned.swept.tools)


def current_score(tuned: Tuned, evidence: Evidence, labels: Sequence[Sequence[Label]]) -> Score:
    """How what is in force now fits, whether it is one setting or differs from run to run."""
    if tuned.comparable is not None:
        return score(evidence, tuned.comparable)
    return own_score(tuned.opened.runs, evidence, labels, tuned.settings_now, tuned.swept.unknown)


def current_pins(tuned: Tuned, pins: Pins) -> BoolArray:
    """Which pins it keeps, shape (n_pins,)."""
    if tuned.comparable is not None:
        return pins.holds(tuned.comparable)
    return own_pins(tuned.opened.runs, pins, tuned.settings_now, tuned.swept.unknown)


def worth_taking(said: Said) -> bool:
    """Whether the suggestion is one to offer: enough speaks for it, or at least people do, and good runs are let be."""
    suggestion = said.suggestion
    if suggestion is None:
        return False
    return suggestion.enough or (said.evidence.source == "labels" and not suggestion.flags_most)


def candidate_score(tuned: Tuned, said: Said) -> Score:
    """How the candidate fits, all its graders that are on together."""
    return score_together(
        [(evidence, entry.settings) for entry, evidence in zip(tuned.entries, said.of_each, strict=True) if entry.on]
    )


def pins_held(tuned: Tuned, said: Said) -> BoolArray:
    """Which pins the candidate keeps, shape (n_pins,): flagged by any grader that is on where a loop is pinned."""
    flagged = np.zeros(len(said.pins), dtype=np.bool_)
    for entry, pins in zip(tuned.entries, said.pins_of_each, strict=True):
        if entry.on:
            flagged |= pins.flagged(entry.settings)
    holds: BoolArray = flagged == said.pins.wanted
    return holds
