"""Values and where they stand, decoded only when asked."""

from __future__ import annotations

import pytest

from loopviz.model import Json
from loopviz.readers.encoding import as_text
from loopviz.readers.nodes import Node, Origin, top_nodes, top_objects
from loopviz.readers.problems import Problems


def origin(data: bytes) -> Origin:
    return Origin(as_text(data), Problems())


def document(data: bytes) -> Node:
    (node,) = top_nodes(origin(data))
    return node


def troubles(where: Origin) -> list[tuple[str, str]]:
    return [(problem.where, problem.message) for problem in where.problems.listed()]


NESTED = b'{"info": {"name": "x", "n": [1, {"a": 2}]}, "messages": [{"role": "user"}, 3, []], "bad": {"a": nil}}'


def test_members_and_elements_with_their_places() -> None:
    node = document(NESTED)
    assert node.keys() == {"info", "messages", "bad"}
    assert (node.get("info", "name"), node.get("info", "n"), node.get("info", "x", "y")) == ("x", [1, {"a": 2}], None)
    assert [element.raw for element in node.elements("messages")] == [b'{"role": "user"}', b"3", b"[]"]
    assert [NESTED[element.start : element.stop] for element in node.elements("info", "n")] == [b"1", b'{"a": 2}']
    assert [element.where("message") for element in node.elements("messages")] == [
        "message 1",
        "message 2",
        "message 3",
    ]
    assert [element.position for element in node.elements("messages")] == [0, 1, 2]


@pytest.mark.parametrize("path", [("none",), ("info",), ("info", "name"), ("messages", "x"), ("bad", "a", "b")])
def test_where_there_is_no_list_there_are_no_elements(path: tuple[str, ...]) -> None:
    node = document(NESTED)
    assert list(node.elements(*path)) == []
    assert not node.has_list(*path)


def test_a_member_that_is_no_json_is_a_problem() -> None:
    node = document(b'{"a": [1, 2}, "b": 1}')
    assert node.get("a") is None
    assert troubles(node.origin)[-1] == ("byte 6", "`a` is not JSON, or is cut off; it is left out.")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"[1]", "This step should be an object; it is a list and is left out."),
        (b'"a"', "This step should be an object; it is a text and is left out."),
        (b"{]", "This step is not JSON, or is cut off; it is left out."),
    ],
)
def test_what_is_no_object_is_a_problem(raw: bytes, message: str) -> None:
    problems = Problems("line 4")
    assert Node(origin(raw), 0, len(raw), 4, 7).object(problems, "step") is None
    assert [(problem.where, problem.message) for problem in problems.listed()] == [("line 4, step 7", message)]


LINES = [
    pytest.param(b'{"a": 1}\n\n{"a": 2}\n', [(1, 1), (3, 2)], [], id="a blank line between"),
    pytest.param(b'{"a": 1}', [(1, 1)], [], id="a single line"),
    pytest.param(b'{"a": 1}\n{"a": 2', [(1, 1)], [("line 2", "This line is cut off; it is left out.")], id="cut off"),
    pytest.param(
        b'{"a": 1}\n[1]\n{"a": 3}\n', [(1, 1), (3, 3)],
        [("line 2", "This line is not a JSON object; it is left out.")], id="a list among them",
    ),
    pytest.param(
        b'{"a": 1}\n\0\0\0\n{"a": 3}', [(1, 1), (3, 3)],
        [("line 2", "This line holds nothing but zero bytes; it is left out.")], id="zero bytes",
    ),
    pytest.param(
        b'{"a": 1}\n{"a": 2} x\n', [(1, 1)],
        [("line 2", "This line holds something else after its JSON object; it is left out.")], id="something behind",
    ),
    pytest.param(
        b'{"a": 1}\n{"a": "\xff"}\n', [(1, 1), (2, "\udcff")],
        [("byte 16", "One byte here is not UTF-8; each is shown as � and compared as it stands.")], id="not UTF-8",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("data", "found", "problems"), LINES)
def test_lines_are_decoded_with_their_numbers(
    data: bytes, found: list[tuple[int, Json]], problems: list[tuple[str, str]]
) -> None:
    where = origin(data)
    assert [(node.line, value["a"]) for node, value in top_objects(where)] == found
    assert troubles(where) == problems


def test_a_list_is_as_good_as_lines() -> None:
    where = origin(b'[{"a": 1}, 2, {"a": 3}]')
    assert [(node.line, node.number, value["a"]) for node, value in top_objects(where)] == [(None, 1, 1), (None, 3, 3)]
    assert troubles(where) == [("record 2", "This record is not a JSON object; it is left out.")]


def test_places_in_utf16_are_those_of_the_file() -> None:
    text = '{"é": [{"a": 1}]}'
    (element,) = document(b"\xff\xfe" + text.encode("utf-16-le")).elements("é")
    assert element.origin.text.offset(element.start) == 2 + 2 * text.index('{"a"')
