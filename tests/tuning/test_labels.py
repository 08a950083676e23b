"""Label files: reading, changing, and finding the runs that are meant."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from loopviz.model import GraderResult, Trajectory
from loopviz.tuning.applying import apply, is_as_it_was, renewed
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Book, Label, keys_of, label_of, parse, read
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


def regraded(run: Trajectory) -> Trajectory:
    """The same run in another record: other bytes, another grade, another file."""
    grade = GraderResult(name="max-repeat", type="max-repeat", passed=False)
    return replace(run, digest="of other bytes", grade=grade, outcome=False, stimulus=None, trial=None, line=None)


@pytest.mark.parametrize("calls", [pytest.param(None, id="a run"), pytest.param((1, 3), id="a stretch")])
def test_a_new_grade_leaves_a_label_as_it_is(calls: tuple[int, int] | None) -> None:
    label = label_of(RUN, LOOP, calls=calls)
    applied = apply(Book().put(label), [regraded(RUN)])
    assert (applied.of_run, applied.stale, applied.absent) == (((label,),), (), ())


def test_another_run_that_did_the_same_is_not_labelled() -> None:
    label = label_of(RUN, LOOP)
    assert apply(Book().put(label), [replace(RUN, run="t9")]).absent == (label,)


def test_a_run_without_a_name_is_found_at_another_line() -> None:
    label = label_of(replace(RUN, run="line 1,234"), LOOP)
    applied = apply(Book().put(label), [replace(OTHER, run="line 1,234"), replace(RUN, run="line 7")])
    assert (applied.of_run, applied.stale) == (((), (label,)), ())


OLD = replace(label_of(RUN, LOOP), digest="d1")


def test_a_label_of_an_older_file_counts_while_its_bytes_are_there() -> None:
    book = read([OLD.line()])
    assert apply(book, [RUN]).of_run == ((OLD,),)
    assert apply(book, [regraded(RUN)]).stale == (OLD,)


def test_saying_something_else_takes_the_place_of_an_older_label() -> None:
    keys = keys_of(RUN, None)
    assert read([OLD.line()]).find(*keys) == OLD
    said = read([OLD.line()]).remove(*keys).put(label_of(RUN, NOT_A_LOOP))
    assert [label.label for label in said.labels] == [NOT_A_LOOP]


def test_of_an_old_and_a_new_label_the_new_one_counts() -> None:
    new = label_of(RUN, NOT_A_LOOP)
    assert apply(read([new.line(), OLD.line()]), [RUN]).of_run == ((new,),)


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        pytest.param("aaabbb", True, id="more calls behind it"),
        pytest.param("abab", False, id="other calls in it"),
        pytest.param("aa", False, id="calls of it are gone"),
    ],
)
def test_a_run_that_changed_tells_whether_the_stretch_did(changed: str, same: bool) -> None:
    label = label_of(RUN, LOOP, calls=(1, 3))
    assert is_as_it_was(label, run_of(changed, run="t1")) is same


def test_a_stretch_that_is_gone_is_not_said_again() -> None:
    with pytest.raises(ValueError, match="has 2 calls now"):
        renewed(label_of(RUN, LOOP, calls=(1, 3)), run_of("aa", run="t1"))
