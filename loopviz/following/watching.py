"""Which tools pass a filter, asked of one name after the other."""

from __future__ import annotations

from loopviz import patterns


class Watched:
    """A tool filter that remembers every name it was asked about."""

    def __init__(self, tools: tuple[str, ...] | None, *, otherwise: bool = True) -> None:
        """`tools` are patterns, any of which may match; where there are none, the answer is `otherwise`."""
        self._tools = tools
        self._otherwise = otherwise
        self._known: dict[str, bool] = {}

    def __call__(self, tool: str) -> bool:
        """Whether a tool passes.

        Raises:
            PatternError: if a pattern is refused, or runs for longer than a second.
        """
        if not self._tools:
            return self._otherwise
        known = self._known.get(tool)
        if known is None:
            known = self._known[tool] = patterns.matching((tool,), self._tools)[0]
        return known
