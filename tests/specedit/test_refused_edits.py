"""What cannot be edited in place is refused, with its line, its key, the reason, and YAML to paste that is in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from loopviz import yaml12
from loopviz.evalspec import read_stimulus
from loopviz.settings import MaxRepeatSettings
from loopviz.specedit import Change, EditRefused, Obstacle, plan_edit

TO = MaxRepeatSettings(max=4, match="name", tools=("^bash$",))
EDIT = Change(stimulus=0, grader=0, settings=TO)
ADD = Change(stimulus=0, grader=None, settings=TO, name="no-loops")
HEAD = "stimuli:\n  - name: s\n"
GRADER = f"{HEAD}    graders:\n      - type: max-repeat\n"
CONFIG = f"{GRADER}        config:\n"
OTHER = "  - name: t\n"


def refused(text: str | bytes, *changes: Change) -> Sequence[Obstacle]:
    with pytest.raises(EditRefused) as caught:
        plan_edit(text.encode() if isinstance(text, str) else text, changes)
    assert str(caught.value) == "\n".join(map(str, caught.value.obstacles))
    return caught.value.obstacles


def pasted(snippet: str) -> Any:
    """A snippet where it is to go: below `graders`, or inside the brackets there."""
    return yaml12.load(snippet if snippet.startswith("- ") else f"[{snippet}]")


@pytest.mark.parametrize(
    ("text", "line", "key", "reason"),
    [
        pytest.param(f"{GRADER}        config: {{max: 3}}\n", 5, "config", "flow style", id="a config in braces"),
        pytest.param(
            f"{HEAD}    graders:\n      - {{type: max-repeat}}\n", 4, "graders", "flow style", id="a grader in braces"
        ),
        pytest.param(
            f"{HEAD}    graders: [{{type: max-repeat}}]\n", 3, "graders", "flow style", id="graders in brackets"
        ),
        pytest.param(
            "stimuli:\n  - {name: s, graders: [{type: max-repeat}]}\n",
            2,
            "stimuli",
            "flow style",
            id="a stimulus in braces",
        ),
        pytest.param(f"n: &m 5\n{CONFIG}          max: *m\n", 7, "max", r"alias \*m", id="an alias for a number"),
        pytest.param(
            f"c: &c {{max: 3}}\n{GRADER}        config: *c\n", 6, "config", r"alias \*c", id="an alias for a config"
        ),
        pytest.param(
            f"{GRADER}        config: &c\n          max: 3\n{OTHER}    x: *c\n",
            5,
            "config",
            r"&c.*wherever \*c stands",
            id="a config that others use",
        ),
        pytest.param(f"{CONFIG}          max: &m 3\n{OTHER}    x: *m\n", 6, "max", "&m", id="a number that others use"),
        pytest.param(f"{CONFIG}          max: &m 3\n", 6, "max", "anchor &m", id="an anchor on what is written anew"),
        pytest.param(
            f"{HEAD}    graders: &g\n      - type: max-repeat\n{OTHER}    graders: *g\n",
            3,
            "graders",
            "&g",
            id="shared graders",
        ),
        pytest.param(
            "stimuli:\n  - &s\n    name: s\n    graders: [a]\n  - *s\n",
            2,
            "stimuli",
            "&s",
            id="a stimulus that is there twice",
        ),
        pytest.param(
            f"b: &b {{x: 1}}\n{GRADER}        <<: *b\n        config:\n          max: 3\n",
            6,
            "<<",
            "merge key",
            id="a merge key",
        ),
        pytest.param(
            f"{HEAD}    <<: {{x: 1}}\n    graders:\n      - type: max-repeat\n",
            3,
            "<<",
            "merge key",
            id="merged into a stimulus",
        ),
        *(
            pytest.param(
                f"c: &c {{max: 3}}\n{GRADER}        config:{config}\n",
                line,
                "<<",
                "merge key << takes",
                id=f"a config with {what}",
            )
            for what, line, config in (
                ("a merge key alone", 7, "\n          <<: *c"),
                ("a merge key before its own", 7, "\n          <<: *c\n          max: 5"),
                ("a merge key behind its own", 8, "\n          max: 5\n          <<: *c"),
                ("a list of merges", 7, "\n          <<: [*c]"),
                ("a merge key in braces", 6, " {<<: *c, max: 5}"),
                ("a mapping merged in place", 7, "\n          <<: {max: 3}"),
            )
        ),
        pytest.param(
            f"d: &d {{name: x}}\n{HEAD}    graders:\n      - {{<<: *d, type: max-repeat}}\n",
            5,
            "<<",
            "merge key << takes",
            id="a grader in braces with a merge key",
        ),
        pytest.param(
            f"{GRADER}        config: &c\n          max: 3\n{OTHER}    x:\n      <<: *c\n",
            5,
            "config",
            "anchor &c, which the merge key << in line 9 takes over",
            id="a config that is merged elsewhere",
        ),
        pytest.param(f"{CONFIG}          max: !!int 3\n", 6, "max", "tag .*int", id="a tag on a number"),
        pytest.param(
            f"{GRADER}        config: !!map\n          max: 3\n", 5, "config", "tag .*map", id="a tag on a config"
        ),
        pytest.param(
            f"{CONFIG}          max: 3\n          match: |-\n            observation\n",
            7,
            "match",
            "several lines",
            id="a block of text",
        ),
        pytest.param(
            f"{CONFIG}          ? max\n          : 3\n", 6, "max", "question mark", id="a key with a question mark"
        ),
        pytest.param(f"{CONFIG}          max: ${{MAX}}\n", 6, "graders", r"template: \$\{MAX\}", id="a variable"),
        pytest.param(
            f'{GRADER}        name: "{{{{ name }}}}"\n        config:\n          max: 3\n',
            5,
            "graders",
            "template: {{",
            id="a template",
        ),
        pytest.param(
            f"{GRADER}        # {{% if strict %}}\n        config:\n          max: 3\n",
            5,
            "graders",
            "template: {%",
            id="a template in comments",
        ),
        pytest.param(
            f"{CONFIG}          max: 3\n          tools:\n            - *t\n".replace(
                "stimuli", "t: &t read\nstimuli", 1
            ),
            9,
            "tools",
            r"alias \*t",
            id="an alias for a tool",
        ),
        pytest.param(
            f"{CONFIG}          max: 3\n          tools:\n            - |-\n              read\n",
            8,
            "tools",
            "several lines",
            id="a tool in a block",
        ),
        pytest.param(
            f"{CONFIG}          max: 3\n          tools:\n            a: b\n",
            7,
            "tools",
            "is a mapping",
            id="tools that are a mapping",
        ),
        pytest.param(f"{CONFIG}          max: [3]\n", 6, "max", "holds others", id="a list for a number"),
        pytest.param(f"{CONFIG}          maxx: 3\n", 4, "graders", "did you mean max", id="a misspelt setting"),
        pytest.param(
            f"{GRADER}        config: 3\n",
            5,
            "config",
            "it is a number and should be a mapping",
            id="a number for a config",
        ),
        pytest.param(
            f"{HEAD}    graders:\n      - type: completed\n",
            4,
            "graders",
            "of type 'completed', not max-repeat",
            id="another grader",
        ),
        pytest.param(f"{HEAD}    graders: []\n", 2, "stimuli", "no such grader", id="no grader"),
        pytest.param(f"{HEAD}    graders: 3\n", 2, "stimuli", "no such grader", id="no list of graders"),
        pytest.param(
            f"{GRADER}        config:\n          {{}}\n",
            5,
            "config",
            "another line than the key",
            id="an empty config below its key",
        ),
    ],
)
def test_one_grader(text: str, line: int, key: str, reason: str) -> None:
    (obstacle,) = refused(text, EDIT)
    assert (obstacle.where, obstacle.line, obstacle.key, obstacle.stimulus) == ("stimulus 's', grader 1", line, key, 0)
    assert str(obstacle).startswith(f"stimulus 's', grader 1, line {line}, {key}: ")
    assert re.search(reason, obstacle.reason)
    (grader,) = read_stimulus({"graders": pasted(obstacle.snippet)}).graders
    assert (grader.settings, grader.error) == (TO, None)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        pytest.param("", None, "no stimuli", id="nothing"),
        pytest.param("max_repeat: {max: 3}\n", None, "no stimuli", id="a loopviz config"),
        pytest.param("- a\n", None, "no stimuli", id="a list"),
        pytest.param("stimuli: []\n", 1, "flow style", id="stimuli in brackets"),
        pytest.param("stimuli:\n", 1, "it is empty and should be a list", id="no stimuli yet"),
        pytest.param('{"stimuli": [{"name": "s"}]}', 1, "flow style", id="JSON"),
        pytest.param("a: &a [1]\nstimuli: *a\n", 2, r"alias \*a", id="an alias"),
        pytest.param("a: 1\na: 2\nstimuli: []\n", 2, 'the key "a" is given twice', id="a key twice"),
        pytest.param(
            f"{CONFIG}          max: 3\n          max: 4\n", 7, 'the key "max" is given twice', id="a setting twice"
        ),
        pytest.param(f"{HEAD}---\n{HEAD}", 3, "expected a single document", id="two documents"),
        pytest.param("stimuli:\n{% for s in stimuli %}\n", 2, "not YAML", id="a template"),
        pytest.param(f"{HEAD}\tx: 1\n", 3, "a tab cannot indent", id="a tab that indents"),
        pytest.param(b"stimuli:\n  - name: \xff\n", None, "byte 19 is not UTF-8", id="another encoding"),
        pytest.param("stimuli:\n- name: s\n".encode("utf-16"), None, "byte 0 is not UTF-8", id="UTF-16"),
    ],
)
def test_the_whole_file(text: str | bytes, line: int | None, reason: str) -> None:
    (obstacle,) = refused(text, EDIT)
    assert (obstacle.where, obstacle.line, obstacle.stimulus) == ("the file", line, None)
    assert re.search(reason, obstacle.reason)
    assert yaml12.load(obstacle.snippet) == [
        {"type": "max-repeat", "config": {"max": 4, "match": "name", "tools": ["^bash$"]}}
    ]


@pytest.mark.parametrize(
    ("text", "name", "line", "reason"),
    [
        pytest.param(f"{HEAD}    graders: [{{type: completed}}]\n", "n", 3, "flow style", id="graders in brackets"),
        pytest.param(f"g: &g\n  - a\n{HEAD}    graders: *g\n", "n", 5, r"alias \*g", id="graders that others use"),
        pytest.param(f"{HEAD}    graders: !!null\n", "n", 3, "tag", id="nothing with a tag"),
        pytest.param(f"{HEAD}    graders: 3\n", "n", 3, "it is a number and should be a list", id="a number"),
        pytest.param(f"{GRADER}        name: n\n", "n", 2, "Two graders are named 'n'", id="a name that is taken"),
        pytest.param(HEAD, "No Loops", 2, "small letters.*: no-loops", id="a name that Vally refuses"),
        pytest.param(HEAD, "a" * 61, 2, "61 characters; 60 are allowed", id="a name too long"),
        pytest.param(f"{GRADER}        # {{% if n %}}\n        x: y\n", "n", 5, "template", id="a template"),
        pytest.param(f"{HEAD}    prompt: |\n      do", "n", 4, "gain one", id="a block of text that ends the file"),
    ],
)
def test_one_that_is_added(text: str, name: str, line: int, reason: str) -> None:
    (obstacle,) = refused(text, Change(stimulus=0, grader=None, settings=TO, name=name))
    assert obstacle.line == line
    assert re.search(reason, obstacle.reason)


def test_everything_in_the_way_is_told_at_once() -> None:
    text = f"{GRADER}        config: {{max: 3}}\n  - graders: []\n    <<: {{}}\n"
    obstacles = refused(
        text, EDIT, Change(stimulus=1, grader=None, settings=TO), Change(stimulus=7, grader=0, settings=TO)
    )
    assert [obstacle.where for obstacle in obstacles] == [
        "stimulus 's', grader 1",
        "stimulus 8, grader 1",
        "stimulus 2",
    ]
    assert "there is no stimulus 8: the file has 2" in obstacles[1].reason


def test_a_snippet_keeps_what_else_the_grader_has_and_fits_where_it_goes() -> None:
    (block,) = refused(f"{GRADER}        turn: 0\n        config: {{max: 3}}\n", EDIT)
    assert block.snippet.startswith("- type: max-repeat\n  turn: 0\n  config:\n    max: 4\n")
    (flow,) = refused(f"{HEAD}    graders: [{{type: max-repeat, turn: 0, config: {{max: 3}}}}]\n", EDIT)
    assert pasted(flow.snippet) == pasted(block.snippet)


def test_a_snippet_says_in_full_what_a_merge_key_took_over() -> None:
    text = f"d: &d\n  type: max-repeat\n  name: fine\n  turn: 1\n{HEAD}    graders:\n      - <<: *d\n        turn: 0\n"
    (obstacle,) = refused(text, EDIT)
    assert "merge key <<" in obstacle.reason
    (grader,) = pasted(obstacle.snippet)
    assert grader == {
        "type": "max-repeat",
        "name": "fine",
        "turn": 0,
        "config": {"max": 4, "match": "name", "tools": ["^bash$"]},
    }


def test_two_changes_of_one_grader_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="two changes are for one grader"):
        plan_edit(CONFIG.encode(), [EDIT, EDIT])
