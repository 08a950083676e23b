"""The calls of a turn in a trace: what a model asks for, the spans that run it, and the answers that come back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from loopviz.model import Json
from loopviz.readers.dialogue import Answered, Asked
from loopviz.readers.hearing import Hearing
from loopviz.readers.nodes import Node
from loopviz.readers.pairing import NO_CALL


@dataclass(slots=True, eq=False)
class Asking:
    """A call of the turn that is open: asked for, run, answered, or some of these."""

    asked: Asked | None
    number: int = NO_CALL
    is_answered: bool = False

    @property
    def id(self) -> Json:
        """The call's id."""
        return None if self.asked is None else self.asked.id

    @property
    def tool(self) -> Json:
        """The name of the tool."""
        return None if self.asked is None else self.asked.tool


@dataclass(slots=True, eq=False)
class Agent:
    """An agent of a run and the turn that it has open."""

    key: str
    hearing: Hearing
    moment: tuple[Node, float | None] | None = None
    """Where the model span of the turn stands, and when it began."""
    calls: list[Asking] = field(default_factory=list)

    def run(self, tool: Json, call_id: Json) -> Asking:
        """What the open turn asks for that a span runs; something new where it asks for nothing like it."""
        by_name = None
        for asking in self.calls:
            if asking.number != NO_CALL:
                continue
            if asking.id is not None and asking.id == call_id:
                return asking
            # Libraries give ids of their own to calls that the model gave none.
            if by_name is None and asking.tool == tool and (asking.id is None or call_id is None):
                by_name = asking
        if by_name is None:
            by_name = Asking(None)
            self.calls.append(by_name)
        return by_name


def answered_by(waiting: Iterable[Asking], answer: Answered) -> Asking | None:
    """The call that an answer belongs to: that of its id, or else the first of its tool, or the first of all."""
    by_tool = None
    for asking in waiting:
        if answer.id is not None and asking.id == answer.id:
            return asking
        if answer.tool is None:
            is_like = answer.id is None
        else:
            is_like = asking.tool == answer.tool and (answer.id is None or asking.id is None)
        if by_tool is None and is_like:
            by_tool = asking
    return by_tool
