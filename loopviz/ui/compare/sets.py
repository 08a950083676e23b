"""Two sets of runs: last night against tonight, one model against another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from loopviz.analysis.overview import FAIL, PASS
from loopviz.comparing import sets_words
from loopviz.comparing.sets import SHORT, By, Paired, pair_up, values_of, ways_of
from loopviz.comparing.sets_words import Verdicts, set_name
from loopviz.comparing.sides import cut, seen
from loopviz.timeline.words import number
from loopviz.ui import choice as choices
from loopviz.ui.compare.asked import Asked, ask
from loopviz.ui.components.clean import printable
from loopviz.ui.library import Library
from loopviz.ui.runs_judged import Judged, all_runs, judged_first
from loopviz.ui.runs_words import noun, settings_in_words

Data = dict[str, Any]
_BY, _SETS, LIST = "compare.by", ("compare.set_a", "compare.set_b"), "compare.list"
Sets = dict[str, list[int]]


def way(library: Library, wanted: Asked) -> By | None:
    """By what the sets are told apart; None where nothing tells any runs apart."""
    ways: list[By] = library.runs.kept.get("ways of sets", lambda: ways_of(library.trajectories))
    if not ways:
        return None
    return wanted.by if wanted.by in ways else ways[0]


def sets_of(library: Library, by: By) -> Sets:
    """The sets that a way tells apart, in the order of their start."""
    sets: Sets = library.runs.kept.get(("sets", by), lambda: values_of(library.trajectories, by))
    return sets


def chosen_sets(sets: Sets, wanted: Asked) -> tuple[str, str]:
    """The two that are asked for; else the last two."""
    names = list(sets)
    b = wanted.set_b if wanted.set_b in sets else next(name for name in reversed(names) if name != wanted.set_a)
    before = names[: names.index(b)] or [name for name in names if name != b]
    return wanted.set_a if wanted.set_a in sets else before[-1], b


def missing(library: Library, wanted: Asked) -> list[str]:
    """What a link names that is not there: the way to tell sets apart, and sets; nothing where all is well."""
    by = way(library, wanted)
    notes = []
    if wanted.by is not None and wanted.by != by:
        reason = "is none of the ways to tell these runs apart" if by else "does not tell any open runs apart"
        notes.append(f"The link names sets by {cut(wanted.by)}, which {reason}.")
    sets = {} if by is None else sets_of(library, by)
    gone = dict.fromkeys(name for name in (wanted.set_a, wanted.set_b) if name is not None and name not in sets)
    shown = "another set" if len(gone) == 1 else "other sets"
    told = [f"The link names the set {_named(name)}, which is not among the open runs." for name in gone]
    return notes + told + ([f"Shown instead: {shown}."] if gone and by is not None else [])


def _named(name: str) -> str:
    return str(printable(cut(name)))


def set_controls(library: Library, by: By, sets: Sets, a: str, b: str) -> None:
    """What tells sets apart, and which two."""
    ways: list[By] = library.runs.kept.get("ways of sets", lambda: ways_of(library.trajectories))
    st.session_state[_BY] = by
    st.selectbox(
        "Sets by",
        ways,
        format_func=SHORT.__getitem__,
        key=_BY,
        on_change=lambda: ask(by=st.session_state[_BY], set_a=None, set_b=None),
        width=150,
    )
    names = list(sets)
    for letter, key, field, value in zip("AB", _SETS, ("set_a", "set_b"), (a, b), strict=True):
        st.session_state[key] = value
        st.selectbox(
            letter,
            names,
            format_func=lambda name: printable(seen(f"{set_name(name, by, names)} · {number(len(sets[name]))}")),
            key=key,
            on_change=partial(_pick, field, key),
        )
    st.button("Swap", key="compare.swap_sets", on_click=ask, kwargs={"set_a": b, "set_b": a})


def _pick(field: str, key: str) -> None:
    ask(**{field: st.session_state[key]})


def show_sets(library: Library, by: By, sets: Sets, a: str, b: str) -> tuple[str, str, Data]:
    """(headline, the line below it, what the component draws)."""
    judged = judged_first(all_runs(library), choices.current())
    found = verdicts_of(judged)
    pairs: Sequence[Paired] = judged.kept.get(
        ("pairs", by, a, b), lambda: pair_up(found.runs, sets[a], sets[b], by, found.passed)
    )
    word = noun(judged, 1)
    return (
        "A and B are the same set" if a == b else sets_words.title(pairs, word, found.passed),
        sets_words.line(pairs, word),
        {
            "counts": "Every run of both sets passes.",
            "groups": sets_words.show_groups(found, pairs, by, st.session_state.get(LIST)),
            "shares": {"title": "In figures", "rows": sets_words.show_shares(found, sets[a], sets[b])},
            "trend": sets_words.show_trend(found, sets, a, b, by),
            "foot": [
                f"Runs belong together when stimulus, trial, variant and model are the same, but for the {SHORT[by]}. "
                f"{settings_in_words(judged)}"
            ],
        },
    )


def verdicts_of(judged: Judged) -> Verdicts:
    """The verdicts by place."""
    verdict, occurrences = judged.overview.verdict.tolist(), judged.overview.occurrences.tolist()
    told = {PASS: True, FAIL: False}
    return Verdicts(
        runs=judged.trajectories,
        passed=lambda place: told.get(verdict[place]),
        occurrences=lambda place: int(occurrences[place]),
    )
