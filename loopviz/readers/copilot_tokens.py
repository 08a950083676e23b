"""Tokens of Copilot CLI sessions: of which response a record speaks, and what the end of a session states."""

from __future__ import annotations

from dataclasses import dataclass, field

from loopviz.model import Json
from loopviz.readers.fields import count, member, name

Data = dict[str, Json]

_OTHER = {"assistant.message": "assistant.usage", "assistant.usage": "assistant.message"}


@dataclass(slots=True)
class Responses:
    """Which response a record of tokens belongs to: a message states some, an `assistant.usage` all of them."""

    by_id: dict[str, str] = field(default_factory=dict)
    n: int = 0
    last: str = ""
    missing: str = ""
    """The type of the record that may still come for the last response; empty between turns."""
    is_named: bool = False
    """Whether the last response bears the id of a request."""

    def begin_turn(self) -> None:
        self.missing = ""

    def of(self, kind: str, data: Data) -> str:
        """The response of a record of this type."""
        call = name(data.get("apiCallId"))
        own = call or name(data.get("messageId"))
        known = self.by_id.get(own or "")
        if known is None and self.missing == kind and not (self.is_named and call is not None):
            known = self.last
        if known is None:
            self.n += 1
            self.is_named = call is not None
            self.missing = _OTHER[kind]
        else:
            self.missing = ""
        self.last = known or f"{self.n}"
        if own is not None:
            self.by_id[own] = self.last
        return self.last


def total_tokens(data: Data) -> int | None:
    """Input and output tokens of all models, as the session's end states them."""
    metrics = data.get("modelMetrics")
    usages = [member(model, "usage") for model in metrics.values()] if isinstance(metrics, dict) else []
    counts = [count(member(usage, key)) for usage in usages for key in ("inputTokens", "outputTokens")]
    known = [tokens for tokens in counts if tokens is not None]
    return sum(known) if known else None
