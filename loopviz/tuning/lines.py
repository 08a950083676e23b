"""What labels and an older config add to the lines of `loopviz grade`.

Source: CLI.md, "Other sub-commands".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from loopviz.analysis.lines import Line, Question, address
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import MATCHES
from loopviz.evalspec import GraderSpec
from loopviz.patterns import PatternError
from loopviz.tuning.labels import LOOP, Label, Stretch
from loopviz.tuning.stretches import stretch_figures

PIN = "pin"


def pin_lines(runs: RunSet, labels: Sequence[Sequence[Label]], question: Question) -> Iterator[Line]:
    """A line for each pin: it passes when a loop is flagged by any grader, or what is none by no grader.

    Args:
        runs: The runs.
        labels: What people say of each, as `applying.apply` gives it.
        question: What the runs are judged by.
    """
    for run, own in enumerate(labels):
        for label in own:
            if label.pin and label.calls is not None:
                yield _pin_line(runs, run, label, label.calls, question)


def pin_name(label: Label) -> str:
    """`loop at calls 30 to 58`."""
    first, last = label.calls or (0, 0)
    return f"{label.label} at calls {first} to {last}"


def _pin_line(runs: RunSet, run: int, label: Label, stretch: Stretch, question: Question) -> Line:
    trajectory = runs.trajectories[run]
    head = {
        "source": trajectory.source.name,
        "run": trajectory.run,
        "format": trajectory.source.format,
        "grader": PIN,
        "name": pin_name(label),
    }
    said = {"label": label.label, "calls": list(stretch), "note": label.note}
    rest: Line = {"recorded": None, "at": address(trajectory, stretch[0] - 1), "problems": []}
    choice = question.graders_of(trajectory)
    graders = [grader for grader in choice.graders if grader.settings is not None]
    reason = trajectory.not_judged or (choice.missing or "no grader can be used" if not graders else None)
    try:
        times = None if reason else max(_times(runs, run, stretch, grader, question) for grader in graders)
    except PatternError as error:
        reason, times = str(error), None
    if times is None:
        return {**head, "passed": None, "score": None, "evidence": f"Not checked: {reason}", "metadata": None, **rest}
    over, occurrences = times
    passed = (over > 0) == (label.label == LOOP)
    evidence = _evidence(label, stretch, flagged=over > 0, occurrences=occurrences)
    metadata = {**said, "flagged": over > 0, "occurrences": occurrences}
    return {**head, "passed": passed, "score": int(passed), "evidence": evidence, "metadata": metadata, **rest}


def _times(runs: RunSet, run: int, stretch: Stretch, grader: GraderSpec, question: Question) -> tuple[int, int]:
    """(by how much the stretch is over the grader's limit, times in a row)."""
    assert grader.settings is not None
    settings = grader.settings
    figures = stretch_figures(runs.max_repeat(settings.tools, question.unknown_in_force), run, stretch)
    times = int(figures[MATCHES.index(settings.match), settings.max_cycle_period - 1])
    return times - settings.max, times


def _evidence(label: Label, stretch: Stretch, *, flagged: bool, occurrences: int) -> str:
    where = f"Calls {stretch[0]} to {stretch[1]}"
    if label.label == LOOP:
        done = "are caught" if flagged else "are missed: they must be caught"
    else:
        done = "are flagged: they must be left alone" if flagged else "are left alone"
    return f"{where} {done}; at most {occurrences} in a row there."


@dataclass(frozen=True, slots=True)
class Flip:
    """A run whose verdict, all its graders together, is another than under the older config."""

    source: str
    run: str
    passed: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """Lines of one file beside what an older config says."""

    lines: tuple[Line, ...]
    """Each with `baseline`; null where the older config has no grader of that kind for the run."""
    flips: tuple[Flip, ...]
    unusable: tuple[str, ...]
    """What the older config could not judge, as sentences."""


def with_baseline(lines: Iterable[Line], before: Iterable[Line]) -> Compared:
    """Hold the lines of one file against those of an older config.

    Graders of a run are paired by name, or, where both sides have as many of a kind, by their order; else a line stands
    beside the verdict of all older graders of its kind.
    """
    new, old = _by_run(lines), _by_run(before)
    told, flips, unusable = [], [], []
    for run, own in new.items():
        others = old.get(run, [])
        told += [{**line, "baseline": _before(line, own, others)} for line in own]
        now, then = _together(own), _together(others)
        if now is not None and then is not None and now != then:
            flips.append(Flip(own[0]["source"], run, now))
        if now is not None and then is None:
            reasons = [line["evidence"] for line in others if line["passed"] is None] or ["it has no grader for it."]
            unusable.append(f"{own[0]['source']} {run}: the baseline says nothing: {reasons[0]}")
    return Compared(tuple(told), tuple(flips), tuple(unusable))


def _by_run(lines: Iterable[Line]) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line["run"], []).append(line)
    return found


def _before(line: Line, own: Sequence[Line], before: Sequence[Line]) -> Line | None:
    mine, others = ([one for one in side if one["grader"] == line["grader"]] for side in (own, before))
    named = [other for other in others if other["name"] == line["name"]]
    if len(mine) == len(others):
        named = named or [others[mine.index(line)]]
    if named:
        return _told(named[0])
    return {"passed": _together(others), "occurrences": None} if others else None


def _together(lines: Sequence[Line]) -> bool | None:
    """Whether all of a run's graders pass; None where one could not judge, or there is none."""
    verdicts = [line["passed"] for line in lines]
    return None if not verdicts or None in verdicts else all(verdicts)


def _told(line: Line) -> Line:
    metadata = line["metadata"] or {}
    return {"passed": line["passed"], "occurrences": metadata.get("occurrences")}
