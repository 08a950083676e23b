"""What is asked of every run of a file that is followed."""

from __future__ import annotations

from dataclasses import dataclass, field

from loopviz.analysis.lines import Question
from loopviz.config import Choice, filter_tools, graders_for
from loopviz.detectors.core.steps import Unknown
from loopviz.settings import EscalationSettings, ThrashSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question of `grade`, and guards that watch whether or not a config names them."""

    question: Question = field(default_factory=Question)

    @property
    def unknown(self) -> Unknown:
        """What values equal that nobody recorded."""
        return self.question.unknown_in_force

    @property
    def tools(self) -> tuple[str, ...] | None:
        """The filter of both guards."""
        return filter_tools(self.question.config, self.question.overrides)

    @property
    def escalation(self) -> EscalationSettings:
        """The ladder's settings."""
        guards, config = self.question.guards, self.question.config
        if guards is not None:
            return guards.escalation
        return (config and config.escalation) or EscalationSettings()

    @property
    def thrash(self) -> ThrashSettings:
        """The thrash detector's settings."""
        guards, config = self.question.guards, self.question.config
        if guards is not None:
            return guards.thrash
        return (config and config.thrash) or ThrashSettings()

    @property
    def minds_prompt(self) -> bool:
        """Whether what a run was asked decides by which graders it is judged."""
        return self.question.config is not None and self.question.config.spec is not None

    def graders(self, stimulus: str | None, prompt: str | None) -> Choice:
        """The graders of a run that records none itself, or why there is none."""
        question = self.question
        return graders_for(
            question.config, question.overrides, stimulus=stimulus, prompt=prompt, chosen=question.stimulus
        )
