"""Eval specs and recorded stimuli: which graders they hold, what they are called, what is wrong with them."""

from pathlib import Path
from typing import Any

import pytest

from loopviz import yaml12
from loopviz.evalspec import named, read_eval_spec, read_grader, read_stimulus, with_changes
from loopviz.readers import read_bytes
from loopviz.settings import MaxRepeatSettings

REAL = Path(__file__).parents[2] / "shared" / "real" / "vally"


def grader(max: Any = 3, /, *, name: Any = None, type: str = "max-repeat", **config: Any) -> dict[str, Any]:
    given = {} if name is None else {"name": name}
    return {"type": type, **given, "config": {"max": max, **config}}


@pytest.mark.parametrize(
    "stimulus",
    [
        pytest.param(None, id="no stimulus"),
        pytest.param({}, id="empty"),
        pytest.param({"name": "s", "graders": None}, id="null graders"),
        pytest.param({"name": "s", "graders": []}, id="no graders"),
        pytest.param(
            {"name": "s", "graders": [{"type": "completed"}, {"type": "tool-calls", "config": 3}]}, id="others"
        ),
    ],
)
def test_quiet_where_there_is_no_max_repeat(stimulus: Any) -> None:
    read = read_stimulus(stimulus)
    assert (read.graders, read.siblings, read.errors, read.notes) == ((), (), (), ())


def test_a_grader_is_found_with_its_place() -> None:
    read = read_stimulus({"name": "fix", "graders": [{"type": "completed"}, grader(2, match="name", tools=["^bash$"])]})
    (found,) = read.graders
    assert found.settings == MaxRepeatSettings(max=2, match="name", tools=("^bash$",))
    assert (found.name, found.index, found.where) == ("max-repeat", 1, "stimulus 'fix', grader 2")
    assert read.errors == ()


@pytest.mark.parametrize(
    ("graders", "names"),
    [
        pytest.param([grader()], ["max-repeat"], id="one"),
        pytest.param([grader(name="my-loop")], ["my-loop"], id="one with a name"),
        pytest.param([grader(name=" ")], ["max-repeat"], id="a blank name is none"),
        pytest.param([grader(name=3)], ["max-repeat"], id="a number is no name"),
        pytest.param(
            [grader(3, tools=["^bash$", "^read$"]), grader(5, match="name", max_cycle_period=2)],
            [
                "max-repeat #1 (tools ^bash$ ^read$, match observation, max 3)",
                "max-repeat #2 (every tool, match name, max 5, max_cycle_period 2)",
            ],
            id="two are told apart by their settings",
        ),
        pytest.param(
            [grader(3), grader(3)],
            [
                "max-repeat #1 (every tool, match observation, max 3)",
                "max-repeat #2 (every tool, match observation, max 3)",
            ],
            id="two alike by their number",
        ),
        pytest.param(
            [grader(name="a"), grader(4)],
            ["a", "max-repeat #2 (every tool, match observation, max 4)"],
            id="one with a name and one without",
        ),
        pytest.param([grader(name="a"), grader(name="a")], ["a #1", "a #2"], id="one name for two"),
        pytest.param(
            [grader(0), grader(4)],
            ["max-repeat #1", "max-repeat #2 (every tool, match observation, max 4)"],
            id="a refused one",
        ),
        pytest.param(
            [grader(1, tools=["x" * 500]), grader(2)],
            [
                f"max-repeat #1 (tools {'x' * 53}…, match observation, max 1)",
                "max-repeat #2 (every tool, match observation, max 2)",
            ],
            id="a long list is cut",
        ),
    ],
)
def test_names(graders: list[dict[str, Any]], names: list[str]) -> None:
    assert [found.name for found in read_stimulus({"name": "s", "graders": graders}).graders] == names


@pytest.mark.parametrize(
    ("stimulus", "error"),
    [
        pytest.param(
            {"name": "x", "graders": [{"type": "completed"}, grader(0)]},
            "stimulus 'x', grader 2: max is 0; it must be a whole number of at least 1.",
            id="a refused setting",
        ),
        pytest.param(
            {"name": "x", "graders": [{"type": "max-repeat"}]},
            "stimulus 'x', grader 1: max is missing; it must be a whole number of at least 1.",
            id="no config",
        ),
        pytest.param(
            {"name": "x", "graders": [{"type": "max-repeat", "config": [1]}]},
            "stimulus 'x', grader 1: config is [1]; it must be a mapping of settings to values.",
            id="a list for a config",
        ),
        pytest.param(
            {"name": "x", "graders": ["max-repeat"]},
            "stimulus 'x', grader 1 is \"max-repeat\"; it must be a mapping with a type.",
            id="a word for a grader",
        ),
        pytest.param(
            {"name": "x", "graders": grader()},
            'stimulus \'x\': graders is {"type": "max-repeat", "config": {"max": 3}}; it must be a list.',
            id="one grader without a list",
        ),
        pytest.param({"graders": [grader(0)]}, "stimulus, grader 1: max is 0; it must", id="a stimulus without a name"),
        pytest.param([1], "stimulus is [1]; it must be a mapping.", id="no mapping"),
        pytest.param({"name": "a\nb", "graders": [grader(0)]}, "stimulus 'a\\nb', grader 1: max", id="a strange name"),
    ],
)
def test_errors_say_where(stimulus: Any, error: str) -> None:
    (found,) = read_stimulus(stimulus).errors
    assert found.startswith(error)


def test_a_refused_grader_keeps_its_place_and_its_settings() -> None:
    (refused,) = read_stimulus({"name": "x", "graders": [grader(0, match="name")]}).graders
    assert refused.settings is None
    assert refused.error is not None
    assert refused.error.field == "max"
    mended = with_changes(refused, {"max": 2})
    assert mended.error is None
    assert mended.settings == MaxRepeatSettings(max=2, match="name")


@pytest.mark.parametrize(
    ("entry", "note"),
    [
        pytest.param({**grader(), "turn": 1}, "turn is 1; it is kept and has no effect here.", id="another key"),
        pytest.param(grader(name=3), "its name is 3, which is no text, and is not used.", id="a number for a name"),
    ],
)
def test_what_is_left_alone_is_noted(entry: dict[str, Any], note: str) -> None:
    read = read_stimulus({"name": "x", "graders": [entry]})
    assert read.notes == (f"stimulus 'x', grader 1: {note}",)
    assert read.graders[0].settings == MaxRepeatSettings(max=3)
    assert read.errors == ()


@pytest.mark.parametrize(
    ("config", "settings", "judged"),
    [
        pytest.param(
            {"max_acceptable_retries": 2, "should_loop": True}, None, "Not judged here", id="one that wants a loop"
        ),
        pytest.param({"max_acceptable_retries": 2, "max_cycle_period": 3}, None, "Not judged here", id="patterns"),
        pytest.param({"max_acceptable_retries": 2}, MaxRepeatSettings(max=3, match="name-args"), None, id="plain"),
        pytest.param(
            {"max_acceptable_retries": 0, "match": "name", "tools": ["a"], "should_loop": False},
            MaxRepeatSettings(max=1, match="name", tools=("a",)),
            None,
            id="plain, all said",
        ),
    ],
)
def test_loop_outcome(config: Any, settings: MaxRepeatSettings | None, judged: str | None) -> None:
    read = read_stimulus({"name": "x", "graders": [{"type": "loop-outcome", "config": config}]})
    (found,) = read.siblings
    assert read.graders == ()
    assert found.settings == settings
    assert (found.not_judged or "").startswith(judged or "")
    assert (found.not_judged is None) == (judged is None)


def test_a_refused_loop_outcome_refuses_nothing_else() -> None:
    read = read_stimulus({"name": "x", "graders": [{"type": "loop-outcome", "config": {}}, grader()]})
    assert read.siblings[0].error is not None
    assert read.errors == ()


def test_names_follow_changes() -> None:
    graders = read_stimulus({"graders": [grader(3), grader(4)]}).graders
    changed = named([with_changes(g, {"max": 7}) for g in graders])
    assert [g.name for g in changed] == [f"max-repeat #{k} (every tool, match observation, max 7)" for k in (1, 2)]


def test_no_changes_change_nothing() -> None:
    given = read_grader("max-repeat", {"max": 3}, where="here", name="a")
    assert with_changes(given, {}) is given


SPEC = """
name: nightly
scoring: {threshold: 0.7}
stimuli:
  - name: fix-bug
    prompt: Fix it.
    graders:
      - {type: max-repeat, config: {max: 2}}
      - {type: completed}
  - name: talk
    turns: [Hello., Go on.]
  - name: again
    prompt: Fix it.
  - name: stop
    turns: [Good day., Stop.]
  - name: stay
    turns: [{prompt: Good day.}, {prompt: Stay.}]
"""


def test_an_eval_spec() -> None:
    spec = read_eval_spec(yaml12.load(SPEC))
    assert (spec.name, spec.threshold, spec.errors, spec.notes) == ("nightly", 0.7, (), ())
    assert [s.name for s in spec.stimuli] == ["fix-bug", "talk", "again", "stop", "stay"]
    fix = spec.find("fix-bug")
    assert fix is not None
    assert [g.settings for g in fix.graders] == [MaxRepeatSettings(max=2)]
    assert spec.find("Fix-bug") is None


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        pytest.param("Something else.", None, id="no such prompt"),
        pytest.param("Fix it.", None, id="two have it"),
        pytest.param("Hello.", "talk", id="the first message of several"),
        pytest.param("Hello.\n\nGo on.", "talk", id="all messages of several"),
        pytest.param("Good day.", None, id="the first message of two"),
        pytest.param("Good day.\n\nStop.", "stop", id="all messages, where the first is that of two"),
        pytest.param("Good day.\n\nStay.", "stay", id="all messages, with keys"),
    ],
)
def test_a_stimulus_is_found_by_its_prompt(prompt: str, found: str | None) -> None:
    stimulus = read_eval_spec(yaml12.load(SPEC)).find_by_prompt(prompt)
    assert (stimulus.name if stimulus else None) == found


def test_a_nameless_run_finds_its_stimulus() -> None:
    (run,) = read_bytes(b'{"events": [], "stimulus": {"turns": ["Good day.", "Stop."]}}', "run.json").trajectories
    stimulus = read_eval_spec(yaml12.load(SPEC)).find_by_prompt(run.prompt or "")
    assert stimulus is not None
    assert stimulus.name == "stop"


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        pytest.param({"stimuli": []}, "stimuli is []; it must be a list of at least one stimulus.", id="none"),
        pytest.param({"stimuli": None}, "stimuli is null; it must be a list of at least one stimulus.", id="null"),
        pytest.param(
            {"stimuli": {"name": "x"}},
            'stimuli is {"name": "x"}; it must be a list of at least one stimulus.',
            id="one",
        ),
        pytest.param({"stimuli": ["x"]}, 'stimulus 1 is "x"; it must be a mapping.', id="a word"),
        pytest.param(
            {"stimuli": [{"name": "x"}, {"name": "x"}]},
            'stimuli: 2 of them are named "x"; names must differ.',
            id="one name for two",
        ),
        pytest.param(
            {"stimuli": [{"prompt": "hi"}, {"graders": [grader("3")]}]},
            'stimulus 2, grader 1: max is "3"; it must be a whole number of at least 1.',
            id="no name",
        ),
    ],
)
def test_errors_of_a_spec(spec: dict[str, Any], error: str) -> None:
    assert read_eval_spec(spec).errors == (error,)


def test_graders_at_the_top_are_noted() -> None:
    spec = read_eval_spec({"graders": [grader(0)], "stimuli": [{"name": "x"}]})
    assert spec.errors == ()
    assert "not used by Vally" in spec.notes[0]


@pytest.mark.parametrize("path", sorted(REAL.glob("*.eval.yaml")) or [None], ids=lambda p: p.name if p else "none")
def test_real_specs(path: Path | None) -> None:
    if path is None:
        pytest.skip("the folder of real runs is not beside the checkout")
    written = yaml12.load(path.read_text(encoding="utf-8"))
    spec = read_eval_spec(written)
    assert spec.errors == ()
    assert [s.name for s in spec.stimuli] == [s["name"] for s in written["stimuli"]]
    assert all(s.prompt or s.turns for s in spec.stimuli)
    assert not any(s.graders for s in spec.stimuli)
