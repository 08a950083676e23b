"""Where a setting of the guards could move and change nothing in a run, in words, by the name of the setting."""

from __future__ import annotations

import math

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.runset import RunSet
from loopviz.analysis.slack import Between, between_scores, idle_switches
from loopviz.timeline.words import number


def tell_slack(runs: RunSet, inspection: Inspection) -> dict[str, str]:
    """What to say beside the controls of a run that is alone in its set: `thrash.n` and its sentence."""
    notes = dict.fromkeys(idle_switches(runs, inspection), "No difference in this run.")
    notes["escalation.similarity"] = _similarity(between_scores(inspection.ladder))
    longest = int(inspection.ladder.longest_stretch[0])
    for name in ("replan", "explore", "force_done"):
        if getattr(inspection.guards.escalation, name) > longest:
            notes[f"escalation.{name}"] = f"The longest stretch here is {number(longest)}: more changes nothing."
            break
    most = int(inspection.thrash.identical.max(initial=0))
    if inspection.guards.thrash.n > most:
        where = "in the run" if inspection.guards.thrash.scope == "run" else "in a row"
        notes["thrash.n"] = f"At most {number(most)} identical {where} here: more changes nothing."
    return notes


def _similarity(scores: Between) -> str:
    if scores.below is None and scores.above is None:
        return "No two calls are compared in this run, so it changes nothing."
    if scores.below is None:
        return f"No pair here lies below {_down(scores.above or 0)}: up to there nothing changes."
    if scores.above is None:
        return f"No pair here lies above {_up(scores.below)}: above it nothing changes."
    if math.ceil(scores.below * 1000 - 1e-9) >= math.floor(scores.above * 1000 + 1e-9):
        return "Pairs here lie close to it on both sides: any move may change something."
    return f"No pair here lies between {_up(scores.below)} and {_down(scores.above)}: in between nothing changes."


def _up(score: float) -> str:
    """A score with two decimals, or three where two would say too little; never less than it is."""
    return _written(math.ceil(score * 1000 - 1e-9))


def _down(score: float) -> str:
    return _written(math.floor(score * 1000 + 1e-9))


def _written(thousandths: int) -> str:
    return f"{thousandths / 1000:.2f}" if thousandths % 10 == 0 else f"{thousandths / 1000:.3f}"
