"""Taking the candidate home: as YAML, as an edit of the open eval spec, as text for a pull request."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np

from loopviz.config import Config
from loopviz.evalspec import EvalSpec
from loopviz.settings import MaxRepeatSettings
from loopviz.specedit import Edit, EditRefused, Grader, Matched, candidate_yaml, match, plan_edit, unified_diff
from loopviz.tuning.labels import Book
from loopviz.tuning.pull_request import FLIPS, Before, Candidate, Flip, Flips, label_words, pull_request_text
from loopviz.tuning.words import held_out_words, judged_words, score_words
from loopviz.ui.runs_findings import run_and_model
from loopviz.ui.runs_labels import labels_in_words
from loopviz.ui.tune.flips import finding_under
from loopviz.ui.tune.judging import Said, candidate_score, pins_held
from loopviz.ui.tune.state import Tuned

WIDTH = 42
"""Characters of a comment's line."""


def candidate_as_yaml(tuned: Tuned, said: Said, book: Book) -> str:
    """The candidate as entries of a stimulus' graders, with comments that say what it was tuned on.

    Raises:
        ValueError: for names that Vally refuses; the message says why.
    """
    about = [f"chosen on {judged_words(tuned.swept).rstrip('.')} ({date.today()})"]
    if book.labels and said.evidence.source == "labels":
        about.append(label_words(book, said.n_used))
    if len(said.evidence):
        words = score_words(said.evidence, candidate_score(tuned, said))
        about.append(f"{words[0].lower()}{words[1:].rstrip('.')}")
    return candidate_yaml(graders_of(tuned), [line for words in about for line in wrap(words, WIDTH)])


def graders_of(tuned: Tuned) -> list[Grader]:
    """The graders of the candidate that are on; a single one keeps the name that it finds in the spec."""
    on = [entry for entry, _ in tuned.in_force]
    return [Grader(settings=entry.settings, name=entry.name) for entry in on]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a person wants to be changed in a spec."""

    stimuli: Collection[str | None]
    """The names of the stimuli to change."""
    add: bool = False
    """Add a grader to those that have none of its name."""
    replace: bool = False
    """Let the first of several graders take the place of an only one of another name."""


def placed(tuned: Tuned, spec: Config, wanted: Wanted) -> Matched:
    """Which graders of a spec take the candidate, and what finds no place."""
    assert spec.spec is not None
    return match(spec.spec, graders_of(tuned), stimuli=wanted.stimuli, add=wanted.add, replace=wanted.replace)


def plan(tuned: Tuned, spec: Config, content: bytes, wanted: Wanted) -> tuple[Edit, list[str]]:
    """The edit that gives the chosen stimuli of a spec the candidate, and what it leaves as it is, in sentences.

    Args:
        tuned: The candidate.
        spec: The spec as read.
        content: Its bytes.
        wanted: What to change.
    Raises:
        EditRefused: where that cannot be done with nothing else changed.
    """
    assert spec.spec is not None
    matched = placed(tuned, spec, wanted)
    return plan_edit(content, matched.changes), [
        *matched.left_out,
        *matched.kept,
        *_siblings(spec.spec, wanted.stimuli, tuned),
    ]


def nothing_words(matched: Matched, wanted: Wanted, path: str) -> str:
    """Why nothing would change."""
    name = Path(path).name
    if not wanted.stimuli:
        return f"{name} · choose below which of its stimuli to change"
    if not matched.changes:
        return f"{name} · nothing would change yet: no grader there is the one to change, as told below"
    if matched.left_out:
        return f"{name} · nothing else to change: graders of the same name have these settings already"
    return f"{name} · nothing to change: these graders have these settings already"


def _siblings(spec: EvalSpec, stimuli: Collection[str | None], tuned: Tuned) -> Iterator[str]:
    """What to know of loop-outcome, the grader's sibling, where chosen stimuli have it: it is never edited."""
    names = [str(one.name) for one in spec.stimuli if one.name in stimuli and one.siblings]
    if not names:
        return
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    yield f"{names[0]}{more}: loop-outcome stays as it is. {' '.join(_as_sibling(one) for one in tuned.graders)}"


def _as_sibling(settings: MaxRepeatSettings) -> str:
    """How loop-outcome would say the same: it counts retries, one fewer than times in a row, of plain repeats."""
    if settings.max_cycle_period > 1:
        return f"It knows plain repeats only, so it cannot say max {settings.max} with longer patterns."
    return (
        f"It would say the same as max {settings.max} with max_acceptable_retries: {settings.max - 1} and "
        f"match: {settings.match}."
    )


def edit_words(edit: Edit, path: str) -> str:
    """What an edit changes: `eval.yaml · refund-order, 1 of 40 stimuli · 3 lines added, 1 removed`."""
    name = Path(path).name
    named = edit.stimuli[0] if len(edit.stimuli) == 1 else f"{len(edit.stimuli):,}"
    of = f"{named}, 1" if len(edit.stimuli) == 1 else named
    lines = f"{edit.added:,} line{'' if edit.added == 1 else 's'} added, {edit.removed:,} removed"
    return f"{name} · {of} of {edit.stimuli_in_all:,} stimuli · {lines}"


def pull_request(tuned: Tuned, said: Said, book: Book) -> str:
    """Text for a pull request that makes the candidate the settings in force."""
    trajectories = tuned.opened.runs.trajectories
    outcomes = [each.outcome for each in trajectories]
    well = np.array([outcome is True for outcome in outcomes], dtype=np.bool_) & tuned.counts
    known = any(outcome is not None for outcome in outcomes)
    before = Before(
        settings=tuned.current,
        score=said.now if len(said.evidence) else None,
        n_runs=int(tuned.counts.sum()),
        n_fail=int(tuned.current_fails.sum()),
        n_would_fail=int(tuned.candidate_fails.sum()),
        n_well=int(well.sum()) if known else None,
        n_well_fail=int((well & tuned.current_fails).sum()),
        n_well_would_fail=int((well & tuned.candidate_fails).sum()),
    )
    candidate = Candidate(graders=tuned.in_force, score=candidate_score(tuned, said) if len(said.evidence) else None)
    flips, notes = _flips(tuned, said), list(_notes(tuned, said))
    return pull_request_text(before, candidate, said.evidence, book, flips, n_used=said.n_used, notes=notes)


def _notes(tuned: Tuned, said: Said) -> Iterator[str]:
    """How far the figures can be trusted: what to expect of other runs, whether labels are enough, and the pins."""
    suggestion = said.suggestion
    if suggestion is not None and tuned.graders == (suggestion.settings,) and suggestion.n_stimuli > 1:
        yield held_out_words(suggestion.held_out, suggestion.n_stimuli)
    if suggestion is not None and not suggestion.enough:
        yield suggestion.why_not_enough
    if len(said.pins):
        then, now = pins_held(tuned, said), said.pins_now
        yield f"Pins that hold: {int(now.sum()):,} of {len(now):,} until now, {int(then.sum()):,} under the candidate."


def _flips(tuned: Tuned, said: Said) -> Flips:
    """The flips, those that people judged first; only those that are listed are looked at closely."""
    fail, passing = tuned.newly_fail.tolist(), tuned.newly_pass.tolist()
    both = [*((run, True) for run in fail), *((run, False) for run in passing)]
    both.sort(key=lambda flip: not said.labels[flip[0]])
    first = [_flip(tuned, said, run, now_fails=now_fails) for run, now_fails in both[:FLIPS]]
    return Flips(n_fail=len(fail), n_pass=len(passing), first=first)


def _flip(tuned: Tuned, said: Said, run: int, *, now_fails: bool) -> Flip:
    name, place = run_and_model(tuned.opened.runs.trajectories[run]), _place(tuned, run, now_fails=now_fails)
    return Flip(now_fails=now_fails, name=name, place=place, label=labels_in_words(said.labels[run]))


def _place(tuned: Tuned, run: int, *, now_fails: bool) -> str:
    """Where the first step over the limit stands."""
    if now_fails:
        call = finding_under(tuned, run).first_failing_call
    else:
        finding = tuned.judged.finding(run)
        call = finding.first_failing_call if finding else None
    if call is None:
        return ""
    calls = tuned.opened.runs.trajectories[run].calls
    line, turn = int(calls.line[call]), int(calls.turn[call])
    parts = (f"line {line:,}" if line else "", f"turn {turn + 1:,}" if turn >= 0 else "", f"call {call + 1:,}")
    return ", ".join(filter(None, parts))


def diff_or_reasons(edit: Edit | EditRefused, path: str) -> dict[str, Any]:
    """What to show of an edit: the diff, or why there is none and what to paste by hand."""
    if isinstance(edit, EditRefused):
        return {
            "refused": str(edit).splitlines(),
            "snippet": "\n".join(obstacle.snippet for obstacle in edit.obstacles if obstacle.snippet),
        }
    return {"diff": unified_diff(edit, Path(path).name)}
