"""The head of the page: what is suggested, or how many runs would fail, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.words import number
from loopviz.tuning.suggest import Suggestion, instead
from loopviz.tuning.words import (
    held_out_words,
    instead_words,
    judged_words,
    pins_broken_words,
    score_words,
    setting_words,
)
from loopviz.ui.tune.judging import Said, worth_taking
from loopviz.ui.tune.state import Tuned

TIES = 2
"""Settings that fit equally well and are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Sentences of our own words and numbers alone: no name and no pattern of a run or a file."""

    title: str
    strong: str = ""
    """The sentence below it that counts most."""
    rest: str = ""
    caption: str


def head(tuned: Tuned, said: Said) -> Head:
    """What the page says first."""
    suggestion = said.suggestion
    if not tuned.swept.n_judged:
        return Head(title="No run could be judged", caption=judged_words(tuned.swept))
    if suggestion is None:
        return Head(title=_failing(tuned), rest=_nothing_said(tuned, said), caption=judged_words(tuned.swept))
    caption = " ".join(
        [
            judged_words(tuned.swept),
            *([held_out_words(suggestion.held_out, suggestion.n_stimuli)] if suggestion.n_stimuli > 1 else []),
            *_ties(suggestion),
        ]
    )
    fits = score_words(said.evidence, suggestion.score)
    broken = pins_broken_words(suggestion.n_pins_broken)
    others = " ".join(filter(None, (broken, _instead(said, suggestion), _current(tuned, said))))
    if suggestion.enough:
        return Head(title=f"Suggested: {_words(suggestion.settings)}", strong=fits, rest=others, caption=caption)
    rest = " ".join(filter(None, (f"Best so far: {_words(suggestion.settings)}. {fits}", broken, _doubt(said))))
    return Head(title=_failing(tuned), strong=suggestion.why_not_enough, rest=rest, caption=caption)


def _doubt(said: Said) -> str:
    """Why the best so far is not offered, and what to do."""
    if worth_taking(said):
        return ""
    if said.evidence.source == "labels":
        return "That flags most of the good runs, so it is not offered."
    return "That is no advice yet: label a few runs, below or on Inspect, and it rests on what you say of them."


def _failing(tuned: Tuned) -> str:
    """`29 of 584 runs would fail; 22 fail now`."""
    n_then, n_now, n_runs = (int(each.sum()) for each in (tuned.candidate_fails, tuned.current_fails, tuned.counts))
    if n_runs == 1 and n_then == n_now:
        return "The only run fails" if n_then else "The only run passes"
    runs = f"{number(n_runs)} run{'' if n_runs == 1 else 's'}"
    if not tuned.newly_fail.size and not tuned.newly_pass.size:
        return f"{number(n_then)} of {runs} fail{'s' if n_then == 1 else ''}"
    return f"{number(n_then)} of {runs} would fail; {number(n_now)} fail{'s' if n_now == 1 else ''} now"


def _nothing_said(tuned: Tuned, said: Said) -> str:
    """Why there is no suggestion, and what to do."""
    if not len(said.evidence):
        return (
            "Nothing is labelled yet. Say of a few runs whether they are loops, below or on Inspect, and settings are "
            "held against that."
        )
    if not said.evidence.n_loops:
        what = "No run is labelled a loop yet" if said.evidence.source == "labels" else "No run ended badly"
        return f"{what}, so no setting can be suggested."
    if said.evidence.source == "outcomes":
        return "No setting flags any of the runs that ended badly."
    return "No setting catches any of the loops."


def _words(settings: MaxRepeatSettings) -> str:
    """Settings without their tools, which are patterns of a file."""
    return setting_words(settings.model_copy(update={"tools": None}))


def _ties(suggestion: Suggestion) -> Iterator[str]:
    ties = suggestion.ties
    if ties:
        more = f"; and {len(ties) - TIES:,} more" if len(ties) > TIES else ""
        yield f"Fits equally well: {'; '.join(map(_words, ties[:TIES]))}{more}."


def _instead(said: Said, suggestion: Suggestion) -> str:
    other = instead(said.evidence, suggestion.settings)
    return instead_words(*other) if other else ""


def _current(tuned: Tuned, said: Said) -> str:
    """`The current settings find 5 and flag 5.`"""
    which = "settings" if tuned.current else "graders"
    return f"The current {which} find {said.now.hits or 'none'} and flag {said.now.false_alarms or 'none'}."
