"""The still parts of the Help page as markup: lists of words, of rules and of settings. All their texts are our own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from loopviz.settings import Described
from loopviz.ui.help_docs import Rule
from loopviz.ui.help_words import Term

_CODE = re.compile(r"`([^`]+)`")
_STRONG = re.compile(r"\*\*([^*]+)\*\*")
_SLANTED = re.compile(r"\*([^*]+)\*")
_LEAD = re.compile(r"it (?:must be (?:a whole number (?:of|from) )?)?")


def inline(text: str) -> str:
    """The few signs that a docstring uses, as markup: code, bold and italics."""
    pieces = _CODE.split(text)
    pieces[::2] = [_SLANTED.sub(r"<em>\1</em>", _STRONG.sub(r"<b>\1</b>", escape(piece))) for piece in pieces[::2]]
    pieces[1::2] = [code(piece) for piece in pieces[1::2]]
    return "".join(pieces)


def code(text: str) -> str:
    """A key or a value as a person types it."""
    return f"<code>{escape(text)}</code>"


def definitions(items: Iterable[tuple[str, str]], look: str) -> str:
    """Names and what they mean, without anchors."""
    return _list((f"<div><dt>{escape(name)}</dt><dd>{inline(text)}</dd></div>" for name, text in items), look)


def terms(items: Iterable[Term]) -> str:
    """Words with their keys; each can be linked to."""
    return _list((_entry(term.anchor, term.name, "".join(map(code, term.keys)), term.text) for term in items), "words")


def rules(items: Iterable[Rule]) -> str:
    """Rules with the module that each is implemented in; each can be linked to."""
    return _list(
        (_entry(rule.anchor, rule.name, code(rule.module.removeprefix("loopviz/")), rule.text) for rule in items),
        "rules",
    )


def settings_table(fields: Iterable[Described]) -> str:
    """Settings as they are declared: label, key, range, default, help."""
    rows = "".join(
        f"<tr><th scope='row'>{escape(field.label)}<br>{code(field.name)}</th><td>{inline(range_in_words(field))}</td>"
        f"<td>{inline(default_in_words(field))}</td><td>{inline(field.help)}</td></tr>"
        for field in fields
    )
    heads = "".join(f"<th scope='col'>{head}</th>" for head in ("Setting", "Range", "Default", "What it does"))
    return f"<table class='help-settings'><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def range_in_words(field: Described) -> str:
    """What a setting may be: `1 to 10`, `at least 2`, one of some words, or the rule that a refusal names."""
    if field.choices:
        return ", ".join(f"`{choice}`" for choice in field.choices)
    return _LEAD.sub("", field.rule)


def default_in_words(field: Described) -> str:
    """The default as a person would type it."""
    match field.default:
        case _ if field.required:
            return "required"
        case None:
            return "left out"
        case bool():
            return f"`{str(field.default).lower()}`"
        case tuple():
            return " ".join(f"`{item}`" for item in field.default) or "none"
        case int() | float() | str():
            return f"`{field.default}`"
        case _:
            return "none"


def contents(entries: Sequence[tuple[str, str]]) -> str:
    """The table of contents."""
    links = "".join(f"<li><a href='#{anchor}' target='_self'>{escape(name)}</a></li>" for anchor, name in entries)
    return f"<nav class='help-contents' aria-label='On this page'><ol class='help-contents-list'>{links}</ol></nav>"


def _entry(anchor: str, name: str, aside: str, text: str) -> str:
    link = f"<a href='#{anchor}' target='_self'>{escape(name)}</a>"
    words = f"<span>{inline(text)}</span><span class='help-aside'>{aside}</span>"
    return f"<div id='{anchor}'><dt>{link}</dt><dd>{words}</dd></div>"


def _list(entries: Iterable[str], look: str) -> str:
    return f"<dl class='help-list help-{look}'>{''.join(entries)}</dl>"
