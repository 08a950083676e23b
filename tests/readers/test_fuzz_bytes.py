"""Files whose bytes are damaged, packed or not: every reader keeps its promises about them."""

from __future__ import annotations

import pytest

from tests.readers.contract import FORMATS, Format
from tests.readers.fuzz import make

SEED = 4
CASES = {"bytes": 60, "packed": 12}
"""Of each format; `python -m tests.readers.fuzz` goes on for as long as one likes."""

each = pytest.mark.parametrize("format", [pytest.param(format, id=format.name) for format in FORMATS])


@each
@pytest.mark.parametrize("kind", CASES)
def test_survives_any_damage(format: Format, kind: str) -> None:
    for number in range(CASES[kind]):
        case = make(format, kind, SEED, number)
        try:
            case.run()
        except Exception as error:
            error.add_note(f"Again: python -m tests.readers.fuzz {format.name} --kind {kind} --only {SEED}:{number}")
            raise


def test_a_case_comes_again() -> None:
    one, other = (make(FORMATS[0], "bytes", SEED, 3) for _ in range(2))
    assert one.data == other.data
    assert one.data != make(FORMATS[0], "bytes", SEED, 4).data
