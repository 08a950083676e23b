"""Ways to choose the watched tools around a stretch of calls, each written as a grader's config writes it.

The choices are few and plain, so that a person can read and keep them: what is in force, every tool, the tools of the
stretch together or one alone, and what is in force without one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from loopviz.analysis.runset import Tools
from loopviz.analysis.tool_patterns import escaped, only, without
from loopviz.model import BoolArray, IntArray


class Kind(Enum):
    """How a choice of tools came about."""

    IN_FORCE = "in force"
    EVERY = "every tool"
    TOGETHER = "the tools of the stretch"
    ALONE = "one tool of the stretch"
    WITHOUT = "in force, without one tool of the stretch"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToolChoice:
    """One choice of the watched tools."""

    kind: Kind
    patterns: Tools
    """As the grader's `tools` takes them."""
    watched: BoolArray
    """Whether each tool is watched, shape (n_tools,)."""
    changes: int
    """How many tools of the run are watched now and not then, or the other way round."""
    n_tools: int
    """How many tools of the run are watched."""
    tool: str | None = None
    """The one tool that is alone or left out."""


def tool_choices(
    names: Sequence[str], used: BoolArray, in_force: Tools, watched: BoolArray, inside: IntArray
) -> tuple[ToolChoice, ...]:
    """The choices to try, that in force first; of two that watch the same tools the earlier.

    Args:
        names: Every tool.
        used: Which of them the run uses, shape (n_tools,).
        in_force: The patterns in force.
        watched: Which tools these watch, shape (n_tools,).
        inside: The tools of the stretch, ascending.
    """
    found: dict[bytes, ToolChoice] = {}
    for kind, patterns, chosen, tool in _offered(names, used, in_force, watched, inside):
        changes = int(np.count_nonzero((chosen != watched) & used))
        choice = ToolChoice(
            kind=kind,
            patterns=patterns,
            watched=chosen,
            changes=changes,
            n_tools=int(np.count_nonzero(chosen & used)),
            tool=tool,
        )
        found.setdefault((chosen & used).tobytes(), choice)
    return tuple(found.values())


def _offered(
    names: Sequence[str], used: BoolArray, in_force: Tools, watched: BoolArray, inside: IntArray
) -> Iterator[tuple[Kind, Tools, BoolArray, str | None]]:
    def mask(tools: IntArray | int) -> BoolArray:
        chosen = np.zeros(len(names), dtype=np.bool_)
        chosen[tools] = True
        return chosen

    yield Kind.IN_FORCE, in_force, watched, None
    yield Kind.EVERY, None, np.ones(len(names), dtype=np.bool_), None
    tools = inside.tolist()
    yield Kind.TOGETHER, (only_these(names[tool] for tool in tools),), mask(inside), None
    for tool in tools:
        left = watched & ~mask(tool)
        if watched[tool] and (left & used).any():
            yield Kind.WITHOUT, without(in_force, names[tool], names), left, names[tool]
    for tool in tools:
        yield Kind.ALONE, (only(names[tool]),), mask(tool), names[tool]


def only_these(names: Iterable[str]) -> str:
    """A pattern that watches exactly these tools: `^bash$`, `^(?:bash|edit)$`."""
    written = [escaped(name) for name in names]
    return f"^{written[0]}$" if len(written) == 1 else f"^(?:{'|'.join(written)})$"
