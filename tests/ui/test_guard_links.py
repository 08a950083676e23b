"""The guards' settings in an address: what goes out comes back, what is refused is told and not used."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.inspection import DEFAULT_GUARDS, GuardSettings
from loopviz.settings import EscalationSettings, ThrashSettings
from loopviz.ui.guard_links import LONGEST_TEXTS, from_fields, left_out, to_fields


def ladder(**settings: Any) -> GuardSettings:
    return GuardSettings(escalation=EscalationSettings(**settings))


def thrash(**settings: Any) -> GuardSettings:
    return GuardSettings(thrash=ThrashSettings(**settings))


@pytest.mark.parametrize(
    ("guards", "fields"),
    [
        pytest.param(DEFAULT_GUARDS, {}, id="the defaults"),
        pytest.param(ladder(replan=4), {"ladder": "0.75-4-5-8"}, id="a level"),
        pytest.param(ladder(similarity=1e-5), {"ladder": "0.00001-3-5-8"}, id="a share with an exponent"),
        pytest.param(
            ladder(same_tool=False, tokens="word"), {"ladder": "0.75-3-5-8-any_tool-word"}, id="how calls are likened"
        ),
        pytest.param(thrash(n=6), {"thrash": "6"}, id="identical calls"),
        pytest.param(
            thrash(scope="run", ping_pong=False, count_unexecuted=True, empty_retry=0),
            {"thrash": "3-run-no_ping_pong-unexecuted-retry0"},
            id="every switch",
        ),
        pytest.param(thrash(finish_tools=()), {"finish_tools": ""}, id="no finishing tools"),
        pytest.param(thrash(ignore_args=("nonce", "time")), {"ignore_args": "nonce time"}, id="arguments left out"),
    ],
)
def test_the_fields(guards: GuardSettings, fields: dict[str, str]) -> None:
    assert to_fields(guards) == fields
    assert from_fields(fields) == (guards, ())


@given(
    st.floats(0, 1, exclude_min=True),
    st.lists(st.integers(2, 10**6), min_size=3, max_size=3, unique=True).map(sorted),
    st.booleans(),
    st.sampled_from(["space", "word"]),
    st.integers(2, 10**6),
    st.sampled_from(["consecutive", "run"]),
    st.tuples(st.booleans(), st.booleans()),
    st.none() | st.integers(0, 10**6),
)
def test_they_come_back(
    share: float,
    levels: list[int],
    same_tool: bool,
    tokens: Any,
    n: int,
    scope: Any,
    switches: tuple[bool, bool],
    retry: int | None,
) -> None:
    share = round(share, 12) or 0.5
    climbs = dict(zip(("replan", "explore", "force_done"), levels, strict=True))
    ping_pong, unexecuted = switches
    guards = GuardSettings(
        escalation=EscalationSettings(similarity=share, **climbs, same_tool=same_tool, tokens=tokens),
        thrash=ThrashSettings(n=n, scope=scope, ping_pong=ping_pong, count_unexecuted=unexecuted, empty_retry=retry),
    )
    assert from_fields(to_fields(guards)) == (guards, ())


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        pytest.param("ladder", "", "similarity-replan-explore-force_done", id="nothing"),
        pytest.param("ladder", "0.75-3-5", "similarity-replan-explore-force_done", id="a number too few"),
        pytest.param("ladder", "0.75-3-5-8-ducks", "any_tool or word", id="no such word"),
        pytest.param("ladder", "0.75-5-5-8", "explore: it must be above replan", id="levels that do not climb"),
        pytest.param("ladder", "2-3-5-8", "similarity: it must be a number above 0", id="no share"),
        pytest.param("thrash", "1", "n: it must be a whole number of at least 2", id="too few calls"),
        pytest.param("thrash", "3-retry1-run", "no_ping_pong", id="out of order"),
        pytest.param("finish_tools", "(", "finish_tools", id="a pattern that does not compile"),
        pytest.param("ignore_args", "x" * (LONGEST_TEXTS + 1), "characters at most", id="too long"),
    ],
)
def test_what_is_refused(name: str, value: str, why: str) -> None:
    guards, refused = from_fields({name: value, "max": "3"})
    assert guards == DEFAULT_GUARDS
    assert [(one.name, one.value) for one in refused] == [(name, value)]
    assert why in refused[0].why


def test_a_refused_field_leaves_the_others_in_force() -> None:
    guards, refused = from_fields({"ladder": "x", "thrash": "6"})
    assert guards == thrash(n=6)
    assert len(refused) == 1


def test_long_texts_stay_out_and_are_named() -> None:
    guards = thrash(n=6, ignore_args=("x" * LONGEST_TEXTS, "y"))
    assert to_fields(guards) == {"thrash": "6"}
    assert left_out(guards) == ("ignore_args",)
