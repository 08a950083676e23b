"""What a model is given again and again is heard once, in whatever form it is kept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopviz.model import Json
from loopviz.readers.dialogue import Answered, messages
from loopviz.readers.hearing import Hearing
from loopviz.readers.leaves import Leaves

USER, SYSTEM = {"role": "user", "content": "go"}, {"role": "system", "content": "be brief"}
MODEL, TOOL = {"role": "assistant", "content": "hm"}, {"role": "tool", "tool_call_id": "c", "content": "done"}


def as_leaves(said: list[dict[str, str]]) -> Leaves:
    return Leaves({f"{place}.{key}": leaf for place, one in enumerate(said) for key, leaf in one.items()})


FORMS = [
    pytest.param(lambda said: said, id="a list"),
    pytest.param(json.dumps, id="a text"),
    pytest.param(lambda said: json.dumps(said, separators=(",", ":")), id="a text without spaces"),
    pytest.param(lambda said: json.dumps(said, indent=1), id="a text over lines"),
    pytest.param(lambda said: json.dumps(json.dumps(said)), id="a text in a text"),
    pytest.param(lambda said: {"messages": said}, id="wrapped"),
    pytest.param(as_leaves, id="leaves"),
]
Form = Callable[[list[dict[str, str]]], Json]


@pytest.mark.parametrize("form", FORMS)
def test_only_what_is_new_is_heard(form: Form) -> None:
    hearing = Hearing({})
    assert hearing.hear(form([SYSTEM, USER])) == [("system", "be brief"), ("user", "go")]
    assert hearing.hear(form([SYSTEM, USER])) == []
    assert hearing.hear(form([SYSTEM, USER, MODEL, TOOL])) == []
    assert hearing.answers == [Answered("done", "c")]
    assert hearing.hear(form([SYSTEM, USER, MODEL, TOOL, MODEL, USER])) == [("user", "go")]
    assert hearing.answers == []
    assert hearing.hear(form([USER])) == []


def test_what_was_told_of_another_agent_is_not_new() -> None:
    told: dict[tuple[str, str], int] = {}
    first, second = Hearing(told), Hearing(told)
    first.hear([USER])
    assert second.hear([USER]) == []
    assert second.hear([USER, USER]) == [("user", "go")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[x]", '[x, {"role": "user", "content": "b"}'),
        ("a]", "a, b]"),
        ("a!", "a, 1]"),
        ("[a!", "[a, 1]"),
        ("[1]", "[1, 2"),
        (None, [USER]),
        ("[]", "[,]"),
    ],
)
def test_a_text_that_only_looks_as_if_it_went_on(before: Json, after: Json) -> None:
    hearing = Hearing({})
    hearing.hear(before)
    assert hearing.hear(after) == [(said.role, said.text) for said in messages(after, "user")]


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25)
@given(st.lists(st.lists(st.sampled_from([USER, SYSTEM, MODEL, TOOL]), max_size=5), max_size=6), st.data())
def test_agrees_with_reading_all_of_it_each_time(
    form: Form, given: list[list[dict[str, str]]], data: st.DataObject
) -> None:
    hearing = Hearing({})
    told: Counter[str] = Counter()
    said: list[dict[str, str]] = []
    for more in given:
        said = said[data.draw(st.integers(0, 1)) :] + more
        times = Counter(one["content"] for one in said if one["role"] in ("user", "system"))
        assert Counter(text for _, text in hearing.hear(form(said))) == times - told
        told |= times
        last = max((place for place, one in enumerate(said) if one is MODEL), default=-1)
        assert len(hearing.answers) == said[last + 1 :].count(TOOL)
