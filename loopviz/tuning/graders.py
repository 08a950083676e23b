"""Several max-repeat graders for one stimulus, each for its tools, and what to mind about them.

Source: Vally's documentation of the grader, which asks for a grader per kind of tool; its lint rule
`duplicate-grader-type-in-stimulus`; and its scoring, which weighs grader types.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loopviz.patterns import PatternError, matching
from loopviz.settings import MaxRepeatSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One grader of the list."""

    name: str
    settings: MaxRepeatSettings
    on: bool = True


def watched_tools(settings: MaxRepeatSettings, tools: Sequence[str]) -> list[str]:
    """The tools that a grader watches, in the order given; none where a pattern is refused."""
    if settings.tools is None:
        return list(tools)
    try:
        return [tool for tool, found in zip(tools, matching(tools, settings.tools), strict=True) if found]
    except PatternError:
        return []


def warnings(entries: Sequence[Entry], tools: Sequence[str]) -> list[str]:
    """What to mind about the graders that are on, as sentences.

    Args:
        entries: The graders.
        tools: The names of all tools in the set.
    """
    on = [entry for entry in entries if entry.on]
    told = list(_of_patterns(on, tools))
    told += _watched_twice(on, tools)
    told += _same_names(on)
    if len(on) > 1:
        told.append(
            "Vally weighs grader types, not graders: these share the weight of max-repeat, and its lint says "
            "duplicate-grader-type-in-stimulus."
        )
    return told


def _of_patterns(entries: Sequence[Entry], tools: Sequence[str]) -> Iterator[str]:
    for entry in entries:
        for pattern in entry.settings.tools or ():
            found = watched_tools(entry.settings.model_copy(update={"tools": (pattern,)}), tools)
            if not found:
                near = difflib.get_close_matches(pattern.strip("^$"), tools, n=1)
                hint = f"; did you mean {near[0]}?" if near else "."
                yield f"{entry.name}: the pattern {pattern} matches none of the {len(tools):,} tools{hint}"
            elif len(found) == len(tools) > 1:
                yield f"{entry.name}: the pattern {pattern} matches every tool."


def _watched_twice(entries: Sequence[Entry], tools: Sequence[str]) -> Iterator[str]:
    watching = {entry.name: set(watched_tools(entry.settings, tools)) for entry in entries}
    names = list(watching)
    for place, name in enumerate(names):
        for other in names[place + 1 :]:
            both = [tool for tool in tools if tool in watching[name] & watching[other]]
            if both:
                more = f" and {len(both) - 1:,} more" if len(both) > 1 else ""
                yield f"{name} and {other} both watch {both[0]}{more}."


def _same_names(entries: Sequence[Entry]) -> Iterator[str]:
    names = [entry.name for entry in entries]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield f"Two graders are named {name}; within a stimulus names must differ."
