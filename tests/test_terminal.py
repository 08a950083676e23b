"""Nothing that a terminal would obey gets through; everything else does, as it was."""

import unicodedata

import pytest

from loopviz.terminal import safe


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("bash: ls -l | wc", id="plain words"),
        pytest.param(r"C:\new\x1b", id="backslashes"),
        pytest.param("naïve 漢字 × → …", id="other writing"),
        pytest.param("👩\u200d💻 e\u0301", id="joined and combined characters"),
        pytest.param("שלום مرحبا", id="writing that runs from right to left"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert safe(text) is text


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        pytest.param("a\nPASS", r"a\nPASS", id="a line feed"),
        pytest.param("a\r\tb", r"a\r\tb", id="a return and a tab"),
        pytest.param("\x1b[2J", r"\x1b[2J", id="an escape sequence"),
        pytest.param("\x00\x07\x7f", r"\x00\x07\x7f", id="a null, a bell, a delete"),
        pytest.param("\x85\x9b31m", r"\x85\x9b31m", id="control characters of eight bits"),
        pytest.param("a\u2028b\u2029", r"a\u2028b\u2029", id="separators of lines and paragraphs"),
        pytest.param("\u202eexe.txt", r"\u202eexe.txt", id="an override of direction"),
        pytest.param("\u2066a\u2069", r"\u2066a\u2069", id="an isolate"),
        pytest.param("\ud800 and \udfff", r"\ud800 and \udfff", id="halves of surrogate pairs"),
    ],
)
def test_spells_out(text: str, spelled: str) -> None:
    assert safe(text) == spelled


def test_every_character_there_is_comes_out_printable_or_unchanged() -> None:
    for number in range(0x110000):
        character = chr(number)
        obeyed = unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") or unicodedata.bidirectional(
            character
        ) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        assert (safe(character) != character) == obeyed, hex(number)
        assert not obeyed or (safe(character).isascii() and safe(character).isprintable()), hex(number)
