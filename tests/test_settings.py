"""Settings: what is accepted, what is refused, and in which words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.settings import (
    CommonSettings,
    EscalationSettings,
    LoopOutcomeSettings,
    MaxRepeatSettings,
    Settings,
    SettingsError,
    ThrashSettings,
    changed,
    describe,
    dump,
    load,
)

MODELS = (MaxRepeatSettings, LoopOutcomeSettings, EscalationSettings, ThrashSettings, CommonSettings)
REQUIRED: dict[type[Settings], dict[str, Any]] = {
    MaxRepeatSettings: {"max": 3},
    LoopOutcomeSettings: {"max_acceptable_retries": 2},
}
WHOLE_1 = "it must be a whole number of at least 1"


@pytest.mark.parametrize(
    ("model", "given", "field", "expected"),
    [
        pytest.param(MaxRepeatSettings, {"max": 1}, "max", 1, id="the smallest max"),
        pytest.param(MaxRepeatSettings, {"max": 3.0}, "max", 3, id="3.0 is whole"),
        pytest.param(MaxRepeatSettings, {"max": 1e3}, "max", 1000, id="so is 1e3"),
        pytest.param(MaxRepeatSettings, {"max": 3}, "max_cycle_period", 1, id="period defaults to 1"),
        pytest.param(MaxRepeatSettings, {"max": 3}, "match", "observation", id="match defaults to observation"),
        pytest.param(MaxRepeatSettings, {"max": 3}, "tools", None, id="every tool is watched by default"),
        pytest.param(MaxRepeatSettings, {"max": 3, "max_cycle_period": 10}, "max_cycle_period", 10, id="period 10"),
        pytest.param(MaxRepeatSettings, {"max": 3, "tools": [".*", "^", "()"]}, "tools", (".*", "^", "()"), id="any"),
        pytest.param(MaxRepeatSettings, {"max": 3, "tools": ["(?i)bash"]}, "tools", ("(?i)bash",), id="flags"),
        pytest.param(LoopOutcomeSettings, {"max_acceptable_retries": 0}, "match", "name-args", id="sibling"),
        pytest.param(MaxRepeatSettings, {"max": 2**53}, "max", 2**53, id="the largest count"),
        pytest.param(MaxRepeatSettings, {"max": 1e300}, "max", 2**53, id="beyond all counts"),
        pytest.param(MaxRepeatSettings, {"max": 10**400}, "max", 2**53, id="beyond all doubles"),
        pytest.param(EscalationSettings, {"similarity": 1}, "similarity", 1.0, id="similarity 1"),
        pytest.param(EscalationSettings, {"replan": 2, "explore": 3, "force_done": 4}, "replan", 2, id="thresholds"),
        pytest.param(EscalationSettings, {}, "force_done", 8, id="ladder defaults"),
        pytest.param(ThrashSettings, {"empty_retry": 0}, "empty_retry", 0, id="no retry at all"),
        pytest.param(ThrashSettings, {}, "empty_retry", None, id="empty retry is off by default"),
        pytest.param(ThrashSettings, {"finish_tools": []}, "finish_tools", (), id="no finishing tools"),
        pytest.param(ThrashSettings, {"ignore_args": ["nonce"]}, "ignore_args", ("nonce",), id="ignored arguments"),
        pytest.param(CommonSettings, {"unknown": "distinct"}, "unknown", "distinct", id="unknown"),
    ],
)
def test_accepts(model: type[Settings], given: dict[str, Any], field: str, expected: Any) -> None:
    value = getattr(load(model, given), field)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    ("model", "given", "field", "message"),
    [
        pytest.param(MaxRepeatSettings, {}, "max", f"max is missing; {WHOLE_1}.", id="required"),
        pytest.param(MaxRepeatSettings, {"max": 0}, "max", f"max is 0; {WHOLE_1}.", id="too small"),
        pytest.param(MaxRepeatSettings, {"max": True}, "max", f"max is true; {WHOLE_1}.", id="true is no number"),
        pytest.param(MaxRepeatSettings, {"max": "3"}, "max", f'max is "3"; {WHOLE_1}.', id="a text is no number"),
        pytest.param(MaxRepeatSettings, {"max": 3.5}, "max", f"max is 3.5; {WHOLE_1}.", id="a fraction"),
        pytest.param(MaxRepeatSettings, {"max": None}, "max", f"max is null; {WHOLE_1}.", id="null"),
        pytest.param(MaxRepeatSettings, {"max": float("inf")}, "max", f"max is Infinity; {WHOLE_1}.", id="infinity"),
        pytest.param(MaxRepeatSettings, {"max": float("nan")}, "max", f"max is NaN; {WHOLE_1}.", id="not a number"),
        pytest.param(MaxRepeatSettings, {"max": [3]}, "max", f"max is [3]; {WHOLE_1}.", id="a list"),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "max_cycle_period": 11},
            "max_cycle_period",
            "max_cycle_period is 11; it must be a whole number from 1 to 10.",
            id="period 11",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "max_cycle_period": None},
            "max_cycle_period",
            "max_cycle_period is null; it must be a whole number from 1 to 10, or be left out.",
            id="null for an optional field",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "match": "args"},
            "match",
            'match is "args"; it must be observation, name or name-args.',
            id="unknown mode",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "match": ["name"]},
            "match",
            'match is ["name"]; it must be observation, name or name-args.',
            id="a list for a mode",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "max_cycle_perod": 2},
            "max_cycle_perod",
            "max_cycle_perod is 2; there is no such setting; did you mean max_cycle_period?",
            id="a misspelt key",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "zzz": None},
            "zzz",
            "zzz is null; there is no such setting; the settings here are max, max_cycle_period, match, tools.",
            id="an unknown key that is null",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "tools": []},
            "tools",
            "tools is []; it must be a non-empty list of patterns, each a text.",
            id="no tools",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "tools": None},
            "tools",
            "tools is null; it must be a non-empty list of patterns, each a text, or be left out.",
            id="null tools",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "tools": "bash"},
            "tools",
            'tools is "bash"; it must be a non-empty list of patterns, each a text.',
            id="a text for tools",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "tools": ["bash", 3]},
            "tools",
            "tools, entry 2, is 3; it must be a text.",
            id="a number for a pattern",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "tools": ["bash", " \t"]},
            "tools",
            'tools, entry 2, is " \\t"; a pattern may not be empty or only white space.',
            id="a blank pattern",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "tools": ["(?i)"]},
            "tools",
            'tools, entry 1, is "(?i)"; a pattern must hold more than an empty expression.',
            id="a pattern of flags alone",
        ),
        pytest.param(
            MaxRepeatSettings,
            {"max": 3, "tools": ["["]},
            "tools",
            'tools, entry 1, is "["; a pattern must compile as an ECMAScript regular expression (Unbalanced bracket).',
            id="a pattern that does not compile",
        ),
        pytest.param(
            LoopOutcomeSettings,
            {"max_acceptable_retries": -1},
            "max_acceptable_retries",
            "max_acceptable_retries is -1; it must be a whole number of at least 0.",
            id="negative retries",
        ),
        pytest.param(
            EscalationSettings,
            {"similarity": 0},
            "similarity",
            "similarity is 0; it must be a number above 0 and at most 1.",
            id="similarity 0",
        ),
        pytest.param(
            EscalationSettings,
            {"similarity": 1.01},
            "similarity",
            "similarity is 1.01; it must be a number above 0 and at most 1.",
            id="similarity above 1",
        ),
        pytest.param(
            EscalationSettings,
            {"similarity": float("nan")},
            "similarity",
            "similarity is NaN; it must be a number above 0 and at most 1.",
            id="similarity NaN",
        ),
        pytest.param(
            EscalationSettings,
            {"replan": 1},
            "replan",
            "replan is 1; it must be a whole number of at least 2.",
            id="a stretch of one",
        ),
        pytest.param(
            EscalationSettings,
            {"replan": 5},
            "explore",
            "explore is 5; it must be above replan, which is 5.",
            id="thresholds not increasing",
        ),
        pytest.param(
            EscalationSettings,
            {"force_done": 4},
            "force_done",
            "force_done is 4; it must be above explore, which is 5.",
            id="last threshold too low",
        ),
        pytest.param(
            EscalationSettings,
            {"same_tool": 1},
            "same_tool",
            "same_tool is 1; it must be true or false.",
            id="1 is not true",
        ),
        pytest.param(
            EscalationSettings,
            {"fail_level": 4},
            "fail_level",
            "fail_level is 4; it must be a whole number from 1 to 3.",
            id="there is no level 4",
        ),
        pytest.param(ThrashSettings, {"n": 1}, "n", "n is 1; it must be a whole number of at least 2.", id="n of 1"),
        pytest.param(
            ThrashSettings,
            {"empty_retry": None},
            "empty_retry",
            "empty_retry is null; it must be a whole number of at least 0, or be left out.",
            id="null for off",
        ),
        pytest.param(
            ThrashSettings,
            {"finish_tools": None},
            "finish_tools",
            "finish_tools is null; it must be a list of patterns, each a text, or be left out.",
            id="null finishing tools",
        ),
        pytest.param(
            ThrashSettings,
            {"ignore_args": "nonce"},
            "ignore_args",
            'ignore_args is "nonce"; it must be a list of texts.',
            id="a text for ignored arguments",
        ),
        pytest.param(
            ThrashSettings,
            {"schemas": {"bash": 3}},
            "schemas",
            'schemas is {"bash": 3}; it must map tool names to JSON Schemas, each a mapping, true or false.',
            id="no schema",
        ),
        pytest.param(
            MaxRepeatSettings, [3], "config", "config is [3]; it must be a mapping of settings to values.", id="a list"
        ),
    ],
)
def test_refuses(model: type[Settings], given: Any, field: str, message: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load(model, given)
    assert str(refused.value) == message
    assert refused.value.field == field
    assert len(refused.value.refusals) == 1


def test_every_refusal_is_told_with_its_place() -> None:
    with pytest.raises(SettingsError) as refused:
        load(MaxRepeatSettings, {"max": 0, "match": None, "tools": [], "maximum": 1}, where="stimulus 'x', grader 2")
    assert {refusal.field for refusal in refused.value.refusals} == {"max", "match", "tools", "maximum"}
    assert all(line.startswith("stimulus 'x', grader 2: ") for line in refused.value.messages)


@pytest.mark.parametrize("value", ["\ud800", "a\nb", "\u202e", "x" * 10_000], ids=["surrogate", "lines", "rtl", "long"])
def test_a_message_is_one_short_line_that_can_be_printed(value: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load(MaxRepeatSettings, {"max": value})
    message = str(refused.value)
    assert message.encode()
    assert message.isprintable()
    assert len(message) < 200


@pytest.mark.parametrize("model", MODELS)
def test_settings_are_frozen_and_can_be_keys(model: type[Settings]) -> None:
    settings = load(model, REQUIRED.get(model, {}))
    with pytest.raises(ValueError, match="frozen"):
        setattr(settings, next(iter(describe(model))), None)
    assert len({settings, load(model, REQUIRED.get(model, {}))}) == 1


def test_settings_with_schemas_are_equal_by_value() -> None:
    one, same, other = (
        ThrashSettings(schemas={"bash": {"properties": {"a": {}, "b": {}}}, "read": True}),
        ThrashSettings(schemas={"read": True, "bash": {"properties": {"b": {}, "a": {}}}}),
        ThrashSettings(schemas={"read": 1 == 1, "bash": False}),
    )
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert dict(one.schemas)["bash"] == {"properties": {"a": {}, "b": {}}}


def test_schemas_do_not_change_with_what_they_were_made_of() -> None:
    schema: dict[str, Any] = {"properties": {"a": {}}}
    settings = ThrashSettings(schemas={"bash": schema})
    schema["properties"]["b"] = {}
    assert settings.schemas["bash"] == {"properties": {"a": {}}}


def test_changed_checks_as_load_does() -> None:
    settings = MaxRepeatSettings(max=3, match="name", tools=("^bash$",))
    assert changed(settings, max=5) == MaxRepeatSettings(max=5, match="name", tools=("^bash$",))
    with pytest.raises(SettingsError, match="max is 0"):
        changed(settings, max=0)


@pytest.mark.parametrize("model", MODELS)
def test_every_setting_is_described(model: type[Settings]) -> None:
    for setting in describe(model).values():
        assert setting.label
        assert setting.help.endswith(".")
        assert setting.rule.startswith("it must ")
        assert setting.required == (setting.name in REQUIRED.get(model, {}))


def test_a_slider_finds_its_range_where_the_setting_is_declared() -> None:
    period = describe(MaxRepeatSettings)["max_cycle_period"]
    assert (period.minimum, period.maximum, period.default) == (1, 10, 1)
    assert describe(MaxRepeatSettings)["match"].choices == ("observation", "name", "name-args")
    retry = describe(ThrashSettings)["empty_retry"]
    assert (retry.minimum, retry.maximum, retry.default) == (0, None, None)


@pytest.mark.parametrize(
    ("given", "max"),
    [
        pytest.param({"max_acceptable_retries": 0}, 1, id="no retry: once in a row"),
        pytest.param({"max_acceptable_retries": 3, "should_loop": False}, 4, id="three retries: four times"),
    ],
)
def test_a_plain_loop_outcome_is_a_max_repeat(given: dict[str, Any], max: int) -> None:
    settings = load(LoopOutcomeSettings, given)
    assert settings.judged
    assert settings.as_max_repeat() == MaxRepeatSettings(max=max, match="name-args")


@pytest.mark.parametrize("form", [{"should_loop": True}, {"max_cycle_period": 2}], ids=["wants a loop", "patterns"])
def test_other_forms_of_loop_outcome_are_not_judged(form: dict[str, Any]) -> None:
    assert not load(LoopOutcomeSettings, {"max_acceptable_retries": 1, **form}).judged


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(data=st.data(), model=st.sampled_from(MODELS))
def test_whatever_a_file_holds_is_read_or_refused(data: st.DataObject, model: type[Settings]) -> None:
    names = st.sampled_from(sorted(describe(model)))
    given = data.draw(st.dictionaries(names, json_values, max_size=3))

    def refused_fields() -> set[str]:
        try:
            settings = load(model, {**REQUIRED.get(model, {}), **given})
        except SettingsError as error:
            return {refusal.field for refusal in error.refusals}
        assert load(model, dump(settings)) == settings
        return set()

    assert refused_fields() <= set(describe(model))
