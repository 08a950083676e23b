"""Sentences on many runs, as the app, the command line and a pull request say them."""

from __future__ import annotations

from loopviz.settings import Match, MaxRepeatSettings
from loopviz.tuning.evidence import Evidence, Score
from loopviz.tuning.sweep import Sweep

SAME: dict[Match, str] = {
    "observation": "same tool and output",
    "name-args": "same tool and arguments",
    "name": "same tool",
}


def judged_words(swept: Sweep) -> str:
    """Of how many runs everything else speaks: `584 of 600 runs judged; 16 not (9 no trajectory, 7 values unknown).`"""
    n_runs = len(swept.reasons)
    if swept.n_judged == n_runs:
        return f"{counted(n_runs, 'run')} judged."
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in sorted(swept.left_out.items()))
    return f"{swept.n_judged:,} of {counted(n_runs, 'run')} judged; {n_runs - swept.n_judged:,} not ({reasons})."


def setting_words(settings: MaxRepeatSettings) -> str:
    """A setting in one line: `max 4, longest pattern 3, same tool and arguments`."""
    words = f"max {settings.max}, longest pattern {settings.max_cycle_period}, {SAME[settings.match]}"
    return words if settings.tools is None else f"{words}, tools {' or '.join(settings.tools)}"


def score_words(evidence: Evidence, score: Score) -> str:
    """How a setting fits: `Finds 9 of 10 labelled loops and flags 1 of 52 good runs.`"""
    if evidence.source == "labels":
        loops, good = f"labelled {plural(score.n_loops, 'loop')}", plural(score.n_good, "good run")
    else:
        loops = f"{plural(score.n_loops, 'run')} that ended badly"
        good = f"{plural(score.n_good, 'run')} that ended well"
    words = (
        f"Finds {score.hits:,} of {score.n_loops:,} {loops} and flags {score.false_alarms:,} of {score.n_good:,} {good}"
    )
    if score.elsewhere:
        words += f"; {score.elsewhere:,} more fail at another place than the loop"
    return f"{words}."


def fit_words(evidence: Evidence, score: Score) -> str:
    """The same in a few words: `9 of 10 loops, 1 of 52 good runs`; never *loops* where outcomes stand in for labels."""
    bad, good = (
        (plural(score.n_loops, "loop"), plural(score.n_good, "good run"))
        if evidence.source == "labels"
        else ("that ended badly", "that ended well")
    )
    return f"{score.hits:,} of {score.n_loops:,} {bad}, {score.false_alarms:,} of {score.n_good:,} {good}"


def instead_words(settings: MaxRepeatSettings, score: Score) -> str:
    """What another limit would do: `With max 5 it would find 8 and flag none.`"""
    return f"With max {settings.max} it would find {score.hits or 'none'} and flag {score.false_alarms or 'none'}."


def pins_broken_words(number: int) -> str:
    """What to know of a suggestion that breaks pins; nothing of one that keeps all."""
    return f"No setting that finds a loop keeps every pin; this one breaks {number:,}." if number else ""


def held_out_words(score: Score, n_stimuli: int) -> str:
    """What to expect of runs that nobody has labelled."""
    return (
        f"Each stimulus left out in turn, {n_stimuli:,} times: the settings that the others choose find {score.hits:,} "
        f"of {score.n_loops:,} and flag {score.false_alarms:,} of {score.n_good:,}."
    )


def calls_words(calls: tuple[int, int]) -> str:
    """A stretch of calls, from 1: `30–58`, or `call 30` where it is one alone."""
    first, last = calls
    return f"call {first:,}" if first == last else f"{first:,}–{last:,}"


def counted(number: int, noun: str) -> str:
    """`1 run`, `2 runs`, `1,000 runs`."""
    return f"{number:,} {plural(number, noun)}"


def plural(number: int, noun: str) -> str:
    """`run` for one, `runs` for any other number."""
    return noun if number == 1 else f"{noun}s"
