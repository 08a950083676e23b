"""Graders as YAML to copy: what stands there, that Vally takes it, and which names it takes."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from loopviz import config, yaml12
from loopviz.evalspec import read_stimulus
from loopviz.settings import MaxRepeatSettings
from loopviz.specedit import Grader, candidate_yaml, name_problem, slug
from tests.specedit.spellings import some_settings


def test_nothing_to_write() -> None:
    assert candidate_yaml([]) == ""
    assert candidate_yaml([], ["", "\n"]) == ""


def test_defaults_are_left_out() -> None:
    assert candidate_yaml([Grader(settings=MaxRepeatSettings(max=3))]) == "- type: max-repeat\n  config:\n    max: 3\n"


WHOLE = r"""- type: max-repeat
  name: no-loops
  config:
    max: 4
    max_cycle_period: 3
    match: name-args
- type: max-repeat
  name: shell
  config:
    max: 2
    tools: ["^bash$", "it's \\d"]
# at the top of the file, scoring: {weights: {max-repeat: 2.5}}
# chosen on 584 judged runs of 600
# two lines # are one
"""


def test_all_that_can_stand_there() -> None:
    first = MaxRepeatSettings(max=4, max_cycle_period=3, match="name-args")
    second = MaxRepeatSettings(max=2, tools=("^bash$", r"it's \d"))
    graders = [Grader(name="no-loops", settings=first), Grader(name="shell", settings=second)]
    about = ["chosen on 584 judged runs of 600", "two lines\n# are\x85 one"]
    assert candidate_yaml(graders, about, weight=2.5) == WHOLE


@given(st.lists(some_settings, min_size=1, max_size=3), st.lists(st.text(max_size=20), max_size=3))
def test_it_is_read_back_whatever_is_said_about_it(settings: list[MaxRepeatSettings], about: list[str]) -> None:
    written = candidate_yaml([Grader(settings=one, name=f"g-{k}") for k, one in enumerate(settings)], about)
    read = read_stimulus({"graders": yaml12.load(written)})
    assert ([grader.settings for grader in read.graders], read.errors) == (settings, ())
    assert yaml.safe_load(written) == yaml12.load(written)


def test_it_stands_in_a_spec_as_it_is() -> None:
    lines = "".join(f"      {line}\n" for line in WHOLE.splitlines())
    stimulus = config.read(f"stimuli:\n  - name: s\n    graders:\n{lines}").stimuli[0]
    assert [grader.name for grader in stimulus.graders] == ["no-loops", "shell"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("no-loops", None, id="a slug"),
        pytest.param("3", None, id="a digit"),
        pytest.param("a" * 60, None, id="the longest"),
        pytest.param("a" * 61, "has 61 characters; 60 are allowed", id="too long"),
        pytest.param("No loops", "small letters, digits and single hyphens: no-loops", id="no slug"),
        pytest.param("a--b", "single hyphens: a-b", id="two hyphens"),
        pytest.param("", "it must be small letters", id="empty"),
        pytest.param("taken", "Two graders are named 'taken'", id="taken"),
    ],
)
def test_names(name: str, said: str | None) -> None:
    problem = name_problem(name, ["taken"])
    assert (problem is None) == (said is None)
    assert said is None or (problem is not None and said in problem)


def test_a_name_that_vally_refuses_is_not_written() -> None:
    with pytest.raises(ValueError, match="small letters"):
        candidate_yaml([Grader(name="No loops", settings=MaxRepeatSettings(max=3))])
    with pytest.raises(ValueError, match="Two graders"):
        candidate_yaml([Grader(name="a", settings=MaxRepeatSettings(max=3))] * 2)


@given(st.text(max_size=80))
def test_every_text_has_a_slug(text: str) -> None:
    assert name_problem(slug(text)) is None
    assert slug(slug(text)) == slug(text)
