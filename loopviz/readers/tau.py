"""tau-bench and tau2-bench: simulated conversations between a customer and an agent that both may have tools.

An assistant's message is a turn. The simulated customer of tau2 calls tools as well; its calls are not the agent's, so
they are told as messages of the run, with their results, and are never judged. A result belongs to the call of its id.

Agents of tau-bench without function calling spell a call as JSON behind `Action:`; what the tool gave back comes as a
message of the user that begins with `API output:`.

Tokens and cost are those of each assistant's message, once a message; what the customer's model used is not the
agent's. The outcome is good when the reward is 1; tau2's parts of the reward stand beside it. Of `raw_data`, which says
all of a message again, only thoughts are read; the list of tasks is left out. Runs of tau-bench have no ids: they are
named for their task and trial.

Files of tau-bench itself, and customers of tau2 that call tools, were never seen at hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopviz.model import GraderResult, Json, Loaded
from loopviz.readers import chat
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.decoding import decode_text, spell
from loopviz.readers.fields import amount, count, member, name, number, text
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, is_list, is_object
from loopviz.readers.telling import ABSENT, Telling
from loopviz.readers.times import known, seconds

_ACTION, _OUTPUT, _RESPOND = "Action:", "API output:", "respond"
SOLVED = 1 - 1e-6
"""Rewards are products of floats; from here on one counts as 1, as in tau2 itself."""


def sniff_tau2(head: Head) -> float:
    """How surely a file holds simulations of tau2."""
    return best(head, _score_tau2)


def _score_tau2(record: Peeked) -> float:
    if is_list(record, "simulations"):
        simulation = first(record, "simulations")
        return 1.0 if simulation.keys() & {"messages", "termination_reason", "task_id"} else 0.4
    if is_list(record, "tasks") and is_object(record, "info"):
        # The list of tasks comes first, and may be longer than what is looked at.
        return 0.9 if first(record, "tasks").keys() & {"user_scenario", "evaluation_criteria"} else 0.0
    is_simulation = is_list(record, "messages") and record.keys() >= {"task_id", "termination_reason"}
    return 0.9 if is_simulation else 0.0


def read_tau2(file: Opened) -> Loaded:
    """Read the simulations of a file, each a run."""
    reading = Reading(file)
    for document in reading.documents():
        for simulation in _simulations(reading, document):
            run = reading.run(simulation, noun="message", called="simulation")
            _state_setting(run, document)
            _state_simulation(run, simulation)
            _tell_simulation(run, reading, simulation)
    return reading.loaded()


TAU2 = Reader(
    name="tau2",
    sniff=sniff_tau2,
    read=read_tau2,
    title="tau2-bench simulations",
    found="`data/simulations/` or `data/tau2/simulations/` in a checkout of tau2-bench",
)


def sniff_tau(head: Head) -> float:
    """How surely a file holds results of tau-bench."""
    return best(head, _score_tau)


def _score_tau(record: Peeked) -> float:
    if not is_list(record, "traj"):
        return 0.0
    return 1.0 if "task_id" in record and "reward" in record else 0.7


def read_tau(file: Opened) -> Loaded:
    """Read the results in a file, each a run."""
    reading = Reading(file)
    for result in reading.documents():
        run = reading.run(result, noun="message", called="result")
        _state_result(run, result)
        for message in run.each(result, "traj"):
            if not _tell_spelled(run, message):
                chat.tell(run, message)
    return reading.loaded()


TAU = Reader(
    name="tau",
    sniff=sniff_tau,
    read=read_tau,
    title="tau-bench results",
    found="`results/` in a checkout of tau-bench",
)


def _state_result(run: Telling, result: Node) -> None:
    task, trial, info = name(result.get("task_id")), count(result.get("trial")), result.get("info")
    facts = run.facts
    facts.stimulus, facts.trial = task, trial
    if task is not None:
        facts.run = f"task {task}" if trial is None else f"task {task}, trial {trial}"
    facts.error = text(member(info, "error"))
    facts.model = text(result.get("model"))
    _state_reward(run, result.get("reward"))


def _tell_spelled(run: Telling, message: dict[str, Json]) -> bool:
    """Tell a message of an agent without function calling, or of what answers it; False for any other."""
    content = message.get("content")
    if not isinstance(content, str):
        return False
    if message.get("role") == "user" and content.startswith(_OUTPUT):
        run.result(content.removeprefix(_OUTPUT).removeprefix(" "))
        return True
    said, mark, spelled = content.rpartition(_ACTION)
    if not mark or message.get("role") != "assistant" or chat.calls_of(message):
        return False
    action = decode_text(spelled.strip())
    if not isinstance(action, dict):
        return False
    tool, arguments = action.get("name"), action.get("arguments", ABSENT)
    if text(tool) is None:
        return False
    run.turn()
    run.say("reasoning", said)
    if tool == _RESPOND:
        run.say("assistant", member(arguments, "content"))
    else:
        run.call(tool, arguments, known=arguments is not ABSENT)
    return True


def _simulations(reading: Reading, document: Node) -> Iterator[Node]:
    """The simulations of a file of results, or the one that a document is itself."""
    if document.has_list("messages"):
        yield document
    elif document.has_list("simulations"):
        yield from reading.each(document, "simulations", noun="simulation")
    else:
        place = document.where("record")
        reading.problems.add(place, "This record has no list `simulations`; it is left out.")


def _state_setting(run: Telling, document: Node) -> None:
    """What all simulations of a file share."""
    facts = run.facts
    facts.model = text(document.get("info", "agent_info", "llm"))
    facts.eval_name = text(document.get("info", "environment_info", "domain_name"))
    facts.trials = count(document.get("info", "num_trials"))


def _state_simulation(run: Telling, simulation: Node) -> None:
    facts = run.facts
    facts.run = name(simulation.get("id"))
    facts.stimulus = name(simulation.get("task_id"))
    facts.trial = count(simulation.get("trial"))
    facts.end_reason = text(simulation.get("termination_reason"))
    facts.started_s = known(seconds(simulation.get("start_time")))
    facts.duration_s = amount(simulation.get("duration"))
    facts.total_cost = amount(simulation.get("agent_cost"))
    reward = simulation.get("reward_info")
    _state_reward(run, member(reward, "reward"), member(reward, "reward_breakdown"))


def _state_reward(run: Telling, reward: Json, breakdown: Json = None) -> None:
    score = number(reward)
    if score is None:
        return
    parts = breakdown.items() if isinstance(breakdown, dict) else ()
    details = tuple(_graded(part, share) for part, given in parts if (share := number(given)) is not None)
    run.facts.outcome = score >= SOLVED
    run.facts.grade = _graded("reward", score, details)


def _graded(name: str, score: float, details: tuple[GraderResult, ...] = ()) -> GraderResult:
    return GraderResult(name=name, type=None, passed=score >= SOLVED, score=score, details=details)


def _tell_simulation(run: Telling, reading: Reading, simulation: Node) -> None:
    caller: Json = "assistant"
    for message in run.each(simulation, "messages", time="timestamp"):
        if message.get("raw_data") is not None:
            reading.leave_out("copy of a message in `raw_data`", "copies of messages in `raw_data`")
        match message.get("role"):
            case "assistant":
                caller = "assistant"
                run.turn()
                run.say("reasoning", _thoughts(message))
                chat.tell_assistant(run, message)
                chat.tell_usage(run, message.get("usage"), cost=message.get("cost"))
            case "user":
                run.say("user", message.get("content"))
                caller = _tell_customers_calls(run, reading, message) or caller
            case "tool":
                for result in _results(message):
                    _tell_result(run, result, result.get("requestor") or caller)
            case _:
                chat.tell(run, message)
        _tell_errors(run, message)


def _thoughts(message: dict[str, Json]) -> Json:
    """What the model thought, where the message itself does not say it."""
    raw = message.get("raw_data")
    if message.get("reasoning") or not isinstance(raw, dict):
        return None
    inner = raw.get("message") or raw
    blocks = member(inner, "thinking_blocks")
    said = [member(block, "thinking") for block in blocks] if isinstance(blocks, list) else []
    return member(inner, "reasoning_content") or "\n".join(filter(None, map(text, said)))


def _tell_customers_calls(run: Telling, reading: Reading, message: dict[str, Json]) -> str | None:
    """Tell the calls of the simulated customer as messages; who called last, where it is the customer."""
    calls = chat.calls_of({"tool_calls": message.get("tool_calls")})
    for call in calls:
        arguments = "" if call.arguments is ABSENT else spell(call.arguments).decode("utf-8", "replace")
        run.say("user call", f"{text(call.tool) or 'unknown'} {arguments}".rstrip())
        reading.count(
            "call of the simulated customer is told as a message; it is not the agent's.",
            "calls of the simulated customer are told as messages; they are not the agent's.",
        )
    return "user" if calls else None


def _results(message: dict[str, Json]) -> list[dict[str, Json]]:
    """The results in a message: itself, or those that it groups."""
    grouped = message.get("tool_messages")
    return [one for one in grouped if isinstance(one, dict)] if isinstance(grouped, list) else [message]


def _tell_result(run: Telling, result: dict[str, Json], requestor: Json) -> None:
    if requestor == "user":
        run.say("user result", result.get("content"))
        return
    run.result(
        result.get("content", ABSENT),
        id=result.get("id") or result.get("tool_call_id"),
        tool=text(result.get("name")),
        failed=result.get("error") is True,
    )


def _tell_errors(run: Telling, message: dict[str, Json]) -> None:
    errors = message.get("errors")
    for error in errors if type(errors) is list else ():
        run.say("error", error)
