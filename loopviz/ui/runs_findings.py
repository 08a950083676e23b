"""The runs worth a look first: what failed, where we and Vally differ, else what stands at its limit."""

from __future__ import annotations

from typing import Any

from loopviz.analysis.overview import FAIL, NOT_JUDGED, PASS
from loopviz.detectors.max_repeat import NAME, MaxRepeatFinding
from loopviz.model import Trajectory
from loopviz.terminal import safe
from loopviz.timeline.contract import CycleState
from loopviz.timeline.verdict import call_place, failing_sentence, pattern_parts, trial_in_words
from loopviz.timeline.words import allowed, number, spaced, text
from loopviz.ui.runs_facts import facts_of
from loopviz.ui.runs_filters import order
from loopviz.ui.runs_judged import Judged, Opened
from loopviz.ui.runs_links import opening, run_link
from loopviz.ui.runs_table import pattern_cell

MOST_FAILING = 5
MOST_NEAR = 3


def show_findings(opened: Opened, judged: Judged) -> dict[str, Any]:
    """What the component of that name draws: the items, and how many failing runs more there are."""
    found = judged.overview
    runs = order(facts_of(opened.runs), found)
    failing = runs[found.verdict[runs] == FAIL]
    differing = runs[(found.disagrees & (found.verdict == PASS))[runs]]
    shown = [*failing[:MOST_FAILING], *differing[: max(0, MOST_FAILING - len(failing))]]
    title = ""
    if not shown:
        title = "At the limit"
        near = (found.verdict == PASS) & (found.occurrences == found.limit) & (found.limit > 1)
        shown = list(runs[near[runs]][:MOST_NEAR])
    more = max(0, len(failing) - MOST_FAILING)
    return {
        "title": title if shown else "",
        "items": [_item(opened, judged, int(run)) for run in shown],
        "more": f"{number(more)} more {'fails' if more == 1 else 'fail'}" if more else "",
    }


def run_title(trajectory: Trajectory) -> str:
    """`fix-failing-test, trial 4`."""
    name = trajectory.run if trajectory.stimulus is None else trajectory.stimulus
    return name if trajectory.trial is None else f"{name}, trial {number(trajectory.trial + 1)}"


def run_and_model(trajectory: Trajectory) -> str:
    """`fix-failing-test, trial 4, small-3`: what tells runs apart where several models had the same task.

    It goes into sentences, so signs that turn the reading direction are spelled out.
    """
    return safe(", ".join(filter(None, (run_title(trajectory), trajectory.model))))


def _item(opened: Opened, judged: Judged, run: int) -> dict[str, Any]:
    trajectory, finding = judged.trajectories[run], judged.finding(run)
    assert finding is not None  # only judged runs are shown here
    call = finding.first_failing_call
    return {
        "pattern": pattern_cell(judged, run),
        "title": run_title(trajectory),
        "href": run_link(opened, judged, run),
        "action": opening(run),
        "mark": _mark(judged, run),
        "sentence": _sentence(finding),
        "place": None
        if call is None
        else {
            "text": call_place(trajectory, call),
            "href": run_link(opened, judged, run, call),
            "action": opening(run, call),
        },
        "trial": _trial(judged, run, finding.passed),
    }


def _sentence(finding: MaxRepeatFinding) -> list[Any]:
    if not finding.passed:
        parts = failing_sentence(finding)
    else:
        words = f"{number(finding.occurrences)} in a row; {allowed(finding.settings.max)}."
        named = pattern_parts(finding.pattern, CycleState.COUNTED) if finding.occurrences > 1 else []
        parts = [*named, text(f"at most {words}" if named else f"At most {words}")]
    return list(spaced([part for part in parts if part["kind"] != "swatch"]))


def _mark(judged: Judged, run: int) -> str:
    """`≠ Vally said PASS`, where the file says something else than we do."""
    found = judged.overview
    if not found.disagrees[run]:
        return ""
    said = int(found.said[run])
    if said in (NOT_JUDGED, int(found.verdict[run])):
        return "≠ Vally said otherwise of one grader"
    return f"≠ Vally said {'PASS' if said == PASS else 'FAIL'}"


def _trial(judged: Judged, run: int, passed: bool) -> str:
    """`max-repeat ✗ · trial passed 0.83 ≥ 0.70`; the grader by its own name where there are several."""
    grader = judged.grader(run)
    name = grader.name if grader and len(judged.graders[run]) > 1 else NAME
    words = f"{name} {'✓' if passed else '✗'}"
    trial = trial_in_words(judged.trajectories[run])
    return f"{words} · {trial}" if trial else words
