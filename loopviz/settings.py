"""What can be set on each detector: declared once, with its range, its default and its help.

Sliders, command-line flags, YAML and the Help page all read these declarations (`describe`), and every mapping that a
person wrote comes in through `load`, whose refusals name the field, the value and the rule. Settings are frozen and
hashable, so they can be keys of a cache.

Source: SPEC, sections 1, 2 and 3, "Settings".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_serializer, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from loopviz.model import Json
from loopviz.refusals import MISSING_VALUE, Refusal, SettingsError, unknown_key
from loopviz.setting_checks import (
    Check,
    OneOf,
    Optional,
    Patterns,
    Refused,
    SchemaPerTool,
    Schemas,
    Share,
    Texts,
    Whole,
    YesNo,
)

__all__ = [
    "MAX_PERIOD",
    "AnySettings",
    "CommonSettings",
    "Described",
    "EscalationSettings",
    "LoopOutcomeSettings",
    "Match",
    "MaxRepeatSettings",
    "Refusal",
    "Schemas",
    "Scope",
    "Settings",
    "SettingsError",
    "ThrashSettings",
    "Tokens",
    "Unknown",
    "changed",
    "describe",
    "dump",
    "load",
]

Match = Literal["observation", "name", "name-args"]
Tokens = Literal["space", "word"]
Scope = Literal["consecutive", "run"]
Unknown = Literal["equal", "distinct"]

MAX_PERIOD = 10
"""The longest pattern the grader looks for, in steps."""


class Settings(BaseModel):
    """What the settings of all detectors have in common.

    Built in code they raise pydantic's own error; what a person wrote comes in through `load`, which raises ours.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")


class MaxRepeatSettings(Settings):
    """Settings of the max-repeat grader; field names are the grader's own."""

    max: Annotated[int, Whole(1)] = Field(
        title="Allowed in a row",
        description="How many times in a row the same step, or the same pattern of steps, is still accepted. "
        "With 3, three times in a row pass and the fourth fails.",
    )
    max_cycle_period: Annotated[int, Whole(1, MAX_PERIOD)] = Field(
        default=1,
        title="Longest pattern",
        description="The longest pattern looked for, in counted steps. 1 finds A A A only, 2 also A B A B.",
    )
    match: Annotated[Match, OneOf(get_args(Match))] = Field(
        default="observation",
        title="Same when",
        description="What makes two calls the same. observation: same tool and output, arguments ignored. "
        "name-args: same tool and arguments, output ignored. name: same tool, all else ignored.",
    )
    tools: Annotated[tuple[str, ...] | None, Optional(Patterns())] = Field(
        default=None,
        title="Tools",
        description="Watch only the tools whose name one of these patterns is found in. Patterns are ECMAScript "
        "regular expressions, not anchored: ^bash$ is bash alone, bash any name with bash in it. "
        "Left out, every tool is watched.",
    )


class CommonSettings(Settings):
    """What the detectors share."""

    tools: Annotated[tuple[str, ...] | None, Optional(Patterns())] = Field(
        default=None,
        title="Tools of the live guards",
        description="Patterns of the tools that ladder and thrash watch; each max-repeat grader has its own. "
        "Left out, every tool is watched.",
    )
    unknown: Annotated[Unknown, OneOf(get_args(Unknown))] = Field(
        default="equal",
        title="Unrecorded values",
        description="What arguments and results equal that were redacted or never recorded. "
        "equal: each other, as the grader would judge. distinct: nothing.",
    )


class LoopOutcomeSettings(Settings):
    """loop-outcome, the grader's sibling: did the agent retry the same step too often?

    A step that is there N times in a row is N - 1 retries. The run passes when its most retries in a row are no more
    than are accepted. With arguments compared unless it is told otherwise, it looks at what the agent asked for, not at
    what it got. So it is max-repeat with one more allowed, and it is judged as that.

    Why it matters: some eval specs name this grader and not max-repeat. A run that records only it is judged by it here
    too. Its other form, which expects a run to loop, is shown as the file recorded it and marked "not judged here".
    """

    should_loop: Annotated[bool, YesNo()] = Field(
        default=False,
        title="Should loop",
        description="Whether the run is expected to loop. Only false is judged here.",
    )
    max_acceptable_retries: Annotated[int, Whole(0)] = Field(
        title="Retries allowed",
        description="How many retries in a row are accepted. A step that is there N times in a row is N-1 retries.",
    )
    match: Annotated[Match, OneOf(get_args(Match))] = Field(
        default="name-args",
        title="Same when",
        description="What makes two calls the same, as in max-repeat.",
    )
    tools: Annotated[tuple[str, ...] | None, Optional(Patterns())] = Field(
        default=None,
        title="Tools",
        description="Which tools are watched, as in max-repeat.",
    )
    max_cycle_period: Annotated[int, Whole(1, MAX_PERIOD)] = Field(
        default=1,
        title="Longest pattern",
        description="The longest pattern looked for, in counted steps. Only 1, a plain repeat, is judged here.",
    )

    @property
    def judged(self) -> bool:
        """Whether this form is one that can be judged here."""
        return not self.should_loop and self.max_cycle_period == 1

    def as_max_repeat(self) -> MaxRepeatSettings:
        """The max-repeat settings that pass the same plain repeats: N times in a row are N-1 retries."""
        return MaxRepeatSettings(max=self.max_acceptable_retries + 1, match=self.match, tools=self.tools)


class EscalationSettings(Settings):
    """Settings of the escalation ladder."""

    similarity: Annotated[float, Share()] = Field(
        default=0.75,
        title="Similar from",
        description="The least share of words that the arguments of two actions must have in common to be similar "
        "(their Jaccard score).",
    )
    replan: Annotated[int, Whole(2)] = Field(
        default=3,
        title="Replan at",
        description="Length of a stretch of similar actions at which level 1 fires: stop and make a new plan.",
    )
    explore: Annotated[int, Whole(2)] = Field(
        default=5,
        title="Explore at",
        description="Length at which level 2 fires: try another tool or method. Above replan.",
    )
    force_done: Annotated[int, Whole(2)] = Field(
        default=8,
        title="Force done at",
        description="Length at which level 3 fires: finish with partial results. Above explore.",
    )
    same_tool: Annotated[bool, YesNo()] = Field(
        default=True,
        title="Same tool only",
        description="Whether similar actions must use the same tool. When false, arguments alone are compared.",
    )
    tokens: Annotated[Tokens, OneOf(get_args(Tokens))] = Field(
        default="space",
        title="Split words at",
        description="space: at white space, so that many arguments are a single word. "
        "word: at everything that is neither a letter nor a digit.",
    )
    window: Annotated[int, Whole(1)] = Field(
        default=20,
        title="Actions remembered",
        description="How many recent actions are kept as evidence; the last five are shown. "
        "It does not limit a stretch.",
    )
    fail_level: Annotated[int, Whole(1, 3)] = Field(
        default=3,
        title="Failed from level",
        description="The level at which grade calls the run failed: 1 replan, 2 explore, 3 force-done.",
    )

    @model_validator(mode="after")
    def _increasing(self) -> EscalationSettings:
        for lower, upper in (("replan", "explore"), ("explore", "force_done")):
            below, value = getattr(self, lower), getattr(self, upper)
            if value <= below:
                raise Refused(f"it must be above {lower}, which is {below}", field=upper, value=value)
        return self


class ThrashSettings(Settings):
    """Settings of the thrash detector."""

    n: Annotated[int, Whole(2)] = Field(
        default=3,
        title="Identical calls that stop",
        description="How many identical calls, same tool and same arguments, stop the run.",
    )
    scope: Annotated[Scope, OneOf(get_args(Scope))] = Field(
        default="consecutive",
        title="Counted",
        description="consecutive: a different call starts the count anew. "
        "run: each call is counted over the whole run.",
    )
    ignore_args: Annotated[tuple[str, ...], Texts()] = Field(
        default=(),
        title="Arguments left out",
        description="Names of arguments that do not count, at any depth: for example nonce, timestamp, request_id.",
    )
    schemas: Annotated[Mapping[str, Json], SchemaPerTool()] = Field(
        default=Schemas({}),
        title="Schemas",
        description="A JSON Schema per tool. Arguments that it does not name under properties are left out, "
        "unless additionalProperties is true or a schema.",
    )
    empty_retry: Annotated[int | None, Optional(Whole(0))] = Field(
        default=None,
        title="Empty results retried",
        description="How many times a call with a nearly empty result may be retried; the next identical one stops "
        "the run. Left out, this rule is off.",
    )
    count_unexecuted: Annotated[bool, YesNo()] = Field(
        default=False,
        title="Count calls that never ran",
        description="Whether calls that could not be parsed, and so never ran, count.",
    )
    ping_pong: Annotated[bool, YesNo()] = Field(
        default=True,
        title="Stop at A B A B",
        description="Whether two different calls that alternate twice, each with the same result as before, "
        "stop the run.",
    )
    finish_tools: Annotated[tuple[str, ...], Patterns(may_be_empty=True)] = Field(
        default=("^finish$", "^submit$", "^done$"),
        title="Finishing tools",
        description="Patterns of the tools that end a run: they neither count nor start the count anew. "
        "An empty list means none.",
    )

    @field_serializer("schemas")
    def _plain_schemas(self, schemas: Schemas) -> dict[str, Json]:
        return dict(schemas)


AnySettings = TypeVar("AnySettings", bound=Settings)


def load(model: type[AnySettings], mapping: Json, *, where: str = "") -> AnySettings:
    """Read the settings that a person wrote.

    Args:
        model: Which detector's settings.
        mapping: Decoded YAML or JSON.
        where: The place, put before each message: `stimulus 'fix-bug', grader 2`.
    Raises:
        SettingsError: naming every field that is refused, its value and the rule.
    """
    if not isinstance(mapping, Mapping):
        raise SettingsError(Refusal("config", mapping, "it must be a mapping of settings to values"), where=where)
    known = describe(model)
    nulls = [
        Refusal(key, None, f"{known[key].rule}, or be left out" if not known[key].required else known[key].rule)
        for key, value in mapping.items()
        if value is None and key in known
    ]
    given = {key: value for key, value in mapping.items() if value is not None or key not in known}
    try:
        settings = model.model_validate(given)
    except ValidationError as error:
        refused = {null.field for null in nulls}
        others = [refusal for refusal in _refusals(model, error) if refusal.field not in refused]
        raise SettingsError(*nulls, *others, where=where) from None
    if nulls:
        raise SettingsError(*nulls, where=where)
    return settings


def changed(settings: AnySettings, *, where: str = "", **changes: Json) -> AnySettings:
    """The same settings with some values replaced, checked as `load` checks them."""
    return load(type(settings), {**dump(settings), **changes}, where=where)


def dump(settings: Settings) -> dict[str, Json]:
    """Settings as plain values that `load` reads back; fields that are unset are left out."""
    return {name: value for name, value in settings.model_dump(mode="json").items() if value is not None}


def _refusals(model: type[Settings], error: ValidationError) -> Iterator[Refusal]:
    known = describe(model)
    for detail in error.errors():
        field = str(detail["loc"][0]) if detail["loc"] else ""
        cause = detail.get("ctx", {}).get("error")
        if detail["type"] == "missing":
            yield Refusal(field, MISSING_VALUE, known[field].rule)
        elif detail["type"] == "extra_forbidden":
            yield Refusal(field, detail["input"], unknown_key(field, tuple(known)))
        elif isinstance(cause, Refused) and (cause.field or cause.item is not None):
            yield Refusal(cause.field or field, cause.value, cause.rule, cause.item)
        else:
            yield Refusal(field, detail["input"], str(cause or detail["msg"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One setting as people meet it: on a slider, behind a flag, on the Help page."""

    name: str
    label: str
    help: str
    rule: str
    """What a value must be, as in a refusal."""
    required: bool
    default: Json
    """None for a required field and for one that is unset by default."""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()


def describe(model: type[Settings]) -> dict[str, Described]:
    """Every setting of a detector by name, in the order of their declaration."""
    return {name: _described(name, field) for name, field in model.model_fields.items()}


def _described(name: str, field: FieldInfo) -> Described:
    check = next(part for part in field.metadata if isinstance(part, Check))
    inner = check.check if isinstance(check, Optional) else check
    share = isinstance(inner, Share)
    return Described(
        name=name,
        label=field.title or name,
        help=field.description or "",
        rule=check.rule,
        required=field.is_required(),
        default=None if field.default is PydanticUndefined else field.default,
        minimum=inner.minimum if isinstance(inner, Whole) else 0.0 if share else None,
        maximum=inner.maximum if isinstance(inner, Whole) else 1.0 if share else None,
        choices=inner.choices if isinstance(inner, OneOf) else (),
    )
