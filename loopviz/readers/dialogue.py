"""What a model was given and what it made, as traces keep them: messages in whatever form its library has.

Known are the chat messages and response items of OpenAI, the blocks of Anthropic, the contents of Gemini, the messages
of LangChain in three encodings, the parts of OpenTelemetry, and what these are wrapped in. All of it may be JSON inside
a text, once or twice. What is not known says nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from loopviz.model import Json
from loopviz.readers.decoding import decode_text
from loopviz.readers.fields import text
from loopviz.readers.leaves import Leaves
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
_OPENINGS = ("{", "[", '"')
_CALLS = ("tool_use", "tool_call", "tool-call", "function_call", "custom_tool_call")
_RESULTS = ("tool_result", "tool_call_response", "tool-result", "function_call_output", "custom_tool_call_output")
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


class Message(Struct, gc=False):
    """A message, whatever its form was."""

    role: str
    """`user`, `assistant`, `system`, `tool`, or another word of the library's."""
    text: str = ""
    reasoning: str = ""
    asked: list[Asked] = []
    answered: list[Answered] = []


def messages(value: Json, role: str) -> list[Message]:
    """The messages that a value holds.

    Args:
        role: Whose words a bare text is, and a message that names no role.
    """
    found: list[Message] = []
    _gather(found, value, role, DEEPEST)
    return found


def words(value: Json, role: str) -> str | None:
    """What one side says in a value, where it says something."""
    return "\n".join(message.text for message in messages(value, role) if message.role == role) or None


def unpacked(value: Json) -> Json:
    """The value that a text spells, even where that is again a text that spells one; else the value itself."""
    for _ in range(2):
        if not isinstance(value, str):
            break
        first = value[:1]
        if first not in _OPENINGS and not first.isspace():
            break
        is_quoted = first == '"' and value[-1:] == '"'
        found = decode_text(f"[{value}]") if is_quoted else decode_text(value)
        if is_quoted:
            found = found[0] if isinstance(found, list) and len(found) == 1 else value
        if found is value:
            break
        value = found
    return value


def _gather(found: list[Message], value: Json, role: str, depth: int) -> None:
    value = value.whole() if isinstance(value, Leaves) else unpacked(value)
    if isinstance(value, dict):
        _gather_object(found, value, role, depth)
    elif isinstance(value, list) and depth:
        for item in value:
            _gather(found, item, role, depth - 1)
    elif isinstance(value, str) and value and not value.isspace():
        found.append(Message(role, value))


def _gather_object(found: list[Message], item: Fields, role: str, depth: int) -> None:
    item = _without_constructor(item)
    inner = item.get("message")
    if depth and isinstance(inner, dict):
        _gather_object(found, inner, role, depth - 1)
        return
    said_by = item.get("role") or item.get("type")
    kind = said_by if isinstance(said_by, str) else ""
    if kind not in _ROLES and "role" not in item:
        wrapped = next((item[key] for key in _WRAPPERS if isinstance(item.get(key), (list, dict))), None)
        if depth and wrapped is not None:
            _gather(found, wrapped, role, depth - 1)
            return
    content = item.get("content")
    if isinstance(content, dict) and "parts" in content:  # A candidate of Gemini's.
        item = {**item, **content}
        kind = text(item.get("role")) or kind
    message = Message(_ROLES.get(kind, kind if "role" in item else role))
    _read(message, item)
    found.append(message)


def _without_constructor(item: Fields) -> Fields:
    """A message of LangChain without what its serialisations wrap around it."""
    kwargs, names = item.get("kwargs"), item.get("id")
    if isinstance(kwargs, dict) and item.get("type") == "constructor":
        return {**kwargs, "type": names[-1] if isinstance(names, list) and names else ""}
    data = item.get("data")
    if isinstance(data, dict) and text(item.get("type")) in _ROLES:
        return {**data, "type": item["type"]}
    return item


def _read(message: Message, item: Fields) -> None:
    """Take from a message, or from an item that stands for one, what it says, asks for and answers."""
    parts, call = item.get("parts"), item.get("function_call")
    blocks = parts if isinstance(parts, list) else item.get("content")
    calls = [asked for call in _objects(item.get("tool_calls")) if (asked := _asked(call))]
    if not calls and isinstance(call, dict) and "name" in call:
        calls = [Asked(call["name"], call.get("arguments", ABSENT))]
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
    if blocks is None:
        blocks = next((said for key in _BARE if isinstance(said := item.get(key), str)), "")
    for block in blocks if isinstance(blocks, list) else (blocks,):
        if isinstance(block, str):
            _add_text(message, block)
        elif isinstance(block, dict):
            _read_block(message, block)
    if calls:
        message.asked = calls


def _read_block(message: Message, block: Fields) -> None:
    kind = block.get("type")
    said = block.get("text")
    said = said if isinstance(said, str) else block.get("content")
    asked = block.get("functionCall") or block.get("function_call")
    answered = block.get("functionResponse") or block.get("function_response")
    if isinstance(asked, dict):
        message.asked.append(Asked(asked.get("name"), asked.get("args", ABSENT), asked.get("id")))
    elif isinstance(answered, dict):
        message.answered.append(Answered(answered.get("response", ABSENT), answered.get("id"), answered.get("name")))
    elif kind in _CALLS:
        message.asked.extend(filter(None, [_asked(block)]))
    elif kind in _RESULTS:
        message.answered.append(_answered(block))
    elif kind in _THOUGHTS or block.get("thought") is True:
        thought = said if isinstance(said, str) else block.get("thinking", block.get("summary"))
        message.reasoning = "\n".join(filter(None, (message.reasoning, _plain(thought))))
    elif isinstance(said, str) and (kind is None or kind in _TEXTS):
        _add_text(message, said)


def _asked(call: Fields) -> Asked | None:
    """A call, in any of the ways in which one is written."""
    call = call["tool_call"] if isinstance(call.get("tool_call"), dict) else call
    inner = call["function"] if isinstance(call.get("function"), dict) else call
    name = inner.get("name", inner.get("toolName"))
    if name is None:
        return None
    arguments = _first(inner, ("arguments", "args", "input"), ABSENT)
    return Asked(name, arguments, _first(call, ("call_id", "id", "toolCallId")))


def _answered(block: Fields) -> Answered:
    content = _first(block, ("result", "response", "output", "content"), ABSENT)
    call_id = _first(block, ("tool_use_id", "call_id", "tool_call_id", "id", "toolCallId"))
    return Answered(content, call_id, block.get("name"), block.get("is_error") is True)


def _first(item: Fields, keys: tuple[str, ...], otherwise: Json = None) -> Json:
    """The first of these members that is there."""
    for key in keys:
        if key in item:
            return item[key]
    return otherwise


def _plain(value: Json) -> str:
    if isinstance(value, list):
        return "\n".join(filter(None, (_plain(part.get("text")) for part in _objects(value))))
    return value if isinstance(value, str) else ""


def _add_text(message: Message, said: str) -> None:
    if said:
        message.text = f"{message.text}\n{said}" if message.text else said


def _objects(value: Json) -> list[Fields]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
