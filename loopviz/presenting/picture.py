"""The plain picture of a run, as SVG: what was done again, where it could have ended, what a guard would have said.

It stands alone: no script, no font, nothing from elsewhere. Each cell names its calls, `data-call` and `data-to` from
0, so that a replay only sets classes. Nothing in it is a text of the run but names of tools, and the title, which may
quote a command unless texts are hidden.
"""

from __future__ import annotations

from loopviz.analysis.inspection import Inspection
from loopviz.presenting.canvas import Canvas
from loopviz.presenting.cells import draw_cells, draw_head
from loopviz.presenting.cost import cost_after
from loopviz.presenting.guards import draw_ladder, draw_stop
from loopviz.presenting.headline import bare, headline_parts
from loopviz.presenting.labels import LEVELS, bracket_words, caption, stop_words
from loopviz.presenting.scene import Scene, lay_scene
from loopviz.presenting.svg import Ground, colours_of, standing_alone
from loopviz.timeline.words import number

LEAST_PITCH = 16.0
"""Width of a cell that has room for its number, in px."""


def plain_picture(inspection: Inspection, *, width: int, theme: Ground, hide_texts: bool, name: str = "plain") -> str:
    """Draw a run for people who never saw one.

    Args:
        inspection: The run and what was found in it; it may have no call.
        width: In px; no text is smaller than 11 px at that width.
        theme: Whose colours it has; `page` for custom properties of the page that it becomes part of.
        hide_texts: Quote nothing of what the agent asked for.
        name: Begins the names of its parts, which must be unique on a page.
    """
    scene = lay_scene(inspection, _room(width))
    canvas = Canvas(scene, float(width), colours_of(theme), name)
    body = _draw(canvas, cost_after(inspection).short)
    return standing_alone(
        body,
        width=width,
        height=round(canvas.height + 6),
        title=bare(headline_parts(inspection, hide_texts=hide_texts)),
        description=description(scene),
        ground=None if theme == "page" else canvas.colours["ground"],
        look="plain-picture",
    )


def _room(width: int) -> int:
    return max(int(width / LEAST_PITCH), 8)


def _draw(canvas: Canvas, rest: str) -> str:
    if not canvas.scene.items:
        return canvas.lines(["no calls"])
    return "".join([draw_head(canvas), draw_cells(canvas), draw_stop(canvas, rest), draw_ladder(canvas)])


def stops_of(inspection: Inspection, width: int) -> list[int]:
    """The calls, from 0, at which a replay of the picture of this width rests: the last one of each cell."""
    return [item.last for item in lay_scene(inspection, _room(width)).items]


def description(scene: Scene) -> str:
    """The picture in words, sentence by sentence."""
    said = [f"{caption(scene)}."]
    if scene.copies is not None:
        first, last = scene.copies.first_call() + 1, scene.copies.last_call() + 1
        said.append(f"Calls {number(first)} to {number(last)}: {bracket_words(scene.copies, scene.limit)}.")
    if scene.stop is not None:
        said.append(f"{_capital(stop_words(scene.stop))}.")
    fired: dict[int, int] = {}
    for item in scene.items:
        if item.fires:
            fired.setdefault(item.fires, item.last)
    said += [f"Level {level}, {LEVELS[level]}, by call {number(call + 1)}." for level, call in sorted(fired.items())]
    return " ".join(said)


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"
