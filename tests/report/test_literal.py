"""Values as the file spells them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.masking import MASK, mask
from loopviz.report.literal import decoded, spelled
from loopviz.report.texts import as_lines


@pytest.mark.parametrize(
    "raw",
    [
        "1e400",
        "-1E5",
        "1.50",
        "12345678901234567890123",
        "9" * 5_000,
        "NaN",
        '{"dup": 1, "dup": 2, "dup": 3}',
        '[{"a": {}, "b": []}, null, true]',
        '"a\\nb"',
    ],
)
def test_what_the_file_spells_stays(raw: str) -> None:
    assert spelled(decoded(raw.encode())) == raw


@given(st.recursive(st.none() | st.booleans() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)))
def test_lines_are_the_same_value(value: object) -> None:
    raw = json.dumps(value, ensure_ascii=False)
    assert spelled(decoded(raw.encode("utf-8", "surrogatepass"))) == raw
    assert spelled(value, "") == json.dumps(value, ensure_ascii=False, indent=2)


def test_what_cannot_be_decoded_is_its_text() -> None:
    assert decoded(b"{oops") == "{oops"


def test_a_name_that_comes_twice_is_masked_twice() -> None:
    value = mask(decoded(b'{"password": "a", "password": "b", "pwd": 1e400}'))
    assert as_lines(value) == f'{{"password": "{MASK}", "password": "{MASK}", "pwd": "{MASK}"}}'
