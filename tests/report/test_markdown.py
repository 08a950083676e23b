"""Markdown made of anything: nothing in it is markup, a link, a mention or a reference that was not made here."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from loopviz.report.markdown import (
    Markdown,
    code,
    details,
    fenced,
    heading,
    line,
    paragraph,
    quote,
    sentence,
    strong,
    table,
    words,
)
from loopviz.timeline.words import code as code_part
from loopviz.timeline.words import mark, text

HOSTILE = st.text(st.sampled_from("ab1 `\\*_[]()<>!@#|&;:/~$%^\n\t.-=+"), max_size=40)


def without_code(markdown: str) -> str:
    """What is left of a line when its code is taken out, by the rules of CommonMark: a row of backticks up to the next
    row of the same length."""
    left, at = "", 0
    while at < len(markdown):
        opening = re.compile(r"`+").match(markdown, at)
        if opening is None:
            left, at = left + markdown[at], at + 1
            continue
        closing = re.compile(rf"(?<!`){opening[0]}(?!`)").search(markdown, opening.end())
        if closing is None:
            left, at = left + opening[0], opening.end()
        else:
            left, at = left + "\0", closing.end()
    return left


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("3 are allowed.", "3 are allowed.", id="plain words"),
        pytest.param("52 % of $0.45, 3:16 (at most).", "52 % of $0.45, 3:16 (at most).", id="figures"),
        pytest.param(" two  blanks ", " two  blanks ", id="blanks at the edges"),
        pytest.param("run_tests, then", "`run_tests`, then", id="a name with an underline"),
        pytest.param("ask @ada", "ask `@ada`", id="a mention"),
        pytest.param("as in #12.", "as in `#12`.", id="an issue"),
        pytest.param("as in GH-12", "as in `GH-12`", id="an issue by its other name"),
        pytest.param("ada/loop#3", "`ada/loop#3`", id="an issue of another repository"),
        pytest.param("see !7 and ~bug", "see `!7` and `~bug`", id="a merge request and a label"),
        pytest.param("since deadbeef1", "since `deadbeef1`", id="a commit"),
        pytest.param("at https://a.b/c", "at `https://a.b/c`", id="an address"),
        pytest.param("at www.a.b", "at `www.a.b`", id="an address without a scheme"),
        pytest.param("![x](y)", "`![x](y)`", id="a picture"),
        pytest.param("<img src=x>", "`<img` `src=x>`", id="a tag"),
        pytest.param("&#64;ada", "`&#64;ada`", id="an entity"),
        pytest.param("$x^2$", "`$x^2$`", id="a formula"),
        pytest.param(":smile:", "`:smile:`", id="a sign that is a picture"),
        pytest.param("a :100: b", "a `:100:` b", id="a picture called by a number"),
        pytest.param("in abcdef1.", "in `abcdef1`.", id="a commit before a full stop"),
        pytest.param("took 0:47, 1234567.5", "took 0:47, 1234567.5", id="numbers stay"),
        pytest.param("a\nb\r\nc", "a b c", id="lines"),
        pytest.param("a ``` b", "a ```` ``` ```` b", id="a fence"),
        pytest.param("x\u202ey", "`x\\u202ey`", id="a change of direction"),
    ],
)
def test_words(said: str, shown: str) -> None:
    assert words(said) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("bash", "`bash`", id="a name"),
        pytest.param("a`b", "``a`b``", id="a backtick"),
        pytest.param("`", "`` ` ``", id="a backtick alone"),
        pytest.param("a\n```\nb", "````a ``` b````", id="a fence on a line of its own"),
    ],
)
def test_code(name: str, shown: str) -> None:
    assert code(name) == shown


@given(HOSTILE)
@example("`a` @b")
def test_outside_code_nothing_is_alive(said: str) -> None:
    for made in (words(said), code(said), strong(said)[2:-2], quote(said)):
        left = without_code(made.removeprefix("> "))
        assert not re.search(r"[\\`*_{}\[\]<|#@^]|://|[!&~][^\s.,;)\0]", left.replace("\n> ", " "))


@given(HOSTILE)
def test_code_keeps_every_letter(said: str) -> None:
    shown = code(said)
    assert without_code(shown) in ("", "\0")
    fence = len(shown) - len(shown.lstrip("`"))
    inside = shown[fence : len(shown) - fence]
    padded = inside[:1] == inside[-1:] == " "  # of which CommonMark takes one away
    assert (inside[1:-1] if padded else inside) == " ".join(said.split())


@given(st.lists(st.tuples(HOSTILE, HOSTILE), max_size=4))
def test_a_table_has_the_cells_that_were_given(rows: list[tuple[str, str]]) -> None:
    made = table(("One", "Two"), [(code(one), words(two)) for one, two in rows]).split("\n")
    assert len(made) == len(rows) + 2
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 3 for row in made)


@given(HOSTILE)
def test_a_block_ends_where_it_should(said: str) -> None:
    first, *inside, last = fenced(said).split("\n")
    assert set(first) == {"`"} and first == last
    assert not any(len(re.match("`*", row.strip())[0]) >= len(first) for row in inside)  # type: ignore[index]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        pytest.param("- a", "`-` a", id="a list"),
        pytest.param("+ a", "`+` a", id="a list by another sign"),
        pytest.param("1. a", "`1.` a", id="a numbered list"),
        pytest.param("12) a", "`12)` a", id="a list numbered otherwise"),
        pytest.param("---", "`---`", id="a rule"),
        pytest.param("-5 is less", "-5 is less", id="a number"),
    ],
)
def test_a_paragraph_begins_as_one(said: str, shown: str) -> None:
    assert paragraph(said) == shown


def test_pieces_are_put_together() -> None:
    parts = [text("The agent used "), code_part("read|it"), mark("→"), text("@x.")]
    assert sentence(parts) == "The agent used `read|it` → `@x`."
    assert heading(2, "Of ", code("#1")) == "## Of `#1`"
    assert line("a ", None, Markdown("**b**")) == "a **b**"
    assert details("2 more", Markdown("x"), None) == "<details><summary>2 more</summary>\n\nx\n\n</details>"
    assert table(("A",), [(code("a|b"),)]) == "| A |\n| --- |\n| `a\\|b` |"
