"""Help: what the words, the marks and the rules mean, with the detectors at work on small examples."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import streamlit as st

from loopviz.detectors import escalation, max_repeat, thrash
from loopviz.settings import (
    CommonSettings,
    EscalationSettings,
    LoopOutcomeSettings,
    MaxRepeatSettings,
    Settings,
    ThrashSettings,
    describe,
)
from loopviz.ui.components.help_anchor import help_anchor
from loopviz.ui.components.scripts import send_scripts
from loopviz.ui.components.timeline import timeline
from loopviz.ui.help_docs import read_doc, rules
from loopviz.ui.help_examples import outcome_example, repeat_example
from loopviz.ui.help_guards import ladder_example, thrash_example
from loopviz.ui.help_html import contents, definitions, settings_table, terms
from loopviz.ui.help_html import rules as rules_html
from loopviz.ui.help_picture import picture
from loopviz.ui.help_terminal import COMMANDS, CONFIG, EXITS, PRIVACY, SOURCES
from loopviz.ui.help_words import CHOOSING, LANES, PAGES, PURPOSE, TERMS

CONTENTS = (
    ("in-one-minute", "In one minute"),
    ("words", "Words"),
    ("choosing", "Choosing settings"),
    ("max-repeat", "max-repeat"),
    ("loop-outcome", "loop-outcome"),
    ("ladder", "Escalation ladder"),
    ("thrash", "Thrash"),
    ("rules", "Decided rules"),
    ("terminal", "In a terminal"),
    ("privacy", "What stays here"),
)
"""Sections of the page: the end of a link to each, and its title."""
_TITLES = dict(CONTENTS)


def page() -> None:
    """The whole page."""
    send_scripts()
    with st.container(key="help"):
        with st.container(key="help-head"):
            st.title("Help", anchor=False)
        with st.container(key="help-side"):
            st.html(contents(CONTENTS))
        with st.container(key="help-body"):
            _minute()
            _words()
            _choosing()
            _detectors()
            _rules()
            _terminal()
            _privacy()
    help_anchor(key="help-anchor")


def _header(anchor: str) -> None:
    st.header(_TITLES[anchor], anchor=anchor)


def _minute() -> None:
    _header("in-one-minute")
    st.markdown(PURPOSE)
    timeline(picture(), key="help-picture")
    st.caption(
        "The lanes from top to bottom. This run was made for this page: patterns of up to 3 steps, 3 in a row are "
        "allowed, and update_plan is not watched."
    )
    st.html(definitions(LANES, "lanes"))
    st.subheader("Which page answers what", anchor="pages")
    st.html(definitions(PAGES, "pages"))


def _words() -> None:
    _header("words")
    st.markdown("Beside each word stands what it is called where you type it or where the command line prints it.")
    for chapter, words in TERMS:
        st.subheader(chapter, anchor=False)
        st.html(terms(words))


def _choosing() -> None:
    _header("choosing")
    st.markdown(CHOOSING)


def _detectors() -> None:
    _detector("max-repeat", max_repeat, MaxRepeatSettings, repeat_example)
    _header("loop-outcome")
    _docstring(LoopOutcomeSettings.__doc__ or "")
    outcome_example()
    _settings(LoopOutcomeSettings)
    _detector("ladder", escalation, EscalationSettings, ladder_example)
    _detector("thrash", thrash, ThrashSettings, thrash_example)
    st.subheader("What the detectors share", anchor="common-settings")
    _settings(CommonSettings)


def _detector(anchor: str, module: ModuleType, model: type[Settings], example: Callable[[], None]) -> None:
    _header(anchor)
    _docstring(module.__doc__ or "")
    st.subheader("Try it", anchor=f"{anchor}-try-it")
    with st.container(key=f"help-{anchor}-example"):
        example()
    st.subheader("Settings", anchor=f"{anchor}-settings")
    _settings(model)


def _docstring(text: str) -> None:
    doc = read_doc(text)
    st.markdown(f"**{doc.lead}**")
    if doc.body:
        st.markdown(doc.body)
    if doc.why:
        st.markdown(f"**Why it matters.** {doc.why}")


def _settings(model: type[Settings]) -> None:
    st.html(settings_table(describe(model).values()))


def _rules() -> None:
    _header("rules")
    st.markdown(
        "Public documentation leaves some questions open. These are the answers that loopviz gives, in the words of "
        "the modules that carry them out."
    )
    for chapter, items in rules():
        st.subheader(chapter, anchor=False)
        st.html(rules_html(items))


def _terminal() -> None:
    _header("terminal")
    st.code(COMMANDS, language=None, wrap_lines=True)
    st.html(definitions(EXITS, "exits"))
    st.subheader("Where settings come from", anchor="settings-come-from")
    st.markdown(SOURCES)
    st.code(CONFIG, language=None, wrap_lines=True)


def _privacy() -> None:
    _header("privacy")
    st.markdown(PRIVACY)


page()
