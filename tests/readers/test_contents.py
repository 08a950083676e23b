"""Results in content blocks, and arguments inside a text."""

from __future__ import annotations

import pytest

from loopviz.model import Json
from loopviz.readers.contents import flatten, parse_arguments, texts_in

TEXT = {"type": "text", "text": "a"}
IMAGE = {"type": "image", "source": {"data": "iVBORw0KGgo="}}


@pytest.mark.parametrize(
    "content",
    [
        None, "", "a", 0, False, {}, [], [1], [None], [["a"]], {"content": "a"}, {"type": 1}, [{"a": 1}],
        [{"type": "text", "text": "a"}, 1],
    ],
)  # fmt: skip
def test_what_is_no_block_stays_what_it_is(content: Json) -> None:
    assert flatten(content) == (content, ())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param([TEXT], "a", id="one text"),
        pytest.param([TEXT, TEXT], "a\na", id="two texts"),
        pytest.param(TEXT, "a", id="a block without a list"),
        pytest.param(["a", TEXT], "a\na", id="texts without blocks"),
        pytest.param([{"type": "text", "text": ""}], "", id="an empty text"),
        pytest.param([{"type": "output_text", "text": "a"}], "a", id="as the Responses API has it"),
        pytest.param([{"text": "a"}], "a", id="as Gemini has it"),
        pytest.param(
            [TEXT, {"type": "reference", "name": "b"}], 'a\n{"type":"reference","name":"b"}', id="another block"
        ),
    ],
)
def test_texts_are_taken_out(content: Json, text: str) -> None:
    assert flatten(content) == (text, ())


def test_two_images_are_one_only_when_they_are_the_same() -> None:
    other = {"type": "image", "source": {"data": "AAAA"}}
    one, same, different = (flatten([TEXT, image]) for image in (IMAGE, dict(IMAGE), other))
    assert one.value == same.value != different.value
    assert one.value.startswith("a\n[image ")
    assert one.left_out == ("image",)
    assert "iVBOR" not in one.value


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, ""), ("a", "a"), ([], ""), (TEXT, "a"), ([TEXT, IMAGE, "b"], "a\nb"), (1, ""), ([1, None], ""),
        ([{"type": "tool_use", "text": "no"}, TEXT], "a"), ({"text": 1}, ""),
    ],
)  # fmt: skip
def test_only_texts_are_said(content: Json, said: str) -> None:
    assert texts_in(content) == said


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        pytest.param('{"a": 1, "thought": "x"}', {"a": 1}, id="a text"),
        pytest.param({"a": 1, "thought": "x"}, {"a": 1}, id="an object"),
        pytest.param("apply this", "apply this", id="raw input"),
        pytest.param(["thought"], ["thought"], id="a list"),
        pytest.param(None, None, id="null"),
    ],
)
def test_what_is_no_argument_is_dropped(arguments: Json, value: Json) -> None:
    assert parse_arguments(arguments, ("thought",)) == value
