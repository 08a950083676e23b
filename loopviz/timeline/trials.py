"""The other trials of a stimulus, in words: how often each repeats, and how it came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from loopviz.analysis.trials import Trial
from loopviz.model import Trajectory
from loopviz.timeline.words import allowed, number

Data = dict[str, Any]
LISTED = 24
"""Figures of other trials that are named one by one."""
BLOCKS = 12
"""Blocks of a card at most."""


def show_trials(trials: Sequence[Trial], here: int, places: Sequence[int], n_trials: int) -> Data | None:
    """The strip of cards; None for a run without another trial.

    Args:
        trials: The trials shown, in their order.
        here: Which of them is on screen.
        places: What an action names each trial by.
        n_trials: How many there are in all.
    """
    if n_trials < 2:
        return None
    asides = _asides([trial.trajectory for trial in trials])
    cards = [_card(trial, aside) for trial, aside in zip(trials, asides, strict=True)]
    for place, card in zip(places, cards, strict=True):
        card["action"] = f"trial={place}"
        card["compare"] = {"label": "Compare with", "action": f"versus={place}"}
    cards[here] |= {"action": "", "compare": None}
    cards[here]["name"] += " · this one"
    left_out = n_trials - len(trials)
    more = f"Shown: the {number(len(trials))} around this one; {number(left_out)} more are on the Runs page."
    return {"caption": _caption(trials, here), "cards": cards, "more": more if left_out else ""}


def _card(trial: Trial, aside: str) -> Data:
    occurrences = trial.occurrences
    said = "not judged" if occurrences is None else _standing(occurrences, trial.limit)
    outcome = {True: " · trial passed", False: " · trial failed", None: ""}[trial.trajectory.outcome]
    figure = "–" if occurrences is None else number(occurrences)
    return {
        "name": _name(trial.trajectory),
        "aside": aside,
        "figure": figure,
        "blocks": min(occurrences or 0, BLOCKS),
        "period": max(trial.period, 1),
        "over": trial.over,
        "verdict": said + outcome,
        "tip": f"{trial.trajectory.run}: {figure} in a row; {allowed(trial.limit)}" if occurrences is not None else "",
    }


def _standing(occurrences: int, limit: int) -> str:
    if occurrences > limit:
        return "✕ over"
    return "at the limit" if occurrences == limit else "within"


def _name(trajectory: Trajectory) -> str:
    return trajectory.run if trajectory.trial is None else f"trial {number(trajectory.trial + 1)}"


def _asides(trajectories: Sequence[Trajectory]) -> list[str]:
    """For each trial what tells it from the others: eval, variant and model where they differ, else the file."""
    named = [(t.eval_name, t.variant, t.model) for t in trajectories]
    differ = [len(set(column)) > 1 for column in zip(*named, strict=True)]
    asides = [
        " · ".join(str(name) for name, shown in zip(names, differ, strict=True) if shown and name) for names in named
    ]
    same = Counter(zip(map(_name, trajectories), asides, strict=True))
    return [
        " · ".join(filter(None, (aside, PurePath(t.source.name).name))) if same[_name(t), aside] > 1 else aside
        for t, aside in zip(trajectories, asides, strict=True)
    ]


def _caption(trials: Sequence[Trial], here: int) -> str:
    others = [trial.occurrences for place, trial in enumerate(trials) if place != here]
    own = trials[here].occurrences
    this = "not judged" if own is None else number(own)
    if len(others) <= LISTED:
        figures = " ".join("–" if figure is None else number(figure) for figure in others)
        return f"times in a row: {figures}; this one {this}"
    known = sorted(figure for figure in others if figure is not None)
    if not known:
        return f"none of the {number(len(others))} others can be judged; this one {this}"
    middle = known[(len(known) - 1) // 2]
    spread = f"{number(known[0])} to {number(known[-1])}, half of them at most {number(middle)}"
    return f"times in a row: {spread} in {number(len(known))} others; this one {this}"
