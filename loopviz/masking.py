"""Hides what looks like a secret before anything leaves the app: on paper, in a report, in a terminal's log.

Masking goes by looks alone, so it may hide too much, and it cannot find every secret: read what you hand on.

A recorded run can hold anything, so every pattern takes time in proportion to the text, whatever the text: what can
fail after a repetition is bounded, and what cannot be bounded cannot fail once it has begun.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MASK = "[masked]"

_START = r"(?:(?<!\w)|(?<=\\[nrt]))"
"""Where a word begins: also after a line break or a tab that JSON spells out."""
_KIND = r"[A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?-----"

_TOKENS = re.compile(
    rf"""
      -----BEGIN\ {_KIND}.*?(?:-----END\ {_KIND}|\Z)                            # a private key
    | {_START}(?:
        eyJ[\w-]{{8,512}}+\.[\w-]{{8,}}+(?:\.[\w-]*+)*+                        # a JSON web token
      | [spr]k[-_](?=[\w-]{{0,64}}?(?:[A-Z0-9]|[a-z]{{16}}))[A-Za-z0-9_-]{{16,}}  # model and payment services
      | gh[pousr]_[A-Za-z0-9]{{20,}} | github_pat_\w{{20,}} | glpat-[\w-]{{16,}}  # code hosts
      | (?:AKIA|ASIA)[A-Z0-9]{{16}}\b                                           # cloud access keys
      | AIza[\w-]{{30,}} | xox[abeoprs]-[\w-]{{10,}} | hf_[A-Za-z0-9]{{20,}} | npm_[A-Za-z0-9]{{30,}}
      | pypi-[\w-]{{30,}}
      )
    """,
    re.VERBOSE | re.DOTALL,
)
_PASSWORD = r"(?:password|passphrase|passwd|pwd|secret)"
_KEY = r"(?:(?:api|access|secret|private)[-_]?key|token|credentials?)"
_QUOTE = r"\\{0,16}[\"']"
"""A quotation mark, however many times JSON inside JSON has escaped it."""
_END = r"(?:\\{0,16}\"(?:[,:}\])\\]|\Z)|\\[nr])"
"""Where a text inside JSON ends, or its line."""
_ITEM = rf"(?P<item>{_QUOTE})(?>(?:(?!(?P=item))(?:\\++.|[^\\\n]))*)(?P=item)?"
_TYPE = r"(?:str|string|bytes|int|bool|none|null|true|false|undefined|optional)"

_NAMED = re.compile(
    rf"""
    (?P<name>
      (?: (?P<password>{_PASSWORD}) | {_KEY} )
      (?> (?P<quoted>{_QUOTE})? [ \t]{{0,16}} )
      (?: :[ \t]{{0,4}}{_TYPE}[ \t]{{0,4}}= | := | =>? | (?P<colon>:) ) (?!=)
      (?> (?P<space>[ \t]{{1,16}})? (?P<quote>{_QUOTE})? )
    )
    (?! {_TYPE}[ \t]{{0,4}}(?:[^\w\s]|$) )                                   # a declaration, no value
    (?:
      (?(quote) (?> (?: (?!(?P=quote)) (?:\\++.|[^\\\n]) )+ ) | (?!) )          # up to the closing quotation mark
    | (?(quote) (?!) )
      (?: (?!\[masked\]) \[ (?> (?: {_ITEM} | [^]] )+ ) \]?                      # a list
      |   (?(password) | (?!) ) (?(quoted) (?!) ) (?(colon) | (?!) ) (?(space) | (?!) )
          (?> (?: (?!{_END}) [^\n] )+ )                                         # up to the end of the line
      |   \[masked\]
      |   (?(password) (?> (?: [^\s&"'\\,}}\])] | [,}}\])"'](?=\w) | \\(?![nrt"'\\]) )+ ) | (?!) )
      |   (?(password) (?!) ) (?!\d++(?![\w.-])) [^\s"',;&}}\\]{{6,}}           # bare digits are a count of tokens
      )
    )
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_BEARER = re.compile(
    r"""
    (?P<name>\b(?:
        (?i:bearer)[ \t]{1,16}+ (?!(?i:auth[a-z]{1,16}+)(?![\w~+/=-]|\.\w))     # "bearer authentication" is prose
      | (?i:basic)[ \t]{1,16}+ (?=[\w.~+/-]{0,200}?(?:\d|=|[a-z][A-Z]))         # and so is "basic understanding"
    ))
    (?P<value>[\w.~+/=-]{12,})
    """,
    re.VERBOSE,
)
_IN_URL = re.compile(
    r"""(?P<name>\b[a-z][a-z0-9+.-]{0,31}://[^\s/:@]{0,256}+:)(?!\d{1,5}[?\#,;])(?P<value>[^\s/"'<>\\]{1,256})(?=@)""",
    re.IGNORECASE,
)
_HINTS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (
        _TOKENS,
        tuple("-----begin eyj sk- pk- rk- sk_ pk_ rk_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_".split())
        + tuple("glpat- akia asia aiza xox hf_ npm_ pypi-".split()),
    ),
    (_IN_URL, ("://",)),
    (_BEARER, ("bearer", "basic")),
    (_NAMED, ("password", "passphrase", "passwd", "pwd", "secret", "key", "token", "credential")),
)
"""What a text in small letters must hold for a pattern to find anything in it; most texts hold nothing of it."""
_PASSWORD_NAME = re.compile(rf"{_PASSWORD}$", re.IGNORECASE)
_SECRET_NAME = re.compile(rf"(?:{_PASSWORD}|{_KEY})$", re.IGNORECASE)


def mask_text(text: str) -> str:
    """The text with everything that looks like a secret replaced.

    Give it whole texts, since a private key spans many lines. After a name such as `password` a quoted value goes up to
    its closing quotation mark, `name: value` up to the end of the line, `name=value` up to the next white space.
    """
    wanted = _wanted(text)
    if _TOKENS in wanted:
        text = _TOKENS.sub(MASK, text)
    for pattern in (_IN_URL, _BEARER, _NAMED):
        if pattern in wanted:
            text = pattern.sub(lambda found: f"{found['name']}{MASK}", text)
    return text


def _wanted(text: str) -> set[re.Pattern[str]]:
    """The patterns that may find something."""
    # Where case is ignored these two are an i, and other letters are what casefold makes of them.
    small = text.lower() if text.isascii() else text.replace("\u0130", "i").replace("\u0131", "i").casefold()
    return {pattern for pattern, signs in _HINTS if any(sign in small for sign in signs)}


def mask(value: Any) -> Any:
    """A JSON value with every text in it masked; all that stands under a name such as `password` is hidden whole."""
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, Mapping):
        return {key: _mask_field(key, item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [mask(item) for item in value]
    return value


def _mask_field(name: str, value: Any) -> Any:
    if not _SECRET_NAME.search(name):
        return mask(value)
    return _hidden(value, numbers=bool(_PASSWORD_NAME.search(name)))


def _hidden(value: Any, *, numbers: bool) -> Any:
    """The value's shape without its texts; a number can be a password, but under `token` it is a count."""
    if isinstance(value, Mapping):
        return {key: _hidden(item, numbers=numbers) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_hidden(item, numbers=numbers) for item in value]
    if isinstance(value, bool) or value is None or value == "":
        return value
    return MASK if isinstance(value, str) or numbers else value
