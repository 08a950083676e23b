"""The settings in force as a config that `loopviz --config` takes back, and what of them is a default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from loopviz.analysis.lines import Question
from loopviz.config import Config, to_yaml
from loopviz.report.export import Masks
from loopviz.report.judging import Judged, guards_of
from loopviz.report.texts import CUT, size
from loopviz.settings import EscalationSettings, MaxRepeatSettings, Settings, ThrashSettings, describe
from loopviz.timeline.words import number

Guard = TypeVar("Guard", EscalationSettings, ThrashSettings)
_NAMING_ARGUMENTS = ("ignore_args", "schemas")
"""Settings that name arguments."""


def settings_title(question: Question) -> str:
    """Where the grader's settings come from."""
    if question.config and question.config.spec:
        origin = "from the eval spec"
    elif question.config and question.config.max_repeat:
        origin = "from the config"
    elif question.overrides.max is not None:
        return "Settings, given for this report"
    else:
        origin = "from the run itself"
    changed = question.overrides.changes or question.guards is not None
    return f"Settings, {origin}" + (", with changes" if changed else "")


def settings_yaml(judged: Sequence[Judged], shown: Judged, question: Question, masks: Masks, *, redacted: bool) -> str:
    """Every grader's settings, and those of the guards where they are not the defaults, as a loopviz config.

    Empty for a run without a verdict. Comments say what could not be written down.
    """
    if shown.found is None:
        return ""
    guards = guards_of(question)
    graders = [one.grader for one in judged if one.grader is not None and one.grader.settings is not None]
    escalation, thrash = _if_changed(guards.escalation), _if_changed(guards.thrash)
    # A config's guards watch every tool unless it says otherwise; those of the app watch what its grader does.
    watched = guards.tools or (shown.found.finding.settings.tools if question.guards is not None else None)
    config = Config(
        tools=watched if escalation or thrash else guards.tools,
        max_repeat=tuple(graders) or None,
        escalation=escalation,
        thrash=_without_arguments(thrash) if redacted and thrash is not None else thrash,
        unknown=question.unknown_in_force,
    )
    gone = [name for name in _NAMING_ARGUMENTS if getattr(guards.thrash, name)] if redacted else []
    notes = "".join(f"# {note}\n" for note in _notes(len(judged) - len(graders), gone))
    return _cut(notes + masks.text(_without_fields(to_yaml(config), gone)))


def _notes(n_refused: int, gone: Sequence[str]) -> Iterator[str]:
    """What a person must know who takes the settings back."""
    if n_refused:
        yield f"{'1 grader is' if n_refused == 1 else f'{number(n_refused)} graders are'} refused, and not here."
    if gone:
        yield f"Of thrash, what names arguments is left out: {', '.join(gone)}."


def _without_fields(yaml: str, gone: Sequence[str]) -> str:
    """The config without the fields of thrash that are empty because they were left out."""
    beginnings = tuple(f"  {name}: " for name in gone)
    return "".join(line for line in yaml.splitlines(keepends=True) if not line.startswith(beginnings))


def _cut(yaml: str) -> str:
    """The beginning of settings that are very long, which can then not be taken back."""
    if len(yaml) <= CUT:
        return yaml
    return f"# Cut: {size(CUT)} of {size(len(yaml.encode()))} shown, so this cannot be taken back.\n{yaml[:CUT]}"


def _if_changed(settings: Guard) -> Guard | None:
    return None if _is_plain(settings) else settings


def _without_arguments(settings: ThrashSettings) -> ThrashSettings:
    """The same without names of arguments."""
    plain = ThrashSettings()
    return settings.model_copy(update={name: getattr(plain, name) for name in _NAMING_ARGUMENTS})


def defaults_told(judged: Sequence[Judged], shown: Judged, question: Question) -> str:
    """Which settings stand at their defaults: `At their defaults: max_cycle_period, match, tools; both guards.`

    Of several graders those of the one that is shown.
    """
    if shown.found is None:
        return ""
    guards = guards_of(question)
    own = [] if shown.grader is None or shown.grader.settings is None else _untouched(shown.grader.settings)
    same = [
        name
        for name, plain in (("ladder", _is_plain(guards.escalation)), ("thrash", _is_plain(guards.thrash)))
        if plain
    ]
    which = "of the grader on this page, " if len(judged) > 1 and own else ""
    told = [which + ", ".join(own) if own else "", "both guards" if len(same) == 2 else "".join(same)]
    return f"At their defaults: {'; '.join(filter(None, told))}." if any(told) else ""


def _is_plain(settings: Settings) -> bool:
    return settings == type(settings)()


def _untouched(settings: MaxRepeatSettings) -> list[str]:
    return [
        name
        for name, setting in describe(MaxRepeatSettings).items()
        if not setting.required and getattr(settings, name) == setting.default
    ]
