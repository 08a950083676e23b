"""What the runs are judged by: a config file, changes given beside it, or the graders that a run recorded.

A config file is a Vally eval spec, known by its `stimuli`, or a loopviz config, which holds any of the three detectors:

    tools: ["^bash$"]                   # which calls the ladder and the thrash detector watch
    max_repeat: {max: 3, tools: ["^bash$"]}     # or a list of graders, each with a name
    escalation: {replan: 3}
    thrash: {n: 3}
    unknown: equal

Source: CLI.md, "Options" and the loopviz config below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from loopviz import patterns, yaml12
from loopviz.evalspec import (
    MAX_REPEAT,
    EvalSpec,
    GraderSpec,
    Stimulus,
    named,
    read_eval_spec,
    read_grader,
    read_stimulus,
    with_changes,
)
from loopviz.model import Json
from loopviz.refusals import MISSING_VALUE, Refusal, SettingsError, show, unknown_key
from loopviz.settings import (
    AnySettings,
    CommonSettings,
    EscalationSettings,
    MaxRepeatSettings,
    Settings,
    ThrashSettings,
    Unknown,
    describe,
    dump,
    load,
)

_KEYS = ("tools", "max_repeat", "escalation", "thrash", "unknown")
_DETECTORS: dict[str, type[Settings]] = {
    "max_repeat": MaxRepeatSettings,
    "escalation": EscalationSettings,
    "thrash": ThrashSettings,
}
_PROJECT_KEYS = {"paths", "suites", "environments"}
_FLAGS = {"max": "--max", "max_cycle_period": "--max-cycle-period", "match": "--match", "tools": "--tool"}


class ConfigError(ValueError):
    """A config that is refused; every line of the message names a place and what is wrong there."""

    def __init__(self, messages: Sequence[str]) -> None:
        super().__init__("\n".join(messages))
        self.messages = tuple(messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a config file asks for; a detector that it does not name is None."""

    kind: Literal["eval spec", "loopviz config"] = "loopviz config"
    tools: tuple[str, ...] | None = None
    """The filter of ladder and thrash; None watches every tool."""
    max_repeat: tuple[GraderSpec, ...] | None = None
    """The graders of a loopviz config; those of an eval spec stand in `spec`, by stimulus."""
    escalation: EscalationSettings | None = None
    thrash: ThrashSettings | None = None
    unknown: Unknown = "equal"
    spec: EvalSpec | None = None
    notes: tuple[str, ...] = ()

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """The stimuli of an eval spec; none for a loopviz config."""
        return self.spec.stimuli if self.spec else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """Settings given beside a config, or instead of one; None leaves a setting alone."""

    max: int | None = None
    max_cycle_period: int | None = None
    match: str | None = None
    tools: tuple[str, ...] | None = None

    @property
    def changes(self) -> dict[str, Json]:
        """The settings given, by name."""
        given = {name: getattr(self, name) for name in _FLAGS}
        return {name: value for name, value in given.items() if value is not None}


NONE = Overrides()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The max-repeat graders that judge one run."""

    graders: tuple[GraderSpec, ...] = ()
    """A refused one has no settings: the run cannot be judged by it."""
    missing: str | None = None
    """Why there is none although there should be, and what to do about it."""


def read_file(path: Path) -> Config:
    """Read a config file.

    Raises:
        ConfigError: when it cannot be read or is refused; the messages begin with the file's name.
    """
    try:
        return read(path.read_bytes().decode())
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read: {error.strerror or error}."]) from None
    except UnicodeDecodeError as error:
        raise ConfigError([f"{path}: byte {error.start:,} is not UTF-8 text."]) from None
    except ConfigError as error:
        raise ConfigError([f"{path}: {message}" for message in error.messages]) from None


def read(text: str) -> Config:
    """Read the text of a config.

    Raises:
        ConfigError: with every refusal, each in a line of its own.
    """
    try:
        config = yaml12.load(text)
    except yaml12.YamlError as error:
        raise ConfigError([f"{error}."]) from None
    if not isinstance(config, Mapping):
        raise ConfigError([f"a config must be a mapping, and this is {show(config)}."])
    read_mapping = _from_eval_spec if "stimuli" in config else _from_loopviz_config
    settings = read_mapping(config)
    return replace(settings, notes=(*settings.notes, *patterns.notes(tuple(_patterns(settings)))))


def _patterns(config: Config) -> Iterator[str]:
    """Every tool pattern of a config, once."""
    graders = config.max_repeat or [g for stimulus in config.stimuli for g in stimulus.graders]
    lists = [grader.settings.tools for grader in graders if grader.settings]
    finish = config.thrash.finish_tools if config.thrash else ()
    yield from dict.fromkeys(pattern for tools in (*lists, config.tools, finish) for pattern in tools or ())


def _from_eval_spec(config: Mapping[str, Json]) -> Config:
    spec = read_eval_spec(config)
    if spec.errors:
        raise ConfigError(spec.errors)
    return Config(kind="eval spec", spec=spec, notes=spec.notes)


def _from_loopviz_config(config: Mapping[str, Json]) -> Config:
    messages = [str(Refusal(key, config[key], _unknown_key(key))) for key in config if key not in _KEYS]
    common = _load(CommonSettings, {key: config[key] for key in ("tools", "unknown") if key in config}, "", messages)
    graders = _read_graders(config["max_repeat"], messages) if "max_repeat" in config else None
    escalation = _load(EscalationSettings, config.get("escalation", _ABSENT), "escalation", messages)
    thrash = _load(ThrashSettings, config.get("thrash", _ABSENT), "thrash", messages)
    if messages or common is None:
        raise ConfigError(messages)
    return Config(tools=common.tools, max_repeat=graders, escalation=escalation, thrash=thrash, unknown=common.unknown)


_ABSENT: Json = object()


def _load(model: type[AnySettings], settings: Json, where: str, messages: list[str]) -> AnySettings | None:
    """Load the settings of one detector; None when they are absent, or refused, which `messages` then say."""
    if settings is _ABSENT:
        return None
    if not isinstance(settings, Mapping):
        messages.append(str(Refusal(where, settings, "it must be a mapping; {} stands for the defaults")))
        return None
    try:
        return load(model, settings, where=where)
    except SettingsError as error:
        messages.extend(error.messages)
        return None


def _unknown_key(key: str) -> str:
    if key in _PROJECT_KEYS:
        return "this looks like a Vally project file, which holds no graders: give an eval spec"
    for detector, model in _DETECTORS.items():
        if key in describe(model):
            return f"there is no such setting at the top; it belongs under {detector}"
    return unknown_key(key, _KEYS)


def _read_graders(written: Json, messages: list[str]) -> tuple[GraderSpec, ...]:
    """One grader, or a list of them with a name each."""
    if isinstance(written, Mapping):
        graders = [read_grader(MAX_REPEAT, written, where="max_repeat")]
    elif isinstance(written, list) and written:
        graders = [_read_named(entry, f"max_repeat, grader {k}", messages) for k, entry in enumerate(written, start=1)]
    else:
        rule = "it must be a mapping of settings, or a list of graders, each with a name"
        messages.append(str(Refusal("max_repeat", written, rule)))
        return ()
    messages.extend(message for grader in graders if grader.error for message in grader.error.messages)
    for name, times in Counter(grader.given_name for grader in graders).items():
        if name is not None and times > 1:
            messages.append(f"max_repeat: {times} graders are named {show(name)}; names must differ.")
    return named(graders)


def _read_named(entry: Json, where: str, messages: list[str]) -> GraderSpec:
    name = entry.get("name", MISSING_VALUE) if isinstance(entry, Mapping) else None
    settings = {key: entry[key] for key in entry if key != "name"} if isinstance(entry, Mapping) else entry
    if not isinstance(entry, Mapping) or (isinstance(name, str) and name.strip()):
        return read_grader(MAX_REPEAT, settings, where=where, name=name)
    messages.append(f"{where}: {Refusal('name', name, 'it must be a text that is not blank')}")
    return read_grader(MAX_REPEAT, settings, where=where)


def read_overrides(
    *,
    max: Json = None,
    max_cycle_period: Json = None,
    match: Json = None,
    tools: Sequence[str] = (),
) -> Overrides:
    """Check the settings given as options.

    Raises:
        SettingsError: naming the options as people type them.
    """
    given = {"max": max, "max_cycle_period": max_cycle_period, "match": match, "tools": list(tools) or None}
    changes = {name: value for name, value in given.items() if value is not None}
    try:
        checked = load(MaxRepeatSettings, {"max": 1, **changes})
    except SettingsError as error:
        raise SettingsError(*(replace(refusal, field=_FLAGS[refusal.field]) for refusal in error.refusals)) from None
    return Overrides(**{name: getattr(checked, name) for name in changes})


def filter_tools(config: Config | None, overrides: Overrides = NONE) -> tuple[str, ...] | None:
    """The filter of ladder and thrash: what is given beside a config goes before what stands in it."""
    return overrides.tools or (config.tools if config else None)


def graders_for(
    config: Config | None,
    overrides: Overrides = NONE,
    *,
    stimulus: str | None = None,
    recorded: Json = None,
    prompt: str | None = None,
    chosen: str | None = None,
) -> Choice:
    """Choose the max-repeat graders of one run.

    Args:
        config: The config, if one was given.
        overrides: Changes to every grader; `max` makes one where there is none.
        stimulus: The name of the run's stimulus.
        recorded: The stimulus as the run recorded it, with its graders.
        prompt: What the run was asked, by which a nameless stimulus may be found.
        chosen: The stimulus to take for a run that names none.
    """
    if config and config.spec:
        found = _find(config.spec, stimulus, prompt, chosen)
        if isinstance(found, Choice):
            return found
        graders, missing = found.graders, f"its stimulus {found.name!r} has no max-repeat grader: give --max"
    elif config:
        graders, missing = config.max_repeat or (), None
    else:
        graders = read_stimulus(recorded).graders if overrides.max is None else ()
        missing = "it records no max-repeat grader: give --max or --config"
    if graders:
        return Choice(graders=named([with_changes(grader, overrides.changes) for grader in graders]))
    if overrides.max is not None:
        return Choice(graders=(read_grader(MAX_REPEAT, overrides.changes, where="--max"),))
    return Choice(missing=missing)


def _find(spec: EvalSpec, stimulus: str | None, prompt: str | None, chosen: str | None) -> Stimulus | Choice:
    """The run's stimulus in an eval spec, or why it is not there."""
    name = stimulus if stimulus is not None else chosen
    if name is not None:
        return spec.find(name) or Choice(missing=f"the eval spec has no stimulus {name!r}")
    by_prompt = spec.find_by_prompt(prompt) if prompt is not None else None
    return by_prompt or Choice(missing="it does not say its stimulus: give --stimulus")


def to_yaml(settings: Config | Settings) -> str:
    """Write a loopviz config, or the settings of one detector, as YAML that `read` takes back.

    Raises:
        ValueError: for an eval spec, which is not ours to write, and for a grader that is refused.
    """
    return yaml12.dump(_plain(settings) if isinstance(settings, Config) else dump(settings))


def _plain(config: Config) -> dict[str, Json]:
    if config.spec is not None:
        raise ValueError("an eval spec is not written as a loopviz config")
    plain: dict[str, Json] = {}
    if config.tools is not None:
        plain["tools"] = list(config.tools)
    if config.max_repeat is not None:
        plain["max_repeat"] = _plain_graders(config.max_repeat)
    if config.escalation is not None:
        plain["escalation"] = dump(config.escalation)
    if config.thrash is not None:
        plain["thrash"] = dump(config.thrash)
    return {**plain, "unknown": config.unknown}


def _plain_graders(graders: Sequence[GraderSpec]) -> Json:
    if len(graders) == 1 and graders[0].given_name is None:
        return _plain_grader(graders[0])
    return [{"name": grader.name, **_plain_grader(grader)} for grader in graders]


def _plain_grader(grader: GraderSpec) -> dict[str, Json]:
    if grader.settings is None:
        raise ValueError(f"{grader.where} is refused, and cannot be written")
    return dump(grader.settings)
