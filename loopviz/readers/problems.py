"""Collecting what was wrong with a file, without drowning the rest of it."""

from __future__ import annotations

from loopviz.model import Problem

MOST = 100
"""How many problems of one kind are listed one by one."""
WHOLE = "the whole file"
"""The place of what stands nowhere in particular."""
Mark = tuple[int, dict[str, int]]


class Problems:
    """Problems in the order in which they were met; beyond `MOST` of one kind only their number is kept."""

    def __init__(self, prefix: str = "") -> None:
        """`prefix` is the place of the whole, such as `line 3`, and stands before every place in it."""
        self._prefix = prefix
        self._listed: list[Problem] = []
        self._counts: dict[str, int] = {}

    def add(self, where: str, message: str, *, kind: str | None = None) -> None:
        """Note a problem; `kind` is what problems of the same sort share, the message itself where it is not given."""
        kind = message if kind is None else kind
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        if count <= MOST:
            self._listed.append(Problem(where=self.place(where), message=message))

    def place(self, where: str) -> str:
        """A place in the whole as a person would say it."""
        return ", ".join(part for part in (self._prefix, where) if part)

    def mark(self) -> Mark:
        """Where `rewind` goes back to."""
        return len(self._listed), dict(self._counts)

    def rewind(self, mark: Mark) -> None:
        """Forget what was noted since."""
        length, counts = mark
        del self._listed[length:]
        self._counts = dict(counts)

    def listed(self) -> tuple[Problem, ...]:
        """All of them, with a last word on those that are not listed."""
        rest = sum(max(count - MOST, 0) for count in self._counts.values())
        if not rest:
            return tuple(self._listed)
        return (
            *self._listed,
            Problem(where=self.place("") or WHOLE, message=f"{rest:,} more problems of these kinds."),
        )
