"""Which tools a grader watches, in words."""

from __future__ import annotations

from collections.abc import Sequence

from loopviz.tuning.words import counted

NAMED = 6
"""Tools that are named one by one."""


def tools_in_words(watched: Sequence[str], n_tools: int) -> str:
    """`every tool (8)`, `none of 8 tools`, or `search, read_page (2 of 8)`.

    Args:
        watched: Names of the tools that are watched.
        n_tools: How many there are.
    """
    if len(watched) == n_tools:
        return f"every tool ({n_tools:,})"
    if not watched:
        return f"none of {counted(n_tools, 'tool')}"
    more = f" and {len(watched) - NAMED:,} more" if len(watched) > NAMED else ""
    return f"{', '.join(watched[:NAMED])}{more} ({len(watched):,} of {n_tools:,})"
