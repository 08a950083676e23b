"""Where values stand in a text, and what its lines are."""

from __future__ import annotations

import pytest

from loopviz import yaml12
from loopviz.specedit.source import Node, lines, read


def written(text: str) -> list[str]:
    """The text of every scalar and alias, as it stands."""
    root = read(text).root
    assert root
    return [text[node.start : node.end] for node in root.walk() if node.kind in ("scalar", "alias")]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("a: b # c\n", ["a", "b"], id="a comment is no part of a value"),
        pytest.param("a:\n  - 'b'\n\n# c\n", ["a", "'b'"], id="nor are blank lines"),
        pytest.param("a: &x !!str 3\nb: *x\n", ["a", "b", "&x !!str 3", "*x"], id="anchors and tags are"),
        pytest.param("a: |\n  b\n\n\nc:\n", ["a", "c", "|\n  b", ""], id="blank lines below a block of text are not"),
        pytest.param("a: |+\n  b\n\nc: d\n", ["a", "c", "|+\n  b\n", "d"], id="unless it keeps them"),
        pytest.param("a: |+ # -\r\n  b\r\n\r\nc: d", ["a", "c", "|+ # -\r\n  b\r\n", "d"], id="in a file from Windows"),
        pytest.param(
            "é: \U0001f600\u2028\U0001f600\nb: [x,\n y]\n",
            ["é", "b", "\U0001f600\u2028\U0001f600", "x", "y"],
            id="beyond ASCII",
        ),
    ],
)
def test_values(text: str, parts: list[str]) -> None:
    assert sorted(written(text)) == sorted(parts)


def test_a_block_ends_with_the_last_thing_in_it() -> None:
    text = "a:\n  b: [1,\n    2]  # c\n  # d\n\ne: f\n"
    root = read(text).root
    assert root
    block = root.values[0]
    assert (block.kind, block.flow, text[block.end :]) == ("mapping", False, "  # c\n  # d\n\ne: f\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("a: [1", "line 1, column 6", id="left open"),
        pytest.param("a: b: c", "a text with a colon in it needs quotes", id="two colons"),
        pytest.param("a: \x01", r"line 1, column 4: the character U\+0001", id="a control character"),
    ],
)
def test_what_is_no_yaml_is_told_as_load_tells_it(text: str, said: str) -> None:
    with pytest.raises(yaml12.YamlError, match=said) as by_events:
        yaml12.events(text)
    with pytest.raises(yaml12.YamlError) as by_load:
        yaml12.load(text)
    assert str(by_events.value) == str(by_load.value)


def test_nothing_has_no_root() -> None:
    assert (read("# only a comment\n").root, read("").root) == (None, None)


def test_lines_end_where_yaml_ends_them() -> None:
    assert lines("a\nb\r\n\rc\u2028\x85\x0bd") == ["a\n", "b\r\n", "\r", "c\u2028\x85\x0bd"]
    assert lines("") == []


@pytest.mark.parametrize(
    ("text", "column", "left"),
    [
        pytest.param("a: b # c\nd: e\n", 0, "\nd: e\n", id="the end of the line"),
        pytest.param("a: b # c\n     # d\n# e\n", 0, "\n# e\n", id="comments that stand further in"),
        pytest.param("a: b\n\n  # d\n", 0, "\n\n  # d\n", id="not across a blank line"),
        pytest.param("a: b\n  # d\n", 2, "\n  # d\n", id="not one beside the siblings"),
        pytest.param("a: b", 0, "", id="the end of the file"),
    ],
)
def test_what_belongs_to_an_entry(text: str, column: int, left: str) -> None:
    source = read(text)
    node: Node | None = source.root
    assert node
    assert text[source.entry_end(node.values[0], column) :] == left
