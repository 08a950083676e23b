"""Files whose JSON says other things than it should: every reader keeps its promises about them.

`python -m tests.readers.fuzz` does the same for as long as one likes. What was found stands as a case of its own in the
tests of the module that was at fault.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from loopviz.canonical import decode
from tests.readers import promises
from tests.readers.contract import FORMATS, Format
from tests.readers.damage import EDITS, Edit, parse, spell, spoil
from tests.readers.stories import SHORT, found

EXAMPLES = 40
"""Of each format; more would take longer than a person waits."""

each = pytest.mark.parametrize("format", [pytest.param(format, id=format.name) for format in FORMATS])


@each
@settings(max_examples=EXAMPLES, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_survives_any_structure(format: Format, data: st.DataObject) -> None:
    spoilt = spoil(format.write([SHORT]), lambda n: data.draw(st.integers(0, n - 1)))
    note(spoilt[:10_000].decode())
    promises.read(spoilt, format=format.name, is_json=True)


@each
def test_a_file_that_is_taken_apart_and_put_together_is_the_same(format: Format) -> None:
    records = parse(format.write([SHORT]))
    assert [spell(record) for record in parse("\n".join(map(spell, records)).encode())] == list(map(spell, records))
    (one,), (other,) = (
        promises.read(data, format=format.name)
        for data in (format.write([SHORT]), "\n".join(map(spell, records)).encode())
    )
    assert [found(trajectory) for trajectory in one.trajectories] == list(map(found, other.trajectories))


@pytest.mark.parametrize("edit", [pytest.param(edit, id=edit.__name__.strip("_")) for edit in EDITS])
def test_an_edit_changes_a_file_and_leaves_it_json(edit: Edit) -> None:
    data = next(format for format in FORMATS if format.name == "pi").write([SHORT])
    changed = 0
    for seed in range(20):
        records = parse(data)
        edit(records, Random(seed).randrange)
        spelled = [spell(record).encode() for record in records]
        for text in spelled:
            decode(text)
        changed += spelled != [spell(record).encode() for record in parse(data)]
    assert changed > 10
