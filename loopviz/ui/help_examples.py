"""Live examples of the grader and its sibling: a short line of calls, judged and drawn by the code that judges runs."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs

import streamlit as st

from loopviz.analysis.inspection import Inspection, inspect
from loopviz.analysis.runset import RunSet
from loopviz.settings import LoopOutcomeSettings, MaxRepeatSettings
from loopviz.timeline.contract import Verdict
from loopviz.timeline.evidence import show_evidence
from loopviz.timeline.picture import draw
from loopviz.timeline.verdict import judge_in_words
from loopviz.timeline.words import number, text
from loopviz.ui.components.small import small_evidence, small_timeline
from loopviz.ui.help_controls import Case, Example
from loopviz.ui.help_html import definitions
from loopviz.ui.help_notation import WATCHED, NotationError, run_of_line

NOTATION = (
    ("A", "a call of tool A"),
    ("A1 A2", "the same call, two outputs"),
    ("Ap Aq", "other arguments: id is p, id is q"),
    ("_", "the call before once more, with an empty output"),
    ("A_", "a call with an empty output"),
    ("(A B)", "two calls in one turn"),
    ("x", "a tool that is not watched"),
    ("A!", "a call that failed"),
)
"""What the signs of a line mean."""

REPEAT = Example(
    key="repeat",
    model=MaxRepeatSettings,
    fields=("max", "max_cycle_period", "match"),
    shown={"max": 3},
    cases=(
        Case(name="One step, four times", text="A A A A"),
        Case(name="Two steps that take turns", text="A B A B A B A B", settings={"max_cycle_period": 2}),
        Case(name="The same, but only single steps are looked for", text="A B A B A B A B"),
        Case(name="A copy that was only started", text="A B A B A", settings={"max": 1, "max_cycle_period": 2}),
        Case(name="A start in the middle of the pattern", text="B A B A B A B", settings={"max_cycle_period": 2}),
        Case(name="Three steps", text="A B C A B C A B", settings={"max": 1, "max_cycle_period": 3}),
        Case(name="Three steps, patterns of two looked for", text="A B C A B C A B", settings={"max_cycle_period": 2}),
        Case(name="A repeat inside a pattern", text="A A B A A B A A B", settings={"max": 2, "max_cycle_period": 3}),
        Case(name="An empty output in between", text="A A _ A A"),
        Case(name="Nothing but empty outputs", text="A_ A_ A_ A_", settings={"max_cycle_period": 3}),
        Case(name="A single step", text="A"),
        Case(name="Calls at once have no order", text="(A B) (B A) (A A B) (A B)"),
        Case(name="A tool in between that is not watched", text="A x A x A x A"),
        Case(name="The output changes each time", text="A1 A2 A3 A4 A5"),
        Case(name="The arguments change each time", text="Ap Aq Ar As", settings={"match": "name-args"}),
        Case(name="No call at all", text=""),
    ),
)
OUTCOME = Example(
    key="outcome",
    model=LoopOutcomeSettings,
    fields=("max_acceptable_retries", "match"),
    shown={"max_acceptable_retries": 2},
    cases=(
        Case(name="Four times are three retries", text="A A A A"),
        Case(name="Three times are two retries", text="A A A"),
        Case(name="Two calls that take turns are no retries", text="A B A B A B"),
    ),
)


@st.fragment(key="help-repeat")
def repeat_example() -> None:
    """max-repeat on a line."""
    run = _line(REPEAT)
    settings = REPEAT.settings(MaxRepeatSettings)
    if run is not None and settings is not None:
        found = _judged(run, settings)
        _answer(REPEAT, found, judge_in_words(found, None))
        if len(found.finding.cycles):
            shown = show_evidence(found, None, raw=None, whole=frozenset())
            small_evidence({"cycles": shown["cycles"]}, key="help-repeat-cycles")


@st.fragment(key="help-outcome")
def outcome_example() -> None:
    """The sibling on a line."""
    run = _line(OUTCOME)
    settings = OUTCOME.settings(LoopOutcomeSettings)
    if run is not None and settings is not None:
        found = _judged(run, settings.as_max_repeat())
        _answer(OUTCOME, found, retries_in_words(found, settings))


def retries_in_words(found: Inspection, settings: LoopOutcomeSettings) -> Verdict:
    """The sibling's verdict: retries in place of times in a row."""
    retries, most = max(found.finding.occurrences - 1, 0), settings.max_acceptable_retries
    words = f"{number(retries)} {'retry' if retries == 1 else 'retries'} in a row; "
    words += f"{number(most)} {'is' if most == 1 else 'are'} allowed."
    return {
        "passed": found.finding.passed,
        "badge": "PASS" if found.finding.passed else "FAIL",
        "sentence": [text(words)],
        "rows": [
            {
                "label": "As max-repeat",
                "parts": [text(f"{number(found.finding.occurrences)} times in a row; {number(most + 1)} allowed.")],
            }
        ],
    }


def line_of(example: Example, read: Callable[[str], RunSet] = run_of_line) -> RunSet | None:
    """What is typed, as a run; where it means nothing it is said, and there is none."""
    try:
        return read(st.session_state[example.state("text")] or "")
    except NotationError as error:
        st.text(f"{error}.")
        return None


def type_line(example: Example) -> None:
    """Draw the list of cases and the line."""
    example.begin()
    with st.container(horizontal=True, key=f"help-{example.key}-line", vertical_alignment="bottom"):
        example.pick()
        st.text_input("Calls", key=example.state("text"), live="250ms", placeholder="A A _ A A")
    st.html(definitions(NOTATION, "notation"))


def _line(example: Example) -> RunSet | None:
    type_line(example)
    example.controls()
    return line_of(example)


def _judged(run: RunSet, settings: MaxRepeatSettings) -> Inspection:
    return inspect(run, settings.model_copy(update={"tools": WATCHED}))


def _answer(example: Example, found: Inspection, verdict: Verdict) -> None:
    """Verdict and picture; a click on what would change the verdict changes it."""
    rows = [row for row in verdict["rows"] if row["label"] != "Vally said"]
    payload = draw(found, {**verdict, "rows": rows}, {"call": None, "seq": 0})
    action = small_timeline(payload, key=f"help-{example.key}-picture")
    for name, values in parse_qs(action or "").items():
        if name in example.fields:
            example.clicked(name, int(values[0]) if values[0].isdecimal() else values[0])
