"""The tools the scripted agent can use. Every one does its work for real, inside a workspace.

Texts they return depend on nothing but the workspace and the scripted time.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.workspace import Workspace

Arguments = Mapping[str, Any]
MAX_HITS = 8
"""Matches that a search prints before it only counts the rest."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool returned."""

    text: str
    success: bool = True


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool and about how long it takes, in scripted seconds."""

    run: Callable[[Workspace, Arguments, str], Outcome]
    seconds: float


def read_file(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    """The lines of a file, numbered; `start` and `end` (from 1, inclusive) narrow it down."""
    path = workspace.inside(arguments["path"])
    if not path.is_file():
        return Outcome(f"error: {arguments['path']} does not exist", success=False)
    lines = path.read_text(encoding="utf-8").splitlines()
    start, end = arguments.get("start", 1), arguments.get("end", len(lines))
    return Outcome("\n".join(f"{n:>3}  {lines[n - 1]}" for n in range(start, min(end, len(lines)) + 1)))


def list_dir(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    folder = workspace.inside(arguments["path"])
    if not folder.is_dir():
        return Outcome(f"error: {arguments['path']} is not a folder", success=False)
    return Outcome("\n".join(sorted(f"{p.name}/" if p.is_dir() else p.name for p in folder.iterdir())))


def grep(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    """Lines that match a pattern, in one file or in all files of a folder."""
    pattern = re.compile(arguments["pattern"])
    root = workspace.inside(arguments.get("path", "."))
    files = [root] if root.is_file() else sorted(p for p in root.rglob("*") if p.is_file())
    hits = [
        f"{path.relative_to(workspace.root).as_posix()}:{number}: {line.strip()}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    if not hits:
        return Outcome(f"no match for '{arguments['pattern']}'")
    more = [f"... and {len(hits) - MAX_HITS} more"] if len(hits) > MAX_HITS else []
    return Outcome("\n".join(hits[:MAX_HITS] + more))


def search_docs(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    """The three pages of `docs/` that hold the words of the query most often; any request id is ignored."""
    words = re.findall(r"\w+", arguments["query"].lower())
    scores: Counter[str] = Counter()
    for path in sorted(workspace.inside("docs").glob("*.md")):
        text = re.findall(r"\w+", path.read_text(encoding="utf-8").lower())
        scores[path.name] = sum(text.count(word) for word in words)
    best = sorted((-n, name) for name, n in scores.items() if n)[:3]
    return Outcome("\n".join(f"docs/{name}: {-n} hits" for n, name in best) or "no page found")


def write_file(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    workspace.write(arguments["path"], arguments["content"])
    return Outcome(f"wrote {arguments['path']} ({len(arguments['content'].splitlines())} lines)")


def edit(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    """Replace a text that occurs exactly once."""
    name, old, new = arguments["path"], arguments["old_string"], arguments["new_string"]
    path = workspace.inside(name)
    if not path.is_file():
        return Outcome(f"error: {name} does not exist", success=False)
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        return Outcome(f"error: old_string found {text.count(old)} times in {name}. File unchanged.", success=False)
    workspace.write(name, text.replace(old, new))
    return Outcome(f"edited {name}, line {text[: text.index(old)].count(chr(10)) + 1}")


def run_tests(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    """Run the project's own test script on everything, or on one file."""
    target = [arguments["target"]] if "target" in arguments else []
    status, text = workspace.run(["python3", "-S", "check.py", *target], now)
    return Outcome(text.rstrip("\n"), success=status == 0)


def bash(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    """Run a command line; what it printed, and its status where that is not 0."""
    status, text = workspace.run(["sh", "-c", arguments["command"]], now)
    note = f"\nexit status {status}" if status else ""
    return Outcome((text.rstrip("\n") + note).lstrip("\n"), success=status == 0)


def start_job(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    workspace.start_job(arguments["job"], shlex.split(arguments["command"]), now)
    return Outcome(f"started {arguments['job']}")


def get_status(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    """What a background job last said about itself."""
    return _job_file(workspace, arguments, "status")


def get_output(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    """What a background job has printed."""
    return _job_file(workspace, arguments, "out")


def stop_job(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    job = workspace.jobs.pop(arguments["job"], None)
    if job is None:
        return Outcome(f"error: no job named {arguments['job']}", success=False)
    job.stop()
    return Outcome(f"stopped {arguments['job']}")


def update_plan(workspace: Workspace, arguments: Arguments, now: str) -> Outcome:
    """Keep the agent's list of steps; `[x]` marks the done ones."""
    plan = arguments["plan"]
    workspace.write(".plan", "\n".join(plan))
    return Outcome(f"plan saved: {sum(step.startswith('[x]') for step in plan)} of {len(plan)} steps done")


def _job_file(workspace: Workspace, arguments: Arguments, ending: str) -> Outcome:
    name = arguments["job"]
    if name not in workspace.jobs:
        return Outcome(f"error: no job named {name}", success=False)
    workspace.jobs[name].beat()
    return Outcome(workspace.inside(f"jobs/{name}.{ending}").read_text(encoding="utf-8").rstrip("\n"))


TOOLS: Mapping[str, Tool] = {
    "read_file": Tool(read_file, 0.06),
    "list_dir": Tool(list_dir, 0.04),
    "grep": Tool(grep, 0.12),
    "search_docs": Tool(search_docs, 0.9),
    "write_file": Tool(write_file, 0.07),
    "edit": Tool(edit, 0.08),
    "run_tests": Tool(run_tests, 2.1),
    "bash": Tool(bash, 0.7),
    "start_job": Tool(start_job, 0.5),
    "get_status": Tool(get_status, 0.3),
    "get_output": Tool(get_output, 0.3),
    "stop_job": Tool(stop_job, 0.4),
    "update_plan": Tool(update_plan, 0.02),
}
