"""The settings in force as a config that `loopviz --config` takes back, and what of them is a default."""

from __future__ import annotations

from typing import TypeVar

from loopviz.analysis.inspection import GuardSettings
from loopviz.analysis.lines import Question
from loopviz.config import Config, to_yaml
from loopviz.report.judging import Judged, guards_of
from loopviz.settings import EscalationSettings, MaxRepeatSettings, Settings, ThrashSettings, describe

Guard = TypeVar("Guard", EscalationSettings, ThrashSettings)


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
    return f"Settings, {origin}" + (", with changes" if question.overrides.changes else "")


def settings_yaml(judged: Judged, question: Question, *, redacted: bool) -> str:
    """The grader's settings, and those of the guards where they are not the defaults, as a loopviz config."""
    guards = guards_of(question)
    config = Config(
        tools=guards.tools,
        max_repeat=None if judged.grader is None or judged.grader.settings is None else (judged.grader,),
        escalation=_if_changed(guards.escalation),
        thrash=_if_changed(_without_arguments(guards.thrash) if redacted else guards.thrash),
        unknown=question.unknown_in_force,
    )
    return to_yaml(config)


def _if_changed(settings: Guard) -> Guard | None:
    return None if _is_plain(settings) else settings


def _without_arguments(settings: ThrashSettings) -> ThrashSettings:
    """The same without names of arguments."""
    return ThrashSettings(
        n=settings.n,
        scope=settings.scope,
        empty_retry=settings.empty_retry,
        count_unexecuted=settings.count_unexecuted,
        ping_pong=settings.ping_pong,
        finish_tools=settings.finish_tools,
    )


def defaults_told(judged: Judged, guards: GuardSettings) -> str:
    """Which settings stand at their defaults: `At their defaults: max_cycle_period, match, tools; both guards.`"""
    own = [] if judged.grader is None or judged.grader.settings is None else _untouched(judged.grader.settings)
    same = [
        name
        for name, plain in (("ladder", _is_plain(guards.escalation)), ("thrash", _is_plain(guards.thrash)))
        if plain
    ]
    told = [", ".join(own), "both guards" if len(same) == 2 else "".join(same)]
    return f"At their defaults: {'; '.join(filter(None, told))}." if any(told) else ""


def _is_plain(settings: Settings) -> bool:
    return settings == type(settings)()


def _untouched(settings: MaxRepeatSettings) -> list[str]:
    return [
        name
        for name, setting in describe(MaxRepeatSettings).items()
        if not setting.required and getattr(settings, name) == setting.default
    ]
