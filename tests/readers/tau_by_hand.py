"""Results of tau-bench and simulations of tau2 written by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from loopviz.model import Json
from tests.readers import openai_by_hand
from tests.readers.stories import NOTHING, Story, Turn


def write_tau(stories: Sequence[Story]) -> bytes:
    """A result for each run."""
    return dump([tau(*openai_by_hand.conversation(told), task_id=number) for number, told in enumerate(stories)])


def write_tau2(stories: Sequence[Story]) -> bytes:
    """A simulation for each run."""
    return dump(tau2(*(simulation(*_messages(told), id=told.name) for told in stories)))


def dump(document: Json) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def tau(*messages: Json, **fields: Any) -> dict[str, Any]:
    """A result of tau-bench."""
    return {"task_id": 0, "reward": 1.0, "info": {}, "traj": list(messages), "trial": 0, **fields}


def tau2(*simulations: Json, **fields: Any) -> dict[str, Any]:
    """A file of tau2."""
    info = {"num_trials": 2, "agent_info": {"llm": "m"}, "environment_info": {"domain_name": "airline"}}
    return {"info": info, "simulations": list(simulations), **fields}


def simulation(*messages: Json, **fields: Any) -> dict[str, Any]:
    return {"id": "s1", "task_id": "7", "trial": 1, "messages": list(messages), **fields}


def assistant(*calls: Json, content: Json = None, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls) or None, **fields}


def call(tool: Json, arguments: Json, call_id: Json = "c", requestor: str = "assistant") -> dict[str, Any]:
    return {"id": call_id, "name": tool, "arguments": arguments, "requestor": requestor}


def result(content: Json, call_id: Json = "c", **fields: Any) -> dict[str, Any]:
    return {"role": "tool", "id": call_id, "content": content, "requestor": "assistant", "error": False, **fields}


def _messages(told: Story) -> list[Json]:
    turns = [message for turn in told.turns for message in _turn(turn)]
    return [{"role": "user", "content": told.prompt}, *turns, assistant(content=told.answer)]


def _turn(turn: Turn) -> list[Json]:
    calls = [call(one.tool, one.arguments, one.id) for one in turn.calls]
    answered = [one for one in turn.calls if one.observation is not NOTHING]
    return [
        assistant(*calls, content=turn.text or None),
        *(result(one.observation, one.id, error=one.failed) for one in answered),
    ]
