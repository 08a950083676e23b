"""Problems are listed where they were met, and counted where there are too many."""

from __future__ import annotations

from loopviz.model import Problem
from loopviz.readers.problems import MOST, Problems


def test_none() -> None:
    assert Problems().listed() == ()


def test_each_stands_where_it_was_met() -> None:
    problems = Problems("line 3")
    problems.add("event 2", "Odd.")
    problems.add("", "Odder.")
    assert problems.listed() == (
        Problem(where="line 3, event 2", message="Odd."),
        Problem(where="line 3", message="Odder."),
    )


def test_beyond_a_number_they_are_counted() -> None:
    problems = Problems()
    for number in range(MOST + 1_234):
        problems.add(f"event {number}", f"Odd number {number}.", kind="odd")
    problems.add("event 7", "Something else.")
    listed = problems.listed()
    assert len(listed) == MOST + 2
    assert listed[-2] == Problem(where="event 7", message="Something else.")
    assert "1,234" in listed[-1].message
    assert listed[-1].where == "the whole file"
