"""Messages of OpenAI's chat API, as many formats keep them: `{role, content, tool_calls}` and their answers.

One assistant message is one turn. Its calls are those of `tool_calls`, or the older single `function_call`; where it
has neither, those that its text spells as `<function=NAME><parameter=P>…</parameter></function>`, for models without
function calling, whose results come as user messages that begin with `EXECUTION RESULT of [NAME]:`. Proxies let blocks
of the Anthropic API through, calls and results among them; these are read where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgspec import Struct

from loopviz.model import Json
from loopviz.readers.blocks import CALLS, tell_result_or_thought
from loopviz.readers.contents import texts_in
from loopviz.readers.exchanges import Called, Dialect
from loopviz.readers.fields import member, text
from loopviz.readers.sniffing import Peeked, is_list
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.stops import tell_stop
from loopviz.readers.telling import ABSENT, Telling
from loopviz.readers.texts import is_text

Message = dict[str, Json]

_ROLES = frozenset(("system", "developer", "user", "assistant", "tool", "function"))
# Most messages have none of these members, which one look tells.
_THOUGHTS = frozenset(("reasoning_content", "reasoning", "thinking_blocks", "reasoning_details"))
_STOPS = frozenset(("finish_reason", "stop_reason"))
_FAILURES = frozenset(("error", "is_error"))
_SPELLED = re.compile(r"<function=([^>\n]{1,200})>(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER, _PARAMETER_END = re.compile(r"<parameter=([^>\n]{1,200})>"), "</parameter>"
_ANSWER = re.compile(r"\s*EXECUTION RESULT of \[([^\]\n]*)\]:[ \t]?\n?")


class Asked(Struct, gc=False):
    """A call that a message asks for."""

    tool: Json
    arguments: Json
    id: Json = None


def score(message: Peeked) -> float:
    """How surely an object is a chat message; many formats have a role and a content, so it is never very sure."""
    if peeked_text(message, "role") not in _ROLES:
        return 0.0
    if is_list(message, "tool_calls") or message.keys() & {"tool_call_id", "function_call"}:
        return 0.6
    return 0.4 if "content" in message else 0.0


def tell(run: Telling, message: Message, *, response: Json = None) -> None:
    """Tell a message; `response` is the id of the model response that it is, as in `Telling.turn`."""
    match message.get("role"):
        case "assistant":
            run.turn(response=response)
            tell_assistant(run, message)
        case "tool" | "function":
            tell_result(run, message)
        case "user":
            _tell_user(run, message)
        case "system" | "developer":
            run.say("system", message.get("content"))
        case role:
            run.say(text(role) or "message", message.get("content"))


def tell_assistant(run: Telling, message: Message, *, ran: Collection[Called] | None = None) -> None:
    """Tell what an assistant thought, said and asked for, in the turn that is open.

    Args:
        ran: Tool and id of the calls that ran, where others were asked for that could not be parsed. These keep no id:
            the same call, asked for once more, may bear it.
    """
    content = message.get("content")
    if not _THOUGHTS.isdisjoint(message) and (thought := _thoughts(message)):
        run.say("reasoning", thought)
    if type(content) is not str:
        for block in _blocks(content):
            if block.get("type") not in CALLS:
                tell_result_or_thought(run, block)
        content = texts_in(content)
    run.say("assistant", content or message.get("refusal"))
    for asked in calls_of(message):
        if ran is None or (asked.tool, asked.id) in ran:
            run.call(asked.tool, asked.arguments, id=asked.id)
        else:
            run.call(asked.tool, asked.arguments, executed=False)
    if not _STOPS.isdisjoint(message):
        tell_stop(run, message.get("finish_reason") or message.get("stop_reason"))


def tell_result(run: Telling, message: Message) -> None:
    """Tell the answer to a call: that of its id, else the next that waits of its tool."""
    run.result(
        message.get("content", ABSENT),
        id=message.get("tool_call_id") or result_id(message),
        tool=text(message["name"]) if "name" in message else None,
        failed=not _FAILURES.isdisjoint(message) and any(message.get(key) is True for key in _FAILURES),
    )


def tell_usage(run: Telling, usage: Json, *, model: Json = None, response: Json = None, cost: Json = None) -> None:
    """Tell the `usage` of a response; what was read from the cache is part of the input."""
    if not isinstance(usage, dict):
        run.use(cost=cost, model=model, response=response)
        return
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    run.use(
        input=usage.get("prompt_tokens"),
        output=usage.get("completion_tokens"),
        cache_read=usage.get("cache_read_input_tokens") if cached is None else cached,
        cache_write=usage.get("cache_creation_input_tokens"),
        cost=cost,
        model=model,
        response=response,
    )


def calls_of(message: Message) -> list[Asked]:
    """The calls that an assistant's message asks for."""
    given = message.get("tool_calls")
    asked = [_asked(call) for call in given if isinstance(call, dict)] if isinstance(given, list) else []
    if asked:
        return asked
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        asked = [Asked(legacy.get("name"), legacy.get("arguments", ABSENT))]
    content = message.get("content")
    return asked or [_asked(block) for block in _blocks(content) if block.get("type") in CALLS] or _spelled(content)


def answer_in(response: Json) -> Message | None:
    """The message in a response of the API, that of the first choice, and why it ended."""
    choices = member(response, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = member(choice, "message")
    return {"finish_reason": member(choice, "finish_reason"), **message} if isinstance(message, dict) else None


def result_id(message: Message) -> Json:
    """Id of the call that a message answers."""
    ids = message.get("tool_call_ids")
    return message.get("tool_call_id") or (ids[0] if isinstance(ids, list) and ids else None)


def _asked(call: Message) -> Asked:
    """A call, whichever of the three ways it is written in: a function, a custom tool, or the bare name."""
    inner = call.get("function")
    if not isinstance(inner, dict):
        inner = call["custom"] if isinstance(call.get("custom"), dict) else call
    arguments = inner["arguments"] if "arguments" in inner else inner.get("input", ABSENT)
    return Asked(inner.get("name"), arguments, call.get("id"))


def _spelled(content: Json) -> list[Asked]:
    said = texts_in(content)
    if "<function=" not in said:
        return []
    return [Asked(tool.strip(), dict(_parameters(inner))) for tool, inner in _SPELLED.findall(said)]


def _parameters(inner: str) -> Iterator[tuple[str, str]]:
    for piece in inner.split(_PARAMETER_END)[:-1]:
        if begin := _PARAMETER.search(piece):
            yield begin[1].strip(), _trimmed(piece[begin.end() :])


def _trimmed(value: str) -> str:
    """A parameter without the line ends that set it off from its tags."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == "\n" else value


def _tell_user(run: Telling, message: Message) -> None:
    content = message.get("content")
    said = texts_in(content)
    answer = _ANSWER.match(said)
    if answer is not None:
        run.result(said[answer.end() :], tool=answer[1])
    elif any("tool_use_id" in block for block in _blocks(content)):
        for block in _blocks(content):
            if not tell_result_or_thought(run, block):
                run.say("user", block)
    else:
        run.say("user", content)


def _thoughts(message: Message) -> Json:
    """What a model thought, where proxies keep it: beside the content, or in blocks of its own."""
    if thought := message.get("reasoning_content") or message.get("reasoning"):
        return thought
    lists = message.get("thinking_blocks"), message.get("reasoning_details")
    if not any(lists):
        return ""
    beside = [block for blocks in lists for block in _blocks(blocks)]
    said = [block.get("thinking") or block.get("text") or block.get("summary") for block in beside]
    return "\n".join(filter(is_text, said))


def _blocks(content: Json) -> list[Message]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _answer(run: Telling, message: Message, ran: Collection[Called] | None) -> None:
    tell_assistant(run, message, ran=ran)


def _tokens(run: Telling, response: Json, cost: Json) -> None:
    identity, model = member(response, "id"), member(response, "model")
    tell_usage(run, member(response, "usage"), model=model, response=identity, cost=cost)


def _called(message: Message) -> list[Called]:
    return [(call.tool, call.id) for call in calls_of(message)]


def _said(message: Message) -> Json:
    calls = [[call.tool, None if call.arguments is ABSENT else call.arguments, call.id] for call in calls_of(message)]
    content = message.get("content")
    answers = [[block["tool_use_id"], block.get("content")] for block in _blocks(content) if "tool_use_id" in block]
    return [message.get("role"), texts_in(content), result_id(message), calls, answers]


DIALECT = Dialect(
    tell=tell,
    tell_answer=_answer,
    tell_tokens=_tokens,
    answer=answer_in,
    calls=_called,
    answers=result_id,
    said=_said,
)
