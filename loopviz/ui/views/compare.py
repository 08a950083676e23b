"""Compare: two runs, one run under two settings, or two sets of runs, with the first step where they part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from urllib.parse import parse_qsl

import streamlit as st

from loopviz.ui import choice as choices
from loopviz.ui.compare import runs, sets, settings
from loopviz.ui.compare.asked import MODES, Asked, Mode, ask, asked, to_link
from loopviz.ui.compare.pairs import found, missing, missing_step
from loopviz.ui.components.compare import compare_sections
from loopviz.ui.library import Library
from loopviz.ui.opening import open_library
from loopviz.ui.reloading import offer_reload
from loopviz.ui.runs_links import open_run

_MODE, _NOTE = "compare.mode", "compare.note"


def page() -> None:
    """The whole page, in one fragment."""
    library = open_library()
    if not library.trajectories:
        st.title("Nothing to compare yet", anchor=False)
        st.page_link("views/runs.py", label="Open runs on the Runs page")
        return
    _compare(library)


@st.fragment
def _compare(library: Library) -> None:
    offer_reload(library)
    wanted = asked()
    _DRAW[wanted.mode](library, wanted)
    choices.write_link({**to_link(asked()), **choices.to_link(choices.current())})


def _runs(library: Library, wanted: Asked) -> None:
    a, b = runs.two_runs(library, wanted)
    gone = [missing(library, key) for key in (wanted.a, wanted.b)]
    if any(key is not None and found(library, key) is None for key in (wanted.a, wanted.b)):
        wanted = replace(wanted, column=None, unlike=None)
    head = st.container(key="compare-head", gap="small")
    with _controls(wanted):
        runs.run_controls(library, a, b, wanted)
    with st.spinner("Aligning the steps…", show_time=True):
        step = missing_step(wanted, runs.n_columns(library, a, b, wanted))
        _note([*gone, step], of=(wanted.a, wanted.b))
        wanted = replace(wanted, column=None) if step else wanted
        ask(a=library.key(a), b=library.key(b), column=wanted.column, unlike=wanted.unlike)
        title, lead, sections = runs.show_runs(library, a, b, wanted)
    with head:
        _head(title, lead)
    _act(library, {"A": a, "B": b}, compare_sections(sections, key="compare"))


def _settings(library: Library, wanted: Asked) -> None:
    index = settings.one_run(library, wanted)
    step = missing_step(wanted, settings.n_steps(library, index))
    refused = [f"The link's settings of B are not used: {words}" for words in wanted.refused]
    _note([missing(library, wanted.a), step, *refused], of=(wanted.a, str(wanted.own)))
    wanted = replace(wanted, column=None) if step else wanted
    b = settings.other_settings(library, index, wanted)
    head = st.container(key="compare-head", gap="small")
    with _controls(wanted):
        settings.choose_one(library, index)
    with st.container(horizontal=True, key="compare-own", vertical_alignment="bottom"):
        settings.settings_controls(b)
    settings.say_refused()
    ask(a=library.key(index), own=b, column=wanted.column, refused=())
    title, lead, sections = settings.show_settings(library, index, b, wanted)
    with head:
        _head(title, lead)
    _act(library, {"A": index, "B": index}, compare_sections(sections, key="compare-settings"))


def _sets(library: Library, wanted: Asked) -> None:
    by = sets.way(library, wanted)
    _note(sets.missing(library, wanted), of=(wanted.by, wanted.set_a, wanted.set_b))
    head = st.container(key="compare-head", gap="small")
    if by is None:
        with head:
            st.title("There is one set of runs here", anchor=False)
            _say_notes()
            st.text("Open a second file, such as that of another night, or runs of several models or variants.")
        with _controls(wanted):
            pass
        return
    values = sets.sets_of(library, by)
    a, b = sets.chosen_sets(values, wanted)
    with _controls(wanted):
        sets.set_controls(library, by, values, a, b)
    ask(by=by, set_a=a, set_b=b)
    title, line, shown = sets.show_sets(library, by, values, a, b)
    with head:
        _head(title, {"line": [{"kind": "text", "text": line}]})
    _act(library, {}, compare_sections({"sets": shown}, key="compare-sets"))


def _head(title: str, lead: Mapping[str, object]) -> None:
    st.title(title, anchor=False)
    compare_sections(dict(lead), key="compare-line")
    _say_notes()


def _say_notes() -> None:
    for note in st.session_state.get(_NOTE, ()):
        st.text(note)


def _note(told: Iterable[str], *, of: tuple[str | None, ...]) -> None:
    """What there is to say of what a link names, until something else is chosen."""
    notes = list(dict.fromkeys(filter(None, told)))
    if notes:
        st.session_state[_NOTE], st.session_state[f"{_NOTE}.of"] = notes, None
    elif st.session_state.get(f"{_NOTE}.of") not in (None, of):
        st.session_state.pop(_NOTE, None)
    if not notes:
        st.session_state[f"{_NOTE}.of"] = of


def _controls(wanted: Asked) -> st.delta_generator.DeltaGenerator:
    """The row of controls, which begins with what is compared."""
    row = st.container(horizontal=True, key="compare-controls", vertical_alignment="bottom")
    st.session_state[_MODE] = wanted.mode
    with row:
        st.segmented_control(
            "Compare",
            list(MODES),
            required=True,
            format_func=MODES.__getitem__,
            key=_MODE,
            on_change=lambda: ask(mode=st.session_state[_MODE]),
        )
    return row


def _act(library: Library, members: Mapping[str, int], action: str | None) -> None:
    """Do what was clicked in the sections."""
    if not action:
        return
    fields = dict(parse_qsl(action, keep_blank_values=True))
    if "inspect" in fields:
        call = int(fields["call"]) if "call" in fields else None
        open_run(library, members[fields["inspect"]], call=call)
    if "open" in fields:
        open_run(library, int(fields["open"]))
    if "pair" in fields:
        a, b = _two(fields["pair"].split("."))
        ask(mode="runs", a=library.key(a), b=library.key(b))
    if "list" in fields:
        st.session_state[sets.LIST] = fields["list"]
    for name, field in (("at", "column"), ("unlike", "unlike")):
        if name in fields:
            ask(**{field: int(fields[name]) if fields[name] else None})
    st.rerun(scope="fragment")


def _two(places: Iterable[str]) -> tuple[int, int]:
    a, b = map(int, places)
    return a, b


_DRAW: dict[Mode, Callable[[Library, Asked], None]] = {"runs": _runs, "settings": _settings, "sets": _sets}

page()
