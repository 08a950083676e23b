"""What a change of settings does, as text for a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from loopviz import __version__
from loopviz.settings import MaxRepeatSettings
from loopviz.terminal import safe
from loopviz.tuning.evidence import Evidence, Score
from loopviz.tuning.graders import Entry
from loopviz.tuning.labels import Book
from loopviz.tuning.sweep import Sweep
from loopviz.tuning.words import counted, judged_words, setting_words

LIMITS = np.arange(1, 11)
FLIPS = 50
"""Flips that are listed one by one."""
LONGEST_NAME = 120
"""Characters of a name; what is longer is cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """A run whose verdict differs."""

    now_fails: bool
    name: str
    """Stimulus, model and trial, as one would say them."""
    place: str
    """`line 389, turn 30, call 30` of the first step over the limit."""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What judges now, against the candidate."""

    settings: MaxRepeatSettings | None
    """None where they are more than one."""
    score: Score | None
    """How what judges now fits; None where nobody says anything of any run."""
    n_runs: int
    n_fail: int
    n_would_fail: int
    n_well: int | None
    """Runs that ended well; None where none says."""
    n_well_fail: int
    n_well_would_fail: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What would judge: one grader, or several that must all pass, each with all figures under its tool filter."""

    graders: Sequence[tuple[Entry, Sweep]]
    score: Score | None
    """How they fit together; None where nobody says anything of any run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """The runs whose verdict differs."""

    n_fail: int
    """Of them, those that now fail."""
    n_pass: int
    first: Sequence[Flip]
    """Those that are listed one by one."""


def pull_request_text(
    before: Before,
    candidate: Candidate,
    evidence: Evidence,
    book: Book,
    flips: Flips,
    *,
    n_used: int,
    notes: Sequence[str] = (),
) -> str:
    """Grids, flips with their places, labels with the digest of their file, runs that ended well and would now fail.

    Args:
        before: What judges now.
        candidate: What would.
        evidence: What is said of the runs.
        book: The labels.
        flips: The runs whose verdict differs.
        n_used: How many of the labels are of these runs as they are.
        notes: What to know of how far the figures can be trusted, in sentences.
    """
    swept = candidate.graders[0][1]
    return "\n".join(
        [
            *_title(before, [entry for entry, _ in candidate.graders]),
            "",
            " ".join([judged_words(swept), *([f"{label_words(book, n_used)}."] if book.labels else [])]),
            "",
            *_table(before, candidate, evidence),
            "",
            *(line for note in notes for line in (note, "")),
            *_grids(candidate.graders),
            *_flips(flips),
            "",
            f"loopviz {__version__}",
            "",
        ]
    )


def _title(before: Before, graders: Sequence[Entry]) -> Iterator[str]:
    alone = len(graders) == 1
    yield f"### max-repeat: {_change(before.settings, graders[0].settings) if alone else _several(graders)}"
    if alone and before.settings is not None:
        return
    yield ""
    yield f"- until now: {_until_now(before)}"
    if not alone:
        yield from (f"- {_cell(entry.name)}: {_in_full(entry.settings)}" for entry in graders)


def _several(graders: Sequence[Entry]) -> str:
    return f"{len(graders)} graders, each for its tools"


def _until_now(before: Before) -> str:
    if before.settings is not None:
        return _in_full(before.settings)
    return "more than one setting" if before.n_runs else "no run was judged"


def label_digest(book: Book) -> str:
    """The first digits of the SHA-256 of a label file."""
    return sha256(book.text().encode("utf-8", "surrogatepass")).hexdigest()[:12]


def label_words(book: Book, n_used: int) -> str:
    """`71 labels, sha256 5f3a…`; where some are of other runs, or of changed ones, `71 labels, 68 used, …`."""
    used = "" if n_used == len(book.labels) else f", {n_used:,} used"
    return f"{counted(len(book.labels), 'label')}{used}, sha256 {label_digest(book)}"


def _change(now: MaxRepeatSettings | None, then: MaxRepeatSettings) -> str:
    """`max 3 → 4, longest pattern 1 → 3, match observation → name-args`."""
    if now is None:
        return _in_full(then)
    fields = (("max", "max"), ("max_cycle_period", "longest pattern"), ("match", "match"), ("tools", "tools"))
    told = [
        f"{words} {_value(getattr(now, field))} → {_value(getattr(then, field))}"
        for field, words in fields
        if getattr(now, field) != getattr(then, field)
    ]
    return ", ".join(told) or f"{_in_full(then)}, as before"


def _in_full(settings: MaxRepeatSettings) -> str:
    """A setting in one line, with its tools as code."""
    words = setting_words(settings.model_copy(update={"tools": None}))
    return words if settings.tools is None else f"{words}, tools {_value(settings.tools)}"


def _value(value: object) -> str:
    if value is None:
        return "all"
    return " ".join(map(_code, value)) if isinstance(value, tuple) else str(value)


def _table(before: Before, candidate: Candidate, evidence: Evidence) -> Iterator[str]:
    rows = [
        ("runs that fail", f"{before.n_fail:,} of {before.n_runs:,}", f"{before.n_would_fail:,} of {before.n_runs:,}")
    ]
    then = candidate.score
    if then is not None:
        now = before.score
        loops, good = ("loops found", "good runs flagged")
        if evidence.source == "outcomes":
            loops, good = "ended badly, flagged", "ended well, flagged"
        rows.append((loops, str(now.recall) if now else "–", str(then.recall)))
        rows.append((good, str(now.alarm_rate) if now else "–", str(then.alarm_rate)))
    if before.n_well is not None:
        now_cut, then_cut = (f"{n:,} of {before.n_well:,}" for n in (before.n_well_fail, before.n_well_would_fail))
        rows.append(("ended well, would fail", now_cut, then_cut))
    yield from _aligned(("", "current", "candidate"), rows)


def _grids(graders: Sequence[tuple[Entry, Sweep]]) -> Iterator[str]:
    for entry, swept in graders:
        of = "" if len(graders) == 1 else f"{_cell(entry.name)}: "
        match = entry.settings.match
        yield f"{of}Runs that fail by max and longest pattern, match {match}:"
        yield ""
        failing = swept.n_failing(match, LIMITS)
        rows = [
            (_bounds(first, last), *(f"{number:,}" for number in failing[first - 1].tolist()))
            for first, last in swept.alike(match)
        ]
        yield from _aligned(("pattern \\ max", *map(str, LIMITS.tolist())), rows)
        yield ""


def _bounds(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def _flips(flips: Flips) -> Iterator[str]:
    n_flips = flips.n_fail + flips.n_pass
    verb = "flips" if n_flips == 1 else "flip"
    yield f"{counted(n_flips, 'run')} {verb}: {flips.n_fail:,} now fail, {flips.n_pass:,} now pass."
    for flip in flips.first:
        place = f": {flip.place}" if flip.place else ""
        label = f" (label: {flip.label})" if flip.label else ""
        yield f"- now {'fails' if flip.now_fails else 'passes'}  {_cell(flip.name)}{place}{label}"
    if len(flips.first) < n_flips:
        yield f"- … {n_flips - len(flips.first):,} more"


def _aligned(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """A Markdown table whose columns stand straight, words left and numbers right."""
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
    lines = [
        " | ".join(
            cell.ljust(width) if not place else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (head, *rows)
    ]
    rule = "|".join("-" * (width + 2) if not place else "-" * (width + 1) + ":" for place, width in enumerate(widths))
    yield f"| {lines[0]} |"
    yield f"|{rule}|"
    yield from (f"| {line} |" for line in lines[1:])


def _code(pattern: str) -> str:
    """A pattern as code in Markdown, letter by letter: within more backticks than it has in a row itself."""
    flat = " ".join(pattern.split("\n"))
    longest = max((len(run) for run in re.findall("`+", flat)), default=0)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{flat}{space}{fence}"


def _cell(text: str) -> str:
    """A name from a run in Markdown: on one line, and never taken for markup."""
    flat = safe(" ".join(text.split()))
    flat = flat if len(flat) <= LONGEST_NAME else f"{flat[:LONGEST_NAME]}…"
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|!@" else sign for sign in flat)
