"""Runs of ATBench and R-Judge: `{contents: [[{role, …}]]}`, an element of a list, or a line, for each run.

An agent's message is a turn: its thought, and its action, a text that names a tool and spells its arguments, as
`Search: {"query": "x"}`, `Search{"query": "x"}` or as an object with both. What the environment says next is the
result. There are no call ids, times or tokens; the label, whether the run was safe, is shown and not judged.

Files of this format were never seen; it follows a description of the data sets.
"""

from __future__ import annotations

import re

from loopviz.model import GraderResult, Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.decoding import decode_text
from loopviz.readers.fields import name, text
from loopviz.readers.pairing import NO_CALL
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, is_list
from loopviz.readers.telling import ABSENT, Telling

Fields = dict[str, Json]

_MARK = re.compile(rb'"role"\s*:\s*"(?:agent|environment)"')
_NEAR = 1 << 16
"""Bytes of a list that are looked at to find a message of an agent."""
_ACTION = re.compile(r"\s*(?:Action:\s*)?(?P<tool>[\w.-]{1,200})\s*:?\s*(?P<arguments>\S.*)?", re.DOTALL)
_LABELS = {"0": "safe", "1": "unsafe"}


def sniff(head: Head) -> float:
    """How surely a file holds runs of ATBench."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    return 0.9 if is_list(record, "contents") and _MARK.search(record["contents"][:_NEAR]) else 0.0


def read(file: Opened) -> Loaded:
    """Read the runs of a file."""
    reading = Reading(file)
    for document in reading.documents():
        run = reading.run(document, noun="message")
        if not document.has_list("contents"):
            run.facts.not_judged = "The record has no list of messages."
        agent = _Agent(run)
        for part in document.elements("contents"):
            for message in run.each(part) if part.has_list() else ():
                agent.take(message)
        run.facts.run = name(document.get("id"))
        label = name(document.get("label"))
        if label is not None:
            run.facts.grade = GraderResult(name="label", type=None, passed=None, label=_LABELS.get(label, label))
    return reading.loaded()


READER = Reader(
    name="atbench",
    sniff=sniff,
    read=read,
    title="Runs of ATBench and R-Judge",
    found="the JSON files of the two data sets",
)


class _Agent:
    """The agent of a run, and the call that the environment has not answered yet."""

    def __init__(self, run: Telling) -> None:
        self._run = run
        self._call = NO_CALL

    def take(self, message: Fields) -> None:
        """Tell the next message."""
        match message.get("role"):
            case "agent":
                self._run.turn()
                self._run.say("reasoning", message.get("thought"))
                self._call = self._act(message.get("action"))
                self._run.say("assistant", message.get("content"))
            case "environment":
                if self._call == NO_CALL:
                    self._run.say("system", message.get("content"))
                else:
                    self._run.result(message.get("content", ABSENT), of=self._call)
                self._call = NO_CALL
            case role:
                self._run.say(text(role) or "message", message.get("content"))

    def _act(self, action: Json) -> int:
        """Tell a call; `NO_CALL` where an action is none."""
        given = decode_text(action) if isinstance(action, str) else action
        if isinstance(given, dict) and text(given.get("name")) is not None:
            arguments = given.get("arguments", ABSENT)
            return self._run.call(given["name"], arguments, known=arguments is not ABSENT)
        found = _ACTION.fullmatch(action) if isinstance(action, str) else None
        if found is None:
            return NO_CALL
        return self._run.call(found["tool"], found["arguments"] or {})
