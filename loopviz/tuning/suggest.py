"""The setting that fits what people said best, and how far that can be trusted.

Decided:

- Best: of the settings that break the fewest pins, the one with the highest F1, the harmonic mean of precision and
  recall.
- Among equals: limits next to each other that fit equally well are a plateau, of which the middle is taken, the higher
  of two middles. The shorter pattern goes first, then the higher limit, then tool and output before tool and arguments.
  Tool alone comes after all others, since it counts the plain use of a tool. The others are told as ties.
- Held out: each stimulus in turn is left out, the setting is chosen on all others and tried on it, since trials of one
  stimulus are much alike. The sum of these trials is what to expect of runs that nobody has seen.
- More labels: how many more would tell is reckoned at the rates found so far, as if they were like those there are.
- Enough labels: five loops and five good runs at least, of three stimuli or more; and held out, the share of loops
  found lies above the share of good runs flagged even at the ends of their 95 % intervals. Else it is too few to tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopviz.analysis.runset import Tools
from loopviz.detectors.core.steps import MATCHES
from loopviz.model import IntArray
from loopviz.settings import MaxRepeatSettings, changed
from loopviz.tuning.evidence import Evidence, Score, Source, count_per_stimulus, score
from loopviz.tuning.pins import Pins
from loopviz.tuning.plateaus import Plateau, cut, join

FEWEST, FEWEST_STIMULI = 5, 3
MOST_MORE = 200
"""More labels than this are not asked for."""
Names = tuple[str, str]
"""What one is called, and several are."""
_NAMES: dict[Source, tuple[str, Names, Names]] = {
    "labels": ("labels", ("loop", "loops"), ("good run", "good runs")),
    "outcomes": (
        "outcomes",
        ("run that ended badly", "runs that ended badly"),
        ("run that ended well", "runs that ended well"),
    ),
}
"""What judges, and what it calls loops and the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A setting, and what speaks for it."""

    settings: MaxRepeatSettings
    score: Score
    held_out: Score
    """Each stimulus tried under the setting that all others choose."""
    n_stimuli: int
    ties: tuple[MaxRepeatSettings, ...]
    """Other settings that fit equally well: the middle of each plateau."""
    n_pins_broken: int
    why_not_enough: str
    """Why these labels are too few to tell, as a sentence; empty where they are enough."""

    @property
    def enough(self) -> bool:
        """Whether the labels are enough to tell."""
        return not self.why_not_enough

    @property
    def flags_most(self) -> bool:
        """Whether it flags more than half of the good runs: the best there is, and no good advice."""
        return 2 * self.score.false_alarms > self.score.n_good


def suggest(evidence: Evidence, pins: Pins, tools: Tools = None) -> Suggestion | None:
    """The setting that fits best; None where no setting catches a loop.

    Args:
        evidence: What people, or outcomes, say of some runs.
        pins: Stretches that must be caught or left alone.
        tools: The filter that all figures were taken under.
    """
    table = _Table(evidence, pins)
    best = table.best()
    if not best:
        return None
    chosen, held_out = _settings(best[0], tools), table.held_out()
    score = table.score(best[0])
    return Suggestion(
        settings=chosen,
        score=score,
        held_out=held_out,
        n_stimuli=table.n_stimuli,
        ties=tuple(_settings(other, tools) for other in best[1:]),
        n_pins_broken=pins.n_broken(chosen),
        why_not_enough=_why_not_enough(score, held_out, table.n_stimuli, evidence.source),
    )


class _Table:
    """How the limits of every plateau fit each stimulus."""

    def __init__(self, evidence: Evidence, pins: Pins) -> None:
        self.plateaus = cut(evidence.figures, evidence.anywhere, pins.figures)
        self.n_stimuli = evidence.n_stimuli
        self._n_loops = count_per_stimulus(evidence, evidence.is_loop)
        self._n_good = count_per_stimulus(evidence, ~evidence.is_loop)
        broken = [~pins.holds(_settings(each)) for each in self.plateaus]
        self._broken = np.array(broken, dtype=np.bool_).reshape(len(self.plateaus), len(pins))
        numbers = {key: number for number, key in enumerate(evidence.stimuli)}
        self._pin_stimulus = np.array([numbers.get(key, -1) for key in pins.stimuli], dtype=np.int64)
        counts = [_fit(evidence, plateau) for plateau in self.plateaus]
        self._counts = np.array(counts, dtype=np.int64).reshape(len(counts), 3, self.n_stimuli)
        self._totals = self._counts.sum(axis=2)

    def best(self, besides: int | None = None) -> list[Plateau]:
        """The plateaus that fit best, the preferred one first; none where nothing is caught.

        Args:
            besides: A stimulus that is left out.
        """
        counts, n_loops = self._totals, self._n_loops.sum()
        if besides is not None:
            counts, n_loops = counts - self._counts[:, :, besides], n_loops - self._n_loops[besides]
        able = counts[:, 0] > 0
        if not able.any():
            return []
        broken = self._broken[:, self._pin_stimulus != (-2 if besides is None else besides)].sum(axis=1)
        able &= broken == broken[able].min()
        f1 = 2 * counts[:, 0] / (counts.sum(axis=1) + max(n_loops, 1))
        equal = np.flatnonzero(able & (f1 == f1[able].max())).tolist()
        return sorted(join([(self.plateaus[place], counts[place].tolist()) for place in equal]), key=_order)

    def score(self, plateau: Plateau) -> Score:
        """How a plateau fits all judged runs."""
        return self._sum(self._totals[self._place(plateau)])

    def held_out(self) -> Score:
        """What the settings that all other stimuli choose say of each stimulus, in sum."""
        counts = np.zeros(3, dtype=np.int64)
        for stimulus in range(self.n_stimuli):
            best = self.best(besides=stimulus)
            if best:
                counts += self._counts[self._place(best[0]), :, stimulus]
        return self._sum(counts)

    def _sum(self, counts: IntArray) -> Score:
        hits, elsewhere, false_alarms = counts.tolist()
        return Score(hits, elsewhere, false_alarms, int(self._n_loops.sum()), int(self._n_good.sum()))

    def _place(self, plateau: Plateau) -> int:
        """Where the plateau stands that holds the middle of this one, which may be joined from several."""
        return next(
            place
            for place, each in enumerate(self.plateaus)
            if (each.mode, each.bound) == (plateau.mode, plateau.bound) and each.low <= plateau.middle <= each.high
        )


def instead(evidence: Evidence, settings: MaxRepeatSettings) -> tuple[MaxRepeatSettings, Score] | None:
    """The nearest other limit that trades one fault for the other.

    Of settings with false alarms, the next limit that has fewer and still finds a loop; of others, the next below that
    finds more.
    """
    now = score(evidence, settings)
    highest = int(max(evidence.figures.max(initial=0), evidence.anywhere.max(initial=0)))
    limits = range(settings.max + 1, highest) if now.false_alarms else range(settings.max - 1, 0, -1)
    for limit in limits:
        other = changed(settings, max=limit)
        then = score(evidence, other)
        if then.hits > now.hits or (then.hits and then.false_alarms < now.false_alarms):
            return other, then
    return None


def _fit(evidence: Evidence, plateau: Plateau) -> list[IntArray]:
    """Hits, runs with a loop that fail elsewhere, and false alarms, each of shape (n_stimuli,)."""
    cell = plateau.mode, plateau.bound - 1
    caught, flagged = evidence.figures[cell] > plateau.low, evidence.anywhere[cell] > plateau.low
    hits = evidence.is_loop & caught
    groups = (hits, evidence.is_loop & flagged & ~hits, ~evidence.is_loop & flagged)
    return [count_per_stimulus(evidence, group) for group in groups]


def _settings(plateau: Plateau, tools: Tools = None) -> MaxRepeatSettings:
    return MaxRepeatSettings(
        max=plateau.middle, max_cycle_period=plateau.bound, match=MATCHES[plateau.mode], tools=tools
    )


def _order(plateau: Plateau) -> tuple[bool, int, int, int]:
    """Which of equals goes first: the least."""
    return MATCHES[plateau.mode] == "name", plateau.bound, -plateau.middle, plateau.mode


def _why_not_enough(score: Score, held_out: Score, n_stimuli: int, source: Source) -> str:
    """What is missing before this tells anything."""
    what, loops, good = _NAMES[source]
    can_add = source == "labels"
    if score.n_loops < FEWEST or score.n_good < FEWEST:
        return (
            f"Too few {what} to tell: {score.n_loops} {loops[score.n_loops != 1]} and {score.n_good} "
            f"{good[score.n_good != 1]}; {FEWEST} of each are the least.{can_add * _label_more(score)}"
        )
    if n_stimuli < FEWEST_STIMULI:
        return f"Too few stimuli to tell: {n_stimuli}; {FEWEST_STIMULI} are the least."
    if held_out.recall.interval()[0] <= held_out.alarm_rate.interval()[1]:
        return (
            f"Too few {what} to tell: with each stimulus left out in turn, {held_out.hits} of {held_out.n_loops} "
            f"{loops[1]} are found and {held_out.false_alarms} of {held_out.n_good} {good[1]} flagged, which "
            f"may be chance.{can_add * _more_would_do(held_out)}"
        )
    return ""


def _label_more(score: Score) -> str:
    """` Label 3 more loops and 1 more good run.`"""
    missing = ((FEWEST - score.n_loops, "loop"), (FEWEST - score.n_good, "good run"))
    told = [f"{number} more {noun}{'' if number == 1 else 's'}" for number, noun in missing if number > 0]
    return f" Label {' and '.join(told)}."


def _more_would_do(held_out: Score) -> str:
    """` At these rates about 8 more labels would tell.`; nothing where no number would, or a very large one."""
    n_now = held_out.n_loops + held_out.n_good
    for more in range(1, MOST_MORE):
        times = 1 + more / n_now
        recall, alarms = held_out.recall.times(times), held_out.alarm_rate.times(times)
        if recall.interval()[0] > alarms.interval()[1]:
            return f" At these rates about {more} more label{'' if more == 1 else 's'} would tell."
    return ""
