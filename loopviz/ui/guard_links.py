"""The live guards' settings in an address, where they are not the defaults: `ladder=0.75-3-5-8`, `thrash=3-run`.

The numbers stand in the order of the controls, then a word for each switch that is not as usual. The two lists of texts
have fields of their own, written as in their controls; a long one stays out of the address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from loopviz.analysis.inspection import DEFAULT_GUARDS, GuardSettings
from loopviz.refusals import SettingsError
from loopviz.settings import EscalationSettings, Settings, ThrashSettings, changed

LADDER, THRASH = "ladder", "thrash"
TEXTS = ("ignore_args", "finish_tools")
"""Lists of texts, by their settings, whose names are those of their fields."""
FIELDS = (LADDER, THRASH, *TEXTS)
"""Fields of the address."""
LONGEST_TEXTS = 200
"""Characters of such a list up to which it is in the address."""

_LADDER_WORDS = {"any_tool": ("same_tool", False), "word": ("tokens", "word")}
_THRASH_WORDS = {
    "run": ("scope", "run"),
    "no_ping_pong": ("ping_pong", False),
    "unexecuted": ("count_unexecuted", True),
}
_LADDER_FORM = "similarity-replan-explore-force_done, then any_tool or word"
_THRASH_FORM = "n, then run, no_ping_pong, unexecuted or retry and a number"
_SHARE, _WHOLE = r"\d{1,3}(?:\.\d{1,30})?", r"\d{1,9}"


@dataclass(frozen=True, slots=True)
class RefusedField:
    """A field of an address that is not used."""

    name: str
    value: str
    why: str


def to_fields(guards: GuardSettings) -> dict[str, str]:
    """The fields of these settings; nothing of what is as by default, or too long."""
    fields = {}
    if (ladder := _ladder(guards.escalation)) != _ladder(DEFAULT_GUARDS.escalation):
        fields[LADDER] = ladder
    if (thrash := _thrash(guards.thrash)) != _thrash(DEFAULT_GUARDS.thrash):
        fields[THRASH] = thrash
    return fields | {name: words for name, words in _texts(guards) if len(words) <= LONGEST_TEXTS}


def in_one_line(texts: Iterable[str]) -> str:
    """Texts as they stand in a one-line control: separated by spaces, white space inside them escaped."""
    return " ".join(re.sub(r"\s", lambda sign: f"\\u{ord(sign[0]):04x}", text) for text in texts)


def left_out(guards: GuardSettings) -> tuple[str, ...]:
    """Settings that are too long for an address."""
    return tuple(name for name, words in _texts(guards) if len(words) > LONGEST_TEXTS)


def from_fields(params: Mapping[str, str]) -> tuple[GuardSettings, tuple[RefusedField, ...]]:
    """Read the settings of an address, and which of its fields are not used; what stands in those stays as usual."""
    guards, refused = DEFAULT_GUARDS, list[RefusedField]()
    for name in FIELDS:
        if name not in params:
            continue
        guard = "escalation" if name == LADDER else "thrash"
        try:
            settings = changed(getattr(guards, guard), **_read(name, params[name]))
        except SettingsError as error:
            why = "; ".join(f"{one.field}: {one.rule}" for one in error.refusals)
            refused.append(RefusedField(name, params[name], why))
        except ValueError as error:
            refused.append(RefusedField(name, params[name], str(error)))
        else:
            changes: dict[str, Any] = {guard: settings}
            guards = replace(guards, **changes)
    return guards, tuple(refused)


def _ladder(settings: EscalationSettings) -> str:
    numbers = (_plain(settings.similarity), settings.replan, settings.explore, settings.force_done)
    return "-".join([*map(str, numbers), *_words(settings, _LADDER_WORDS)])


def _thrash(settings: ThrashSettings) -> str:
    retry = [] if settings.empty_retry is None else [f"retry{settings.empty_retry}"]
    return "-".join([str(settings.n), *_words(settings, _THRASH_WORDS), *retry])


def _plain(share: float) -> str:
    """A share without an exponent, whose sign would be taken for what separates."""
    return format(Decimal(repr(share)), "f")


def _words(settings: Settings, words: Mapping[str, tuple[str, Any]]) -> list[str]:
    return [word for word, (field, value) in words.items() if getattr(settings, field) == value]


def _texts(guards: GuardSettings) -> Iterator[tuple[str, str]]:
    """(field, what it holds) of the lists that are not the usual ones."""
    for name in TEXTS:
        texts = getattr(guards.thrash, name)
        if texts != getattr(DEFAULT_GUARDS.thrash, name):
            yield name, in_one_line(texts)


def _read(name: str, words: str) -> dict[str, Any]:
    """The settings in a field.

    Raises:
        ValueError: where it is not of its form.
    """
    if name in TEXTS:
        if len(words) > LONGEST_TEXTS:
            raise ValueError(f"it can have {LONGEST_TEXTS} characters at most")
        return {name: words.split()}
    if name == LADDER:
        return _read_ladder(words)
    return _read_thrash(words)


def _read_ladder(words: str) -> dict[str, Any]:
    found = re.fullmatch(rf"({_SHARE})-({_WHOLE})-({_WHOLE})-({_WHOLE})((?:-\w+)*)", words, re.ASCII)
    if found is None:
        raise ValueError(f"it must be {_LADDER_FORM}")
    numbers = dict(zip(("replan", "explore", "force_done"), map(int, found.groups()[1:4]), strict=True))
    return {"similarity": float(found[1]), **numbers, **_switches(found[5], _LADDER_WORDS, _LADDER_FORM)}


def _read_thrash(words: str) -> dict[str, Any]:
    found = re.fullmatch(rf"({_WHOLE})((?:-\w+)*?)(?:-retry({_WHOLE}))?", words, re.ASCII)
    if found is None:
        raise ValueError(f"it must be {_THRASH_FORM}")
    retry = {} if found[3] is None else {"empty_retry": int(found[3])}
    return {"n": int(found[1]), **_switches(found[2], _THRASH_WORDS, _THRASH_FORM), **retry}


def _switches(words: str, known: Mapping[str, tuple[str, Any]], form: str) -> dict[str, Any]:
    told = words.split("-")[1:]
    if not set(told) <= set(known):
        raise ValueError(f"it must be {form}")
    return dict(known[word] for word in told)
