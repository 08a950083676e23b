"""Hides what looks like a secret before anything leaves the app: on paper, in a report, in a terminal's log.

Masking goes by looks alone, so it may hide too much, and it cannot find every secret: read what you hand on. What it
cannot tell from prose, and so leaves:

- a secret in running words (`the password is swordfish`); only one in quotation marks that no plain word would be is
  hidden (`the password is "sw0rdfish"`);
- a plain word behind an option (`--password swordfish` in a command line; in a list of arguments it is hidden);
- `-u name:password` and `-pPASSWORD` of programs other than curl, and mysql and its kin;
- a value whose name says nothing of a secret (`DSN`, `sid`, `pin`), and one that was split, encoded or spelled aloud.

A recorded run can hold anything, so every pattern takes time in proportion to the text, whatever the text: what can
fail after a repetition is bounded, and what cannot be bounded cannot fail once it has begun.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

MASK = "[masked]"

_START = r"(?:(?<![^\W_])|(?<=\\[nrt]))"
"""Where a word begins, or goes on after `_`: also after a line break or a tab that JSON spells out."""
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
    | sk-(?:proj|ant|or|svcacct)-[A-Za-z0-9_-]{{16,}} | gh[pousr]_[A-Za-z0-9]{{36,}} | github_pat_\w{{40,}}  # anywhere
    """,
    re.VERBOSE | re.DOTALL,
)
_PASSWORD = r"(?:password|passphrase|passwd|pwd|secret)"
_KEY = r"(?:(?:api|access|secret|private)[-_]?key|token|credentials?)"
_LAST = r"(?:[-_]?(?:value|hash)|_?\d{1,2})?"
"""What a name may end with that still names a secret: `client_secret_value`, `passwordHash`, `password2`."""
_SECRET = rf"(?:{_PASSWORD}|{_KEY}){_LAST}"
_QUOTE = r"\\{0,16}[\"']"
"""A quotation mark, however many times JSON inside JSON has escaped it."""
_END = r"(?:\\{0,16}\"(?:[,:}\])\\]|\Z)|\\[nr])"
"""Where a text inside JSON ends, or its line."""
_ITEM = rf"(?P<item>{_QUOTE})(?>(?:(?!(?P=item))(?:\\++.|[^\\\n]))*)(?P=item)?"
_TO_MARK = r"(?> (?: (?!(?P=mark)) (?:\\++.|[^\\\n]) )+ )"
"""Up to the quotation mark that closes what `mark` opened."""
_ITEM_OF_OBJECT = _ITEM.replace("item", "member")
_SPACE = r"(?:[ \t\n]|\\[nrt]){0,16}"
"""White space, that which JSON spells out included."""
_TYPE = r"(?:str|string|bytes|int|bool|none|null|true|false|undefined|optional)"

_NAMED = re.compile(
    rf"""
    (?P<name>
      (?: (?P<password>{_PASSWORD}) | {_KEY} ) {_LAST}
      (?> (?P<quoted>{_QUOTE})? [ \t]{{0,16}} )
      (?: :[ \t]{{0,4}}{_TYPE}[ \t]{{0,4}}= | := | =>? | (?P<colon>:) ) (?!=)
      (?> (?P<space>[ \t]{{1,16}})? (?P<quote>{_QUOTE})? )
    )
    (?! {_TYPE}[ \t]{{0,4}}(?:[^\w\s]|$) )                                   # a declaration, no value
    (?:
      (?(quote) (?> (?: (?!(?P=quote)) (?:\\++.|[^\\\n]) )+ ) | (?!) )          # up to the closing quotation mark
    | (?(quote) (?!) )
      (?: (?!\[masked\]) \[ (?> (?: {_ITEM} | [^]] )+ ) \]?                      # a list
      |   (?(quoted) | (?!) ) (?(colon) | (?!) ) \{{ (?={_SPACE}{_QUOTE})         # an object of JSON
          (?> (?: {_ITEM_OF_OBJECT} | [^{{}}] | \{{[^{{}}]{{0,2000}}\}} )+ ) \}}?
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
_LISTED = re.compile(
    rf"""
    (?P<name>
      (?:
        {_QUOTE}-{{1,2}}[\w-]{{0,64}}?{_SECRET}{_QUOTE},                             # "--password", "…"
      | {_QUOTE}(?:name|key){_QUOTE}{_SPACE}:{_SPACE}{_QUOTE}[\w.-]{{0,64}}?{_SECRET}{_QUOTE}{_SPACE},
        {_SPACE}{_QUOTE}value{_QUOTE}{_SPACE}:                                      # "name": "API_KEY", "value": "…"
      )
      {_SPACE}(?P<mark>{_QUOTE})
    )
    (?!\[masked\]) {_TO_MARK}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OPTIONS = re.compile(
    rf"""
    (?P<name>
      --[\w-]{{0,64}}?{_SECRET}[ \t]{{1,4}}
      (?: (?P<mark>["']) | (?![-"']) (?=[^\s"'\\]{{0,64}}?\d) (?!\d++(?![\w.-])) )  # no plain word, no count
    )
    (?!\[masked\]) (?(mark) {_TO_MARK} | [^\s"'`\\]{{4,}}+ )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TOLD = re.compile(
    rf"""
    (?P<name>
      {_SECRET}[ \t]{{1,4}}(?:is|was)[ \t]{{1,4}}(?:{_QUOTE}|`)
      (?=[^\s"'`\\]{{0,64}}?[^\sA-Za-z"'`\\.,!?:;-])                             # no plain word
    )
    (?!\[masked\]) [^\s"'`\\]{{4,}}+
    """,
    re.VERBOSE | re.IGNORECASE,
)
_COMMAND = re.compile(
    r"""
    \b(?:(?P<curl>curl)|(?:mysql|mariadb)[\w-]{0,16}+|sshpass)\b
    (?> (?: '[^'\n]*' | "[^"\n]*" | [^;|&\n] | (?<=\\)\n )* )                       # up to the end of the command
    """,
    re.VERBOSE,
)
_VALUE = rf"(?!\[masked\])(?(mark){_TO_MARK}|[^\s\"'\\;|&]++)"
_USER = re.compile(
    rf"""(?P<name>\s(?:-u|--user|--proxy-user)(?:[ \t]{{1,4}}|=)?(?P<mark>{_QUOTE})?[^\s:"'/\\]{{1,128}}:){_VALUE}""",
    re.VERBOSE,
)
_LOGIN = re.compile(
    rf"""(?P<name>(?:(?<=sshpass)\s{{1,4}}-p\s{{0,4}}|\s-p(?=[^\s;|&-]))(?P<mark>{_QUOTE})?){_VALUE}""", re.VERBOSE
)
"""After `-p` at once: with a blank in between it is the name of a database."""
_COOKIE = re.compile(
    rf"""
    (?P<name>\b(?:set-)?cookie{_QUOTE}?[ \t]{{0,4}}:[ \t]{{0,4}}(?P<mark>{_QUOTE})?)
    (?=[!\#$%&*+.^_|~\w-]{{1,128}}=)
    (?(mark) {_TO_MARK} | (?> (?: (?!\\{{0,16}}["']|\\[nr]) [^\n] )+ ) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NAMES = ("password", "passphrase", "passwd", "pwd", "secret", "key", "token", "credential")
_HINTS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (
        _TOKENS,
        tuple("-----begin eyj sk- pk- rk- sk_ pk_ rk_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_".split())
        + tuple("glpat- akia asia aiza xox hf_ npm_ pypi-".split()),
    ),
    (_IN_URL, ("://",)),
    (_BEARER, ("bearer", "basic")),
    (_LISTED, _NAMES),
    (_NAMED, _NAMES),
    (_OPTIONS, _NAMES),
    (_TOLD, _NAMES),
    (_COMMAND, ("curl", "mysql", "mariadb", "sshpass")),
    (_COOKIE, ("cookie",)),
)
"""What a text in small letters must hold for a pattern to find anything in it; most texts hold nothing of it."""
_PASSWORD_NAME = re.compile(rf"{_PASSWORD}{_LAST}$", re.IGNORECASE)
_SECRET_NAME = re.compile(rf"{_SECRET}$|^(?:set-)?cookies?$", re.IGNORECASE)
_OPTION = re.compile(rf"--?[\w-]{{0,64}}?{_SECRET}", re.IGNORECASE)


_NAMING = (_IN_URL, _BEARER, _LISTED, _NAMED, _OPTIONS, _TOLD, _COOKIE)
"""Patterns that keep a name before what they hide, in the order in which they are tried."""


def mask_text(text: str) -> str:
    """The text with everything that looks like a secret replaced.

    Give it whole texts, since a private key spans many lines. After a name such as `password` a quoted value goes up to
    its closing quotation mark, `name: value` up to the end of the line, `name=value` up to the next white space.
    """
    wanted = _wanted(text)
    if _TOKENS in wanted:
        text = _TOKENS.sub(MASK, text)
    for pattern in _NAMING:
        if pattern in wanted:
            text = pattern.sub(_behind_its_name, text)
    if _COMMAND in wanted:
        text = _COMMAND.sub(_without_passwords, text)
    return text


def _behind_its_name(found: re.Match[str]) -> str:
    return f"{found['name']}{MASK}"


def _without_passwords(command: re.Match[str]) -> str:
    return (_USER if command["curl"] else _LOGIN).sub(_behind_its_name, command[0])


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
        named = _named_by_a_field(value)
        return {
            key: _hidden(item, numbers=True) if named and key == "value" else _mask_field(key, item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [
            _hidden(item, numbers=True) if _is_behind_an_option(before, item) else mask(item)
            for before, item in zip((None, *value), value, strict=False)
        ]
    return value


def mask_json(raw: bytes) -> bytes:
    """A JSON text, masked as `mask` does; the very same where it holds nothing to hide, or nothing can decode it."""
    if not _wanted(raw.decode("utf-8", "replace")):
        return raw
    try:
        value = json.loads(raw.decode("utf-8", "surrogatepass"), strict=False)
    except (ValueError, RecursionError):
        return mask_text(raw.decode("utf-8", "replace")).encode()
    masked = mask(value)
    return raw if masked == value else json.dumps(masked).encode()


def _named_by_a_field(value: Mapping[str, Any]) -> bool:
    """Whether a field tells that `value` is a secret, as in a list of variables: `{"name": "API_KEY", "value": …}`."""
    return "value" in value and any(
        isinstance(name := value.get(field), str) and _SECRET_NAME.search(name) for field in ("name", "key")
    )


def _is_behind_an_option(before: Any, item: Any) -> bool:
    """Whether an item of a list of arguments is a secret: after `--password`, unless it is an option itself."""
    is_option = isinstance(before, str) and _OPTION.fullmatch(before) is not None
    return is_option and not (isinstance(item, str) and item.startswith("-"))


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
