"""An edit: a spec as it is, and the lines that change."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from loopviz.specedit.changes import Change
from loopviz.specedit.source import BOM
from loopviz.specedit.splices import Block, put


@dataclass(frozen=True, kw_only=True)
class Edit:
    """A spec as it is, and the lines that change; false where none does."""

    before: bytes
    blocks: tuple[Block, ...]
    """In order; none where every grader has its settings already."""
    changes: tuple[Change, ...]
    """What was asked for."""
    stimuli: tuple[str, ...]
    """Where a line changes: the names of stimuli, `stimulus 3` for one without."""
    stimuli_in_all: int
    """How many the spec has."""

    @cached_property
    def after(self) -> bytes:
        """The spec as it will be."""
        text = self.before.decode()
        mark = BOM if text.startswith(BOM) else ""
        return (mark + put(text.removeprefix(BOM), self.blocks)).encode()

    @property
    def digest(self) -> str:
        """SHA-256 of the spec as it is, in hexadecimal."""
        return hashlib.sha256(self.before).hexdigest()

    @property
    def added(self) -> int:
        """Lines that come in."""
        return sum(len(block.new) for block in self.blocks)

    @property
    def removed(self) -> int:
        """Lines that go."""
        return sum(len(block.old) for block in self.blocks)

    def __bool__(self) -> bool:
        return bool(self.blocks)
