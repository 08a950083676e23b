"""Patterns that leave one tool out: what was watched, minus this tool, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from loopviz.analysis.tool_patterns import NOTHING, only, without
from loopviz.patterns import PatternError, compile_check, matching
from loopviz.settings import MaxRepeatSettings, dump, load

NAME = "check_status"


@pytest.mark.parametrize(
    ("tools", "written"),
    [
        pytest.param(("^bash$",), ("^bash$",), id="a pattern that does not watch it stays"),
        pytest.param(None, ("^(?!check_status$)",), id="every tool"),
        pytest.param(("^(?!plan$)",), ("^(?!check_status$)(?!plan$)",), id="a second one left out"),
        pytest.param(("^check",), ("^(?!check_status$)check",), id="a beginning"),
        pytest.param(("status",), (r"^(?!check_status$)[\s\S]*?status",), id="a part"),
        pytest.param(("bash", "status"), ("bash", r"^(?!check_status$)[\s\S]*?status"), id="the second of two"),
        pytest.param(("status$|^bash",), (r"^(?!check_status$)[\s\S]*?(?:status$|^bash)",), id="a choice"),
        pytest.param(("^(check|run)",), ("^(?!check_status$)(check|run)",), id="a choice inside a group"),
        pytest.param(("^[c|]",), ("^(?!check_status$)[c|]",), id="a bar inside a class"),
        pytest.param((r"^check_|\|",), (r"^(?!check_status$)[\s\S]*?(?:^check_|\|)",), id="a bar, and one escaped"),
        pytest.param(("(?i)STATUS",), (r"(?i)^(?!check_status$)[\s\S]*?STATUS",), id="the flags stay first"),
        pytest.param(("^bash$", "^check_status$"), ("^bash$",), id="the pattern of this tool alone goes"),
        pytest.param(("^check_status$",), (NOTHING,), id="the only tool watched"),
    ],
)
def test_leaving_a_tool_out(tools: tuple[str, ...] | None, written: tuple[str, ...]) -> None:
    assert without(tools, NAME, [NAME]) == written


def test_a_known_tool_of_another_spelling_is_still_watched_where_case_is_ignored() -> None:
    known = [NAME, "Check_Status", "CHECK_LIST"]
    patterns = without(("(?i)check",), NAME, known)
    assert patterns == (r"(?i)^(?!check_status$)[\s\S]*?check", "^Check_Status$")
    assert matching(known, patterns) == (False, True, True)


@pytest.mark.parametrize("name", ["I", "i", "ı", "ſ", "K", "ß"])
def test_what_counts_as_a_spelling_is_what_the_engine_takes_for_one(name: str) -> None:
    known = [*dict.fromkeys([name, *"IiıİsSſkK\u212aß", "ss", "ẞ"])]
    before = matching(known, ("(?i)[^x]",))
    assert matching(known, without(("(?i)[^x]",), name, known)) == (False, *before[1:])


@pytest.mark.parametrize(
    "name", ["a.b", "a\nb", "a|b", "(", "[x]", "^$", "a b", "\\", "é", "\U0001f600", "{2}", "\u2028"]
)
def test_a_pattern_for_one_tool_is_found_in_no_other_name(name: str) -> None:
    others = ["ab", "axb", name + "x", "x" + name, name + "\n", "\n" + name, name.upper() + "'"]
    assert matching([name, *others], (only(name),)) == (True, *[False] * len(others))


NAMES = st.text(st.sampled_from("abAB_.|\n ^$\\(é"), min_size=1, max_size=4)
PIECES = st.sampled_from(
    [*"abB_|^$.", r"\.", r"\|", r"\n", "[ab|]", "[^]", "(?:a|b)", "(a)", r"(b)\1", "(?!a)", "a*", r"\b"]
)
PATTERNS = st.builds(
    lambda flags, pieces: flags + "".join(pieces),
    st.sampled_from(["", "", "", "(?i)", "(?m)", "(?s)", "(?im)"]),
    st.lists(PIECES, min_size=1, max_size=5),
)


@given(st.lists(NAMES, min_size=1, max_size=8, unique=True), st.lists(PATTERNS, min_size=1, max_size=3) | st.none())
def test_exactly_this_tool_goes(names: list[str], tools: Sequence[str] | None) -> None:
    try:
        before = (True,) * len(names) if tools is None else matching(names, tools)
    except PatternError:
        assume(False)
    patterns = without(tools, names[0], names)
    assert matching(names, patterns) == (False, *before[1:])


HEEDING_CASE = PATTERNS.filter(lambda pattern: "i" not in pattern[:4])


@given(NAMES, st.lists(HEEDING_CASE, min_size=1, max_size=2), st.lists(NAMES))
def test_tools_that_nobody_has_seen_yet_are_watched_as_before(name: str, tools: list[str], later: list[str]) -> None:
    assume(name not in later)
    try:
        before = matching(later, tools)
    except PatternError:
        assume(False)
    assert matching(later, without(tools, name, [name])) == before


@given(st.text(min_size=1, max_size=6), st.lists(PATTERNS, min_size=1, max_size=2) | st.none())
def test_what_is_written_is_taken_as_settings(name: str, tools: list[str] | None) -> None:
    try:
        for pattern in tools or ():
            compile_check(pattern)
    except PatternError:
        assume(False)
    written = MaxRepeatSettings(max=3, tools=without(tools, name, [name]))
    assert load(MaxRepeatSettings, dump(written)) == written
    assert matching((name,), written.tools or ()) == (False,)
    assert matching((name,), (only(name),)) == (True,)
