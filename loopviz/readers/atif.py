"""ATIF, the Agent Trajectory Interchange Format of Harbor, versions 1.0 to 1.8: one document a run.

An agent's step is a turn. A result without the id of a call belongs to the first call of its step that still has none:
a single one, the screen after several commands, to the first of them. An agent's step with a result but without a call,
for the answer could not be parsed or is itself the command, is no call; what came back is told as a message.

What is copied from an earlier part is left out. The parts that a run goes on in, named by `continued_trajectory_ref`,
are joined to it when they lie beside the file; sub-agents that are embedded are runs of their own.

Tokens are those of each step's `metrics`, once a step; input includes what was read from the cache. The outcome stands
in none of the versions: it is read from the trial's `result.json` (all rewards at least 1) or `verifier/reward.txt`
where one lies in the same folder or one above; a sub-agent in a file of its own has none. There is no error flag, so a
call failed where the `extra` of the call, its result or its step says so, or the marks that tools of Claude Code and
Harbor put into the text of a result. Continuations, rewards and such marks were never seen in real files.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from loopviz.model import GraderResult, Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.fields import amount, count, member, number, text
from loopviz.readers.nodes import Node
from loopviz.readers.pairing import NO_CALL
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, is_object
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT, Telling

MOST_PARTS = 100
DEEPEST = 20
"""Levels of sub-agents inside sub-agents."""

_VERSION = "ATIF-"
_OWN = frozenset(("schema_version", "steps"))
_COMPACTION = re.compile(r"compact(?:ion|ed|ing)|summari[sz]", re.IGNORECASE)
_PART = re.compile(r"(?P<stem>.+)\.cont-(?P<number>\d+)\.json")
_FAILURES = ("is_error", "tool_result_is_error")
_TOOL_ERROR, _REPORTED = "<tool_use_error>", "[error] tool reported failure"
"""How the text of a result begins, or a line of it reads, where the call failed."""
_TOKEN_LISTS = ("prompt_token_ids", "completion_token_ids", "logprobs")


def sniff(head: Head) -> float:
    """How surely a file holds ATIF documents."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    if peeked_text(record, "schema_version").startswith(_VERSION):
        return 1.0
    if is_object(record, "agent") and "source" in first(record, "steps"):
        return 0.7
    # Documents by name, as test suites bundle them.
    bundled = any(b'"schema_version"' in raw[:200] and b'"ATIF-' in raw[:200] for raw in record.values())
    return 0.6 if bundled else 0.0


def read(file: Opened) -> Loaded:
    """Read the runs of a file, the sub-agents embedded in them included."""
    reading = Reading(file)
    for document in reading.documents():
        for whole in _documents(document):
            _read_run(reading, whole)
    return reading.loaded()


READER = Reader(
    name="atif",
    sniff=sniff,
    read=read,
    title="ATIF 1.0 to 1.8, the Agent Trajectory Interchange Format",
    found="`jobs/<job>/<trial>/agent/trajectory.json` of Harbor, the outcome in `result.json` of the trial",
)


def _documents(node: Node) -> Iterator[Node]:
    """The document itself, or those that it bundles."""
    keys = node.keys()
    if keys & _OWN:
        yield node
        return
    members = (found for key in keys if (found := node.member(key)))
    inner = sorted((found for found in members if found.keys() & _OWN), key=lambda found: found.start)
    yield from inner
    if not inner:
        message = "This is no ATIF document: it has neither `schema_version` nor `steps`; it is left out."
        node.origin.problems.add(node.where("record"), message)


def _read_run(reading: Reading, whole: Node, depth: int = 0) -> None:
    predecessor = _predecessor(reading, whole)
    if predecessor is not None:
        reading.count(f"part left out: it is read with {predecessor}.", "parts left out: read with the first.")
        return
    run = reading.run(whole, noun="step", called="sub-agent" if depth else "record")
    for step in run.each(whole, "steps", time="timestamp"):
        _tell_step(run, reading, step)
    _join_parts(run, reading, whole)
    _state_facts(run, reading, whole)
    for sub_agent in reading.each(whole, "subagent_trajectories", noun="sub-agent"):
        if depth < DEEPEST:
            _read_run(reading, sub_agent, depth + 1)
        else:
            reading.leave_out("sub-agent that is nested too deep", "sub-agents that are nested too deep")


def _predecessor(reading: Reading, whole: Node) -> str | None:
    """The file of the part before, where this file is the next part of one that lies beside it."""
    own = re.split(r"[/\\]", reading.source.name)[-1]
    part = _PART.fullmatch(own)
    if part is None or whole.number is not None:
        return None
    earlier = int(part["number"]) - 1
    for candidate in (f"{part['stem']}.cont-{earlier}.json", f"{part['stem']}.json"):
        document = reading.beside(candidate)
        if document is not None and document.get("continued_trajectory_ref") == own:
            return candidate
    return None


def _join_parts(run: Telling, reading: Reading, whole: Node) -> None:
    """Tell the parts that the run goes on in, as long as they lie beside the file."""
    part, joined = whole, set[str]()
    place = whole.member("continued_trajectory_ref")
    while called := text(part.get("continued_trajectory_ref")):
        following = None if called in joined or len(joined) >= MOST_PARTS else reading.beside(called)
        if following is None:
            run.problems.add(part.where("record"), f"The run goes on in {called!r}, which is not beside this file.")
            return
        joined.add(called)
        for step in run.each(following, "steps", time="timestamp", shown_at=place):
            _tell_step(run, reading, step)
        part = following
    if joined:
        reading.count("part of a run was joined to it.", "parts of runs were joined to them.", len(joined))


def _tell_step(run: Telling, reading: Reading, step: dict[str, Json]) -> None:
    if step.get("is_copied_context") is True:
        run.leave_out("step copied from an earlier part", "steps copied from an earlier part")
        return
    source, said = step.get("source"), step.get("message")
    results = _objects(member(step.get("observation"), "results"))
    if source == "user":
        run.say("user", said)
    elif source != "agent":
        is_compaction = isinstance(said, str) and _COMPACTION.search(said)
        run.say("compaction" if is_compaction else text(source) or "system", said)
        for result in results:
            run.say("system", result.get("content"))
    else:
        run.turn()
        run.say("reasoning", step.get("reasoning_content"))
        run.say("assistant", said)
        _tell_tokens(run, step)
        _tell_calls(run, reading, step, results)


def _tell_calls(run: Telling, reading: Reading, step: dict[str, Json], results: list[dict[str, Json]]) -> None:
    calls = _objects(step.get("tool_calls"))
    numbers = [
        run.call(call.get("function_name"), call.get("arguments", ABSENT), id=call.get("tool_call_id"))
        for call in calls
    ]
    if not calls:
        _tell_uncalled(run, reading, results)
        return
    ids = [call.get("tool_call_id") or None for call in calls]
    answered = [result.get("source_call_id") or None for result in results]
    failed = _failed(calls, numbers, step)
    if None in answered:
        nameless = [result for call_id, result in zip(answered, results, strict=True) if call_id is None]
        named = [call_id for call_id in answered if call_id is not None]
        waiting = [call for call, call_id in zip(numbers, ids, strict=True) if call_id not in named]
        _tell_nameless(run, reading, nameless, waiting, failed)
    for call_id, result in zip(answered, results, strict=True):
        if call_id is not None:
            # Ids may come again in a later step; in this one the place tells, unless two calls share an id.
            is_plain = ids.count(call_id) == 1
            number = numbers[ids.index(call_id)] if is_plain else NO_CALL
            _tell_result(run, result, id=call_id, of=number, failed=number in failed)


def _failed(calls: list[dict[str, Json]], numbers: list[int], step: dict[str, Json]) -> set[int]:
    """Numbers of the calls that failed as the call, or the step that holds no other, says."""
    if "extra" not in step and not any("extra" in call for call in calls):
        return set()
    if len(calls) == 1 and _is_failure(step.get("extra")):
        return set(numbers)
    return {number for call, number in zip(calls, numbers, strict=True) if _is_failure(call.get("extra"))}


def _tell_nameless(
    run: Telling, reading: Reading, results: list[dict[str, Json]], waiting: list[int], failed: Collection[int] = ()
) -> None:
    """Tell results that name no call: given to the calls of the step in order."""
    for call, result in zip(waiting, results, strict=False):
        reading.count(
            "result names no call; it was given to the call at its place in the step.",
            "results name no call; each was given to the call at its place in the step.",
        )
        _tell_result(run, result, of=call, failed=call in failed)
    _tell_uncalled(run, reading, results[len(waiting) :])


def _tell_uncalled(run: Telling, reading: Reading, results: list[dict[str, Json]]) -> None:
    """Tell results that belong to no call of their step."""
    for result in results:
        if result.get("content") is not None:
            run.say("system", result.get("content"))
            reading.count(
                "result stands in a step without a call for it; it is shown as a message.",
                "results stand in steps without a call for them; they are shown as messages.",
            )


def _tell_result(run: Telling, result: dict[str, Json], *, of: int, failed: bool, id: Json = None) -> None:
    content = result.get("content", ABSENT)
    is_elsewhere = content in (None, ABSENT) and "subagent_trajectory_ref" in result
    failed = failed or _is_failure(result.get("extra")) or (isinstance(content, str) and _says_failed(content))
    run.result(ABSENT if is_elsewhere else content, id=id, of=of, failed=failed, known=not is_elsewhere)


def _is_failure(extra: Json) -> bool:
    return isinstance(extra, dict) and any(extra.get(key) is True for key in _FAILURES)


def _says_failed(said: str) -> bool:
    return said.startswith(_TOOL_ERROR) or (_REPORTED in said and _REPORTED in said.splitlines())


def _tell_tokens(run: Telling, step: dict[str, Json]) -> None:
    metrics = step.get("metrics") or step.get("usage")
    if not isinstance(metrics, dict):
        run.use(model=step.get("model_name"))
        return
    for key in _TOKEN_LISTS:
        if isinstance(metrics.get(key), list):
            run.leave_out("list of token ids or probabilities", "lists of token ids or probabilities")
    run.use(
        input=metrics.get("prompt_tokens"),
        output=metrics.get("completion_tokens"),
        cache_read=metrics.get("cached_tokens"),
        cost=metrics.get("cost_usd"),
        model=step.get("model_name"),
    )


def _state_facts(run: Telling, reading: Reading, whole: Node) -> None:
    facts, agent, totals = run.facts, whole.get("agent"), whole.get("final_metrics")
    facts.run = text(whole.get("trajectory_id")) or text(whole.get("session_id"))
    facts.model = text(member(agent, "model_name"))
    tokens = [count(member(totals, f"total_{side}_tokens")) for side in ("prompt", "completion")]
    facts.total_tokens = sum(known) if (known := [some for some in tokens if some is not None]) else None
    facts.total_cost = amount(member(totals, "total_cost_usd"))
    if whole.number is None and whole.line is None and not _is_sub_agent(reading):
        _state_outcome(run, reading)


def _is_sub_agent(reading: Reading) -> bool:
    """Whether the file is a sub-agent's, named as such in the one whose name its own goes on from."""
    own = re.split(r"[/\\]", reading.source.name)[-1]
    stem, _, ending = own.partition(".")
    parent = reading.beside(f"{stem}.json") if "." in ending else None
    said = b"" if parent is None else parent.raw
    return b"subagent_trajectory_ref" in said and own.encode("utf-8", "replace") in said


def _state_outcome(run: Telling, reading: Reading) -> None:
    """What the verifier said, in the files of the trial."""
    result = reading.beside("result.json")
    verdict = result.get("verifier_result") if result is not None else None
    rewards = member(verdict, "rewards")
    if not isinstance(rewards, dict):
        rewards = {"reward": member(verdict, "reward")}
    scores = {name: score for name, given in rewards.items() if (score := number(given)) is not None}
    if result is not None:
        run.facts.stimulus = text(result.get("task_name"))
        run.facts.error = text(result.get("exception_info", "exception_message"))
    if not scores:
        scores = _reward_alone(reading)
    if scores:
        parts = tuple(
            GraderResult(name=name, type=None, passed=score >= 1, score=score) for name, score in scores.items()
        )
        run.facts.outcome = all(part.passed for part in parts)
        run.facts.grade = parts[0] if len(parts) == 1 else _together(parts)


def _reward_alone(reading: Reading) -> dict[str, float]:
    written = reading.text_beside("verifier/reward.txt")
    try:
        return {} if written is None else {"reward": float(written)}
    except ValueError:
        return {}


def _together(parts: tuple[GraderResult, ...]) -> GraderResult:
    return GraderResult(name="verifier", type=None, passed=all(part.passed for part in parts), details=parts)


def _objects(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
