"""What a model was given and what it made, as traces keep them: messages in whatever form its library has.

Known are the chat messages and response items of OpenAI, the blocks of Anthropic, the contents of Gemini, the messages
of LangChain in three encodings, the parts of OpenTelemetry, and what these are wrapped in. All of it may be JSON inside
a text, once or twice. What is not known says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from loopviz.model import Json
from loopviz.readers.decoding import decode_text
from loopviz.readers.fields import text
from loopviz.readers.telling import ABSENT

Fields = dict[str, Json]

DEEPEST = 8
"""Wrappers inside wrappers that are looked into."""

_ROLES = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "model": "assistant",
    "AIMessageChunk": "assistant", "system": "system", "developer": "system", "tool": "tool", "function": "tool",
    "AIMessage": "assistant", "HumanMessage": "user", "SystemMessage": "system", "ToolMessage": "tool",
    "FunctionMessage": "tool", "HumanMessageChunk": "user", "ToolMessageChunk": "tool",
}  # fmt: skip
_WRAPPERS = ("messages", "contents", "choices", "output", "generations", "candidates", "input", "items", "data")
"""Members that hold messages, the first that does counts."""
_TEXTS = ("text", "input_text", "output_text", "summary_text", "refusal")
_BARE = ("text", "task", "question", "query", "goal")
"""Members in which an object without a content keeps what it says."""
_THOUGHTS = ("reasoning", "thinking", "thought", "redacted_thinking")


class Asked(NamedTuple):
    """A call that a model asks for."""

    tool: Json
    arguments: Json
    id: Json = None


class Answered(NamedTuple):
    """What a tool answered."""

    content: Json
    id: Json = None
    tool: Json = None
    failed: bool = False


@dataclass(slots=True)
class Message:
    """A message, whatever its form was."""

    role: str
    """`user`, `assistant`, `system`, `tool`, or another word of the library's."""
    text: str = ""
    reasoning: str = ""
    asked: list[Asked] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)


def messages(value: Json, role: str) -> list[Message]:
    """The messages that a value holds.

    Args:
        role: Whose words a bare text is, and a message that names no role.
    """
    return list(_messages(value, role, DEEPEST))


def latest_answers(given: list[Message]) -> list[Answered]:
    """The results that came after the last message of the model: those that answer its last response."""
    answers: list[Answered] = []
    for message in reversed(given):
        if message.role == "assistant":
            break
        answers[:0] = message.answered
    return answers


def unpacked(value: Json) -> Json:
    """The value that a text spells, even where that is again a text that spells one; else the value itself."""
    for _ in range(2):
        if not isinstance(value, str):
            break
        is_quoted = value[:1] == '"' and value[-1:] == '"'
        found = decode_text(f"[{value}]") if is_quoted else decode_text(value)
        if is_quoted:
            found = found[0] if isinstance(found, list) and len(found) == 1 else value
        if found is value:
            break
        value = found
    return value


def _messages(value: Json, role: str, depth: int) -> Iterator[Message]:
    value = unpacked(value)
    if isinstance(value, str):
        if value.strip():
            yield Message(role, value)
    elif isinstance(value, list) and depth:
        for item in value:
            yield from _messages(item, role, depth - 1)
    elif isinstance(value, dict):
        yield from _of_object(value, role, depth)


def _of_object(item: Fields, role: str, depth: int) -> Iterator[Message]:
    item = _without_constructor(item)
    inner = item.get("message")
    if depth and isinstance(inner, dict):
        yield from _messages(inner, role, depth - 1)
        return
    said_by = item.get("role") or item.get("type")
    kind = said_by if isinstance(said_by, str) else ""
    if kind not in _ROLES and "role" not in item:
        wrapped = next((item[key] for key in _WRAPPERS if isinstance(item.get(key), (list, dict))), None)
        if depth and wrapped is not None:
            yield from _messages(wrapped, role, depth - 1)
            return
    content = item.get("content")
    if isinstance(content, dict) and "parts" in content:  # A candidate of Gemini's.
        item = {**item, **content}
        kind = text(item.get("role")) or kind
    message = Message(_ROLES.get(kind, kind if "role" in item else role))
    _read(message, item)
    yield message


def _without_constructor(item: Fields) -> Fields:
    """A message of LangChain without what its serialisations wrap around it."""
    kwargs, names = item.get("kwargs"), item.get("id")
    if item.get("type") == "constructor" and isinstance(kwargs, dict):
        return {**kwargs, "type": names[-1] if isinstance(names, list) and names else ""}
    data = item.get("data")
    if isinstance(data, dict) and item.get("type") in _ROLES:
        return {**data, "type": item["type"]}
    return item


def _read(message: Message, item: Fields) -> None:
    """Take from a message, or from an item that stands for one, what it says, asks for and answers."""
    blocks = item.get("parts") if isinstance(item.get("parts"), list) else item.get("content")
    calls = [asked for call in _objects(item.get("tool_calls")) if (asked := _asked(call))]
    if not calls and isinstance(item.get("function_call"), dict) and "name" in item["function_call"]:
        calls = [Asked(item["function_call"]["name"], item["function_call"].get("arguments", ABSENT))]
    for key in ("reasoning_content", "reasoning", "thinking"):
        if isinstance(item.get(key), str):
            message.reasoning = item[key]
            break
    if message.role == "tool" and "parts" not in item:
        call_id = item.get("tool_call_id", item.get("call_id", item.get("id")))
        failed = item.get("status") == "error" or item.get("is_error") is True
        message.answered.append(Answered(item.get("content", ABSENT), call_id, item.get("name"), failed))
        return
    if "role" not in item and str(item.get("type")).startswith(("function_call", "custom_tool_call", "reasoning")):
        blocks = [item]
        if item.get("type") in ("function_call", "custom_tool_call", "reasoning"):
            message.role = "assistant"
        else:
            message.role = "tool"
    if blocks is None:  # OpenInference's.
        blocks = [block.get("message_content") for block in _objects(item.get("contents"))] or None
    for block in blocks if isinstance(blocks, list) else [blocks]:
        _read_block(message, block)
    if blocks is None:
        _add_text(message, next((said for key in _BARE if isinstance(said := item.get(key), str)), ""))
    if calls:
        message.asked = calls


def _read_block(message: Message, block: Json) -> None:
    if isinstance(block, str):
        _add_text(message, block)
    if not isinstance(block, dict):
        return
    kind = block.get("type")
    said = next((block[key] for key in ("text", "content") if isinstance(block.get(key), str)), None)
    asked = block.get("functionCall") or block.get("function_call")
    answered = block.get("functionResponse") or block.get("function_response")
    if isinstance(asked, dict):
        message.asked.append(Asked(asked.get("name"), asked.get("args", ABSENT), asked.get("id")))
    elif isinstance(answered, dict):
        message.answered.append(Answered(answered.get("response", ABSENT), answered.get("id"), answered.get("name")))
    elif kind in ("tool_use", "tool_call", "tool-call", "function_call", "custom_tool_call"):
        message.asked.extend(filter(None, [_asked(block)]))
    elif kind in (
        "tool_result",
        "tool_call_response",
        "tool-result",
        "function_call_output",
        "custom_tool_call_output",
    ):
        message.answered.append(_answered(block))
    elif kind in _THOUGHTS or block.get("thought") is True:
        thought = said if said is not None else block.get("thinking", block.get("summary"))
        message.reasoning = "\n".join(filter(None, (message.reasoning, _plain(thought))))
    elif said is not None and (kind is None or kind in _TEXTS):
        _add_text(message, said)


def _asked(call: Fields) -> Asked | None:
    """A call, in any of the ways in which one is written."""
    call = call["tool_call"] if isinstance(call.get("tool_call"), dict) else call
    inner = call["function"] if isinstance(call.get("function"), dict) else call
    name = inner.get("name", inner.get("toolName"))
    if name is None:
        return None
    arguments = next((inner[key] for key in ("arguments", "args", "input") if key in inner), ABSENT)
    return Asked(name, arguments, next((call[key] for key in ("call_id", "id", "toolCallId") if key in call), None))


def _answered(block: Fields) -> Answered:
    content = next((block[key] for key in ("result", "response", "output", "content") if key in block), ABSENT)
    call_id = next(
        (block[key] for key in ("tool_use_id", "call_id", "tool_call_id", "id", "toolCallId") if key in block), None
    )
    return Answered(content, call_id, block.get("name"), block.get("is_error") is True)


def _plain(value: Json) -> str:
    if isinstance(value, list):
        return "\n".join(filter(None, (_plain(part.get("text")) for part in _objects(value))))
    return value if isinstance(value, str) else ""


def _add_text(message: Message, said: str) -> None:
    message.text = "\n".join(filter(None, (message.text, said)))


def _objects(value: Json) -> list[Fields]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
