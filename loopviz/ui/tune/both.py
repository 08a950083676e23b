"""Both settings at hand on Inspect, for the run that was opened from Tune."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.words import SAME_WHEN
from loopviz.ui import choice as choices
from loopviz.ui.graders import Shown
from loopviz.ui.stepping import put_elsewhere, switch_drawn

_PAIR, _CHOSEN = "tune.pair", "tune.pair.chosen"
CURRENT, CANDIDATE = "current", "candidate"


def bring_along(run: str, candidate: MaxRepeatSettings) -> None:
    """Remember the settings that a run is opened with; the run is named as links name it."""
    st.session_state[_PAIR] = run, candidate


def offer_both(run: str, shown: Shown, *, after: Callable[[], None]) -> None:
    """Offer the settings in force and the candidate, each a click away; nothing for a run not opened from Tune."""
    kept: tuple[str, MaxRepeatSettings] | None = st.session_state.get(_PAIR)
    if kept is None or kept[0] != run:
        return
    candidate = kept[1]
    own = choices.current().own
    st.session_state[_CHOSEN] = CURRENT if own is None else CANDIDATE if own == candidate else None
    switch_drawn(_CHOSEN, st.session_state[_CHOSEN])
    words = {CURRENT: f"○ Current: {_now(shown)}", CANDIDATE: f"● Candidate: {_words(candidate)}"}
    with st.container(horizontal=True, key="tune-both", vertical_alignment="center"):
        st.text("From Tune")
        st.segmented_control(
            "From Tune",
            list(words),
            format_func=words.__getitem__,
            key=_CHOSEN,
            on_change=_switch,
            args=(candidate, after),
            label_visibility="collapsed",
        )


def _switch(candidate: MaxRepeatSettings, after: Callable[[], None]) -> None:
    chosen = st.session_state.get(_CHOSEN)
    if chosen is not None:
        choices.choose(replace(choices.current(), own=candidate if chosen == CANDIDATE else None))
        put_elsewhere()
        switch_drawn(_CHOSEN, chosen)
    after()


def _now(shown: Shown) -> str:
    """What the run itself is judged by: its deciding grader, or Vally's example."""
    if not shown.specs:
        return f"{_words(choices.EXAMPLE)}, Vally’s example"
    settings = shown.specs[shown.place].settings
    return "a grader that cannot be used" if settings is None else _words(settings)


def _words(settings: MaxRepeatSettings) -> str:
    """Without the tools: their patterns may be those of a file, and labels are read as markup."""
    return f"max {settings.max}, pattern {settings.max_cycle_period}, {SAME_WHEN[settings.match]}"
