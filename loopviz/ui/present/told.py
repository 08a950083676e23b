"""What Present says of one run, or of many, as it may leave: texts hidden or masked, words and pictures ready."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from loopviz.analysis.inspection import Inspection
from loopviz.model import Trajectory
from loopviz.presenting.asides import asides
from loopviz.presenting.cost import Cost, cost_after
from loopviz.presenting.headline import headline_parts, unjudged_headline
from loopviz.presenting.names import cut, seen
from loopviz.presenting.picture import plain_picture, stops_of
from loopviz.presenting.replay import tell_replay
from loopviz.presenting.set_picture import set_picture
from loopviz.presenting.sets import SetStory, tell_set
from loopviz.report.document import heading
from loopviz.report.export import Export, Masks
from loopviz.report.release import released_name
from loopviz.timeline.contract import Part
from loopviz.timeline.words import allowed, number, text
from loopviz.ui.choice import EXAMPLE
from loopviz.ui.runs_judged import Judged

WIDTHS = {"wide": 1120, "middle": 720, "thin": 358}
"""Pictures that are laid out, by name, in px: of a wide page, of paper, of a narrow page."""
LONGEST_NAME = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One run."""

    of: str
    """`fix-failing-test, trial 4 · large-3`."""
    headline: list[Part]
    cost: Cost | None
    asides: list[str]
    pictures: dict[str, str]
    """SVG by the names of `WIDTHS`."""
    replay: dict[str, Any] | None
    """Data of the replay; None for a run without calls, or without a verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldSet:
    """Many runs."""

    of: str
    """`40 runs`."""
    story: SetStory
    pictures: dict[str, str]


def tell_runs(judged: Judged, export: Export) -> ToldSet:
    """Say what is known of many runs."""
    choice, runs = judged.choice, judged.runs
    known = tell_set(runs, judged.graders, judged.overview, choice.guards, choice.unknown, hide_texts=export.redact)
    known = replace(known, asides=(*known.asides, *_stand_ins(judged)))
    pictures = {}
    if known.trend or any(group.n_over for group in known.stimuli):
        pictures = {name: set_picture(known, width=width, theme="page") for name, width in WIDTHS.items()}
    return ToldSet(of=f"{number(len(runs))} runs", story=known, pictures=pictures)


def _stand_ins(judged: Judged) -> list[str]:
    """How many runs are judged by an example, since their own graders cannot be used."""
    count = sum(judged.unusable) if judged.choice.own is None else 0
    if not count:
        return []
    runs = "1 run has graders" if count == 1 else f"{number(count)} runs have graders"
    return [f"Caution: {runs} that could not be used; an example stands in there: {allowed(EXAMPLE.max)}."]


def tell(
    trajectory: Trajectory, found: Inspection | None, export: Export, *, refused: str = "", notes: Sequence[str] = ()
) -> Told:
    """Say what is known of a run.

    Args:
        trajectory: The run.
        found: What was found in it; None where it could not be judged.
        export: What stays out.
        refused: Why its settings could not be used.
        notes: What is to be known of these settings.
    """
    of = name_of(trajectory, export)
    if found is None:
        reason = trajectory.not_judged or refused or None
        unjudged = replace(trajectory, not_judged=reason)
        words = unjudged_headline(unjudged, hide_texts=export.redact)
        return Told(of=of, headline=[text(words)], cost=None, asides=[], pictures={}, replay=None)
    # Headline, picture and replay mask what they quote, and quote nothing of a run whose texts are hidden.
    hidden = export.redact
    pictures = {
        name: plain_picture(found, width=width, theme="page", hide_texts=hidden, name=f"present-{name}")
        for name, width in WIDTHS.items()
    }
    replay: dict[str, Any] | None = None
    if len(trajectory.calls):
        replay = {**tell_replay(found, hide_texts=hidden), "rests": stops_of(found, WIDTHS["wide"])}
    return Told(
        of=of,
        headline=headline_parts(found, hide_texts=hidden),
        cost=cost_after(found),
        asides=[*map(seen, notes), *asides(found)],
        pictures=pictures,
        replay=replay,
    )


def name_of(trajectory: Trajectory, export: Export) -> str:
    """Stimulus, trial and model; the run's own name where there is no stimulus, its digest where that is hidden."""
    known_as = replace(trajectory, run=released_name(trajectory, export))
    words = " · ".join(filter(None, (heading(known_as), trajectory.model)))
    return cut(seen(Masks(on=export.masked).text(words)), LONGEST_NAME)
