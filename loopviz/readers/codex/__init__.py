"""Codex: the sessions that it keeps, those of its first versions, and what `codex exec --json` prints."""

from loopviz.readers.codex.rollout import DOCUMENT, ROLLOUT
from loopviz.readers.codex.stream import STREAM

__all__ = ["DOCUMENT", "ROLLOUT", "STREAM"]
