"""A caution where values that nobody recorded decide a verdict: the other way to take them, and its figure."""

from __future__ import annotations

from dataclasses import dataclass

from loopviz.analysis.runset import RunSet, Tools
from loopviz.detectors.core.steps import Unknown
from loopviz.detectors.max_repeat import MaxRepeat, MaxRepeatFinding


@dataclass(frozen=True, slots=True)
class Caution:
    """What is not known of a run, and what it would be if it were taken the other way."""

    n_unknown: int
    n_watched: int
    what: str
    """`outputs` or `arguments`."""
    taken: Unknown
    other_occurrences: int

    def __str__(self) -> str:
        doubt = _doubt(self.n_unknown, self.n_watched, self.what, self.taken)
        return f"{doubt} it would be {self.other_occurrences:,} in a row."


def caution(runs: RunSet, grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> Caution | None:
    """The caution that a verdict needs; None where everything that it compares was recorded."""
    settings, columns = finding.settings, grader.columns
    if settings.match == "name":
        return None
    what = "outputs" if settings.match == "observation" else "arguments"
    flags = columns.unknown_observation if what == "outputs" else columns.unknown_arguments
    calls = slice(columns.starts[run], columns.starts[run + 1])
    n_unknown = int((flags[calls] & grader.watched[calls]).sum())
    if not n_unknown:
        return None
    other = runs.max_repeat(settings.tools, "distinct" if grader.unknown == "equal" else "equal")
    figure = int(other.best(settings.match, settings.max_cycle_period).occurrences[run])
    return Caution(n_unknown, finding.watched_calls, what, grader.unknown, figure)


@dataclass(frozen=True, slots=True)
class GuardCaution:
    """What is not known of the arguments that a live guard compared."""

    n_unknown: int
    n_watched: int
    taken: Unknown

    @property
    def taken_otherwise(self) -> Unknown:
        """The other way to take them."""
        return "distinct" if self.taken == "equal" else "equal"

    def __str__(self) -> str:
        return _doubt(self.n_unknown, self.n_watched, "arguments", self.taken)


def guard_caution(runs: RunSet, run: int, tools: Tools, unknown: Unknown) -> GuardCaution | None:
    """The caution that a guard's answer needs; None where every argument that it compares was recorded.

    Raises:
        PatternError: if a tool pattern is refused.
    """
    columns = runs.columns
    calls = slice(columns.starts[run], columns.starts[run + 1])
    watched = runs.watched(tools)[calls]
    n_unknown = int((columns.unknown_arguments[calls] & watched).sum())
    return GuardCaution(n_unknown, int(watched.sum()), unknown) if n_unknown else None


def _doubt(n_unknown: int, n_watched: int, what: str, taken: Unknown) -> str:
    """What is not known and how it is taken, up to what would be otherwise."""
    as_now, otherwise = ("equal", "different") if taken == "equal" else ("different", "equal")
    return (
        f"{n_unknown:,} of {n_watched:,} {what} are redacted or were never recorded. "
        f"They are taken as {as_now}; taken as {otherwise}"
    )
