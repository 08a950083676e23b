"""The still parts of Help: every setting, word and rule, as declared, with nothing left that reads as markup."""

from __future__ import annotations

import re

import pytest

from loopviz.settings import EscalationSettings, LoopOutcomeSettings, MaxRepeatSettings, ThrashSettings, describe
from loopviz.ui.help_docs import Rule
from loopviz.ui.help_html import contents, default_in_words, inline, range_in_words, rules, settings_table, terms
from loopviz.ui.help_words import TERMS


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        pytest.param("plain", "plain", id="plain"),
        pytest.param("a <b> & c", "a &lt;b&gt; &amp; c", id="signs of markup"),
        pytest.param("`<x>`", "<code>&lt;x&gt;</code>", id="code"),
        pytest.param("**a** and *b*", "<b>a</b> and <em>b</em>", id="bold and italics"),
        pytest.param("`a*b*c`", "<code>a*b*c</code>", id="nothing is read inside code"),
    ],
)
def test_inline(text: str, markup: str) -> None:
    assert inline(text) == markup


@pytest.mark.parametrize(
    ("model", "name", "wanted"),
    [
        pytest.param(MaxRepeatSettings, "max", ("at least 1", "required"), id="required"),
        pytest.param(MaxRepeatSettings, "max_cycle_period", ("1 to 10", "`1`"), id="a range"),
        pytest.param(
            MaxRepeatSettings, "match", ("`observation`, `name`, `name-args`", "`observation`"), id="one of some words"
        ),
        pytest.param(MaxRepeatSettings, "tools", ("a non-empty list of patterns, each a text", "left out"), id="unset"),
        pytest.param(LoopOutcomeSettings, "should_loop", ("true or false", "`false`"), id="yes or no"),
        pytest.param(EscalationSettings, "similarity", ("a number above 0 and at most 1", "`0.75`"), id="a share"),
        pytest.param(ThrashSettings, "ignore_args", ("a list of texts", "none"), id="an empty list"),
        pytest.param(
            ThrashSettings,
            "finish_tools",
            ("a list of patterns, each a text", "`^finish$` `^submit$` `^done$`"),
            id="a list",
        ),
        pytest.param(
            ThrashSettings,
            "schemas",
            ("must map tool names to JSON Schemas, each a mapping, true or false", "none"),
            id="a mapping",
        ),
    ],
)
def test_range_and_default(model: type, name: str, wanted: tuple[str, str]) -> None:
    field = describe(model)[name]
    assert (range_in_words(field), default_in_words(field)) == wanted


@pytest.mark.parametrize("model", [MaxRepeatSettings, LoopOutcomeSettings, EscalationSettings, ThrashSettings])
def test_a_table_says_what_is_declared(model: type) -> None:
    table = settings_table(describe(model).values())
    for field in describe(model).values():
        assert f"{field.label}<br><code>{field.name}</code>" in table
        assert inline(field.help) in table
    assert table.count("<tr>") == len(describe(model)) + 1


def test_words_can_be_linked_to() -> None:
    anchors = [term.anchor for _, items in TERMS for term in items]
    assert len(set(anchors)) == len(anchors)
    for _, items in TERMS:
        markup = terms(items)
        for term in items:
            assert re.fullmatch(r"word(-[a-z]+)+", term.anchor)
            assert f"<div id='{term.anchor}'>" in markup
            assert all(f"<code>{key}</code>" in markup for key in term.keys)


def test_a_rule_names_its_module() -> None:
    markup = rules([Rule(name="A b", text="It holds.", module="loopviz/readers/turns.py")])
    assert "<div id='rule-a-b'>" in markup and "It holds." in markup and "<code>readers/turns.py</code>" in markup


def test_contents_stay_on_the_page() -> None:
    assert contents([("a", "A & b")]).count("<a href='#a' target='_self'>A &amp; b</a>") == 1
