"""An edit as a unified diff, as git and patch take it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loopviz.specedit.edits import Edit
from loopviz.specedit.source import lines
from loopviz.specedit.splices import Block


def unified_diff(edit: Edit, name: str = "eval.yaml", *, context: int = 3) -> str:
    """The lines that change, with their neighbours; empty where nothing changes.

    Args:
        edit: What changes.
        name: The file, as it stands at the head.
        context: Lines shown before and after each change.
    """
    old = lines(edit.before.decode())
    hunks = "".join(map("".join, _hunks(old, edit.blocks, context)))
    return f"--- {name}\n+++ {name}\n{hunks}" if hunks else ""


def _hunks(old: Sequence[str], blocks: Sequence[Block], context: int) -> Iterator[list[str]]:
    grown = 0
    for group in _near(blocks, context):
        first = max(group[0].first - context, 0)
        stop = min(group[-1].first + len(group[-1].old) + context, len(old))
        more = sum(len(block.new) - len(block.old) for block in group)
        head = f"@@ -{_range(first, stop - first)} +{_range(first + grown, stop - first + more)} @@\n"
        grown += more
        yield [head, *_body(old, group, first, stop)]


def _near(blocks: Sequence[Block], context: int) -> Iterator[list[Block]]:
    """Gather the blocks whose neighbours meet."""
    group: list[Block] = []
    for block in blocks:
        if group and block.first - group[-1].first - len(group[-1].old) > 2 * context:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _body(old: Sequence[str], group: Sequence[Block], at: int, stop: int) -> Iterator[str]:
    for block in group:
        yield from (_told(" ", line) for line in old[at : block.first])
        yield from (_told("-", line) for line in block.old)
        yield from (_told("+", line) for line in block.new)
        at = block.first + len(block.old)
    yield from (_told(" ", line) for line in old[at:stop])


def _told(sign: str, line: str) -> str:
    if line.endswith(("\n", "\r")):
        return f"{sign}{line.removesuffix(chr(10))}\n"
    return f"{sign}{line}\n\\ No newline at end of file\n"


def _range(first: int, length: int) -> str:
    """Lines of a hunk, from 1; an empty one is named by the line before it."""
    start = first + 1 if length else first
    return str(start) if length == 1 else f"{start},{length}"
