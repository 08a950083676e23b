"""What a log says of all its samples, and how it marks what it keeps only once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from loopviz.model import GraderResult, Json
from loopviz.readers.decoding import spell
from loopviz.readers.fields import member, name, number, text, whole
from loopviz.readers.nodes import Node

DEEPEST = 40
"""Levels of a value in which attachments are looked for."""

_ATTACHED = "attachment://"
_LETTERS = {"C": (True, 1.0), "P": (None, 0.5), "I": (False, 0.0), "N": (False, 0.0)}
"""Correct, partly correct, incorrect, no answer: whether a sample passed, and its score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """What concerns every sample of a log."""

    task: str | None
    model: str | None
    epochs: int | None

    @staticmethod
    def of(document: Node) -> Log:
        """Read the description of a log."""
        described = document.get("eval")
        return Log(
            task=text(member(described, "task")),
            model=text(member(described, "model")),
            epochs=whole(member(described, "config", "epochs")),
        )


class Attachments:
    """The long texts of a sample, which stand in it once and are named by their hashes everywhere else."""

    def __init__(self, sample: Node) -> None:
        found = sample.get("attachments")
        self._texts: dict[str, Json] = found if isinstance(found, dict) else {}

    def put_in(self, value: Json, depth: int = 0) -> Json:
        """The value with texts in place of their marks; a mark that stands for nothing stays."""
        if isinstance(value, str):
            return self._texts.get(value[len(_ATTACHED) :], value) if value.startswith(_ATTACHED) else value
        if not self._texts or depth > DEEPEST:
            return value
        if isinstance(value, list):
            return [self.put_in(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {key: self.put_in(item, depth + 1) for key, item in value.items()}
        return value


class Inputs:
    """The messages that models were given, each told once: every request repeats all of those before it."""

    def __init__(self, sample: Node) -> None:
        pool = sample.get("message_pool")
        self._pool: list[Json] = pool if isinstance(pool, list) else []
        self._seen: set[bytes] = set()
        self._from_pool = 0
        """How far into the pool everything was looked at."""

    def new(self, event: dict[str, Json]) -> Iterator[dict[str, Json]]:
        """The messages of a request that no earlier one had, those of the assistant and of tools left out."""
        for message in self._given(event):
            if isinstance(message, dict) and message.get("role") in ("system", "user"):
                mark = (name(message.get("id")) or "").encode("utf-8", "replace") or spell(message)
                if mark not in self._seen:
                    self._seen.add(mark)
                    yield message

    def _given(self, event: dict[str, Json]) -> Iterator[Json]:
        refs = event.get("input_refs")
        for ref in refs if isinstance(refs, list) else ():
            start, stop = (whole(end) for end in ref) if isinstance(ref, list) and len(ref) == 2 else (None, None)
            if start is not None and stop is not None and start >= 0:
                yield from self._pool[max(start, self._from_pool) : stop]
                self._from_pool = max(self._from_pool, min(stop, len(self._pool)))
        given = event.get("input")
        yield from given if isinstance(given, list) else ()


def grade(scores: Json) -> GraderResult | None:
    """What the scorers of a sample said; a figure between 0 and 1, or beyond, neither passes nor fails."""
    parts = tuple(
        GraderResult(
            name=scorer,
            type=None,
            passed=_verdict(member(score, "value"))[0],
            score=_verdict(member(score, "value"))[1],
            evidence=text(member(score, "explanation")),
        )
        for scorer, score in (scores.items() if isinstance(scores, dict) else ())
    )
    if len(parts) < 2:
        return parts[0] if parts else None
    verdicts = {part.passed for part in parts}
    passed = False if False in verdicts else None if None in verdicts else True
    return GraderResult(name="scorers", type=None, passed=passed, details=parts)


def _verdict(value: Json) -> tuple[bool | None, float | None]:
    if isinstance(value, str):
        return _LETTERS.get(value, (None, None))
    if isinstance(value, bool):
        return value, float(value)
    score = number(value)
    return {1.0: True, 0.0: False}.get(score) if score is not None else None, score
