"""What the attributes of a span say, by the conventions of those who record spans of models, agents and tools.

Known are OpenTelemetry's for generative AI, older and newer, OpenInference, OpenLLMetry (`traceloop.*`), the Agent
Development Kit of Google, Pydantic AI and the AI SDK of Vercel. Attributes may be flat, `llm.input_messages.0.role`, or
nested as their names suggest.
"""

from __future__ import annotations

from loopviz.model import Json
from loopviz.readers.dialogue import unpacked
from loopviz.readers.fields import member, text
from loopviz.readers.leaves import DEEPEST, leaves_of
from loopviz.readers.spans import Span
from loopviz.readers.trees import Kind

Fields = dict[str, Json]

_KINDS = {
    "chat": Kind.MODEL, "text_completion": Kind.MODEL, "generate_content": Kind.MODEL, "completion": Kind.MODEL,
    "llm": Kind.MODEL, "ai.generatetext.dogenerate": Kind.MODEL, "ai.streamtext.dostream": Kind.MODEL,
    "execute_tool": Kind.TOOL, "tool": Kind.TOOL, "ai.toolcall": Kind.TOOL,
    "invoke_agent": Kind.AGENT, "create_agent": Kind.AGENT, "agent": Kind.AGENT,
}  # fmt: skip
_SAID_KINDS = (
    "gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind", "llm.request.type", "ai.operationId",
)  # fmt: skip
_TOOL = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name", "tool_call.function.name")
_CALL_ID = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool.id")
_ARGUMENTS = (
    "gen_ai.tool.call.arguments", "gcp.vertex.agent.tool_call_args", "tool_arguments", "ai.toolCall.args",
    "input.value", "traceloop.entity.input",
)  # fmt: skip
_RESULT = (
    "gen_ai.tool.call.result", "gcp.vertex.agent.tool_response", "tool_response", "ai.toolCall.result", "output.value",
    "traceloop.entity.output",
)  # fmt: skip
_GIVEN = (
    "gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "ai.prompt.messages",
    "gcp.vertex.agent.llm_request", "input.value", "traceloop.entity.input", "user.goal", "ai.prompt",
)  # fmt: skip
_MADE = (
    "gen_ai.output.messages", "llm.output_messages", "gen_ai.completion", "gcp.vertex.agent.llm_response",
    "output.value", "traceloop.entity.output", "ai.response",
)  # fmt: skip
_MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id")
_USAGE = {
    "input": (
        "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "ai.usage.promptTokens",
    ),
    "output": (
        "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion",
        "ai.usage.completionTokens",
    ),
    "cache_read": (
        "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens",
        "llm.token_count.prompt_details.cache_read",
    ),
    "cache_write": (
        "gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens",
        "llm.token_count.prompt_details.cache_write",
    ),
    "cost": ("gen_ai.usage.cost", "llm.cost.total"),
}  # fmt: skip
_OF_USAGE = frozenset(name for names in _USAGE.values() for name in names)
_PREFIXES = ("execute_tool ", "running tool: ", "ai.toolCall ")
"""What stands before a tool in the name of its span."""


def flat(given: Json) -> Fields:
    """Attributes by their whole names, also where they are nested as their names suggest."""
    if not isinstance(given, dict):
        return {}
    if dict not in map(type, given.values()):
        return given
    found: Fields = {}
    waiting = [("", given, DEEPEST)]
    while waiting:
        prefix, inner, depth = waiting.pop()
        for key, value in inner.items():
            found.setdefault(prefix + key, value)
            if depth and isinstance(value, dict):
                waiting.append((f"{prefix}{key}.", value, depth - 1))
    return found


def kind(attributes: Fields, name: str = "") -> Kind:
    """What a span is."""
    for key in _SAID_KINDS:
        said = attributes.get(key)
        if isinstance(said, str) and said:
            return _KINDS.get(said.lower(), Kind.OTHER)
    if attributes.get("gen_ai.tool.call.id") is not None or name.startswith(_PREFIXES):
        return Kind.TOOL
    return Kind.OTHER if attributes.get("gen_ai.response.model") is None else Kind.MODEL


def read(span: Span, kind: Kind, attributes: Fields) -> None:
    """Take what a span is about from its attributes, as far as nothing else says."""
    if kind is Kind.TOOL:
        span.tool = tool(attributes, span.name)
        span.call_id = _first(attributes, _CALL_ID)
        arguments, result = _first(attributes, _ARGUMENTS), _first(attributes, _RESULT)
        span.arguments = span.arguments if arguments is None else _plain_arguments(unpacked(arguments))
        span.result = span.result if result is None else unpacked(result)
        return
    for name, leaves in leaves_of(attributes).items():
        if attributes.get(name) is None:
            attributes = {**attributes, name: leaves}
    given, made = _first(attributes, _GIVEN), _first(attributes, _MADE)
    span.given = span.given if given is None else given
    span.made = span.made if made is None else made
    if kind is Kind.MODEL:
        calls = unpacked(attributes.get("ai.response.toolCalls"))
        if made is None and (calls or attributes.get("ai.response.text")):
            span.made = {"role": "assistant", "content": attributes.get("ai.response.text"), "tool_calls": calls}
        span.system = attributes.get("gen_ai.system_instructions")
        span.stop = _stop(attributes.get("gen_ai.response.finish_reasons"))
        read_usage(span, attributes)


def read_usage(span: Span, attributes: Fields) -> None:
    """Take the model and what it used, as far as nothing else says."""
    span.model = span.model or _first(attributes, _MODEL)
    if _OF_USAGE.isdisjoint(attributes):
        return
    for what, names in _USAGE.items():
        if span.usage.get(what) is None:
            span.usage[what] = _as_number(_first(attributes, names))


def _stop(reasons: Json) -> Json:
    """Why the first of the answers ended."""
    reasons = unpacked(reasons)
    return reasons[0] if isinstance(reasons, list) and reasons else reasons


def _as_number(value: Json) -> Json:
    """A number, also where it is written as a text."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return None


def message_in(event: str, attributes: Fields) -> Fields | None:
    """The message that an event of a span holds, by its name and attributes; None where it holds none."""
    if event == "gen_ai.choice":
        message = unpacked(attributes.get("message"))
        return {"role": "assistant", **(message if isinstance(message, dict) else attributes)}
    sort = event.removeprefix("gen_ai.").removesuffix(".message")
    if event == f"gen_ai.{sort}.message":
        return {"role": sort, **attributes}
    return None


def tool(attributes: Fields, name: str) -> str | None:
    """The tool that a span calls."""
    said = text(_first(attributes, _TOOL))
    if said is not None:
        return said
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return text(name)


def has_failed(attributes: Fields) -> bool:
    """Whether a span says that it failed."""
    return text(attributes.get("error.type")) is not None


def _plain_arguments(arguments: Json) -> Json:
    """Arguments without the wrapping of a call in Python: those by name, and the others as `args`."""
    named, others = member(arguments, "kwargs"), member(arguments, "args")
    if not isinstance(named, dict) or not isinstance(others, list):
        return arguments
    return {**named, "args": others} if others else named


def _first(attributes: Fields, keys: tuple[str, ...]) -> Json:
    if attributes.keys().isdisjoint(keys):  # As most are, which one look tells.
        return None
    for key in keys:
        value = attributes.get(key)
        if value is not None:
            return value
    return None
