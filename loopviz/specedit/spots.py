"""A value in a spec together with where it stands, and whether it can be changed there with nothing else changed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from loopviz.model import Json
from loopviz.specedit.source import MERGE, Node, Source

_TEMPLATE = re.compile(r"\{\{|\{%|<%|\$\{\w+\}|\$\(\w+\)")
"""What programs that fill in templates look for; no pattern of a tool has a use for these."""
_NOTHING = re.compile(r"[ \t]*(#.*)?")
_DASH = re.compile(r"( *)-[ \t]*(#.*)?")
_NAMES = {dict: "a mapping", list: "a list", str: "a text", bool: "a truth value", type(None): "empty"}


class Blocked(Exception):
    """What stands in the way of a change: a clause, and where."""

    def __init__(self, reason: str, *, line: int | None = None, key: str | None = None, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.key = key
        self.remedy = remedy


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A value in a spec."""

    source: Source
    node: Node
    value: Json
    name: str | None = None
    """The key that it stands under."""
    key: Node | None = None
    """That key as it is written; None for an entry of a list and for the whole document."""

    def entry(self, name: str) -> Spot | None:
        """What stands under a key of a mapping."""
        if name not in self.value:
            return None
        place = list(self.value).index(name)
        key, node = self.node.keys[place], self.node.values[place]
        return Spot(self.source, node, self.value[name], name, key)

    def item(self, place: int) -> Spot:
        """An entry of a list, from 0."""
        return Spot(self.source, self.node.values[place], self.value[place], self.name)

    @property
    def empty(self) -> bool:
        """Nothing stands there, or what says nothing: null, `{}`, `[]`."""
        return self.value in (None, {}, []) and self.node.kind != "alias"

    @property
    def column(self) -> int:
        """Where the keys of a block mapping stand."""
        return self.source.column(self.node.keys[0].start)

    @property
    def dash_column(self) -> int:
        """Where the dashes of a block list stand."""
        return self.source.column(self.dash(0))

    def dash(self, place: int) -> int:
        """Where the dash of an entry of a block list stands; what follows it may stand in a line below.

        Raises:
            Blocked: when it stands beside something else.
        """
        source, end = self.source, self.node.values[place].start
        start = source.line_start(end)
        while start and _NOTHING.fullmatch(source.text, start, end):
            end = source.line_end(start - 1)
            start = source.line_start(start - 1)
        if not (found := _DASH.fullmatch(source.text, start, end)):
            raise self.blocked("the dashes of the list stand beside something else", self.node.values[place].start)
        return found.end(1)

    def blocked(self, reason: str, at: int | None = None) -> Blocked:
        """What stands in the way here."""
        at = at if at is not None else self.key.start if self.key else self.node.start
        return Blocked(reason, line=self.source.line(at) + 1, key=self.name)

    def require(self, kind: type[dict[str, Json]] | type[list[Json]]) -> None:
        """Refuse what cannot be changed from inside.

        Raises:
            Blocked: when it is not a mapping or list in block style, or is bound to another place.
        """
        self.require_its_own()
        self.require_unmerged()
        if not isinstance(self.value, kind):
            raise self.blocked(f"it is {_NAMES.get(type(self.value), 'a number')} and should be {_NAMES[kind]}")
        if self.node.flow:
            raise self.blocked("it is written in flow style, in brackets or braces")
        if self.node.tag is not None:
            raise self.blocked(f"it bears the tag {self.node.tag}")
        for name, key in zip(self.value, self.node.keys, strict=False):
            self._require_plain_key(str(name), key)

    def require_its_own(self) -> None:
        """Refuse a value that stands in another place too.

        Raises:
            Blocked: for an alias, and for what an alias refers to.
        """
        anchor = self.node.anchor
        if self.node.kind == "alias":
            raise self.blocked(f"it is the alias *{anchor}, which stands for what is written in another place")
        if anchor is not None and (merge := self.source.merges.get(anchor)):
            line = self.source.line(merge.start) + 1
            raise self.blocked(f"it has the anchor &{anchor}, which the merge key {MERGE} in line {line} takes over")
        if anchor is not None and anchor in self.source.anchors_used:
            raise self.blocked(f"it has the anchor &{anchor}, and would change wherever *{anchor} stands")

    def require_unmerged(self) -> None:
        """Refuse a mapping that takes values from another one.

        Raises:
            Blocked: naming the merge key.
        """
        if isinstance(self.value, dict) and MERGE in self.value:
            key = self.node.keys[list(self.value).index(MERGE)]
            reason = f"the merge key {MERGE} takes settings from another place, and Vally does not follow it"
            raise Blocked(reason, line=self.source.line(key.start) + 1, key=MERGE)

    def require_alone(self) -> None:
        """Refuse a value that cannot be written anew: one that bears more than itself.

        Raises:
            Blocked: for aliases, anchors and tags in it.
        """
        self.require_its_own()
        for node in self.node.walk():
            if node.kind == "alias":
                raise self.blocked(f"it holds the alias *{node.anchor}", node.start)
            if node.anchor is not None:
                raise self.blocked(f"it has the anchor &{node.anchor}", node.start)
            if node.tag is not None:
                raise self.blocked(f"it bears the tag {node.tag}", node.start)

    def require_no_template(self, *, in_values: bool) -> None:
        """Refuse what a program fills in: the file is made from another one, and that is the one to change.

        Args:
            in_values: Whether to look into values too; those of other graders may hold such signs for themselves.
        Raises:
            Blocked: naming what looks like a template.
        """
        values = [] if in_values else [node for node in self.node.walk() if node.kind == "scalar"]
        for found in _TEMPLATE.finditer(self.source.text, self.node.start, self.source.line_end(self.node.end)):
            if not any(node.start <= found.start() < node.end for node in values):
                blocked = self.blocked(f"it is made by a template: {found[0]} stands in it", found.start())
                blocked.remedy = "Change the template: the YAML to paste is given."
                raise blocked

    def _require_plain_key(self, name: str, key: Node) -> None:
        source = self.source
        line = source.line(key.start) + 1
        if key.kind == "alias" or key.anchor is not None or key.tag is not None:
            raise Blocked("the key has an anchor, an alias or a tag", line=line, key=name)
        before = source.text[source.line_start(key.start) : key.start]
        if "?" in before or source.column(key.start) != source.column(self.node.keys[0].start):
            raise Blocked("the key is written with a question mark, or beside another", line=line, key=name)
