"""Label files: reading, changing, and finding the runs that are meant."""

from __future__ import annotations

import json

import pytest

from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Book, Label, apply, label_of, parse, read, renewed
from tests.tuning.sets_by_hand import run_of

RUN = run_of("aaab", run="t1", digest="d1", stimulus="fix", trial=2)
OTHER = run_of("ab", run="t2", digest="d2", stimulus="fix", trial=3)


def line(**changes: object) -> str:
    said = {"run": "t1", "digest": "d1", "label": "loop", **changes}
    return json.dumps({name: value for name, value in said.items() if value is not None})


@pytest.mark.parametrize(
    "label",
    [
        pytest.param(label_of(RUN, LOOP), id="of a run"),
        pytest.param(label_of(RUN, NOT_A_LOOP, calls=(1, 3)), id="of a stretch"),
        pytest.param(
            label_of(RUN, LOOP, calls=(4, 4), pin=True, note="waits \u2028 für\n「it」"), id="a pin with a note"
        ),
    ],
)
def test_a_line_says_it_again(label: Label) -> None:
    assert parse(label.line()) == label
    assert "\n" not in label.line()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("{", "no JSON", id="cut off"),
        pytest.param("[" * 100_000, "no JSON", id="nested too deep"),
        pytest.param("[]", "an object", id="a list"),
        pytest.param(line(run=3), "`run` should be a text", id="a name that is a number"),
        pytest.param(line(digest=None), "`digest`", id="no digest"),
        pytest.param(line(label="maybe"), "`loop` or `not a loop`", id="another verdict"),
        pytest.param(line(label=[]), "`loop` or `not a loop`", id="a verdict that is a list"),
        pytest.param(line(calls=[0, 3]), "counted from 1", id="calls from 0"),
        pytest.param(line(calls=[3, 2]), "counted from 1", id="the last before the first"),
        pytest.param(line(calls=[True, 2]), "counted from 1", id="no number"),
        pytest.param(line(pin=1), "`true` or `false`", id="a pin that is a number"),
        pytest.param(line(pin=True), "needs `calls`", id="a pin of a whole run"),
    ],
)
def test_what_is_no_label_is_said_and_kept(text: str, reason: str) -> None:
    book = read([text, line()])
    assert reason in book.problems[0].message and book.problems[0].where == "line 1"
    assert len(book.labels) == 1
    assert book.put(label_of(OTHER, LOOP)).lines[0] == text


def test_fields_of_the_future_stay() -> None:
    assert json.loads(parse(line(by="Ann")).line())["by"] == "Ann"


def test_a_label_takes_the_place_of_the_one_before() -> None:
    book = Book().put(label_of(RUN, LOOP)).put(label_of(RUN, NOT_A_LOOP)).put(label_of(RUN, LOOP, calls=(1, 2)))
    assert [(label.label, label.calls) for label in book.labels] == [(NOT_A_LOOP, None), (LOOP, (1, 2))]


def test_a_label_can_be_taken_back() -> None:
    label = label_of(RUN, LOOP)
    assert Book().put(label).put(label_of(OTHER, LOOP)).remove(label.key).labels == (label_of(OTHER, LOOP),)


def test_the_order_does_not_depend_on_who_came_first() -> None:
    labels = [label_of(RUN, LOOP), label_of(OTHER, LOOP), label_of(RUN, LOOP, calls=(2, 3))]
    one, other = Book(), Book()
    for label in labels:
        one = one.put(label)
    for label in reversed(labels):
        other = other.put(label)
    assert one.text() == other.text()


def test_what_others_wrote_stays_as_it_is() -> None:
    odd = '{"label":"loop","run":"a",   "digest":"x"}'
    assert odd in read([odd]).put(label_of(RUN, LOOP)).lines


def test_two_lines_that_differ_are_told() -> None:
    book = read([line(), line(label="not a loop")])
    assert [label.label for label in book.labels] == [NOT_A_LOOP]
    assert "this one counts" in book.problems[0].message


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "=======", ">>>>>>> theirs"])
def test_marks_of_a_merge_are_told(mark: str) -> None:
    assert read([line(), mark]).is_torn


def test_labels_find_their_runs() -> None:
    book = Book().put(label_of(RUN, LOOP)).put(label_of(OTHER, NOT_A_LOOP))
    applied = apply(book, [OTHER, RUN])
    assert [[label.label for label in own] for own in applied.of_run] == [[NOT_A_LOOP], [LOOP]]


def test_a_run_that_changed_is_not_labelled_again_in_silence() -> None:
    label = label_of(RUN, LOOP)
    changed = run_of("aaaab", run="t1", digest="d9", stimulus="fix", trial=2)
    applied = apply(Book().put(label), [changed])
    assert (applied.of_run, applied.stale, applied.absent) == (((),), (label,), ())
    assert apply(Book().put(renewed(label, changed)), [changed]).of_run[0][0].label == LOOP


def test_a_label_of_a_run_that_is_not_open_waits() -> None:
    label = label_of(RUN, LOOP)
    assert apply(Book().put(label), [OTHER]).absent == (label,)


@pytest.mark.parametrize(
    ("calls", "pin", "reason"),
    [
        pytest.param((0, 2), False, "has 4 calls", id="before the first"),
        pytest.param((2, 5), False, "has 4 calls", id="behind the last"),
        pytest.param(None, True, "a pin needs", id="a pin of a whole run"),
    ],
)
def test_what_cannot_be_labelled(calls: tuple[int, int] | None, pin: bool, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        label_of(RUN, LOOP, calls=calls, pin=pin)
