"""Edits of a spec, one spelling each: which lines become which."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loopviz import config, yaml12
from loopviz.settings import MaxRepeatSettings
from loopviz.specedit import Change, Edit, EditRefused, plan_edit, unified_diff

REAL = Path(__file__).parents[3] / "shared" / "real" / "vally"


def to(max: int = 3, /, **settings: Any) -> MaxRepeatSettings:
    return MaxRepeatSettings(max=max, **settings)


def spec(*config_lines: str) -> str:
    """A spec with one stimulus and one grader; its config is in the lines."""
    config_text = "".join(f"          {line}\n" for line in config_lines)
    return f"stimuli:\n  - name: s\n    graders:\n      - type: max-repeat\n        config:\n{config_text}"


def plan(text: str, settings: MaxRepeatSettings, grader: int | None = 0) -> Edit:
    return plan_edit(text.encode(), [Change(stimulus=0, grader=grader, settings=settings)])


@pytest.mark.parametrize(
    ("lines", "settings"),
    [
        pytest.param(["max: 3"], to(), id="the same"),
        pytest.param(["max: 3.0"], to(), id="a number that is the same"),
        pytest.param(["max: 0x3"], to(), id="in hexadecimal"),
        pytest.param(["max: 3", "max_cycle_period: 1", "match: observation"], to(), id="defaults written out"),
        pytest.param(["tools: ['^bash$', read]", "max: 3"], to(tools=("^bash$", "read")), id="tools"),
        pytest.param(["max: &n 3", "tools:", '  - "\\x61"'], to(tools=("a",)), id="spelled in another way"),
    ],
)
def test_quiet_where_the_settings_are_there(lines: list[str], settings: MaxRepeatSettings) -> None:
    edit = plan(spec(*lines), settings)
    assert (edit.after, edit.added, edit.removed, edit.stimuli, bool(edit)) == (edit.before, 0, 0, (), False)
    assert unified_diff(edit) == ""


@pytest.mark.parametrize(
    ("before", "settings", "after"),
    [
        pytest.param(["max: 3  # low"], to(4), ["max: 4  # low"], id="a number"),
        pytest.param(["max:   3"], to(4), ["max:   4"], id="set apart"),
        pytest.param(["max:", "  3"], to(4), ["max:", "  4"], id="in the next line"),
        pytest.param(["max:  # to be set"], to(4), ["max: 4  # to be set"], id="where nothing stands"),
        pytest.param(['"max" : 3'], to(4), ['"max" : 4'], id="a key in quotes"),
        pytest.param(['max: "3"'], to(4), ["max: 4"], id="a text, which was refused"),
        pytest.param(["max: 3", "match: 'name'"], to(match="name-args"), ["max: 3", "match: 'name-args'"], id="quotes"),
        pytest.param(
            ["max: 3", "match: name # why"], to(), ["max: 3", "match: observation # why"], id="back to the default"
        ),
        pytest.param(
            ["match: name", "max: 3"],
            to(match="name", max_cycle_period=2),
            ["match: name", "max: 3", "max_cycle_period: 2"],
            id="a new one behind those it follows",
        ),
        pytest.param(
            ["max: 3 # one", "       # two", "# three", "match: name"],
            to(match="name", max_cycle_period=2),
            ["max: 3 # one", "       # two", "max_cycle_period: 2", "# three", "match: name"],
            id="a comment over two lines stays whole",
        ),
        pytest.param(["match: name"], to(4, match="name"), ["max: 4", "match: name"], id="max, which was missing"),
        pytest.param(["tools: [a]"], to(), ["max: 3"], id="max in, tools out"),
        pytest.param(
            ["max: 3", "tools: [a]  # the shell", "match: name"],
            to(match="name"),
            ["max: 3", "# the shell", "match: name"],
            id="tools out, its comment stays",
        ),
        pytest.param(
            ["max: 3", "tools:  # which", "  # x", "", "  - a", "  - '# b' # c", "match: name"],
            to(match="name"),
            ["max: 3", "# which", "  # x", "  # c", "match: name"],
            id="tools in lines out, their comments stay",
        ),
        pytest.param(["max: 3"], to(tools=("^a b$",)), ["max: 3", 'tools: ["^a b$"]'], id="tools in"),
        pytest.param(
            ["max: 3", "tools: a"], to(tools=("b",)), ["max: 3", 'tools: ["b"]'], id="tools that were no list"
        ),
        pytest.param(["max: 3", "tools: []"], to(tools=("b",)), ["max: 3", 'tools: ["b"]'], id="tools that were empty"),
        pytest.param(["max: 3", "tools:"], to(tools=("b",)), ["max: 3", 'tools: ["b"]'], id="tools that were nothing"),
    ],
)
def test_settings(before: list[str], settings: MaxRepeatSettings, after: list[str]) -> None:
    edit = plan(spec(*before), settings)
    assert edit.after.decode() == spec(*after)
    (grader,) = config.read(edit.after.decode()).stimuli[0].graders
    assert grader.settings == settings


@pytest.mark.parametrize(
    ("before", "tools", "after"),
    [
        pytest.param(["[a, b] # x"], ["a", "c"], ["[a, c] # x"], id="one for another"),
        pytest.param(["['a', \"b\"]"], ["c", "d"], ["['c', \"d\"]"], id="each in its quotes"),
        pytest.param(["['a']"], ["it's"], ["['it''s']"], id="a quote in quotes"),
        pytest.param(["['a']"], ["a\tb"], ['["a\\tb"]'], id="what single quotes do not show"),
        pytest.param(["[a]"], ["no"], ['["no"]'], id="a word that older versions take for false"),
        pytest.param(["[a]"], ["a, b"], ['["a, b"]'], id="a comma"),
        pytest.param(["[a]"], [r"^\d+$"], [r"[^\d+$]"], id="a pattern that needs no quotes"),
        pytest.param(["[a, c]"], ["a", "b", "c"], ["[a, b, c]"], id="one between"),
        pytest.param(["[b]"], ["a", "b"], ["[a, b]"], id="one before"),
        pytest.param(["[a,b]"], ["a", "b", "c"], ["[a,b,c]"], id="without a space"),
        pytest.param(["[a, b, c]"], ["a", "c"], ["[a, c]"], id="the middle one out"),
        pytest.param(["[a, b]"], ["b"], ["[b]"], id="the first one out"),
        pytest.param(["[a, b]"], ["a"], ["[a]"], id="the last one out"),
        pytest.param(["[a, b,]"], ["a"], ["[a,]"], id="a comma at the end stays"),
        pytest.param(
            ["[", "  a, # x", "  b # y", "]"], ["a", "c", "d"], ["[", "  a, # x", "  c, d # y", "]"], id="over lines"
        ),
        pytest.param(["[", "  a, # x", "  b # y", "]"], ["a"], ["[", "  a, # x", "  # y", "]"], id="over lines, out"),
        pytest.param(
            ["[", "  a, # , x", "  b, c # ,", "  , d", "]"],
            ["a"],
            ["[", "  a, # , x", "  # ,", "   ", "]"],
            id="out, commas in comments",
        ),
        pytest.param(["[", "  a, b, # x", "  c", "]"], ["a"], ["[", "  a # x", "]"], id="out, a comment between them"),
        pytest.param(["", "  - a # x", "  - b"], ["a", "c"], ["", "  - a # x", "  - c"], id="in lines"),
        pytest.param(["", "- a", "- b"], ["a", "b", "c"], ["", "- a", "- b", "- c"], id="dashes below the key"),
        pytest.param(["", "-   a"], ["b", "a"], ["", "-   b", "-   a"], id="set apart from the dash, one before"),
        pytest.param(
            ["", "  - a # x", "    # y", "  - b"],
            ["a", "c", "d", "b"],
            ["", "  - a # x", "    # y", "  - c", "  - d", "  - b"],
            id="two between",
        ),
        pytest.param(["", "  - a # x", "  - b"], ["b"], ["", "  # x", "  - b"], id="out, its comment stays"),
        pytest.param(["", "  - # x", "    a", "  - b"], ["b"], ["", "  # x", "  - b"], id="a dash by itself, out"),
        pytest.param(["", "  - # x", "    a"], ["a", "b"], ["", "  - # x", "    a", "  - b"], id="a dash by itself"),
        pytest.param(
            ["", '  - "a"', "  - b"], ["a", "b", "c d"], ["", '  - "a"', "  - b", '  - "c d"'], id="quotes if needed"
        ),
        pytest.param(["", "  - 'a'"], ["a", "b"], ["", "  - 'a'", "  - 'b'"], id="in the quotes of the others"),
        pytest.param(
            ["", "  - |-", "    a", "  - b"], ["a", "c"], ["", "  - |-", "    a", "  - c"], id="beside a block"
        ),
    ],
)
def test_tools(before: list[str], tools: list[str], after: list[str]) -> None:
    def written(lines: list[str]) -> str:
        return spec("max: 3", f"tools: {lines[0]}".rstrip(), *lines[1:], "match: name")

    edit = plan(written(before), to(tools=tuple(tools), match="name"))
    assert edit.after.decode() == written(after)
    (grader,) = config.read(edit.after.decode()).stimuli[0].graders
    assert grader.settings is not None
    assert grader.settings.tools == tuple(tools)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("      - type: max-repeat\n", "        config:\n          max: 4\n", id="no config"),
        pytest.param(
            "      - type: max-repeat\n        config:\n", "          max: 4\n", id="a config with nothing in it"
        ),
    ],
)
def test_a_config_that_is_not_there_yet(before: str, after: str) -> None:
    head = "stimuli:\n  - name: s\n    graders:\n"
    edit = plan(head + before, to(4))
    assert edit.after.decode() == head + before + after
    assert (edit.added, edit.removed) == (after.count("\n"), 0)


@pytest.mark.parametrize("nothing", ["null", "~", "{}"])
def test_nothing_gives_way_to_a_config(nothing: str) -> None:
    head = "stimuli:\n- name: s\n  graders:\n  - type: max-repeat\n"
    edit = plan(f"{head}    config: {nothing}  # yet\n    turn: 0\n", to(4))
    assert edit.after.decode() == f"{head}    config:  # yet\n      max: 4\n    turn: 0\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "stimuli:\n- name: s\n",
            "stimuli:\n- name: s\n  graders:\n  - type: max-repeat\n    config:\n      max: 4\n",
            id="no graders, dashes below the key",
        ),
        pytest.param(
            "stimuli:\n    -   name: s\n",
            "stimuli:\n    -   name: s\n        graders:\n            -   type: max-repeat\n"
            "                config:\n                    max: 4\n",
            id="no graders, four columns",
        ),
        pytest.param(
            "stimuli:\n  - name: s\n    graders:\n      -  type: completed\n         config:\n             x: 1\n",
            "stimuli:\n  - name: s\n    graders:\n      -  type: completed\n         config:\n             x: 1\n"
            "      -  type: max-repeat\n         config:\n             max: 4\n",
            id="laid out as the one before",
        ),
        pytest.param(
            "stimuli:\n  - name: s\n    graders:\n      - type: a\n\n      - type: b\n\n  - name: t\n",
            "stimuli:\n  - name: s\n    graders:\n      - type: a\n\n      - type: b\n\n      - type: max-repeat\n"
            "        config:\n          max: 4\n\n  - name: t\n",
            id="set apart by blank lines",
        ),
        pytest.param(
            "stimuli:\n  - name: s\n    graders: [] # none\n    x: y",
            "stimuli:\n  - name: s\n    graders: # none\n"
            "      - type: max-repeat\n        config:\n          max: 4\n    x: y",
            id="an empty list",
        ),
        pytest.param(
            "stimuli:\n  - name: s\n    prompt: |+\n      do\n\n  - name: t\n",
            "stimuli:\n  - name: s\n    prompt: |+\n      do\n\n"
            "    graders:\n      - type: max-repeat\n        config:\n          max: 4\n  - name: t\n",
            id="behind blank lines that count",
        ),
        pytest.param(
            "stimuli:\n  - name: s\n    prompt: |\n      do\n\n  - name: t\n",
            "stimuli:\n  - name: s\n    prompt: |\n      do\n"
            "    graders:\n      - type: max-repeat\n        config:\n          max: 4\n\n  - name: t\n",
            id="before those that do not",
        ),
        pytest.param(
            "stimuli:\n  - name: s\n    tags: {a: b}",
            "stimuli:\n  - name: s\n    tags: {a: b}\n    graders:\n"
            "      - type: max-repeat\n        config:\n          max: 4",
            id="no line break at the end",
        ),
        pytest.param(
            "stimuli:\r\n  - name: s\r\n...\r\n",
            "stimuli:\r\n  - name: s\r\n    graders:\r\n      - type: max-repeat\r\n"
            "        config:\r\n          max: 4\r\n...\r\n",
            id="line ends of Windows, an end mark",
        ),
        pytest.param(
            "stimuli:\n  - &s\n    name: s\n  - *s\n"[:-7],
            "stimuli:\n  - &s\n    name: s\n    graders:\n      - type: max-repeat\n"
            "        config:\n          max: 4\n",
            id="an anchor that nothing refers to",
        ),
    ],
)
def test_a_grader_is_added(before: str, after: str) -> None:
    assert plan(before, to(4), grader=None).after.decode() == after


def test_signs_of_templates_in_other_graders_are_their_own() -> None:
    text = spec("prompt: rate {{ output }}").replace("max-repeat", "prompt")
    assert plan(text, to(4), grader=None).added == 3


def test_a_dash_by_itself_in_a_file_of_windows() -> None:
    text = "stimuli:\n  -  # one\n\n    name: s\n".replace("\n", "\r\n")
    after = text + "    graders:\r\n      - type: max-repeat\r\n        config:\r\n          max: 4\r\n"
    assert plan(text, to(4), grader=None).after.decode() == after


def test_a_last_line_without_a_line_break_leaves_none() -> None:
    text = spec("max: 3", "tools: [a]").rstrip("\n")
    assert plan(text, to(4)).after.decode() == spec("max: 4").rstrip("\n")
    assert plan(text, to(3, tools=("a",), max_cycle_period=2)).after.decode() == spec(
        "max: 3", "max_cycle_period: 2", "tools: [a]"
    ).rstrip("\n")


def test_added_behind_one_whose_last_lines_go() -> None:
    text = spec("max: 3", "tools: [a]").rstrip("\n")
    edit = plan_edit(
        text.encode(),
        [Change(stimulus=0, grader=0, settings=to()), Change(stimulus=0, grader=None, settings=to(5), name="b")],
    )
    added = "      - type: max-repeat\n        name: b\n        config:\n          max: 5"
    assert edit.after.decode() == spec("max: 3") + added


def test_two_new_graders_share_a_list_that_is_new() -> None:
    changes = [Change(stimulus=0, grader=None, settings=to(k), name=f"g-{k}") for k in (1, 2)]
    edit = plan_edit(b"stimuli:\n- name: s\n", changes)
    assert [g.name for g in config.read(edit.after.decode()).stimuli[0].graders] == ["g-1", "g-2"]
    assert edit.after.count(b"graders:") == 1


DIFF = """\
--- eval.yaml
+++ eval.yaml
@@ -3,7 +3,9 @@
     graders:
       - type: max-repeat
         config:
-          max: 3
+          max: 4
+          max_cycle_period: 3
+          match: name-args
       - type: completed
   - name: t
     graders:
"""


def test_the_diff_and_its_figures() -> None:
    text = spec("max: 3") + "      - type: completed\n  - name: t\n    graders:\n      - type: completed\n"
    edit = plan(text, to(4, max_cycle_period=3, match="name-args"))
    assert unified_diff(edit) == DIFF
    assert (edit.stimuli, edit.stimuli_in_all, edit.added, edit.removed) == (("s",), 2, 3, 1)


def test_hunks_apart_and_the_end_of_a_file() -> None:
    one = "- name: {}\n  graders:\n  - type: max-repeat\n    config:\n      max: 3\n"
    text = "stimuli:\n" + "".join(one.format(name) for name in "abcd")
    changes = [Change(stimulus=place, grader=0, settings=to(4)) for place in (0, 3)]
    edit = plan_edit(text.removesuffix("\n").encode(), changes)
    assert unified_diff(edit, "x.yaml", context=1) == (
        "--- x.yaml\n+++ x.yaml\n@@ -5,3 +5,3 @@\n     config:\n-      max: 3\n+      max: 4\n - name: b\n"
        "@@ -20,2 +20,2 @@\n     config:\n-      max: 3\n\\ No newline at end of file\n"
        "+      max: 4\n\\ No newline at end of file\n"
    )
    assert edit.stimuli == ("a", "d")


@pytest.mark.skipif(not REAL.is_dir(), reason="the recorded specs are not here")
@pytest.mark.parametrize("name", ["vally_hve_prompts.eval.yaml", "vally_azsdk_release_planner.eval.yaml"])
def test_a_real_spec_takes_a_grader_for_every_stimulus_and_new_settings_for_it(name: str) -> None:
    content = (REAL / name).read_bytes()
    stimuli = config.read(content.decode()).stimuli
    changes = [Change(stimulus=k, grader=None, settings=to(3), name="no-loops") for k in range(len(stimuli))]
    edit = plan_edit(content, changes)
    assert (edit.removed, len(edit.stimuli)) == (0, len(stimuli))
    assert edit.added >= 4 * len(stimuli)
    read = config.read(edit.after.decode()).stimuli
    assert {grader.settings for stimulus in read for grader in stimulus.graders} == {to(3)}
    again = [
        Change(stimulus=k, grader=grader.index, settings=to(4, tools=("^bash$",)))
        for k, stimulus in enumerate(read)
        for grader in stimulus.graders
    ]
    second = plan_edit(edit.after, again)
    assert (second.removed, second.added) == (len(stimuli), 2 * len(stimuli))


def test_the_same_plan_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    load, read_whole = yaml12.load, yaml12.load_with_events

    def loading(text: str) -> Any:
        asked.append("load")
        return load(text)

    def reading(text: str) -> Any:
        asked.append("read")
        return read_whole(text)

    monkeypatch.setattr(yaml12, "load", loading)
    monkeypatch.setattr(yaml12, "load_with_events", reading)
    text = b"stimuli:\n  - name: asked-once\n    graders:\n      - type: max-repeat\n        config: {}\n"
    change, other = (Change(stimulus=0, grader=0, settings=MaxRepeatSettings(max=n)) for n in (4, 5))
    first = plan_edit(text, [change])
    assert asked == ["read", "load"]  # once as it is, once as it will be
    assert plan_edit(bytes(bytearray(text)), [change]) is first
    assert asked == ["read", "load"]
    assert plan_edit(text, [other]).after != first.after
    assert asked == ["read", "load", "load"]
    assert plan_edit(text.replace(b"once", b"anew"), [change]).before != text
    assert asked[3:] == ["read", "load"]


def test_a_refusal_is_the_same_again() -> None:
    text = b"stimuli:\n  - name: refused-twice\n    graders: [{type: max-repeat}]\n"
    told = []
    for _ in range(2):
        with pytest.raises(EditRefused) as caught:
            plan_edit(text, [Change(stimulus=0, grader=0, settings=MaxRepeatSettings(max=4))])
        told.append(str(caught.value))
    assert told[0] == told[1] and "flow style" in told[0]
