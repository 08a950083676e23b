"""What a file says of its own verdicts, held beside what is computed here."""

from __future__ import annotations

from loopviz.detectors.max_repeat import NAME
from loopviz.model import GraderResult, Trajectory


def recorded_results(trajectory: Trajectory, kind: str = NAME) -> tuple[GraderResult, ...]:
    """Every result of one type of grader in the file, at any depth; older files give the type as the name."""
    if trajectory.grade is None:
        return ()
    return tuple(result for result in trajectory.grade.walk() if kind in (result.type, _bare_name(result)))


def _bare_name(result: GraderResult) -> str | None:
    return result.name if result.type is None else None


def recorded_for(
    trajectory: Trajectory, name: str, index: int, n_graders: int, kind: str = NAME
) -> GraderResult | None:
    """The result that the file records for one of a run's graders of one type.

    By name where the file gives one; else by place, where it holds as many results as there are graders.
    """
    results = recorded_results(trajectory, kind)
    named = [result for result in results if name in (result.configured_name, result.name)]
    if len(named) == 1:
        return named[0]
    return results[index] if len(results) == n_graders else None


def disagrees(passed: bool | None, recorded: GraderResult | None) -> bool:
    """Whether the file's verdict and the one computed here differ."""
    return passed is not None and recorded is not None and recorded.passed is not None and recorded.passed != passed
