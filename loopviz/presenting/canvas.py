"""Where everything in the plain picture stands: cells from left to right, and a height that grows from the top down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from loopviz.presenting.scene import FOLD, Item, Scene
from loopviz.presenting.svg import Colours, words_at

NARROW = 560
"""Pictures below this width, in px, have smaller cells and type."""
MOST_PITCH, MOST_FOLDED_PITCH = 56.0, 90.0
"""Width of a cell at most, its gap included, in px; where calls are folded, few cells are to fill the width."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell and where it stands, in px."""

    item: Item
    x: float
    width: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def end(self) -> float:
        return self.x + self.width


class Canvas:
    """The sizes of one picture, and how far down it has been drawn."""

    def __init__(self, scene: Scene, width: float, colours: Colours, name: str) -> None:
        self.scene, self.width, self.colours, self.name = scene, width, colours, name
        self.narrow = width < NARROW
        self.label, self.small, self.figures = (15.0, 12.5, 11.5) if self.narrow else (18.0, 14.0, 13.0)
        self.cell_height = 36.0 if self.narrow else 44.0
        self.height = 0.0
        """Of what is drawn so far."""
        self.cells_top = 0.0
        most = MOST_FOLDED_PITCH if scene.folded else MOST_PITCH
        self.pitch = min(most, width / scene.weight) if scene.items else most
        self.gap = 5.0 if self.pitch >= 32 else 2.0 if self.pitch >= 10 else 1.0 if self.pitch >= 4 else 0.0
        self.placed = self._place()
        self.right = self.placed[-1].end if self.placed else width
        """Where the last cell ends."""

    def _place(self) -> list[Placed]:
        placed, x = [], 0.0
        for item in self.scene.items:
            room = self.pitch * (FOLD if item.wide else 1.0)
            placed.append(Placed(item, x, room - self.gap))
            x += room
        return placed

    def x_of(self, call: int, *, end: bool = False) -> float:
        """Where a call begins, or ends; inside a cell of several calls, in proportion."""
        for cell in self.placed:
            if cell.item.first <= call <= cell.item.last:
                return cell.x + (call + end - cell.item.first) / cell.item.n_calls * cell.width
        return self.right

    def words(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float,
        fill: str,
        anchor: Literal["start", "middle", "end"] = "start",
        bold: bool = False,
    ) -> str:
        """A line of text in a colour of the palette, with its baseline at y."""
        return words_at(x, y, words, size=size, fill=self.colours[fill], anchor=anchor, bold=bold)

    def lines(self, lines: list[str], *, x: float = 0.0, fill: str = "muted", bold: bool = False) -> str:
        """Lines of small text below what is drawn so far."""
        parts = []
        for words in lines:
            self.height += self.small + 5
            parts.append(self.words(x, self.height, words, size=self.small, fill=fill, bold=bold))
        return "".join(parts)
