"""Runs of METR's MALT: `{nodes, labels}`, a document or a line a run; nodes are messages of a chat and form a tree.

The run is the path from the first message to the last node of the file; the messages of other branches are left out
and counted. A message of the assistant is a turn; its call is its `function_call`, or those of `tool_calls`, and the
next message of a function answers it. There are neither tokens nor an outcome; labels are shown and not judged.

Files of this format were never seen; it follows a description of the data set.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from loopviz.model import GraderResult, Json, Loaded
from loopviz.readers import chat
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.fields import member, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, inside, is_list, is_object
from loopviz.readers.telling import Telling

_PATH = ("node_data", "message")
_NAMES = ("run_id", "task_id", "id")


def sniff(head: Head) -> float:
    """How surely a file holds runs of MALT."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    node = first(record, "nodes")
    return 1.0 if is_list(record, "nodes") and is_object(inside(node, "node_data"), "message") else 0.0


def read(file: Opened) -> Loaded:
    """Read the runs of a file."""
    reading = Reading(file)
    for document in reading.documents():
        run = reading.run(document, noun="node")
        on_path = _path(document)
        for number, node in enumerate(run.each(document, "nodes")):
            message = member(node, *_PATH)
            if number not in on_path:
                run.leave_out("message of another branch", "messages of other branches")
            elif isinstance(message, dict):
                chat.tell(run, message)
        _state_facts(run, document)
    return reading.loaded()


READER = Reader(
    name="malt",
    sniff=sniff,
    read=read,
    title="Runs of METR's MALT",
    found="exported from the data set MALT",
)


class _Link(Struct):
    """Where a node stands in the tree."""

    node_id: Any = None
    parent_node_id: Any = None


_LINK = msgspec.json.Decoder(_Link)


def _link(node: Node) -> _Link:
    try:
        return _LINK.decode(node.raw)
    except (ValueError, RecursionError):
        return _Link(node.get("node_id"), node.get("parent_node_id"))


def _path(document: Node) -> set[int]:
    """Numbers of the nodes that lead to the last one; where a link is broken or goes round, the path begins there."""
    parents: dict[str, str | None] = {}
    numbers: dict[str, int] = {}
    last = None
    for number, node in enumerate(document.elements("nodes")):
        link = _link(node)
        own = name(link.node_id) or f"\0{number}"
        if own not in numbers:
            last, numbers[own], parents[own] = own, number, name(link.parent_node_id)
    path: set[int] = set()
    while last is not None and last in numbers and numbers[last] not in path:
        path.add(numbers[last])
        last = parents[last]
    return path


def _state_facts(run: Telling, document: Node) -> None:
    facts = run.facts
    facts.run = next((found for key in _NAMES if (found := name(document.get(key)))), None)
    facts.model = text(document.get("model"))
    labels = _labels(document.get("labels"))
    if labels:
        facts.grade = GraderResult(name="MALT", type=None, passed=None, label=", ".join(labels))


def _labels(given: Json) -> list[str]:
    return [label for label in map(text, given if isinstance(given, list) else [given]) if label is not None]
