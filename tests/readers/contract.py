"""What every reader promises, whatever its format: one table of formats, each with a function that writes in it.

A new format joins with a line in `FORMATS`: everything in `test_contract.py` and `test_stories.py` then holds for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loopviz.readers import READERS, Reader
from tests.readers import (
    anthropic_by_hand,
    antigravity_by_hand,
    atbench_by_hand,
    atif_by_hand,
    browser_use_by_hand,
    claude_by_hand,
    codex_by_hand,
    copilot_by_hand,
    gemini_by_hand,
    gemini_telemetry_by_hand,
    generic_by_hand,
    grok_by_hand,
    inspect_ai_by_hand,
    kimi_by_hand,
    langchain_by_hand,
    langfuse_by_hand,
    langsmith_by_hand,
    malt_by_hand,
    mini_swe_agent_by_hand,
    openai_by_hand,
    openhands_by_hand,
    openinference_by_hand,
    otel_by_hand,
    pi_by_hand,
    qwen_by_hand,
    responses_by_hand,
    sweagent_by_hand,
    tau_by_hand,
    vally_by_hand,
    who_and_when_by_hand,
)
from tests.readers.stories import NEEDS, SHORT, STORIES, Story

ABILITIES = frozenset(
    (
        "parallel",
        "missing",
        "failed",
        "ids",
        "names",
        "several",
        "no calls",
        "messages",
        "arguments",
        "empty",
        "results",
    )
)
"""What a format may lack: parallel calls, calls without a result, an error flag, call ids, names of runs, several runs
in a file, runs without calls, what was said, arguments as JSON, results that are the empty text, results at all."""


@dataclass(frozen=True)
class Format:
    """A format, and how to write runs in it."""

    name: str
    write: Callable[[Sequence[Story]], bytes]
    """Writes one run, or several in one file where the format can hold them."""
    lacks: frozenset[str] = frozenset()
    """What it cannot record, of `ABILITIES`."""

    def stories(self) -> list[str]:
        """The stories that it can hold."""
        return [name for name in STORIES if not self.lacks & NEEDS.get(name, set())]


FORMATS = (
    Format("vally.trajectory", vally_by_hand.write_trajectories),
    Format("vally.results", vally_by_hand.write_results),
    Format("vally.outcome", vally_by_hand.write_outcomes),
    Format("atif", atif_by_hand.write),
    Format("copilot.events", copilot_by_hand.write),
    Format("claude.session", claude_by_hand.write_sessions),
    Format("claude.stream", claude_by_hand.write_streams),
    Format("claude.export", claude_by_hand.write_exports),
    Format("qwen", qwen_by_hand.write),
    Format("codex.rollout", codex_by_hand.write_rollout, frozenset(("several",))),
    Format("codex.document", codex_by_hand.write_document, frozenset(("several",))),
    Format("codex.exec", codex_by_hand.write_stream, frozenset(("messages",))),
    Format("pi", pi_by_hand.write),
    Format("kimi.wire", kimi_by_hand.write),
    Format("antigravity", antigravity_by_hand.write, frozenset(("missing", "ids", "names", "several"))),
    Format("grok", grok_by_hand.write, frozenset(("failed", "names", "several"))),
    Format("mini-swe-agent", mini_swe_agent_by_hand.write),
    Format("sweagent.traj", sweagent_by_hand.write, frozenset(("parallel", "failed", "names"))),
    Format("openhands", openhands_by_hand.write),
    Format("openhands.sdk", openhands_by_hand.write_sdk),
    Format("inspect", inspect_ai_by_hand.write),
    Format("otel.otlp", otel_by_hand.write_otlp),
    Format("otel.flat", otel_by_hand.write_flat),
    Format("openinference", openinference_by_hand.write_nested),
    Format("phoenix", openinference_by_hand.write_phoenix),
    Format("langfuse", langfuse_by_hand.write),
    Format("langsmith", langsmith_by_hand.write),
    Format("browser-use", browser_use_by_hand.write, frozenset(("ids", "names", "messages"))),
    Format(
        "who-and-when",
        who_and_when_by_hand.write,
        frozenset(("ids", "messages", "parallel", "failed")),
    ),
    Format("malt", malt_by_hand.write, frozenset(("failed",))),
    Format("atbench", atbench_by_hand.write, frozenset(("failed", "ids", "messages", "parallel", "no calls"))),
    Format("gemini.session", gemini_by_hand.write_sessions),
    Format("gemini.history", gemini_by_hand.write_histories, frozenset(("names",))),
    Format("gemini.telemetry", gemini_telemetry_by_hand.write, frozenset(("results", "messages"))),
    Format("tau2", tau_by_hand.write_tau2),
    Format("tau", tau_by_hand.write_tau, frozenset(("failed", "names"))),
    Format("openai.log", openai_by_hand.write_log, frozenset(("failed", "names"))),
    Format("openai.chat", openai_by_hand.write_chat, frozenset(("failed",))),
    Format("openai.responses", responses_by_hand.write, frozenset(("failed",))),
    Format("anthropic.messages", anthropic_by_hand.write, frozenset(("no calls",))),
    Format("langchain", langchain_by_hand.write),
    Format("generic", generic_by_hand.write, frozenset(("no calls",))),
)


@dataclass(frozen=True)
class Sample:
    """A small sound file of a format: text, so that it can be spoilt."""

    format: str
    data: bytes
    calls: int
    """Calls in all its runs."""

    @property
    def reader(self) -> Reader:
        return next(reader for reader in READERS if reader.name == self.format)


SAMPLES = tuple(Sample(each.name, each.write([SHORT]), len(SHORT.calls)) for each in FORMATS)
