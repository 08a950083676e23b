"""The Runs page in words: its headline, what was left out, the settings in force, the runs worth a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from loopviz.analysis.overview import FAIL, NOT_JUDGED, PASS
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.words import number
from loopviz.tuning.words import SAME
from loopviz.ui.runs_facts import facts_of
from loopviz.ui.runs_judged import Judged

_MOST_VALUES = 3
"""Values of a setting named one by one in the line that sums the settings up."""


def noun(judged: Judged, count: int) -> str:
    """`trials` where the file records trials, else `runs`."""
    word = "trial" if facts_of(judged.runs).has_trials else "run"
    return word if count == 1 else f"{word}s"


def headline(judged: Judged) -> str:
    """The finding as a sentence: `3 of 40 trials fail max-repeat`."""
    verdict = judged.overview.verdict
    total, failing = len(verdict), int((verdict == FAIL).sum())
    runs = noun(judged, total)
    if not (verdict != NOT_JUDGED).any():
        return f"This {runs} could not be judged" if total == 1 else f"None of {number(total)} {runs} could be judged"
    if total == 1:
        return f"This {runs} {'fails' if failing else 'passes'} max-repeat"
    if not failing:
        return f"None of {number(total)} {runs} fails max-repeat"
    return f"{number(failing)} of {number(total)} {runs} {'fails' if failing == 1 else 'fail'} max-repeat"


def remainder(judged: Judged) -> str:
    """What the headline leaves: `36 pass. 1 could not be judged: it holds no trajectory.`"""
    verdict = judged.overview.verdict
    passing = int((verdict == PASS).sum())
    words = [f"{number(passing)} {'passes' if passing == 1 else 'pass'}."] if passing else []
    left_out = np.flatnonzero(verdict == NOT_JUDGED).tolist()
    if left_out:
        reasons = Counter(judged.why_not(run) for run in left_out)
        words.append(f"{number(len(left_out))} could not be judged: {_reasons(reasons)}.")
    return " ".join(words)


def _reasons(reasons: Counter[str]) -> str:
    if len(reasons) == 1:
        reason, count = next(iter(reasons.items()))
        return _of_one(reason) if count == 1 else _inside(reason)
    return "; ".join(f"{_inside(reason)} ({number(count)})" for reason, count in reasons.most_common())


def _of_one(reason: str) -> str:
    return f"it {_inside(reason.removeprefix('The record '))}" if reason.startswith("The record ") else _inside(reason)


def _inside(reason: str) -> str:
    """A sentence as part of another one."""
    reason = reason.strip().removesuffix(".")
    return reason[:1].lower() + reason[1:]


def settings_in_words(judged: Judged) -> str:
    """The settings in force, summed up in one line."""
    if judged.choice.own is not None:
        return f"Your settings, for all {noun(judged, 2)}: {_settings(judged.choice.own)}."
    judgeable = [run for run, trajectory in enumerate(judged.trajectories) if trajectory.not_judged is None]
    sources = Counter(judged.sources[run] for run in judgeable)
    recorded = sources["recorded"] + sources["spec"]
    unusable = sum(judged.unusable[run] for run in judgeable)
    if not recorded:
        words = "No max-repeat settings in this file. Shown: Vally's example, max 3."
        return f"{_refused(unusable)} Shown: Vally's example, max 3." if unusable else words
    where = _WHERE[sources["spec"] > 0, sources["recorded"] > 0]
    kinds = Counter(id(judged.graders[run]) for run in judgeable if judged.sources[run] != "example")
    graders = {id(own): own for own in judged.graders}
    weighed = [(grader.settings, count) for kind, count in kinds.items() for grader in graders[kind]]
    words = f"{where}: {_spread(weighed, recorded)}."
    several = sum(count for kind, count in kinds.items() if len(graders[kind]) > 1)
    if several:
        have = "has" if several == 1 else "have"
        words += f" {number(several)} {noun(judged, several)} {have} several graders; all must pass."
    if sources["example"]:
        words += f" {number(sources['example'])} without usable settings: Vally's example, max 3."
    return words


_WHERE = {
    (True, True): "In the eval spec, and recorded in the runs it does not name",
    (True, False): "In the eval spec",
    (False, True): "Recorded in the runs",
}


def _refused(count: int) -> str:
    return f"The settings recorded in {number(count)} {'run' if count == 1 else 'runs'} cannot be used."


def _settings(settings: MaxRepeatSettings) -> str:
    tools = "" if settings.tools is None else f"; watched tools: {' '.join(settings.tools)}"
    return (
        f"{number(settings.max)} allowed in a row (max {settings.max}); longest pattern {settings.max_cycle_period}; "
        f"same when: {SAME[settings.match]}{tools}"
    )


def _spread(graders: list[tuple[MaxRepeatSettings, int]], runs: int) -> str:
    """Each setting with the values it takes and how often."""
    total = sum(count for _, count in graders)
    what = "" if total == runs else " graders"
    allowed = _values(((f"{g.max} allowed in a row (max {g.max})", count) for g, count in graders), what, always=True)
    longest = _values(((str(g.max_cycle_period), count) for g, count in graders), what)
    same = _values(((SAME[g.match], count) for g, count in graders), what)
    words = f"{allowed}; longest pattern {longest}; same when: {same}"
    filtered = sum(count for g, count in graders if g.tools is not None)
    if filtered:
        words += f"; only some tools watched in {'all' if filtered == total else number(filtered)}"
    return words


def _values(values: Iterable[tuple[str, int]], what: str, *, always: bool = False) -> str:
    """`1 in 30, 2 in 10`; a value that is the only one stands alone, or with `in all 40` where that is asked for."""
    counts: Counter[str] = Counter()
    for value, count in values:
        counts[value] += count
    total = counts.total()
    if len(counts) == 1:
        value = next(iter(counts))
        return f"{value} in all {number(total)}{what}" if always and total > 1 else value
    common = counts.most_common(_MOST_VALUES)
    named = [f"{value} in {number(count)}" for value, count in common]
    rest = total - sum(count for _, count in common)
    last = rest or common[-1][1]
    return (
        ", ".join(named)
        + (f", others in {number(rest)}" if rest else "")
        + (what.removesuffix("s") if last == 1 else what)
    )
