"""Laws of editing a spec in place, over many spellings, held against an editor of decoded specs that shares no code."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from loopviz import yaml12
from loopviz.settings import MaxRepeatSettings
from loopviz.specedit import Change, Edit, EditRefused, plan_edit, unified_diff
from tests.specedit.spellings import Spelled, comments, some_settings, specs

DEFAULTS = {"max_cycle_period": 1, "match": "observation", "tools": None}


def decoded(content: bytes) -> Any:
    return yaml12.load(content.decode())


def told(spec: Any) -> str:
    return json.dumps(spec, sort_keys=True)


def edited(spec: Any, changes: list[Change]) -> Any:
    """The decoded spec as it should be, by the shortest way."""
    for change in changes:
        stimulus = spec["stimuli"][change.stimulus]
        wanted = {"max": change.settings.max, **DEFAULTS, **json.loads(change.settings.model_dump_json())}
        if change.grader is None:
            config = {key: value for key, value in wanted.items() if key not in DEFAULTS or value != DEFAULTS[key]}
            named = {"name": change.name} if change.name else {}
            stimulus["graders"] = (stimulus.get("graders") or []) + [{"type": "max-repeat", **named, "config": config}]
            continue
        config = stimulus["graders"][change.grader]["config"]
        for key, value in wanted.items():
            if {**DEFAULTS, **config}.get(key) != value:
                config.pop(key, None)
                config.update({} if value is None else {key: value})
    return spec


def split(content: bytes) -> list[bytes]:
    return re.findall(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+", content)


def patched(before: bytes, diff: str) -> bytes:
    """What a diff makes of a file, by its lines alone."""
    old, new, at = split(before), [], 0
    for hunk in re.split(r"^(?=@@ )", diff, flags=re.MULTILINE)[1:]:
        head, *body = hunk.split("\n")
        found = re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$", head)
        assert found
        start = int(found[1]) - (found[2] != "0")
        new += old[at:start]
        at = start
        for line, below in zip(body, [*body[1:], ""], strict=True):
            content = (line[1:] + ("" if below.startswith("\\") else "\n")).encode()
            if line[:1] in (" ", "-"):
                assert old[at] == content
                at += 1
            if line[:1] in (" ", "+"):
                new.append(content)
    return b"".join(new + old[at:])


@st.composite
def edits(draw: Any) -> tuple[Spelled, list[Change]]:
    """A spec, and changes for some of its max-repeat graders; sometimes one is added."""
    spelled = draw(specs())
    spec = decoded(spelled.text.encode())
    changes = []
    for place, stimulus in enumerate(spec["stimuli"]):
        for index, grader in enumerate(stimulus.get("graders") or ()):
            if grader["type"] == "max-repeat" and draw(st.booleans()):
                changes.append(Change(stimulus=place, grader=index, settings=draw(some_settings)))
        for name in draw(st.sampled_from(((), (), ("new",), ("new", "newer")))):
            changes.append(Change(stimulus=place, grader=None, settings=draw(some_settings), name=name))
    return spelled, changes


def plan(content: bytes, changes: list[Change]) -> Edit | None:
    """The edit; None where the file ends in a block of text without a line break, which nothing can follow."""
    try:
        return plan_edit(content, changes)
    except EditRefused as refused:
        if "it ends in a block of text without a line break" in str(refused) and not content.endswith(b"\n"):
            return None
        raise


@settings(max_examples=120)
@given(edits())
def test_an_edited_file_reads_as_the_edited_spec(case: tuple[Spelled, list[Change]]) -> None:
    content, changes = case[0].text.encode(), case[1]
    edit = plan(content, changes)
    if edit is not None:
        assert told(decoded(edit.after)) == told(edited(decoded(content), changes))


@settings(max_examples=120)
@given(edits())
def test_every_other_byte_stays(case: tuple[Spelled, list[Change]]) -> None:
    spelled, changes = case
    content = spelled.text.encode()
    edit = plan(content, changes)
    if edit is None:
        return
    chosen = {(change.stimulus, change.grader) for change in changes}
    old, rebuilt, at = split(content), [], 0
    for block in edit.blocks:
        gone = range(block.first, block.first + len(block.old))
        ends_file = bool(gone) and gone[-1] == len(old) - 1 and not content.endswith(b"\n")
        fills = all(re.match(rb" *graders: *(null|\[\]|~)", old[line]) for line in gone)
        assert fills or ends_file or all(spelled.owners[line] in chosen for line in gone)
        rebuilt += old[at : block.first] + [line.encode() for line in block.new]
        at = gone.stop
    assert b"".join(rebuilt + old[at:]) == edit.after
    assert list(comments(edit.after.decode())) == list(comments(spelled.text))
    assert edit.after.startswith(b"\xef\xbb\xbf") == content.startswith(b"\xef\xbb\xbf")
    assert edit.after.endswith(b"\n") == content.endswith(b"\n")
    if b"\r\n" in content:
        assert b"\n" not in edit.after.replace(b"\r\n", b"")
    assert patched(content, unified_diff(edit)) == edit.after


@settings(max_examples=50)
@given(edits())
def test_a_second_edit_changes_nothing(case: tuple[Spelled, list[Change]]) -> None:
    content, changes = case[0].text.encode(), [change for change in case[1] if change.grader is not None]
    edit = plan_edit(content, changes)
    again = plan_edit(edit.after, changes)
    assert (again.after, bool(again), unified_diff(again), again.stimuli) == (edit.after, False, "", ())


@settings(max_examples=50)
@given(specs())
def test_settings_that_are_there_already_change_nothing(spelled: Spelled) -> None:
    content = spelled.text.encode()
    changes = [
        Change(stimulus=place, grader=index, settings=MaxRepeatSettings(**grader["config"]))
        for place, stimulus in enumerate(decoded(content)["stimuli"])
        for index, grader in enumerate(stimulus.get("graders") or ())
        if grader["type"] == "max-repeat"
    ]
    edit = plan_edit(content, changes)
    assert (edit.after, bool(edit), unified_diff(edit)) == (content, False, "")


@settings(max_examples=50)
@given(edits())
def test_changes_one_by_one_or_together_come_to_the_same(case: tuple[Spelled, list[Change]]) -> None:
    """In what they say; how a new list is spelled may follow one that has just been changed."""
    content, changes = case[0].text.encode(), [change for change in case[1] if change.grader is not None]
    one_by_one = content
    for change in changes:
        one_by_one = plan_edit(one_by_one, [change]).after
    assert told(decoded(plan_edit(content, changes).after)) == told(decoded(one_by_one))
    assert list(comments(one_by_one.decode())) == list(comments(content.decode()))
