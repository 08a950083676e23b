"""Config files and options: what they ask for, what is refused, and which graders judge a run."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.config import (
    Config,
    ConfigError,
    Overrides,
    filter_tools,
    graders_for,
    read,
    read_file,
    read_overrides,
    to_yaml,
)
from loopviz.evalspec import named, read_grader
from loopviz.settings import (
    EscalationSettings,
    MaxRepeatSettings,
    Settings,
    SettingsError,
    ThrashSettings,
    load,
)
from loopviz.yaml12 import load as load_yaml

REAL = Path(__file__).parents[2] / "shared" / "real" / "vally"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("{}", Config(), id="nothing asked for"),
        pytest.param("thrash: {}", Config(thrash=ThrashSettings()), id="defaults"),
        pytest.param("escalation: {replan: 4}", Config(escalation=EscalationSettings(replan=4)), id="the ladder"),
        pytest.param('tools: ["^bash$"]', Config(tools=("^bash$",)), id="the filter"),
        pytest.param("unknown: distinct", Config(unknown="distinct"), id="unknown values"),
        pytest.param('{"thrash": {"n": 4.0}}', Config(thrash=ThrashSettings(n=4)), id="JSON"),
        pytest.param(
            "thrash:\n  ignore_args: [no, '010']", Config(thrash=ThrashSettings(ignore_args=("no", "010"))), id="no"
        ),
    ],
)
def test_a_loopviz_config(text: str, expected: Config) -> None:
    assert read(text) == expected


def test_one_grader() -> None:
    config = read("max_repeat: {max: 3, max_cycle_period: 2, tools: ['^bash$']}")
    assert config.max_repeat is not None
    (grader,) = config.max_repeat
    assert grader.name == "max-repeat"
    assert grader.settings == MaxRepeatSettings(max=3, max_cycle_period=2, tools=("^bash$",))


def test_several_graders() -> None:
    config = read("max_repeat:\n- {name: shell, max: 3}\n- {name: all, max: 9, match: name}")
    assert config.max_repeat is not None
    assert [(g.name, g.settings) for g in config.max_repeat] == [
        ("shell", MaxRepeatSettings(max=3)),
        ("all", MaxRepeatSettings(max=9, match="name")),
    ]


WHOLE = "it must be a whole number of at least"


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        pytest.param("", ["a config must be a mapping, and this is null."], id="empty"),
        pytest.param("- max: 3", ['a config must be a mapping, and this is [{"max": 3}].'], id="a list"),
        pytest.param("a: b: c", ["line 1, column 5: a colon is not allowed here; a text with a colon"], id="no YAML"),
        pytest.param(
            "max: 3",
            ["max is 3; there is no such setting at the top; it belongs under max_repeat."],
            id="a grader's key at the top",
        ),
        pytest.param(
            "zzz: 3",
            ["zzz is 3; there is no such setting; the settings here are tools, max_repeat, escalation, thrash, unk"],
            id="an unknown key",
        ),
        pytest.param("trash: {}", ["trash is {}; there is no such setting; did you mean thrash?"], id="a misspelt key"),
        pytest.param(
            "paths: {}\nsuites: {}",
            ["paths is {}; this looks like a Vally project file", "suites is {}; this looks like a Vally project file"],
            id="a project file",
        ),
        pytest.param(
            "thrash:", ["thrash is null; it must be a mapping; {} stands for the defaults."], id="null thrash"
        ),
        pytest.param("escalation: 3", ["escalation is 3; it must be a mapping; {} stands for the defaults."], id="a 3"),
        pytest.param("tools:", ["tools is null; it must be a non-empty list of patterns"], id="null tools"),
        pytest.param("tools: []", ["tools is []; it must be a non-empty list of patterns"], id="no tools"),
        pytest.param("unknown: maybe", ['unknown is "maybe"; it must be equal or distinct.'], id="unknown"),
        pytest.param("max_repeat: {}", [f"max_repeat: max is missing; {WHOLE} 1."], id="a grader without max"),
        pytest.param(
            "max_repeat:", ["max_repeat is null; it must be a mapping of settings, or a list"], id="null grader"
        ),
        pytest.param(
            "max_repeat: []", ["max_repeat is []; it must be a mapping of settings, or a list"], id="no grader"
        ),
        pytest.param(
            "max_repeat: [{max: 3}]",
            ["max_repeat, grader 1: name is missing; it must be a text that is not blank."],
            id="a list without names",
        ),
        pytest.param(
            "max_repeat: [{name: 010, max: 3}, 7]",
            [
                "max_repeat, grader 1: name is 10; it must be a text that is not blank.",
                "max_repeat, grader 2: config is 7; it must be a mapping",
            ],
            id="no name and no grader",
        ),
        pytest.param(
            "max_repeat: [{name: a, max: 3}, {name: a, max: 4}]",
            ['max_repeat: 2 graders are named "a"; names must differ.'],
            id="one name for two",
        ),
        pytest.param(
            "max_repeat: {max: 0}\nescalation: {replan: 1}\nthrash: {n: no}",
            [
                f"escalation: replan is 1; {WHOLE} 2.",
                f'thrash: n is "no"; {WHOLE} 2.',
                f"max_repeat: max is 0; {WHOLE} 1.",
            ],
            id="everything at once",
        ),
        pytest.param(
            "stimuli:\n- name: x\n  graders: [{type: max-repeat, config: {max: 0}}]",
            [f"stimulus 'x', grader 1: max is 0; {WHOLE} 1."],
            id="an eval spec",
        ),
        pytest.param("stimuli:", ["stimuli is null; it must be a list of at least one stimulus."], id="null stimuli"),
        pytest.param(
            "thrash: {n: 3}\nthrash: {n: 4}", ['line 2, column 1: the key "thrash" is given twice'], id="twice"
        ),
    ],
)
def test_refuses(text: str, messages: list[str]) -> None:
    with pytest.raises(ConfigError) as refused:
        read(text)
    found = sorted(refused.value.messages)
    assert [message[: len(start)] for message, start in zip(found, sorted(messages), strict=True)] == sorted(messages)
    assert str(refused.value) == "\n".join(refused.value.messages)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(None, "cannot be read: No such file or directory.", id="no file"),
        pytest.param(b"a: \xff", "byte 3 is not UTF-8 text.", id="no text"),
        pytest.param(b"thrash: {n: 1}", f"thrash: n is 1; {WHOLE} 2.", id="a refused setting"),
    ],
)
def test_refusals_name_the_file(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "loopviz.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError) as refused:
        read_file(path)
    assert str(refused.value) == f"{path}: {message}"


def test_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "settings"
    path.write_bytes(b"\xef\xbb\xbfthrash: {n: 7}\r\n")
    assert read_file(path) == Config(thrash=ThrashSettings(n=7))


def test_patterns_that_match_everything_are_noted() -> None:
    config = read('tools: ["^bash$", ".*"]\nmax_repeat: {max: 3, tools: [".*"]}\nthrash: {finish_tools: ["^"]}')
    assert config.notes == ("The pattern .* matches every tool.", "The pattern ^ matches every tool.")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({}, Overrides(), id="none"),
        pytest.param({"max": 3}, Overrides(max=3), id="max"),
        pytest.param(
            {"match": "name", "tools": ["a", "b"]}, Overrides(match="name", tools=("a", "b")), id="mode and tools"
        ),
    ],
)
def test_options(given: dict[str, Any], expected: Overrides) -> None:
    assert read_overrides(**given) == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param({"max": 0}, f"--max is 0; {WHOLE} 1.", id="max"),
        pytest.param(
            {"max_cycle_period": 11}, "--max-cycle-period is 11; it must be a whole number from 1 to 10.", id="p"
        ),
        pytest.param({"match": "args"}, '--match is "args"; it must be observation, name or name-args.', id="match"),
        pytest.param(
            {"tools": ["a", ""]}, '--tool, entry 2, is ""; a pattern may not be empty or only white space.', id="tool"
        ),
    ],
)
def test_refused_options_are_named_as_they_are_typed(given: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read_overrides(**given)
    assert str(refused.value) == message


SPEC = read(
    """
stimuli:
- name: one
  prompt: First.
  graders:
  - {type: max-repeat, name: shell, config: {max: 2, tools: ["^bash$"]}}
  - {type: max-repeat, config: {max: 5, match: name}}
- name: none
  prompt: Second.
"""
)
BOTH = read("max_repeat: {max: 3, match: name}\nthrash: {}")
GUARDS = read("tools: ['^read$']\nthrash: {}")
RECORDED = {"name": "r", "graders": [{"type": "max-repeat", "config": {"max": 4}}]}
REFUSED = {"name": "r", "graders": [{"type": "max-repeat", "config": {"max": 0}}]}


@pytest.mark.parametrize(
    ("config", "overrides", "run", "settings"),
    [
        pytest.param(GUARDS, Overrides(), {"recorded": RECORDED}, [], id="a config without a grader has none"),
        pytest.param(GUARDS, Overrides(match="name"), {}, [], id="nor when only the mode is given"),
        pytest.param(None, Overrides(), {"recorded": RECORDED}, [MaxRepeatSettings(max=4)], id="what the run recorded"),
        pytest.param(
            None,
            Overrides(match="name", max_cycle_period=2, tools=("x",)),
            {"recorded": RECORDED},
            [MaxRepeatSettings(max=4, match="name", max_cycle_period=2, tools=("x",))],
            id="what the run recorded, changed",
        ),
        pytest.param(None, Overrides(max=9), {}, [MaxRepeatSettings(max=9)], id="a max alone makes one"),
        pytest.param(
            None,
            Overrides(max=9, match="name"),
            {"recorded": RECORDED},
            [MaxRepeatSettings(max=9, match="name")],
            id="a max takes the place of what the run recorded",
        ),
        pytest.param(None, Overrides(match="name"), {"recorded": REFUSED}, [None], id="a recorded one that is refused"),
        pytest.param(BOTH, Overrides(), {}, [MaxRepeatSettings(max=3, match="name")], id="the config's"),
        pytest.param(
            BOTH, Overrides(max=8), {"recorded": RECORDED}, [MaxRepeatSettings(max=8, match="name")], id="changed"
        ),
        pytest.param(GUARDS, Overrides(max=6), {}, [MaxRepeatSettings(max=6)], id="a max adds one to a config without"),
        pytest.param(
            SPEC,
            Overrides(),
            {"stimulus": "one"},
            [MaxRepeatSettings(max=2, tools=("^bash$",)), MaxRepeatSettings(max=5, match="name")],
            id="those of the run's stimulus",
        ),
        pytest.param(
            SPEC,
            Overrides(tools=("a", "b")),
            {"stimulus": "one"},
            [MaxRepeatSettings(max=2, tools=("a", "b")), MaxRepeatSettings(max=5, match="name", tools=("a", "b"))],
            id="tools replace the list of each",
        ),
        pytest.param(SPEC, Overrides(max=7), {"stimulus": "none"}, [MaxRepeatSettings(max=7)], id="one is added"),
        pytest.param(
            SPEC,
            Overrides(max=1),
            {"chosen": "one"},
            [MaxRepeatSettings(max=1, tools=("^bash$",)), MaxRepeatSettings(max=1, match="name")],
            id="the stimulus chosen for a run that names none",
        ),
        pytest.param(
            SPEC, Overrides(max=7), {"stimulus": "none", "chosen": "one"}, [MaxRepeatSettings(max=7)], id="own"
        ),
        pytest.param(
            SPEC, Overrides(max=7), {"prompt": "Second."}, [MaxRepeatSettings(max=7)], id="found by the prompt"
        ),
    ],
)
def test_graders_of_a_run(
    config: Config | None, overrides: Overrides, run: dict[str, Any], settings: list[MaxRepeatSettings | None]
) -> None:
    choice = graders_for(config, overrides, **run)
    assert [grader.settings for grader in choice.graders] == settings
    assert choice.missing is None
    assert len({grader.name for grader in choice.graders}) == len(settings)


@pytest.mark.parametrize(
    ("config", "overrides", "run", "missing"),
    [
        pytest.param(None, Overrides(), {}, "it records no max-repeat grader: give --max or --config", id="nothing"),
        pytest.param(
            None, Overrides(match="name"), {"recorded": {}}, "it records no max-repeat", id="nothing to change"
        ),
        pytest.param(SPEC, Overrides(), {"stimulus": "two"}, "the eval spec has no stimulus 'two'", id="another one"),
        pytest.param(SPEC, Overrides(max=3), {"stimulus": "two"}, "the eval spec has no", id="another one, with max"),
        pytest.param(SPEC, Overrides(), {"chosen": "two"}, "the eval spec has no stimulus 'two'", id="a wrong choice"),
        pytest.param(SPEC, Overrides(), {}, "it does not say its stimulus: give --stimulus", id="no stimulus"),
        pytest.param(SPEC, Overrides(), {"stimulus": "none"}, "its stimulus 'none' has no max-repeat", id="no grader"),
    ],
)
def test_a_run_without_graders_says_why(
    config: Config | None, overrides: Overrides, run: dict[str, Any], missing: str
) -> None:
    choice = graders_for(config, overrides, **run)
    assert choice.graders == ()
    assert choice.missing is not None
    assert choice.missing.startswith(missing)


@pytest.mark.parametrize(
    ("config", "overrides", "tools"),
    [
        pytest.param(None, Overrides(), None, id="every tool"),
        pytest.param(BOTH, Overrides(), None, id="a grader's own tools are not the filter"),
        pytest.param(GUARDS, Overrides(), ("^read$",), id="the config's"),
        pytest.param(GUARDS, Overrides(tools=("x",)), ("x",), id="an option goes first"),
    ],
)
def test_the_filter_of_ladder_and_thrash(
    config: Config | None, overrides: Overrides, tools: tuple[str, ...] | None
) -> None:
    assert filter_tools(config, overrides) == tools


def test_written_for_people() -> None:
    assert to_yaml(read("max_repeat: {max: 3, tools: ['^bash$', \"it's\"]}\nescalation: {same_tool: false}")) == (
        "max_repeat:\n"
        "  max: 3\n"
        "  max_cycle_period: 1\n"
        "  match: observation\n"
        '  tools: ["^bash$", "it\'s"]\n'
        "escalation:\n"
        "  similarity: 0.75\n"
        "  replan: 3\n"
        "  explore: 5\n"
        "  force_done: 8\n"
        "  same_tool: false\n"
        "  tokens: space\n"
        "  window: 20\n"
        "  fail_level: 3\n"
        "unknown: equal\n"
    )


names = st.sampled_from(
    ["no", "010", "0o10", "~", "1:30", "\u0639\u0631\u0628\u064a", "\U0001f600", '"', "'", "# a", "- b"]
)
pattern_lists = st.lists(
    st.sampled_from([r"^\w+$", "no", "010", '"', "'", "\\\\", "é", "\U0001f600", "a\u2028b", ": #"]), min_size=1
)
max_repeats = st.builds(
    MaxRepeatSettings,
    max=st.integers(1, 99),
    max_cycle_period=st.integers(1, 10),
    match=st.sampled_from(["observation", "name", "name-args"]),
    tools=st.none() | pattern_lists,
)
thrashes = st.builds(
    ThrashSettings,
    n=st.integers(2, 9),
    scope=st.sampled_from(["consecutive", "run"]),
    ignore_args=st.lists(st.text(max_size=5)),
    schemas=st.dictionaries(names, st.sampled_from([True, {}, {"properties": {"no": {"default": None}}}]), max_size=2),
    empty_retry=st.none() | st.integers(0, 3),
    ping_pong=st.booleans(),
    finish_tools=st.just(()) | pattern_lists,
)
ladders = st.builds(
    EscalationSettings, similarity=st.floats(0, 1, exclude_min=True), tokens=st.sampled_from(["space", "word"])
)


@given(
    max_repeat=st.none()
    | st.lists(st.tuples(names, max_repeats), min_size=1, max_size=3, unique_by=lambda pair: pair[0]),
    escalation=st.none() | ladders,
    thrash=st.none() | thrashes,
    tools=st.none() | pattern_lists.map(tuple),
    unknown=st.sampled_from(["equal", "distinct"]),
)
def test_what_is_written_is_read_back(max_repeat: Any, escalation: Any, thrash: Any, tools: Any, unknown: Any) -> None:
    graders = [
        read_grader("max-repeat", settings.model_dump(exclude_none=True), where="here", name=name)
        for name, settings in max_repeat or ()
    ]
    config = Config(
        tools=tools,
        max_repeat=named(graders) if graders else None,
        escalation=escalation,
        thrash=thrash,
        unknown=unknown,
    )
    again = read(to_yaml(config))
    assert (again.tools, again.escalation, again.thrash, again.unknown) == (tools, escalation, thrash, unknown)
    assert [(g.name, g.settings) for g in again.max_repeat or ()] == (max_repeat or [])


@given(st.one_of(max_repeats, ladders, thrashes))
def test_so_are_the_settings_of_one_detector(settings: Settings) -> None:
    assert load(type(settings), load_yaml(to_yaml(settings))) == settings


def test_what_is_not_ours_is_not_written() -> None:
    with pytest.raises(ValueError, match="eval spec"):
        to_yaml(SPEC)
    with pytest.raises(ValueError, match="refused"):
        to_yaml(Config(max_repeat=(read_grader("max-repeat", {"max": 0}, where="here"),)))


@pytest.mark.parametrize("path", sorted(REAL.glob("*.yaml")) or [None], ids=lambda path: path.name if path else "none")
def test_real_files(path: Path | None) -> None:
    if path is None:
        pytest.skip("the folder of real runs is not beside the checkout")
    if path.name.endswith(".eval.yaml"):
        config = read_file(path)
        assert config.kind == "eval spec"
        assert graders_for(config, Overrides(max=3), stimulus=config.stimuli[0].name).graders
    else:
        with pytest.raises(ConfigError, match="project file"):
            read_file(path)
