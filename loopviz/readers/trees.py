"""The tree of a trace: where each span stands, and what that makes of it."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterator
from enum import Enum, Flag, auto
from operator import attrgetter

from msgspec import Struct

from loopviz.model import Json
from loopviz.readers.nodes import Node


class Kind(Enum):
    """What a span is."""

    MODEL = auto()
    """A request to a model."""
    TOOL = auto()
    """A call of a tool."""
    AGENT = auto()
    """What an agent does from its beginning to its end."""
    OTHER = auto()
    INNER = auto()
    """Something that a tool does inside, without being a sub-agent."""
    REPEATED = auto()
    """A model span that another one repeats."""


class _Inside(Flag):
    """What stands in a tool span: a sub-agent where both do."""

    NOTHING = 0
    MODEL = auto()
    ACTION = auto()
    BOTH = MODEL | ACTION


class Place(Struct, eq=False, gc=False):
    """A span and where it stands; all that is kept of it until it is told."""

    node: Node
    kind: Kind
    id: str
    parent: str
    start_s: float
    """NaN where it is not known; so is `end_s`."""
    end_s: float
    number: int
    """From 0, in file order."""
    fields: dict[str, Json] | None = None
    """What it says, decoded; None where it is to be read again."""
    began_s: float = 0.0
    """When it is taken to have begun."""
    rank: int = 0
    """Those of a lower one come first where several began together."""
    depth: int = 0
    agent: str = ""
    """Id of the agent span that it stands under; empty for none."""
    owner: str = ""
    """Id of the tool span that it works for as a sub-agent; empty for none."""
    is_first: bool = False
    """Whether it is the first span of the trace itself."""
    model: Place | None = None
    """The model span that it stands in, without a tool between."""
    tool: Place | None = None
    """The tool span that it stands in."""
    inside: _Inside = _Inside.NOTHING


_ORDER = attrgetter("began_s", "rank", "number")


class Tree:
    """The spans of one trace."""

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}

    def __len__(self) -> int:
        return len(self._places)

    def add(self, node: Node, kind: Kind, id: str, parent: str, start_s: float, end_s: float) -> Place | None:
        """Add a span; None where one of its id is there already. A span without an id is like no other."""
        number = len(self._places)
        key = id or f"\0{number}"
        if key in self._places:
            return None
        place = self._places[key] = Place(node, kind, key, parent, start_s, end_s, number)
        return place

    def settled(self) -> list[Place]:
        """All spans in the order in which they began, settled; of those that began together, outer ones come first.

        A span that does not tell when it began is taken to have begun with the one that it stands in.
        """
        places = []
        last = -math.inf
        for place, parent in self._from_top():
            if parent is not None:
                _hang(place, parent)
                last = parent.began_s
            if not math.isnan(place.start_s):
                last, place.rank = place.start_s, place.depth
            place.began_s = last
            places.append(place)
        _sort_out(places)
        places.sort(key=_ORDER)
        for place in places:
            if not place.owner:
                place.is_first = True
                break
        return places

    def _from_top(self) -> Iterator[tuple[Place, Place | None]]:
        """Each span after the one that it stands in; links in a circle are cut at the span that comes first."""
        children: dict[str, list[Place]] = {}
        tops = []
        for place in self._places.values():
            if place.parent in self._places:
                children.setdefault(place.parent, []).append(place)
            else:
                tops.append(place)
        reached: set[str] = set()
        # What no top leads to hangs in circles.
        for top in (*tops, *self._places.values()):
            if top.id in reached:
                continue
            waiting: deque[tuple[Place, Place | None]] = deque([(top, None)])
            while waiting:
                place, parent = waiting.popleft()
                if place.id not in reached:
                    reached.add(place.id)
                    yield place, parent
                    waiting.extend((child, place) for child in children.pop(place.id, ()))


def _hang(place: Place, parent: Place) -> None:
    """Note what a span stands in; its parent is settled."""
    place.depth = parent.depth + 1
    if parent.kind is Kind.TOOL:
        place.tool = parent
    else:
        place.tool = parent.tool
        place.agent = parent.id if parent.kind is Kind.AGENT else parent.agent
        place.model = parent if parent.kind is Kind.MODEL else parent.model
    if place.tool is None:
        return
    if place.kind is Kind.MODEL:
        _mark(place.tool, _Inside.MODEL)
    elif place.kind is not Kind.OTHER:
        _mark(place.tool, _Inside.ACTION)


def _mark(tool: Place | None, inside: _Inside) -> None:
    while tool is not None and inside not in tool.inside:
        tool.inside |= inside
        tool = tool.tool


def _sort_out(places: list[Place]) -> None:
    """Find sub-agents, what tools do inside, and model spans that repeat each other; outer spans come first."""
    inner = Counter(place.model.id for place in places if place.model is not None and place.kind is Kind.MODEL)
    for place in places:
        outer, tool = place.model, place.tool
        if tool is not None:
            is_sub_agent = tool.inside is _Inside.BOTH
            place.owner = tool.id if is_sub_agent else tool.owner
            if not is_sub_agent:
                place.kind = Kind.INNER
        if inner and place.kind is Kind.MODEL:
            if outer is not None and inner[outer.id] == 1:
                place.kind = Kind.REPEATED
            elif inner[place.id] > 1:
                place.kind = Kind.OTHER
