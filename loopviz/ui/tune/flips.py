"""The runs whose verdict differs between the settings in force and the candidate, and the whole set in short."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from loopviz.detectors.core.steps import MATCHES
from loopviz.detectors.max_repeat import MaxRepeatFinding
from loopviz.model import Trajectory
from loopviz.timeline.contract import CycleState
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label, Stretch
from loopviz.tuning.stretches import stretch_figures
from loopviz.tuning.words import counted
from loopviz.ui.runs_labels import labels_in_words
from loopviz.ui.runs_links import opening
from loopviz.ui.runs_table import letters_of
from loopviz.ui.tune.flip_columns import BY_FIGURES, COLUMNS, LABELLED_FIRST, Order, Value, headings, in_order
from loopviz.ui.tune.flip_figures import in_force, under_candidate
from loopviz.ui.tune.state import Tuned

Which = Literal["all", "fail", "pass"]
ROWS = 12
"""Flips that are shown at first."""
MORE = 200
"""How many more at a time."""
MOST_GROUPS = 5
"""Models that are named beside the fold."""


def show_flips(
    tuned: Tuned, labels: Sequence[Sequence[Label]], which: Which, order: Order = LABELLED_FIRST, *, most: int = ROWS
) -> dict[str, Any]:
    """What the script draws.

    Args:
        tuned: The runs and both settings.
        labels: What people say of each run.
        which: Runs that now fail, that now pass, or both.
        order: What the rows are sorted by.
        most: Rows that are shown.
    """
    fail, passing = tuned.newly_fail.tolist(), tuned.newly_pass.tolist()
    chosen = [*(fail if which != "pass" else ()), *(passing if which != "fail" else ())]
    chosen.sort(key=lambda run: not labels[run])  # those that people judged come first
    if column := order.column:
        chosen = in_order(chosen, _values(tuned, labels, chosen, column), descending=order.descending)
    shown = chosen[:most]
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
        "columns": headings(_there(tuned, labels, chosen), order),
        "rows": [_row(tuned, labels[run], run) for run in shown],
        "caption": _caption(len(shown), len(chosen), "labelled first" if order.column is None else "sorted as marked"),
        "more": _more(len(shown), len(chosen)),
    }


def _there(tuned: Tuned, labels: Sequence[Sequence[Label]], runs: Sequence[int]) -> set[str]:
    """The columns in which any of some runs has something, whatever order they stand in."""
    trajectories = [tuned.opened.runs.trajectories[run] for run in runs]
    said = [label for run in runs for label in labels[run]]
    there = {
        "trial": any(each.trial is not None for each in trajectories),
        "model": any(each.model for each in trajectories),
        "line": any(each.line for each in trajectories),
        "turn": any(each.n_turns for each in trajectories),
        "ended": any(each.outcome is not None for each in trajectories),
        "label": bool(said),
        "pin": any(label.pin for label in said),
    }
    return {column.key for column in COLUMNS if there.get(column.key, True)}


def _more(n_shown: int, n_rows: int) -> dict[str, str] | None:
    """The way to more rows: all of them, or as many more as a browser draws without a wait."""
    if n_shown == n_rows:
        return None
    if n_rows <= n_shown + MORE:
        return {"label": f"Show all {n_rows:,}", "action": f"rows={n_rows}"}
    return {"label": f"Show {MORE} more of {n_rows:,}", "action": f"rows={n_shown + MORE}"}


def _caption(n_shown: int, n_rows: int, order: str) -> str:
    if not n_rows:
        return "Both settings give every run the same verdict."
    return f"Rows 1–{n_shown:,} of {n_rows:,}, {order}. A click opens Inspect, with both settings at hand."


def _title(n_fail: int, n_pass: int) -> str:
    if not n_fail + n_pass:
        return "No run flips"
    words = [f"{n_fail:,} now fail{'s' if n_fail == 1 else ''}"] if n_fail else []
    words += [f"{n_pass:,} now pass{'es' if n_pass == 1 else ''}"] if n_pass else []
    return f"{counted(n_fail + n_pass, 'run')} flip{'s' if n_fail + n_pass == 1 else ''}: {', '.join(words)}"


def _row(tuned: Tuned, labels: Sequence[Label], run: int) -> dict[str, Any]:
    trajectory = tuned.opened.runs.trajectories[run]
    then, now = finding_under(tuned, run), tuned.judged.finding(run)
    failing = then if tuned.candidate_fails[run] else now
    call = None if failing is None else failing.first_failing_call
    turn = _turn(trajectory, call)
    return {
        "flip": "✗ now fails" if tuned.candidate_fails[run] else "✓ now passes",
        "stimulus": _name(trajectory),
        "trial": "" if trajectory.trial is None else f"{trajectory.trial + 1:,}",
        "model": trajectory.model or "",
        "line": f"{trajectory.line:,}" if trajectory.line else "",
        "turn": "" if turn is None else f"{turn + 1:,}",
        "call": "" if call is None else f"{call + 1:,}",
        "pattern": _pattern(failing),
        "current": "–" if now is None else f"{now.occurrences:,}",
        "candidate": f"{then.occurrences:,}",
        "ended": {True: "✓ well", False: "✗ badly", None: ""}[trajectory.outcome],
        "label": labels_in_words(labels),
        "pin": _pins(tuned, run, labels),
        "action": opening(run, call),
    }


def _whole(labels: Sequence[Label]) -> str:
    """What people say of a run as a whole."""
    return next((label.label for label in labels if label.calls is None), "")


def _values(
    tuned: Tuned, labels: Sequence[Sequence[Label]], runs: Sequence[int], column: str
) -> Callable[[int], Value | None]:
    """What a column sorts some runs by; None where it says nothing of one."""
    if column in BY_FIGURES:
        return _figures(tuned, runs, column)
    trajectories = tuned.opened.runs.trajectories
    values: dict[str, Callable[[int], Value | None]] = {
        "flip": lambda run: not tuned.candidate_fails[run],
        "stimulus": lambda run: (_name(trajectories[run]).casefold(), trajectories[run].trial or 0),
        "trial": lambda run: trajectories[run].trial,
        "model": lambda run: trajectories[run].model or None,
        "line": lambda run: trajectories[run].line or None,
        "ended": lambda run: trajectories[run].outcome,
        "label": lambda run: _whole(labels[run]) or None,
        "pin": lambda run: _pins(tuned, run, labels[run]) or None,
    }
    return values[column]


def _figures(tuned: Tuned, runs: Sequence[int], column: str) -> Callable[[int], Value | None]:
    """The same for the columns that tell what a detector found."""
    then, now = under_candidate(tuned), in_force(tuned, runs)
    fails = tuned.candidate_fails
    if column in ("current", "candidate"):
        occurrences = now.occurrences if column == "current" else then.occurrences
        return lambda run: int(occurrences[run])
    period, call = np.where(fails, then.period, now.period), np.where(fails, then.call, now.call)
    if column == "pattern":
        return lambda run: int(period[run]) or None
    if column == "call":
        return lambda run: None if call[run] < 0 else int(call[run])
    return lambda run: _turn(tuned.opened.runs.trajectories[run], None if call[run] < 0 else int(call[run]))


def _turn(trajectory: Trajectory, call: int | None) -> int | None:
    """The turn of a call, both from 0; None where there is none."""
    turn = -1 if call is None else int(trajectory.calls.turn[call])
    return None if turn < 0 else turn


def _name(trajectory: Trajectory) -> str:
    return trajectory.stimulus or trajectory.run


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
