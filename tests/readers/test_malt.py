"""Runs of MALT: the path to the last node, older calls, labels."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import find_reader, malt, read_bytes
from tests.readers.malt_by_hand import chain, lines, node, tree
from tests.readers.openai_by_hand import assistant, user
from tests.readers.vally_by_hand import observations, turns


def load(document: Json) -> Loaded:
    return read_bytes(lines(document), "a.json", format="malt")


def only(document: Json) -> Trajectory:
    (trajectory,) = load(document).trajectories
    return trajectory


def asks(command: str) -> dict[str, Any]:
    given = {"name": "bash", "arguments": f'{{"command":"{command}"}}'}
    return {"role": "assistant", "content": "", "function_call": given}


def answers(content: str) -> dict[str, Any]:
    return {"role": "function", "name": "bash", "content": content}


def test_is_known() -> None:
    assert find_reader(lines(tree(*chain(user("Go"))))) is malt.READER


def test_older_calls_are_answered_in_order() -> None:
    trajectory = only(tree(*chain(user("Go"), asks("ls"), answers("a"), asks("ls"), answers(""), asks("pwd"))))
    assert (turns(trajectory), trajectory.prompt) == ([0, 1, 2], "Go")
    assert observations(trajectory)[:2] == ["a", ""]


def test_only_the_path_to_the_last_node_is_told() -> None:
    loaded = load(
        tree(
            node("a", None, user("Go")),
            node("b", "a", asks("ls")),
            node("c", "a", asks("pwd")),
            node("d", "b", answers("one")),
            node("e", "c", answers("two")),
        )
    )
    (trajectory,) = loaded.trajectories
    assert trajectory.arguments_json(0) == b'{"command":"pwd"}'
    assert observations(trajectory) == ["two"]
    assert loaded.notes == ("2 messages of other branches left out.",)


@pytest.mark.parametrize(
    ("parents", "told"), [(["x", "a"], 2), (["b", "a"], 2), (["a", "b"], 1), ([None, None], 1), ([5, {}], 1)]
)
def test_links_that_are_broken_or_go_round(parents: list[Json], told: int) -> None:
    nodes = [node(own, parent, assistant(content=own)) for own, parent in zip("ab", parents, strict=True)]
    assert len(only(tree(*nodes)).events) == told


@pytest.mark.parametrize(
    ("labels", "shown"), [(["normal"], "normal"), (["a", 5, "b"], "a, b"), ("bad", "bad"), ([], None), (None, None)]
)
def test_labels(labels: Json, shown: str | None) -> None:
    trajectory = only(tree(*chain(user("Go")), labels=labels))
    assert (trajectory.grade and trajectory.grade.label) == shown
    assert trajectory.outcome is None
