"""Traces written by hand: what a story is as spans, whatever format they are then written in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn

BEGAN_S = 1_750_000_000


@dataclass(frozen=True, kw_only=True)
class Told:
    """A span of a story."""

    trace: str
    id: str
    parent: str
    number: int
    """From 0; it begins that many seconds after the trace and takes half a second, or all of the trace."""
    sort: str
    """`agent`, `model` or `tool`."""
    given: str = ""
    made: Json = None
    """The message of a model, in OpenAI's form."""
    call: Call | None = None

    @property
    def start_s(self) -> float:
        return BEGAN_S + self.number

    @property
    def end_s(self) -> float:
        return self.start_s + (1_000 if self.sort == "agent" else 0.5)

    @property
    def has_result(self) -> bool:
        return self.call is not None and self.call.observation is not NOTHING


def spans(told: Story) -> list[Told]:
    """The spans of a story: an agent, and under it the models and tools, one after the other."""
    own: list[dict[str, Any]] = [{"sort": "agent", "parent": ""}, *_steps(told)]
    return [
        Told(**{"trace": told.name, "id": f"{number:016x}", "parent": f"{0:016x}", "number": number, **fields})
        for number, fields in enumerate(own)
    ]


def _steps(told: Story) -> Iterator[dict[str, Any]]:
    for turn in told.turns:
        yield {"sort": "model", "given": told.prompt, "made": _made(turn)}
        yield from ({"sort": "tool", "call": call} for call in turn.calls)
    yield {"sort": "model", "given": told.prompt, "made": {"role": "assistant", "content": told.answer}}


def _made(turn: Turn) -> Json:
    asked = [{"id": one.id, "function": {"name": one.tool, "arguments": one.arguments}} for one in turn.calls]
    return {"role": "assistant", "content": turn.text, **({"tool_calls": asked} if asked else {})}
