"""A recorded session: the script says what the agent thinks and calls; the tools answer; everything becomes events."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.clock import ScriptedClock, uneven
from agent.tools import TOOLS
from agent.workspace import NEUTRAL_ROOT, Workspace

Json = Any
MODEL = "scripted-agent"
RECORDER = "sample_runs/record.py"
SYSTEM_PROMPT_TOKENS = 1800
LONGEST_OUTPUT = 3_000
"""Characters; what a tool prints beyond is cut off."""
DOLLARS_PER_MILLION = (0.4, 2.0)
"""Made-up prices of input and output tokens."""
HOW_RECORDED = {
    "tools": "really executed in a temporary folder, shown as /workspace",
    "texts": "written beforehand by the script",
    "times": "a scripted clock",
    "tokens": "estimated, four characters a token, at made-up prices",
}


@dataclass(frozen=True, slots=True)
class Use:
    """One tool call that the script asks for."""

    tool: str
    arguments: Mapping[str, Json]


def use(tool: str, **arguments: Json) -> Use:
    return Use(tool, arguments)


class Session:
    """One run of the scripted agent, growing event by event."""

    def __init__(self, run: str, stimulus: Mapping[str, Json], workspace: Workspace, clock: ScriptedClock) -> None:
        self.run = run
        self.stimulus = dict(stimulus)
        self.workspace = workspace
        self.clock = clock
        self.events: list[dict[str, Json]] = []
        self.usage: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.turns = 0
        self.output = ""
        self.end_reason = "completed"
        self.full_usage = True
        """Whether usage records name the cached tokens and the model too; long runs do without."""
        self.context_tokens = SYSTEM_PROMPT_TOKENS
        self._cached = 0
        self._started, self._started_stamp = clock.now, clock.stamp()
        self.user(self.stimulus["prompt"])

    def user(self, text: str) -> None:
        self._say("user_message", text)

    def turn(self, *calls: Use, think: str = "", say: str = "") -> list[str]:
        """One model response and the calls it makes, all of them at once.

        Returns:
            What each call returned, in the order of `calls`.
        """
        turn_id = str(self.turns)
        self.turns += 1
        self._add("turn_start", {"turnId": turn_id})
        self.clock.advance(uneven(1.4 + len(think + say) / 60, f"{self.run} think {turn_id}"))
        if think:
            self._say("reasoning", think)
        if say:
            self._say("assistant_message", say)
        self._count_tokens(think, say, calls)
        ids = [self._call(one) for one in calls]
        answers = [self._answer(one, call_id) for one, call_id in zip(calls, ids, strict=True)]
        self._add("turn_end", {"turnId": turn_id})
        return answers

    def wait(self, seconds: float) -> None:
        """Let scripted time go by between turns."""
        self.clock.advance(seconds)

    def compact(self, keep: int) -> None:
        """Shorten the conversation to `keep` tokens, as agents do when their context is full."""
        message = f"Conversation compacted, {self.context_tokens / 1000:.0f} k → {keep / 1000:.0f} k tokens"
        self._add("system", {"message": message, "tokensBefore": self.context_tokens, "tokensAfter": keep})
        self.context_tokens, self._cached = keep, 0

    def error(self, message: str, kind: str) -> None:
        self._add("error", {"message": message, "type": kind})

    def finish(self, output: str, end_reason: str = "completed") -> None:
        """The last turn: a text without calls."""
        self.turn(say=output)
        self.output = output
        self.end_reason = end_reason

    def trajectory(self) -> dict[str, Json]:
        """The whole run as Vally's trajectory document."""
        return {
            "id": self.run,
            "stimulus": self.stimulus,
            "events": self.events,
            "metrics": self._metrics(),
            "output": self.output,
            "workDir": NEUTRAL_ROOT,
            "endReason": self.end_reason,
            "metadata": {
                "model": MODEL,
                "executor": RECORDER,
                "sessionID": f"session-{self.run}",
                "startedAt": self._started_stamp,
                "completedAt": self.clock.stamp(),
                "skillsLoaded": [],
                "scripted": HOW_RECORDED,
            },
        }

    def _add(self, kind: str, data: dict[str, Json]) -> None:
        self.events.append({"type": kind, "timestamp": self.clock.stamp(), "data": data})

    def _say(self, kind: str, text: str) -> None:
        self.context_tokens += _tokens(text)
        self._add(kind, {"content": text})

    def _call(self, one: Use) -> str:
        call_id = f"call_{self.calls.total() + 1:03}"
        self.calls[one.tool] += 1
        self._add("tool_call", {"toolName": one.tool, "toolCallId": call_id, "arguments": dict(one.arguments)})
        return call_id

    def _answer(self, one: Use, call_id: str) -> str:
        tool = TOOLS[one.tool]
        outcome = tool.run(self.workspace, one.arguments, self.clock.stamp())
        self.clock.advance(uneven(tool.seconds, f"{self.run} {call_id}"))
        length = len(outcome.text)
        shown = outcome.text if length <= LONGEST_OUTPUT else outcome.text[:LONGEST_OUTPUT] + "\n[cut]"
        self.context_tokens += _tokens(shown)
        data = {"toolName": one.tool, "toolCallId": call_id, "success": outcome.success, "result": shown}
        self._add("tool_result", data)
        if length > LONGEST_OUTPUT:
            self._add("system", {"message": f"Output truncated, {LONGEST_OUTPUT:,} of {length:,} characters kept"})
        return shown

    def _count_tokens(self, think: str, say: str, calls: tuple[Use, ...]) -> None:
        asked = "".join(one.tool + json.dumps(dict(one.arguments)) for one in calls)
        record = {"inputTokens": self.context_tokens, "outputTokens": _tokens(think + say + asked)}
        if self.full_usage:
            record |= {"cacheReadTokens": self._cached, "cacheWriteTokens": self.context_tokens - self._cached}
            self._cached = self.context_tokens
        self.context_tokens += _tokens(asked)
        self.usage.update(record)
        self._add("token_usage", record | ({"model": MODEL} if self.full_usage else {}))

    def _metrics(self) -> dict[str, Json]:
        used = self.usage
        price = sum(used[k] * p for k, p in zip(("inputTokens", "outputTokens"), DOLLARS_PER_MILLION, strict=True))
        failed = sum(e["type"] == "tool_result" and not e["data"]["success"] for e in self.events)
        return {
            "tokenUsage": {
                **used,
                "totalTokens": used["inputTokens"] + used["outputTokens"],
                "cost": {"provider": "scripted", "unit": "usd", "amount": round(price / 1e6, 4)},
            },
            "turnCount": self.turns,
            "toolCallCount": self.calls.total(),
            "toolCallBreakdown": dict(sorted(self.calls.items())),
            "wallTimeMs": round((self.clock.now - self._started).total_seconds() * 1000),
            "errorCount": failed + sum(e["type"] == "error" for e in self.events),
            "skillActivationCount": 0,
        }


def _tokens(text: str) -> int:
    return len(text) // 4 + 1
