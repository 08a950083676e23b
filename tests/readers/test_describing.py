"""What is said of a file that no reader knows."""

from __future__ import annotations

import pytest

from loopviz.readers import HEAD, UnknownFormat, is_hopeless, read_bytes


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param(b"", "is empty", id="nothing"),
        pytest.param(b" \n", "holds nothing but blanks", id="blanks"),
        pytest.param(b"\x00\x00", "holds nothing but blanks", id="zero bytes"),
        pytest.param(b" " * HEAD + b"name: x", "looks like YAML", id="YAML behind blanks"),
        pytest.param(b"<!doctype html>\n<title>x</title>", "looks like an HTML page", id="an HTML page"),
        pytest.param(b"\xef\xbb\xbf<HTML lang=en>", "looks like an HTML page", id="an HTML page with a mark"),
        pytest.param(b"<?xml version='1.0'?><a/>", "looks like XML", id="XML"),
        pytest.param(b"# eval\nname: x\n", "looks like YAML", id="YAML"),
        pytest.param(b"---\n- name: x\n", "looks like YAML", id="YAML with a mark"),
        pytest.param(b"PK\x03\x04\x00", "looks like a zip archive", id="a zip archive"),
        pytest.param(b"\x1f\x8b\x08", "looks like a gzip archive", id="a gzip archive"),
        pytest.param(b"ELF\x00\x01", "looks like binary data", id="binary data"),
        pytest.param(b"Hello there.\n", "is not JSON", id="prose"),
        pytest.param(b"[]", "begins like JSON, but holds no objects with members", id="an empty list"),
        pytest.param(
            b'{"a": 1, "b": 2}',
            "is JSON, but has none of the members that tell a known format; it has `a`, `b`",
            id="another object",
        ),
        pytest.param('{"a": 1}'.encode("utf-16"), "is JSON, but has none", id="in UTF-16"),
        pytest.param(b'{"\\ud800": 1}', "is JSON, but has none", id="a lone surrogate"),
        pytest.param('{"a": [1, 2]}'.encode("utf-16-le"), "looks like UTF-16 without the mark", id="UTF-16, no mark"),
        pytest.param('{"a": [1, 2]}'.encode("utf-16-be"), "looks like UTF-16 without the mark", id="the other end"),
    ],
)
def test_says_what_it_looks_like(data: bytes, said: str) -> None:
    with pytest.raises(UnknownFormat) as caught:
        read_bytes(data, "a")
    assert said in str(caught.value)
    str(caught.value).encode()


def test_a_format_that_no_reader_has() -> None:
    with pytest.raises(UnknownFormat, match=r"No reader is called 'x'; there are vally\.trajectory"):
        read_bytes(b"{}", "a", format="x")


@pytest.mark.parametrize(
    ("head", "hopeless"),
    [
        pytest.param(b'{"events":[', False, id="known"),
        pytest.param(b'{"output":"' + b"x" * HEAD, False, id="what tells it may come later"),
        pytest.param(b" " * HEAD, False, id="blanks, with anything behind them"),
        pytest.param(b'npm warn\n{"output":"' + b"x" * HEAD, False, id="a long line behind one of a log"),
        pytest.param(b"hello", True, id="prose"),
        pytest.param(b"hello\n{name}\n", True, id="prose with a brace"),
        pytest.param(b" ", True, id="blanks alone"),
        pytest.param(b"", True, id="nothing"),
    ],
)
def test_tells_from_the_beginning_what_is_not_worth_reading(head: bytes, hopeless: bool) -> None:
    assert is_hopeless(head) is hopeless


RUN = b'{"events":[{"type":"turn_start"}]}\n'
STRANGE = b'{"type":"foo"}\n'


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        pytest.param(
            b'{"output":"' + b"x" * (2 * HEAD) + b'","events":[{"type":"turn_start"}]}', [], id="in a document"
        ),
        pytest.param(b" " * HEAD + RUN, [], id="behind blanks"),
        pytest.param(b"npm warn\n" * 2 + RUN, ["line 1", "line 2"], id="behind lines of a log"),
        pytest.param(STRANGE * 21 + RUN, [f"line {n}" for n in range(1, 22)], id="behind strange lines"),
        pytest.param(b'{"a":"' + b"x" * HEAD + b'"}\n' + STRANGE * 30 + RUN, None, id="behind long and strange ones"),
    ],
)
def test_what_tells_a_format_may_come_late(data: bytes, problems: list[str] | None) -> None:
    loaded = read_bytes(data, "a")
    assert loaded.trajectories[0].n_turns == 1
    assert problems is None or [problem.where for problem in loaded.problems] == problems
