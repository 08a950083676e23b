"""HTML that is safe by construction: every text and attribute value is escaped where it goes in.

Texts come from recorded runs, which hold whatever an agent met. `element` takes plain texts and what it made before,
never HTML as text; addresses lead to a place of this page or to a file beside it, never elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any, TypeAlias

_VOID = frozenset(("br", "hr", "input", "meta"))
_OBEYED = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ud800-\udfff"
"""What a browser obeys, or cannot hold: control characters, changes of direction, halves of surrogate pairs."""
_IGNORED = (
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What is never drawn, as Unicode has it (Default_Ignorable_Code_Point), save for what follows."""
_PICTURE = r"[\xa9\xae\u203c-\u205e\u2070-\u3163\u3165-\u3299\U0001f000-\U0001faff]"
_JOINING = r"[\u0600-\u08ff\u0900-\u0dff]"
_UNSEEN = re.compile(
    rf"""
      [{_OBEYED}{_IGNORED}]
    | (?<!{_PICTURE})[\ufe00-\ufe0f](?!\u20e3)                       # picks the look of the sign before it
    | (?<!{_PICTURE})(?<!\ufe0f)(?<!{_JOINING})[\u200c\u200d]        # joins or parts the signs round it
    | [\u200c\u200d](?!{_PICTURE}|{_JOINING})
    """,
    re.VERBOSE,
)
"""What a person would not see. Line feeds and tabs are text, and so are the signs that make one picture of several or
shape the letters of a script: their effect is seen."""
_ADDRESS = re.compile(r"#[\w-]*|[\w-][\w.-]*\.html(?:#[\w-]*)?", re.ASCII)
_IN_SCRIPT = {sign: f"\\u{ord(sign):04x}" for sign in "<>&"}


class Markup(str):
    """A text that is HTML already; only `element`, `written` and `joined` make it."""

    __slots__ = ()


Content: TypeAlias = "str | Iterable[Content] | None"


def readable(text: str) -> str:
    r"""The text with every character that nobody would see spelled out, as in `\x1b` or `\u202e`."""
    text = text.replace("\r\n", "\n")
    return _UNSEEN.sub(lambda sign: sign[0].encode("unicode_escape").decode("ascii"), text)


def written(text: str) -> Markup:
    """A text as HTML that shows it."""
    return text if isinstance(text, Markup) else Markup(escape(readable(text), quote=False))


def joined(*content: Content) -> Markup:
    """Several pieces, one after the other."""
    return Markup("".join(_pieces(content)))


def element(tag: str, /, *content: Content, **attributes: str | bool | None) -> Markup:
    """An element with its content.

    Args:
        tag: Its name, in the program's own words.
        content: Texts, which are escaped, and markup, which is not; None is left out.
        attributes: `class_` stands for `class`, `data_call` for `data-call`; True for an attribute without a value,
            None and False for none.
    Raises:
        ValueError: if an `href` leads out of the page and the files beside it.
    """
    head = "".join([f"<{tag}", *(_attribute(key, value) for key, value in attributes.items()), ">"])
    if tag in _VOID:
        return Markup(head)
    body = "".join(_pieces(content))
    # A line feed right after <pre> would be taken for layout, so one is given that may be.
    return Markup(f"{head}{chr(10) if tag == 'pre' else ''}{body}</{tag}>")


def script_data(value: Any) -> str:
    """A JSON value as it may stand between script tags: nothing in it can end them or begin a comment."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return re.sub("[<>&]", lambda sign: _IN_SCRIPT[sign[0]], text)


def verbatim(tag: str, /, code: str, **attributes: str | bool | None) -> Markup:
    """A script or style sheet of the program's own, as it stands.

    Raises:
        ValueError: if the code would end its own element.
    """
    if f"</{tag}" in code.lower() or "<!--" in code:
        raise ValueError(f"this {tag} would end its own element")
    head = "".join([f"<{tag}", *(_attribute(key, value) for key, value in attributes.items()), ">"])
    return Markup(f"{head}{code}</{tag}>")


def _attribute(key: str, value: str | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    if name == "href" and not _ADDRESS.fullmatch(value):
        raise ValueError(f"{value!r} is no place on this page or file beside it")
    return f' {name}="{escape(readable(value))}"'


def _pieces(content: Content) -> Iterable[str]:
    if content is None:
        return
    if isinstance(content, str):
        yield written(content)
    else:
        for piece in content:
            yield from _pieces(piece)
