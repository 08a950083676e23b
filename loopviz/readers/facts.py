"""What is known of a run as a whole."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from loopviz.model import GraderResult, conversation
from loopviz.readers.texts import readable


@dataclass(slots=True)
class Facts:
    """What is known of the run as a whole: fields of `Trajectory` of the same names; None where nothing says.

    What is left None and can be told from the events is filled in at the end: `prompt` from what users said, `output`
    from the last message behind all calls, `started_s` and `duration_s` from the times, `model` from the first
    response. A run of which a single moment is known has no known duration.
    """

    run: str | None = None
    """Its id as recorded; without one it is named for its line or its file."""
    not_judged: str | None = None
    stimulus: str | None = None
    prompt: str | None = None
    trial: int | None = None
    trials: int | None = None
    variant: str | None = None
    eval_name: str | None = None
    model: str | None = None
    status: str | None = None
    end_reason: str | None = None
    error: str | None = None
    output: str | None = None
    started_s: float | None = None
    duration_s: float | None = None
    max_turns: int | None = None
    grade: GraderResult | None = None
    outcome: bool | None = None
    threshold: float | None = None
    total_tokens: int | None = None
    """Counts only where there is no usage per response; so does `total_cost`."""
    total_cost: float | None = None

    def fill_in(
        self, requests: list[str], last_words: str, model: str, first_s: float | None, last_s: float | None
    ) -> None:
        """Take what nothing states from what was told."""
        self.prompt = self.prompt or conversation(requests)
        self.output = self.output or last_words or None
        self.model = self.model or model or None
        self.started_s = first_s if self.started_s is None else self.started_s
        if self.duration_s is None and self.started_s is not None and last_s is not None:
            self.duration_s = last_s - self.started_s if last_s > self.started_s else None

    def settled(self) -> dict[str, Any]:
        """All of them by name, texts as they can be shown."""
        values = {name: getattr(self, name) for name in _NAMES}
        return {name: value if value is None else _shown(value) for name, value in values.items()}


_NAMES = tuple(each.name for each in fields(Facts))
"""Looked up once, since a file may hold thousands of runs."""


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return readable(value)
    return _shown_grade(value) if isinstance(value, GraderResult) else value


def _shown_grade(grade: GraderResult) -> GraderResult:
    values: dict[str, Any] = {each.name: getattr(grade, each.name) for each in fields(grade)}
    values = {name: readable(value) if isinstance(value, str) else value for name, value in values.items()}
    values["details"] = tuple(map(_shown_grade, grade.details))
    return GraderResult(**values)
