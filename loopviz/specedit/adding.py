"""Adding graders to a stimulus, laid out as the others are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from loopviz.evalspec import MAX_REPEAT
from loopviz.settings import MaxRepeatSettings
from loopviz.specedit.settings_in_place import below_last, fill
from loopviz.specedit.spelling import Manner, gap_of, indented
from loopviz.specedit.splices import Splice, after_line
from loopviz.specedit.spots import Spot


def add_graders(
    stimulus: Spot, new: Sequence[tuple[str | None, MaxRepeatSettings]], manner: Manner
) -> Iterator[Splice]:
    """Add max-repeat graders behind all that a stimulus has.

    Args:
        stimulus: The mapping with its name, its prompt and its graders.
        new: Name and settings of each.
        manner: How new lines are laid out.
    Raises:
        Blocked: for what cannot be changed with nothing else changed.
    """
    graders = stimulus.entry("graders")
    if graders is None:
        yield below_last(stimulus, ["graders:", *indented(_entries(new, manner), manner.dash)])
    elif graders.empty:
        yield from fill(graders, indented(_entries(new, manner), manner.dash))
    else:
        graders.require(list)
        graders.require_no_template(in_values=False)
        yield _behind(graders, _entries(new, replace(manner, gap=gap_of(graders) or manner.gap)))


def _entries(new: Sequence[tuple[str | None, MaxRepeatSettings]], manner: Manner) -> list[str]:
    return [line for name, settings in new for line in manner.grader(MAX_REPEAT, name, settings)]


def _behind(graders: Spot, lines: list[str]) -> Splice:
    source, column = graders.source, graders.dash_column
    blank = [""] if _is_apart(graders) else []
    return after_line(source, source.entry_end(graders.node, column), blank + indented(lines, column))


def _is_apart(graders: Spot) -> bool:
    """Whether a blank line stands between the last two graders."""
    if len(graders.node.values) < 2:
        return False
    before, last = graders.node.values[-2:]
    between = graders.source.text[before.end : last.start].splitlines()[1:]
    return any(not line.strip() for line in between)
