"""How both settings fit what people say: shares with intervals, the trade-off, and what a wrong stop would cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from loopviz.settings import MaxRepeatSettings, changed
from loopviz.timeline.facts import thousands
from loopviz.tuning.evidence import Evidence, Score, Source, score
from loopviz.tuning.stops import Cost, cost_of
from loopviz.tuning.wilson import Share
from loopviz.tuning.words import counted, fit_words
from loopviz.ui.runs_table import money
from loopviz.ui.tune.judging import Said, candidate_score
from loopviz.ui.tune.state import Tuned

CURVE = range(1, 11)
"""Limits along the curve."""
_WORDS: dict[Source, tuple[tuple[str, str], tuple[str, str]]] = {
    "labels": (("Loops found", "of all loops"), ("Good runs flagged", "of all good runs")),
    "outcomes": (
        ("Ended badly, flagged", "of all that ended badly"),
        ("Ended well, flagged", "of all that ended well"),
    ),
}
"""What the shares of runs caught, and of runs flagged wrongly, are called."""


def show_fit(tuned: Tuned, said: Said) -> dict[str, Any] | None:
    """Shares of loops found, of flags that are right, and of good runs flagged; None where nobody judged a run."""
    evidence = said.evidence
    if not len(evidence):
        return None
    then = candidate_score(tuned, said)
    loops, good = _WORDS[evidence.source]
    both = [("current", said.now), ("candidate", then)]
    return {
        "title": f"Against {counted(len(evidence), _noun(evidence))}",
        "caption": _caption(evidence),
        "rows": [
            _row(*loops, [(name, one.recall) for name, one in both]),
            _row("Flags that are right", "of all flags", [(name, one.precision) for name, one in both]),
            _row(*good, [(name, one.alarm_rate) for name, one in both]),
        ],
        "foot": " ".join(_foot(tuned, then)),
    }


def _noun(evidence: Evidence) -> str:
    return "labelled run" if evidence.source == "labels" else "recorded outcome"


def _caption(evidence: Evidence) -> str:
    loops, good = counted(evidence.n_loops, "loop"), counted(evidence.n_good, "good run")
    who = "labelled by people" if evidence.source == "labels" else "by recorded outcomes, which stand in for labels"
    if evidence.source == "outcomes":
        loops, good = f"{evidence.n_loops:,} that ended badly", f"{evidence.n_good:,} that ended well"
    left = (
        f" {counted(evidence.n_unusable, 'other')} cannot be counted, as no setting judges them."
        if evidence.n_unusable
        else ""
    )
    return f"{loops} and {good}, {who}. Lines are 95 % Wilson intervals.{left}"


def _foot(tuned: Tuned, told: Score) -> Iterator[str]:
    yield f"F1 of the candidate: {told.f1:.2f}."
    if tuned.current is None:
        yield "Current: each run under the graders that it has now."
    if told.elsewhere:
        fail = "fails" if told.elsewhere == 1 else "fail"
        yield f"{counted(told.elsewhere, 'run')} with a loop {fail} at another place; that is no hit."


def _row(title: str, of: str, shares: list[tuple[str, Share]]) -> dict[str, Any]:
    return {"title": title, "of": of, "lines": [_line(name, share) for name, share in shares]}


def _line(name: str, share: Share) -> dict[str, Any]:
    low, high = share.interval()
    value = share.value
    return {
        "name": name,
        "at": value,
        "low": low,
        "high": high,
        "count": f"{share.k:,} of {share.n:,}",
        "percent": "–" if value is None else f"{100 * value:.0f} %",
        "interval": f"{100 * low:.0f}–{100 * high:.0f} %",
    }


def show_curve(tuned: Tuned, said: Said) -> dict[str, Any] | None:
    """Loops found against good runs flagged, a dot for each limit; None where one of both is missing."""
    evidence = said.evidence
    if not evidence.n_loops or not evidence.n_good:
        return None
    loops, good = _WORDS[evidence.source]
    now = tuned.comparable
    curves = [
        _point("current", evidence, said.now) if now is None else _curve("current", evidence, now),
        _curve("candidate", evidence, tuned.candidate),
    ]
    return {
        "title": f"{loops[0]} against {good[0].lower()}".replace(", flagged against ended", " against ended"),
        "caption": " ".join(_legend(tuned)),
        "x": f"{good[0].lower()}, of {evidence.n_good:,}",
        "y": f"{loops[0].lower()}, of {evidence.n_loops:,}",
        "width": max(dot["x"] for curve in curves for dot in curve["dots"]),
        "height": evidence.n_loops,
        "curves": curves,
    }


def _legend(tuned: Tuned) -> Iterator[str]:
    yield "Each dot is one max from 1 to 10. Solid: the candidate’s pattern length and way of “same”."
    if len(tuned.entries) > 1:
        yield "Of the grader on the controls alone."
    yield "Hollow dot: what is in force now." if tuned.comparable is None else "Dashed: the current ones."


def _curve(name: str, evidence: Evidence, settings: MaxRepeatSettings) -> dict[str, Any]:
    limits = sorted({*CURVE, settings.max})
    told = [score(evidence, changed(settings, max=limit)) for limit in limits]
    return {
        "name": name,
        "label": f"{name}: max {settings.max}",
        "dots": [
            _dot(f"{name}, max {limit}", evidence, one, chosen=limit == settings.max)
            for limit, one in zip(limits, told, strict=True)
        ],
    }


def _point(name: str, evidence: Evidence, told: Score) -> dict[str, Any]:
    """Settings that are no one setting, as a dot by itself."""
    return {"name": name, "label": name, "dots": [_dot(name, evidence, told, chosen=True)]}


def _dot(name: str, evidence: Evidence, told: Score, *, chosen: bool) -> dict[str, Any]:
    tip = f"{name}: {fit_words(evidence, told)}"
    return {"x": told.false_alarms, "y": told.hits, "tip": tip, "chosen": chosen}


def show_cost(tuned: Tuned) -> dict[str, Any] | None:
    """What stopping runs that ended well would have cut; None where no run records how it ended."""
    outcomes = [each.outcome for each in tuned.opened.runs.trajectories]
    if all(outcome is None for outcome in outcomes):
        return None
    well = np.array([outcome is True for outcome in outcomes], dtype=np.bool_) & tuned.counts
    costs = []
    for name, fails in (("Current", tuned.current_fails), ("Candidate", tuned.candidate_fails)):
        costs.append((name, _cost(tuned, name, np.flatnonzero(well & fails), int(well.sum()))))
    return {
        "title": "What a wrong stop would cost",
        "caption": f"Recorded outcomes, not labels: {int(well.sum()):,} of {counted(int(tuned.counts.sum()), 'run')} "
        "ended well. Had a guard stopped them at the first detectable call:",
        "columns": [name for name, _ in costs],
        "rows": [
            {"title": "Runs that ended well and would fail", "cells": [f"{len(cost.run):,}" for _, cost in costs]},
            {"title": "Calls after that point", "cells": [f"{cost.calls:,}" for _, cost in costs]},
            {"title": "Tokens after it", "cells": [in_tokens(cost) for _, cost in costs]},
            {"title": "Recorded money after it", "cells": [in_money(cost) for _, cost in costs]},
        ],
    }


def _cost(tuned: Tuned, name: str, fails: np.ndarray, n_well: int) -> Cost:
    graders = (
        {run: [grader.settings for grader in tuned.judged.graders[run]] for run in fails.tolist()}
        if name == "Current"
        else {}
    )
    return cost_of(
        tuned.opened.runs, fails, lambda run: graders.get(run, tuned.graders), tuned.swept.unknown, n_well=n_well
    )


def in_tokens(cost: Cost) -> str:
    """Tokens after the stop, in words."""
    return _or_nothing(cost, cost.tokens, thousands, cost.n_with_tokens)


def in_money(cost: Cost) -> str:
    """Recorded money after it."""
    return _or_nothing(cost, cost.cost, lambda spent: f"${money(spent)}", cost.n_with_cost)


def _or_nothing(cost: Cost, figure: float | None, words: Callable[[Any], str], n_with: int) -> str:
    """A figure, and of how many of the runs it is where not all record it."""
    if not len(cost.run):
        return "0"
    if figure is None:
        return "not recorded"
    return words(figure) if n_with == len(cost.run) else f"{words(figure)} of {n_with:,} that tell{_s(n_with)} it"


def _s(number: int) -> str:
    """The ending of a verb that goes with so many."""
    return "s" if number == 1 else ""


def _none(number: int) -> str:
    """Runs that the bars leave out."""
    if not number:
        return ""
    return f"{counted(number, 'more run')} {'has' if number == 1 else 'have'} no step that counts."


def show_counts(tuned: Tuned) -> dict[str, Any]:
    """How often each figure occurs under the candidate's mode and longest pattern."""
    figures = tuned.swept.of(tuned.candidate.match, tuned.candidate.max_cycle_period)[tuned.swept.counts]
    counts = np.bincount(figures)
    last = len(counts) - 1
    shown = [int(figure) for figure in range(last + 1) if figure <= 20 or counts[figure]]
    limit = tuned.candidate.max
    n_fail = int((figures > limit).sum())
    return {
        "title": f"Times in a row, {counted(len(figures), 'run')}",
        "caption": "Under the candidate. Heights by square root; the numbers count.",
        "line": f"max {limit}: {n_fail:,} of {counted(len(figures), 'run')} fail →",
        "limit": limit,
        "bars": [
            {"figure": figure, "count": int(counts[figure]), "fails": figure > limit} for figure in shown if figure
        ],
        "none": _none(int(counts[0]) if len(counts) else 0),
    }
