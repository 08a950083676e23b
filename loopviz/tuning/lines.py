"""What labels and an older config add to the lines of `loopviz grade`.

Source: CLI.md, "Other sub-commands".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

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
        labels: What people say of each, as `labels.apply` gives it.
        question: What the runs are judged by.
    """
    for run, own in enumerate(labels):
        for label in own:
            if label.pin and label.calls is not None:
                yield _pin_line(runs, run, label, label.calls, question)


def _pin_line(runs: RunSet, run: int, label: Label, stretch: Stretch, question: Question) -> Line:
    trajectory = runs.trajectories[run]
    head = {
        "source": trajectory.source.name,
        "run": trajectory.run,
        "format": trajectory.source.format,
        "grader": PIN,
        "name": f"{label.label} at calls {stretch[0]} to {stretch[1]}",
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


def with_baseline(lines: Iterable[Line], before: Iterable[Line]) -> Iterator[Line]:
    """Lines of one file with what an older config says beside each; null where it has no such grader for the run.

    Graders are paired by name within a run, or where each side has one of a kind, by that.
    """
    old: dict[str, list[Line]] = {}
    for line in before:
        old.setdefault(line["run"], []).append(line)
    new: dict[str, list[Line]] = {}
    for line in lines:
        new.setdefault(line["run"], []).append(line)
    for run, own in new.items():
        for line in own:
            other = _other(line, own, old.get(run, []))
            yield {**line, "baseline": None if other is None else _told(other)}


def _other(line: Line, own: Sequence[Line], before: Sequence[Line]) -> Line | None:
    same = [other for other in before if (other["grader"], other["name"]) == (line["grader"], line["name"])]
    if same:
        return same[0]
    kinds = [[other for other in side if other["grader"] == line["grader"]] for side in (own, before)]
    return kinds[1][0] if len(kinds[0]) == len(kinds[1]) == 1 else None


def _told(line: Line) -> Line:
    metadata = line["metadata"] or {}
    return {"passed": line["passed"], "occurrences": metadata.get("occurrences")}


def differs(line: Line) -> bool:
    """Whether a line's verdict is another than that of the older config."""
    return line.get("baseline") is not None and line["baseline"]["passed"] != line["passed"]
