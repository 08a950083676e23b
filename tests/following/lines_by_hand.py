"""Files of lines as programs write them, made up at random: calls that repeat, answers that come late or never, and
whatever else a session holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.readers import claude_by_hand as claude
from tests.readers import codex_by_hand as codex
from tests.readers import copilot_by_hand as copilot
from tests.readers import vally_by_hand as vally

Line = dict[str, Any] | bytes

_ARGUMENTS: tuple[Any, ...] = (
    {"command": "make test"},
    {"command": "make  test"},
    {"command": "cat src/ä.py", "timeout": 1},
    {"command": "cat lib/ä.py", "timeout": 1.0},
    {},
    {"command": "[REDACTED]"},
)
_OUTPUTS: tuple[Any, ...] = ("ok", "ok", "1 failed: für 🧹", "", "null", "[REDACTED]")
_TOOLS = ("Bash", "Bash", "Read", "finish")


def claude_lines(random: Random) -> Iterator[Line]:
    """A session: responses over several lines, parallel calls, sub-agents, lines written twice, a resumed session."""
    yield {"type": "summary", "summary": "Before", "leafUuid": "u0"}
    waiting: list[tuple[str, dict[str, Any]]] = []
    said: list[Line] = []
    n_calls = 0
    for turn in range(random.randint(1, 9)):
        where: dict[str, Any] = {"sessionId": f"s{random.choice([1, 1, 1, 2])}"}
        if random.random() < 0.2:
            where |= {"isSidechain": True, "agentId": random.choice(["a1", "a2"])}
        if random.random() < 0.2:
            yield claude.line("user", random.choice(["Go on.", "Schön!"]), **where)
        for part in range(random.randint(1, 3)):
            call_id = random.choice([f"c{n_calls}", "c0"]) if random.random() < 0.1 else f"c{n_calls}"
            n_calls += 1
            block = claude.use(call_id, random.choice(_TOOLS), random.choice(_ARGUMENTS))
            line = claude.said(f"m{turn}", block, uuid=f"u{turn}.{part}", usage={"output_tokens": 3}, **where)
            said.append(line)
            yield line
            waiting.append((call_id, where))
            if random.random() < 0.3:
                random.shuffle(waiting)
        for _ in range(random.randint(0, len(waiting))):
            call_id, place = waiting.pop()
            content = random.choice(_OUTPUTS)
            yield claude.answered(call_id, content, **place)
            if random.random() < 0.1:
                yield claude.answered(call_id, "and again", **place)
        if random.random() < 0.1:
            yield random.choice(said)
        yield from _noise(random)


def stream_lines(random: Random) -> Iterator[Line]:
    """What is printed as stream-json, with its end."""
    yield {"type": "system", "subtype": "init", "session_id": "s1", "model": "claude", "tools": []}
    for line in claude_lines(random):
        if isinstance(line, dict) and "message" in line:
            yield {"type": line["type"], "message": line["message"], "session_id": "s1", "parent_tool_use_id": None}
    yield {"type": "result", "subtype": "success", "is_error": False, "num_turns": 1, "session_id": "s1"}


def codex_lines(random: Random) -> Iterator[Line]:
    """A rollout: parallel calls, answers in any order, calls that fail, tokens, a task after another."""
    yield codex.line("session_meta", id="s1", cwd="/w", originator="codex_cli_rs")
    waiting: list[str] = []
    n_calls = 0
    for _ in range(random.randint(1, 9)):
        if random.random() < 0.3:
            yield codex.event("task_started")
            yield codex.message("user", "Weiter, bitte: ü")
        for _ in range(random.randint(1, 3)):
            call_id = f"c{n_calls}" if random.random() < 0.9 else "c0"
            n_calls += 1
            yield codex.call(call_id, random.choice(_TOOLS), random.choice(_ARGUMENTS))
            waiting.append(call_id)
        random.shuffle(waiting)
        for _ in range(random.randint(0, len(waiting))):
            call_id = waiting.pop()
            if random.random() < 0.2:
                yield codex.event("exec_command_end", call_id=call_id, exit_code=1)
            yield codex.output(call_id if random.random() < 0.95 else "", random.choice(_OUTPUTS))
        if random.random() < 0.2:
            yield codex.item("web_search_call", action={"query": "x"})
        yield codex.tokens(n_calls, output_tokens=3)
        yield from _noise(random)
    yield codex.event("task_complete")


def exec_lines(random: Random) -> Iterator[Line]:
    """What `codex exec --json` prints: items that begin and end, searches whose words come at their end."""
    yield {"type": "thread.started", "thread_id": "t1"}
    yield {"type": "turn.started"}
    open_items: list[dict[str, Any]] = []
    for number in range(random.randint(1, 12)):
        kind = random.choice(["mcp_tool_call", "mcp_tool_call", "command_execution", "web_search"])
        item = {"id": f"i{number}", "type": kind}
        if kind == "mcp_tool_call":
            item |= {"tool": random.choice(_TOOLS), "arguments": random.choice(_ARGUMENTS)}
        elif kind == "command_execution":
            item |= {"command": random.choice(["ls", "make"])}
        yield {"type": "item.started", "item": item}
        open_items.append(item)
        random.shuffle(open_items)
        for _ in range(random.randint(0, len(open_items))):
            done = dict(open_items.pop())
            if done["type"] == "mcp_tool_call":
                done["result"] = {"content": [{"type": "text", "text": random.choice(_OUTPUTS)}]}
            elif done["type"] == "command_execution":
                done |= {"aggregated_output": random.choice(_OUTPUTS), "exit_code": 0}
            else:
                done["query"] = "über"
            yield {"type": "item.completed", "item": done}
    yield {"type": "turn.completed", "usage": {"input_tokens": 3, "output_tokens": 4}}


def copilot_lines(random: Random) -> Iterator[Line]:
    """A session: calls that are asked for and start later, in another order or never; sub-agents."""
    yield copilot.event("session.start", sessionId="s1", version=1)
    yield copilot.event("user.message", content="Räum auf 🧹")
    n_calls = 0
    running: list[tuple[str, dict[str, Any]]] = []
    for turn in range(random.randint(1, 8)):
        agent: dict[str, Any] = {"parentToolCallId": "c0"} if random.random() < 0.2 else {}
        has_turn = random.random() < 0.8
        if has_turn:
            yield copilot.event("assistant.turn_start", turnId=str(turn), **agent)
        asked = []
        for _ in range(random.randint(0, 3)):
            asked.append((f"c{n_calls}", random.choice(_TOOLS), random.choice(_ARGUMENTS)))
            n_calls += 1
        yield copilot.message("So.", *asked, **agent)
        random.shuffle(asked)
        for call_id, tool, arguments in asked:
            if random.random() < 0.85:
                yield copilot.start(call_id, tool, arguments, **agent)
                running.append((call_id, agent))
            if running and random.random() < 0.5:
                done, of = running.pop(random.randrange(len(running)))
                yield copilot.complete(done, random.choice(_OUTPUTS), success=random.random() < 0.9, **of)
        if random.random() < 0.1:
            yield copilot.event("tool.execution_complete", toolName="Bash", success=True, result={"content": "ok"})
        if has_turn:
            yield copilot.event("assistant.turn_end", turnId=str(turn), **agent)
        yield from _noise(random)
    yield copilot.event("session.shutdown", shutdownType="routine")


def plain_lines(random: Random) -> Iterator[Line]:
    """The plain form: calls with their results, results that name a call or none, several runs."""
    for number in range(random.randint(1, 20)):
        run = {} if random.random() < 0.8 else {"run": "other"}
        if random.random() < 0.75:
            line = {"tool": random.choice(_TOOLS), "args": random.choice(_ARGUMENTS), "id": f"c{number}", **run}
            line |= {"turn": random.choice([number, number // 2])} if random.random() < 0.8 else {}
            yield line | ({"observation": random.choice(_OUTPUTS)} if random.random() < 0.6 else {})
        else:
            named = {"id": f"c{random.randrange(number + 1)}"} if random.random() < 0.7 else {}
            yield {"observation": random.choice(_OUTPUTS), **named, **run}
        yield from _noise(random)


def trial_lines(random: Random) -> Iterator[Line]:
    """Trials of Vally, each a finished run, some without a trajectory; a summary at the end."""
    for number in range(random.randint(1, 5)):
        graders = [{"type": "max-repeat", "config": {"max": random.randint(1, 3), "max_cycle_period": 2}}]
        events = [event for call in range(random.randint(0, 6)) for event in _trial_events(random, call)]
        trial = vally.trial(*events, itemId=f"i{number}")
        trial["trajectory"]["stimulus"] = {"name": "s1", "graders": graders}
        yield trial if random.random() < 0.9 else {**trial, "trajectory": None}
        yield from _noise(random)
    yield {"type": "run-summary", "passed": True, "evals": []}


def trajectory_lines(random: Random) -> Iterator[Line]:
    """Bare trajectories of Vally, one a line."""
    for _ in range(random.randint(1, 4)):
        yield json.loads(vally.document(*_trial_events(random, 0), *_trial_events(random, 1)))


def _trial_events(random: Random, number: int) -> list[dict[str, Any]]:
    return [
        vally.start(str(number)),
        vally.call(random.choice(_TOOLS), f"c{number}", random.choice(_ARGUMENTS)),
        vally.result(random.choice(_OUTPUTS), f"c{number}"),
        vally.end(str(number)),
    ]


def _noise(random: Random) -> Iterator[Line]:
    if random.random() < 0.1:
        yield random.choice([b"", b"  ", b"not JSON", b"[1, 2]", b'{"type": "of the future"}', b'{"text": "\xff\xfe"}'])


KINDS: dict[str, Callable[[Random], Iterator[Line]]] = {
    "claude.session": claude_lines,
    "claude.stream": stream_lines,
    "codex.rollout": codex_lines,
    "codex.exec": exec_lines,
    "copilot.events": copilot_lines,
    "generic": plain_lines,
    "vally.results": trial_lines,
    "vally.trajectory": trajectory_lines,
}
"""Every format that can be followed."""


def spelled(line: Line) -> bytes:
    """A line without its end."""
    return line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()


def file_of(kind: str, random: Random) -> bytes:
    """A file of a format, with the line ends of one system or the other, the last line ended or not."""
    end = random.choice([b"\n", b"\n", b"\r\n"])
    data = end.join(map(spelled, KINDS[kind](random)))
    is_whole = data.endswith(b"}") and not data.endswith(b'\xfe"}')
    return data + random.choice([end, end, b"" if is_whole else end])
