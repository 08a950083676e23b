"""Tool patterns: ECMAScript regular expressions, searched for anywhere in a tool's name, or in longer texts.

The grader's language is JavaScript, whose expressions differ from Python's in ways that decide verdicts, so the
`regress` engine reads them, without the `u` flag. It backtracks: `(a+)+$` can run for ever. So every pattern runs in a
worker process that is killed after a second, and a pattern so stopped is refused; it never becomes a verdict.

Source: SPEC, section 1, "Settings".
"""

from __future__ import annotations

import re
import string
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache

from loopviz import pattern_pool

REMEMBERED = 512
"""Answers kept, one per pattern and set of names."""
REFUSAL_LIFE_S = 30.0
"""How long a timeout is remembered: it spares a page its reruns, and a busy machine, the other cause, is forgiven."""

SEARCH_LIMIT_S = 10.0
"""How long a search through any number of texts may take."""
PORTION = 1 << 17
"""Characters that one request holds at most, but for a single text that is longer: each has its own second."""

_FLAGS = re.compile(r"\(\?([ims]+)\)")
_BLANK = re.compile("[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*")
"""White space as the grader's language has it, which is not quite Python's."""
_LOOK_AROUND = re.compile(r"\(\?<?[=!]")
_UNLIKE_NAMES = (*string.printable[:95], "\u00e9", "\u5de5", "\U0001f600", "ab", "Read_file-2.x/y z")
"""Names with as little in common as can be: each printable ASCII character, some others, and two longer ones."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_TO_PRIVATE = 0x10D800 - 0xD800

Answer = tuple[bool, ...]
Span = tuple[int, int]
"""Where a match stands in its text: first character, last + 1."""


class PatternError(ValueError):
    """A pattern that is refused, and the rule, as a clause that can follow `tools is "(";`."""

    def __init__(self, pattern: str, rule: str) -> None:
        super().__init__(f"the pattern {pattern!r} is refused: {rule}")
        self.pattern = pattern
        self.rule = rule


class PatternTimeout(PatternError):
    """A pattern that ran longer than the time limit."""


def compile_check(pattern: str) -> None:
    """Refuse a pattern that the grader would not take.

    Raises:
        PatternError: when it is blank, does not compile, or is an empty expression.
    """
    _find(pattern, ())


def matching(names: Sequence[str], patterns: Sequence[str]) -> Answer:
    """Tell for each name whether any of the patterns is found in it.

    Args:
        names: Tool names.
        patterns: ECMAScript patterns; where there are none, nothing matches.
    Returns:
        One truth value per name.
    Raises:
        PatternError: for the first pattern that is refused or runs too long.
    """
    found = [_find(pattern, tuple(names)) for pattern in patterns]
    return tuple(any(row) for row in zip(*found, strict=True)) if found else (False,) * len(names)


def spans(texts: Sequence[str], pattern: str) -> list[Span | None]:
    """Find a pattern in texts of any length and number, which is remembered nowhere.

    Args:
        texts: What to look into.
        pattern: An ECMAScript pattern.
    Returns:
        The first match in each text; None where there is none.
    Raises:
        PatternError: if the pattern is refused, or stopped: after a second in one portion of the texts, or after
            `SEARCH_LIMIT_S` in all.
    """
    compile_check(pattern)
    rest, flags = split_flags(pattern)
    stop_s = time.monotonic() + SEARCH_LIMIT_S
    found: list[Span | None] = []
    for portion in _portions(texts):
        if time.monotonic() > stop_s:
            raise _timeout(pattern, SEARCH_LIMIT_S)
        found += _spans(pattern, _sendable(rest), flags, portion)
    return found


def _portions(texts: Sequence[str]) -> Iterator[list[str]]:
    portion: list[str] = []
    size = 0
    for text in texts:
        if portion and size + len(text) > PORTION:
            yield portion
            portion, size = [], 0
        portion.append(_sendable(text))
        size += len(text) + 1
    if portion:
        yield portion


def _spans(pattern: str, rest: str, flags: str, texts: Sequence[str]) -> list[Span | None]:
    try:
        answer = pattern_pool.SHARED.run(rest, flags, texts, spans=True)
    except pattern_pool.TooSlow:
        raise _timeout(pattern) from None
    except pattern_pool.Broken:
        raise PatternError(pattern, "its engine ran out of memory over these texts") from None
    return [None if span is None else (span[0], span[1]) for span in answer["spans"]]


def notes(patterns: Sequence[str]) -> tuple[str, ...]:
    """Say which of some accepted patterns match every tool, such as `.*`, `^` and `()`."""
    return tuple(f"The pattern {pattern} matches every tool." for pattern in patterns if _matches_everything(pattern))


def split_flags(pattern: str) -> tuple[str, str]:
    """Take one leading group of the flags i, m and s off a pattern: `(?i)bash` gives `("bash", "i")`."""
    group = _FLAGS.match(pattern)
    return (pattern[group.end() :], group.group(1)) if group else (pattern, "")


def _matches_everything(pattern: str) -> bool:
    # With a look-around a pattern can name the one tool it leaves out, which no sample of names would show.
    if _LOOK_AROUND.search(pattern):
        return False
    try:
        return all(_find(pattern, _UNLIKE_NAMES))
    except PatternTimeout:
        return False


_stopped_s: dict[tuple[str, tuple[str, ...]], float] = {}
"""When a pattern was last stopped over some names, on the monotonic clock."""


def _find(pattern: str, names: tuple[str, ...]) -> Answer:
    """Run one pattern over names, or remember how that went."""
    asked = (pattern, names)
    if time.monotonic() - _stopped_s.get(asked, float("-inf")) < REFUSAL_LIFE_S:
        raise _timeout(pattern)
    try:
        answer = _ask(pattern, names)
    except PatternTimeout:
        if len(_stopped_s) >= REMEMBERED:
            _stopped_s.clear()
        _stopped_s[asked] = time.monotonic()
        raise
    if isinstance(answer, str):
        raise PatternError(pattern, answer)
    return answer


@lru_cache(maxsize=REMEMBERED)
def _ask(pattern: str, names: tuple[str, ...]) -> Answer | str:
    """Whether the pattern is found in each name, or the rule it breaks; a timeout is raised, and so not remembered."""
    rest, flags = split_flags(pattern)
    if _BLANK.fullmatch(pattern):
        return "a pattern may not be empty or only white space"
    if rest in ("", "(?:)"):
        return "a pattern must hold more than an empty expression"
    try:
        answer = pattern_pool.SHARED.run(_sendable(rest), flags, [_sendable(name) for name in names])
    except pattern_pool.TooSlow:
        raise _timeout(pattern) from None
    except pattern_pool.Broken:
        return "a pattern must compile, and this one is too large or too deeply nested"
    if "error" in answer:
        return f"a pattern must compile as an ECMAScript regular expression ({answer['error']})"
    return tuple(answer["matches"])


def _timeout(pattern: str, limit_s: float = pattern_pool.TIME_LIMIT_S) -> PatternTimeout:
    limit = f"{limit_s:g} second{'' if limit_s == 1 else 's'}"
    return PatternTimeout(pattern, f"a pattern must finish within {limit}, and this one was stopped")


def _sendable(text: str) -> str:
    """The engine reads UTF-8, which has no lone surrogates: give each a private code point that means nothing else."""
    return _SURROGATE.sub(lambda found: chr(ord(found.group()) + _SURROGATE_TO_PRIVATE), text)
