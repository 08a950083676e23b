"""What stands around the events of a run in the `output.jsonl` of an evaluation, in all versions."""

from __future__ import annotations

from loopviz.model import Json
from loopviz.readers.fields import amount, count, flag, member, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.telling import Telling

_OUTCOMES = (("report", "resolved"), ("test_result", "report", "resolved"), ("test_result", "result"), ("success",))
"""Where an evaluation says whether its task was solved, the surest place first."""


def state_facts(run: Telling, record: Node) -> None:
    """Take what the record says of the run as a whole; outcomes that are no yes or no are none."""
    facts, metadata = run.facts, record.get("metadata")
    models = (member(metadata, "llm_config", "model"), member(metadata, "llm", "model"), member(metadata, "model_name"))
    facts.model = next(filter(None, map(text, models)), facts.model)
    facts.run = name(record.get("instance_id")) or name(record.get("id")) or facts.run
    facts.eval_name = text(member(metadata, "dataset"))
    facts.error = text(record.get("error")) or facts.error
    found = (flag(record.get(*path)) for path in _OUTCOMES)
    facts.outcome = next((outcome for outcome in found if outcome is not None), None)
    state_totals(run, record.get("metrics"))


def state_totals(run: Telling, metrics: Json) -> None:
    """Take accumulated cost and tokens, where they are said."""
    cost = amount(member(metrics, "accumulated_cost"))
    tokens = total_tokens(member(metrics, "accumulated_token_usage"))
    run.facts.total_cost = run.facts.total_cost if cost is None else cost
    run.facts.total_tokens = run.facts.total_tokens if tokens is None else tokens


def total_tokens(usage: Json) -> int | None:
    """Input and output tokens of a usage record together."""
    known = [some for key in ("prompt_tokens", "completion_tokens") if (some := count(member(usage, key))) is not None]
    return sum(known) if known else None
