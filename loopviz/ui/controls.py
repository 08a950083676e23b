"""The settings row: what counts as a loop. A refused entry says why, and what stood before stays in force."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import streamlit as st

from loopviz.detectors.core.steps import MATCHES
from loopviz.evalspec import LOOP_OUTCOME, GraderSpec
from loopviz.patterns import notes
from loopviz.refusals import Refusal, SettingsError
from loopviz.settings import MaxRepeatSettings, changed
from loopviz.timeline.words import SAME_WHEN
from loopviz.ui import choice as choices
from loopviz.ui.graders import Shown
from loopviz.ui.guard_controls import Notes, forget_guards, guards_popover
from loopviz.ui.stepping import controls_drawn, is_echo, said, steps_back

TIPS = {
    "max": "3 passes, the 4th fails.",
    "max_cycle_period": "1 finds A A A only, 2 also A B A B.",
    "match": "same output: same tool and output, arguments ignored (observation). same arguments: same tool and "
    "arguments, output ignored (name-args). same tool: all else ignored (name).",
    "tools": "Patterns that are searched for in tool names, separated by spaces; a call is watched when any is found. "
    "Empty watches every tool. A space inside a pattern is written \\s.",
}
LABELS = {
    "max": "Allowed in a row (max)",
    "max_cycle_period": "Longest pattern (max_cycle_period)",
    "match": "Same when (match)",
    "tools": "Watched tools (tools)",
}
_WIDTHS = {"max": 190, "max_cycle_period": 250}
NUMBER: dict[str, Any] = {"value": None, "step": 1.0, "format": "%.0f"}
"""How numbers are entered: without limits, since the browser says nothing of one that it refuses; None when emptied."""
MOST_ALLOWED = 1_000_000


def grader_controls(
    settings: MaxRepeatSettings,
    *,
    after: Callable[[], None] | None = None,
    after_guards: Callable[[], None] | None = None,
    guard_notes: Notes = dict,
) -> None:
    """Draw a control for each setting of a grader; a change holds for all runs.

    Args:
        settings: What is in force.
        after: Called when a change is taken: what is to be drawn anew, where that is less than all around the controls.
        after_guards: The same for a change of the guards, where that is something else.
        guard_notes: What to say beside the controls of the guards.
    """
    _fill_in(settings)
    with st.container(horizontal=True, key="settings", vertical_alignment="bottom"):
        for field in LABELS:
            _control(field, settings, after, after_guards)
        guards_popover(after_guards or after, guard_notes)


def grader_cells(settings: MaxRepeatSettings, cells: Mapping[str, AbstractContextManager[object]]) -> None:
    """Draw the same controls in a table whose heads name them.

    Args:
        settings: What is in force.
        cells: Where each of them goes, by its field; the guards go into `guards`.
    """
    _fill_in(settings)
    for field in LABELS:
        with cells[field]:
            _control(field, settings, None, None, in_cell=True)
    with cells["guards"]:
        guards_popover()


def _control(
    field: str,
    settings: MaxRepeatSettings,
    after: Callable[[], None] | None,
    after_guards: Callable[[], None] | None,
    *,
    in_cell: bool = False,
) -> None:
    """One control; in a cell it has neither label nor width of its own."""
    common: dict[str, Any] = {
        "key": f"set.{field}",
        "help": None if in_cell else TIPS[field],
        "on_change": _take,
        "args": (field, settings, after, after_guards),
        "label_visibility": "collapsed" if in_cell else "visible",
    }
    if field in _WIDTHS:
        st.number_input(LABELS[field], **NUMBER, **common, width="stretch" if in_cell else _WIDTHS[field])
    elif field == "match":
        st.segmented_control(LABELS[field], MATCHES, required=True, format_func=SAME_WHEN.__getitem__, **common)
    else:
        st.text_input(LABELS[field], placeholder="every tool", live="400ms", **common)


def apply(changes: dict[str, Any], settings: MaxRepeatSettings, *, control: str | None = None) -> None:
    """Change some settings, for all runs from now on; a refusal leaves them and is said beside its control.

    Args:
        changes: New values; None unsets a field that has no default: of `tools`, every tool is watched.
        settings: What is in force.
        control: What is stepped or typed in; None for a click that means exactly this.
    """
    choice = choices.current()
    settings = settings.model_copy(update={field: None for field, value in changes.items() if value is None})
    for field in changes:
        choice = choice.without(field)
    given = {field: value for field, value in changes.items() if value is not None}
    try:
        _check_allowed(given)
        choices.choose(replace(choice, own=changed(settings, **given)), control=control)
    except SettingsError as error:
        refused = tuple((item.field, _typed(changes, item.field), str(item)) for item in error.refusals)
        choices.choose(replace(choice, refused=(*choice.refused, *refused)))


def _check_allowed(given: dict[str, Any]) -> None:
    """Refuse a limit that no run reaches, and that a link could not hold."""
    value = given.get("max")
    if isinstance(value, int | float) and value > MOST_ALLOWED:
        raise SettingsError(Refusal("max", value, f"it can be {MOST_ALLOWED:,} at most here"))


def _typed(changes: dict[str, Any], field: str) -> str:
    value = changes.get(field)
    return " ".join(value) if isinstance(value, list) else str(value)


def _take(
    field: str, drawn: MaxRepeatSettings, after: Callable[[], None] | None, redraw: Callable[[], None] | None
) -> None:
    """A control has changed; the settings it was drawn with may be out of date by now.

    Where the control does not say what is in force now, as after a refusal, it is drawn anew too.
    """
    value = st.session_state[f"set.{field}"]
    taken = not is_echo(field, value) and _apply_control(field, value, choices.current().own or drawn)
    then = after if taken else redraw or after
    if then is not None:
        then()


def _apply_control(field: str, value: Any, settings: MaxRepeatSettings) -> bool:
    """Put what a control says in force; false where it says nothing, or was refused."""
    if field == "tools":
        patterns = choices.patterns_from_text(value)
        apply({field: None if patterns is None else list(patterns)}, settings, control=field)
        said(field, value)
        return True  # It keeps what was typed, refused or not.
    if value is None:
        return False
    number = isinstance(value, float) and value.is_integer()
    apply({field: int(value) if number else value}, settings, control=None if field == "match" else field)
    taken = choices.current().refusal(field) is None
    if taken:
        said(field, value)
    return taken


def _fill_in(settings: MaxRepeatSettings) -> None:
    """Make the controls say what is in force; tools with a refused entry keep what was typed."""
    refusal = choices.current().refusal("tools")
    values = {
        "max": float(settings.max),
        "max_cycle_period": float(settings.max_cycle_period),
        "match": settings.match,
        "tools": refusal[0] if refusal else choices.patterns_as_text(settings.tools),
    }
    for field, value in values.items():
        st.session_state[f"set.{field}"] = value
    controls_drawn(values)


def say_refusals(settings: MaxRepeatSettings) -> None:
    """Say why an entry was refused, and what an accepted pattern does that its author may not mean."""
    for _, _, why in choices.current().refused:
        st.text(f"Not used: {why} What stood before stays in force.")
    for note in notes(settings.tools or ()):
        st.text(note)


def pick_grader(shown: Shown, *, after: Callable[[], None]) -> None:
    """Offer the other max-repeat graders of a run that records several."""
    if shown.source == "own" or len(shown.specs) < 2:
        return
    st.session_state["set.grader"] = shown.place
    st.pills(
        "Graders of this stimulus",
        range(len(shown.specs)),
        required=True,
        format_func=lambda place: _grader_label(place, shown.specs[place]),
        key="set.grader",
        on_change=_pick_grader,
        args=(after,),
    )
    st.text(shown.name)


def say_origin(shown: Shown, *, after: Callable[[], None]) -> None:
    """Where the settings come from, the way back to what the run recorded, and the steps back and forward."""
    if shown.refused:
        st.text(f"This run's own grader cannot be used: {shown.refused} Shown instead: Vally's example, max 3.")
    with st.container(horizontal=True, key="origin", vertical_alignment="center"):
        if shown.source == "own":
            back = "the recorded settings" if shown.specs else "Vally's example, max 3"
            icon = ":material/reply:"
            st.button(f"Back to {back}", key="set.back", on_click=_back, args=(after,), type="tertiary", icon=icon)
        elif shown.specs and shown.specs[shown.place].type == LOOP_OUTCOME:
            st.caption("Judged as its grader loop-outcome does: N retries are N + 1 times in a row.")
        elif shown.source == "example":
            st.caption("No max-repeat settings in this file. Shown: Vally's example, max 3.")
        steps_back(after, forget_guards)


def _grader_label(place: int, grader: GraderSpec) -> str:
    """What tells a grader of a run from the others, in words of ours alone."""
    if grader.settings is None:
        return f"Grader {place + 1}: not usable"
    return f"Grader {place + 1}: {grader.settings.max} allowed"


def _back(after: Callable[[], None]) -> None:
    choices.choose(choices.Choice(grader=choices.current().grader, guards=choices.current().guards))
    after()


def _pick_grader(after: Callable[[], None]) -> None:
    choices.choose(replace(choices.current(), grader=int(st.session_state["set.grader"] or 0), own=None))
    after()
