"""The runs whose verdict differs between the settings in force and the candidate, and the whole set in short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from loopviz.detectors.core.steps import MATCHES
from loopviz.detectors.max_repeat import MaxRepeatFinding
from loopviz.timeline.contract import CycleState
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label, Stretch
from loopviz.tuning.stretches import stretch_figures
from loopviz.tuning.words import counted
from loopviz.ui.runs_links import opening
from loopviz.ui.runs_table import letters_of
from loopviz.ui.tune.state import Tuned

Which = Literal["all", "fail", "pass"]
ROWS = 12
"""Flips that are shown at first."""
MOST_GROUPS = 5
"""Models that are named beside the fold."""


def show_flips(tuned: Tuned, labels: Sequence[Sequence[Label]], which: Which, *, everything: bool) -> dict[str, Any]:
    """What the script draws.

    Args:
        tuned: The runs and both settings.
        labels: What people say of each run.
        which: Runs that now fail, that now pass, or both.
        everything: Show every row, not only the first few.
    """
    fail, passing = tuned.newly_fail.tolist(), tuned.newly_pass.tolist()
    chosen = [*(fail if which != "pass" else ()), *(passing if which != "fail" else ())]
    chosen.sort(key=lambda run: not labels[run])  # those that people judged come first
    shown = chosen if everything else chosen[:ROWS]
    n_flips = len(fail) + len(passing)
    return {
        "title": _title(len(fail), len(passing)),
        "tabs": [
            {"label": f"all {n_flips:,}", "action": "flips=all", "on": which == "all"},
            {"label": f"now fail {len(fail):,}", "action": "flips=fail", "on": which == "fail"},
            {"label": f"now pass {len(passing):,}", "action": "flips=pass", "on": which == "pass"},
        ]
        if n_flips
        else [],
        "rows": [_row(tuned, labels[run], run) for run in shown],
        "caption": _caption(len(shown), len(chosen)),
        "more": {"label": f"Show all {len(chosen):,}", "action": "rows=all"} if len(shown) < len(chosen) else None,
    }


def _caption(n_shown: int, n_rows: int) -> str:
    if not n_rows:
        return "Both settings give every run the same verdict."
    return f"Rows 1–{n_shown:,} of {n_rows:,}, labelled first. A click opens Inspect, with both settings at hand."


def _title(n_fail: int, n_pass: int) -> str:
    if not n_fail + n_pass:
        return "No run flips"
    words = [f"{n_fail:,} now fail{'s' if n_fail == 1 else ''}"] if n_fail else []
    words += [f"{n_pass:,} now pass{'es' if n_pass == 1 else ''}"] if n_pass else []
    return f"{counted(n_fail + n_pass, 'run')} flip{'s' if n_fail + n_pass == 1 else ''}: {', '.join(words)}"


def _row(tuned: Tuned, labels: Sequence[Label], run: int) -> dict[str, Any]:
    trajectory = tuned.opened.runs.trajectories[run]
    now_fails = bool(tuned.candidate_fails[run])
    then, now = finding_under(tuned, run), tuned.judged.finding(run)
    failing = then if now_fails else now
    call = None if failing is None else failing.first_failing_call
    calls = trajectory.calls
    turn = -1 if call is None else int(calls.turn[call])
    whole = next((label for label in labels if label.calls is None), None)
    return {
        "flip": "✗ now fails" if now_fails else "✓ now passes",
        "stimulus": trajectory.stimulus or trajectory.run,
        "trial": "" if trajectory.trial is None else f"{trajectory.trial + 1:,}",
        "model": trajectory.model or "",
        "line": f"{trajectory.line:,}" if trajectory.line else "",
        "turn": "" if turn < 0 else f"{turn + 1:,}",
        "call": "" if call is None else f"{call + 1:,}",
        "pattern": _pattern(failing),
        "current": "–" if now is None else f"{now.occurrences:,}",
        "candidate": f"{then.occurrences:,}",
        "ended": {True: "✓ well", False: "✗ badly", None: ""}[trajectory.outcome],
        "label": whole.label if whole else "",
        "pin": _pins(tuned, run, labels),
        "action": opening(run, call),
    }


def finding_under(tuned: Tuned, run: int) -> MaxRepeatFinding:
    """What the candidate says of a run: the grader that is furthest over its limit, or has the least room left."""
    runs, unknown = tuned.opened.runs, tuned.swept.unknown
    findings = [runs.max_repeat(one.tools, unknown).judge(run, one) for one in tuned.graders]
    return max(findings, key=lambda finding: finding.occurrences - finding.settings.max)


def _pattern(finding: MaxRepeatFinding | None) -> dict[str, Any]:
    if finding is None or not finding.occurrences:
        return {"letters": [], "period": 0, "state": CycleState.COUNTED, "text": "", "tip": ""}
    return letters_of(finding.pattern, finding.occurrences, fails=not finding.passed)


def _pins(tuned: Tuned, run: int, labels: Sequence[Label]) -> str:
    """What is pinned in a run, and whether the candidate keeps it: `✓ must be caught`."""
    holds: dict[str, bool] = {}
    for label in labels:
        if label.pin and label.calls is not None:
            kept = _is_flagged(tuned, run, label.calls) == (label.label == LOOP)
            holds[label.label] = holds.get(label.label, True) and kept
    words: dict[str, str] = {LOOP: "must be caught", NOT_A_LOOP: "must not be flagged"}
    return " · ".join(f"{'✓' if kept else '✗'} {words[verdict]}" for verdict, kept in holds.items())


def _is_flagged(tuned: Tuned, run: int, calls: Stretch) -> bool:
    """Whether any grader of the candidate flags a stretch."""
    runs, unknown = tuned.opened.runs, tuned.swept.unknown
    return any(
        stretch_figures(runs.max_repeat(one.tools, unknown), run, calls)[
            MATCHES.index(one.match), one.max_cycle_period - 1
        ]
        > one.max
        for one in tuned.graders
    )


def show_groups(tuned: Tuned) -> dict[str, Any]:
    """How many runs would fail of each model and each stimulus, k of n trials."""
    trajectories = tuned.opened.runs.trajectories
    tables = []
    for title, names in (
        ("Model", [each.model for each in trajectories]),
        ("Stimulus", [each.stimulus for each in trajectories]),
    ):
        groups = _group(tuned, names)
        if len(groups) > 1:
            tables.append((title, groups))
    return {
        "title": "By model and stimulus",
        "summary": "; ".join(_in_short(title, groups) for title, groups in tables),
        "tables": [{"title": title, "rows": [group.row() for group in groups]} for title, groups in tables],
    }


@dataclass(frozen=True, slots=True)
class _Group:
    """Runs of one model or stimulus that count."""

    name: str
    n: int
    current: int
    candidate: int

    def row(self) -> dict[str, Any]:
        return {
            "name": self.name or "not recorded",
            "current": f"{self.current:,} of {self.n:,}",
            "candidate": f"{self.candidate:,} of {self.n:,}",
            "differs": self.current != self.candidate,
        }


def _in_short(title: str, groups: Sequence[_Group]) -> str:
    """`small-3 17 of 195 · large-3 8 of 195`; of many, in how many any fails."""
    if len(groups) > MOST_GROUPS:
        failing = sum(group.candidate > 0 for group in groups)
        return f"failing in {failing:,} of {len(groups):,} {'models' if title == 'Model' else 'stimuli'}"
    return " · ".join(f"{group.name or 'not recorded'} {group.candidate:,} of {group.n:,}" for group in groups)


def _group(tuned: Tuned, names: Sequence[str | None]) -> list[_Group]:
    """The groups, those that would fail most first."""
    members: dict[str, list[int]] = {}
    for run in np.flatnonzero(tuned.counts).tolist():
        members.setdefault(names[run] or "", []).append(run)
    groups = [
        _Group(
            name,
            len(runs),
            int(np.count_nonzero(tuned.current_fails[runs])),
            int(np.count_nonzero(tuned.candidate_fails[runs])),
        )
        for name, runs in members.items()
    ]
    return sorted(groups, key=lambda group: (-group.candidate, -group.current, group.name))
