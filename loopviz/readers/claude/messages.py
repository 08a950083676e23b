"""What the messages of the Anthropic API say, block by block, as Claude Code's lines hold them."""

from __future__ import annotations

from collections.abc import Iterator

from loopviz.model import Json
from loopviz.readers.blocks import CALLS, tell_result_or_thought
from loopviz.readers.contents import texts_in
from loopviz.readers.fields import member, name
from loopviz.readers.telling import ABSENT, Telling

Line = dict[str, Json]
Asked = dict[str, tuple[Json, Json]]
"""Tool and input of calls by their ids."""

SYNTHETIC = "<synthetic>"
"""The model of what Claude Code itself says in the model's place: errors of the API, limits that are reached."""

_NOT_ASKED = (
    "<command-name>", "<command-message>", "<local-command-", "<bash-", "<system-reminder>", "<task-notification>",
    "<user-memory-input>", "Caveat: The messages below were generated", "[Request interrupted by user",
)  # fmt: skip
"""How texts begin that stand in a user's message and are not what a person asked for."""


def tell_response(run: Telling, line: Line, message: Line, asked: Asked) -> None:
    """A line of a response of the model: its content, and the tokens so far.

    A call that has no result yet and is written again, as look-alikes of Claude Code do, is the same call.
    """
    if message.get("model") == SYNTHETIC:
        is_error = line.get("isApiErrorMessage") is True
        run.say("error" if is_error else "system", texts_in(message["content"]))
        return
    response = name(message.get("id")) or name(line.get("requestId"))
    run.turn(response=response)
    for block in _blocks(run, message["content"]):
        _tell_block(run, block, asked, speaker="assistant")
    usage = message.get("usage")
    run.use(
        response=response,
        input=member(usage, "input_tokens"),
        output=member(usage, "output_tokens"),
        cache_read=member(usage, "cache_read_input_tokens"),
        cache_write=member(usage, "cache_creation_input_tokens"),
        cost=line.get("costUSD"),
        model=message.get("model"),
    )


def tell_request(run: Telling, line: Line, message: Line, asked: Asked) -> None:
    """A message to the model: what a person or Claude Code says, and results."""
    for block in _blocks(run, message["content"]):
        said = texts_in(block)
        is_meta = line.get("isMeta") is True or said.startswith(_NOT_ASKED)
        _tell_block(run, block, asked, speaker="system" if is_meta else "user")


def _blocks(run: Telling, content: Json) -> Iterator[Line]:
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, dict):
            yield block
        else:
            yield {"type": "text", "text": block}


def _tell_block(run: Telling, block: Line, asked: Asked, *, speaker: str) -> None:
    if block.get("type") in CALLS:
        call_id, call = name(block.get("id")), (block.get("name"), block.get("input"))
        if call_id is not None and asked.get(call_id) == call:
            run.leave_out("call that is written again", "calls that are written again")
            return
        if call_id is not None:
            asked[call_id] = call
        run.call(block.get("name"), block.get("input", ABSENT), id=block.get("id"))
        return
    if "tool_use_id" in block:
        asked.pop(name(block["tool_use_id"]) or "", None)
    if not tell_result_or_thought(run, block):
        run.say(speaker, texts_in(block))
