"""Codex sessions: the rollout files that Codex CLI and its extensions keep, the older ones without `payload`, and the
documents of its first versions, with `session` and `items`.

A turn is one response of the model: its thoughts, messages and calls up to the first result, the next request, or the
count of tokens that the response ends with. Calls that stand before any of these are parallel.

Calls are the items that the model was sent and sent itself: of functions, custom tools, the local shell, searches for
the web and for tools, and pictures. The events that repeat them are not read, but for whether a call failed. A search
of the web has no result in the file: it is unknown. A result that is JSON with `output` and `metadata`, or begins with
lines on exit code and time, is its output alone, for the time would make equal results differ; a call failed where the
exit code is not 0.

Tokens are those of the `token_count` events, once a response: one that repeats the totals of the one before says
nothing new. Input includes what was read from the cache.

A file is one run, named for its first session: the others that a fork or a resumed session holds are its past. What a
compaction puts in the place of the history is not read again. Files without `payload`, those with `tool_call` and
`tool_result`, and the documents were never seen; they follow descriptions.
"""

from __future__ import annotations

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.codex.results import bare_result
from loopviz.readers.contents import texts_in
from loopviz.readers.decoding import decode_text
from loopviz.readers.fields import member, name, text, whole
from loopviz.readers.growing import Lines, read_lines
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, inside, is_list, is_object
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT

Item = dict[str, Json]

_SURE = frozenset(("session_meta", "response_item", "turn_context", "event_msg", "compacted"))
_HEADER = frozenset(("id", "timestamp", "instructions"))
_SAYS_NOTHING = ("line that says nothing of the run", "lines that say nothing of the run")
_BEGINNINGS = ("task_started", "turn_started", "user_message")
_ENDS = ("task_complete", "turn_complete", "turn_aborted")
_NOT_ASKED = (
    "# AGENTS.md instructions", "<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>",
    "<user_shell_command>", "<skill>", "<subagent_notification>", "<permissions instructions>",
)  # fmt: skip
"""How texts begin that stand in a user's message and are not what a person asked for."""


def sniff(head: Head) -> float:
    """How surely a file is a rollout of Codex."""
    return best(head, _score)


def sniff_document(head: Head) -> float:
    """How surely a file is a document of Codex's first versions."""
    return best(
        head, lambda record: 1.0 if _HEADER & inside(record, "session").keys() and is_list(record, "items") else 0
    )


def _score(record: Peeked) -> float:
    if is_object(record, "payload"):
        return 1.0 if peeked_text(record, "type") in _SURE else 0.0
    if "type" in record or "role" in record:
        return 0.0
    return 1.0 if "record_type" in record or record.keys() >= _HEADER else 0.0


def read(file: Opened) -> Loaded:
    """Read the run of a file."""
    return read_lines(file, _Session)


def read_document(file: Opened) -> Loaded:
    """Read the session of a document."""
    reading = Reading(file)
    for document in reading.documents():
        rollout = _Rollout(reading, document)
        rollout.run.facts.run = name(document.get("session", "id"))
        for item in rollout.run.each(document, "items", time="timestamp"):
            rollout.take(item)
    return reading.loaded()


ROLLOUT = Reader(
    name="codex.rollout",
    sniff=sniff,
    read=read,
    title="Codex sessions",
    found="`~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<session>.jsonl`",
    lines=lambda reading: _Session(reading),
)


DOCUMENT = Reader(
    name="codex.document",
    sniff=sniff_document,
    read=read_document,
    title="Codex sessions of its first versions",
    found="`~/.codex/sessions/rollout-<date>-<session>.json`",
)


class _Session(Lines):
    """The lines of a session; a task that ended is its end until another begins."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._rollout = _Rollout(reading)

    def take(self, node: Node, line: Item) -> None:
        """Take the next line of the file."""
        kind = member(line, "payload", "type")
        if kind in _ENDS:
            self.ended = True
        elif line.get("type") != "event_msg" or kind in _BEGINNINGS:
            self.ended = False
        self._rollout.run.at(node, line.get("timestamp"))
        self._rollout.take(line)


class _Rollout:
    """A session while its lines are taken."""

    def __init__(self, reading: Reading, whole: Node | None = None) -> None:
        self.reading = reading
        self.run = reading.run(whole, noun="item")
        self._is_in_turn = False
        self._model: Json = None
        self._totals: Json = None
        """The count of tokens at the end of the response before."""
        self._failed: set[str] = set()
        """Calls that an event says failed, whose result has not come."""

    def take(self, line: Item) -> None:
        """Take the next line."""
        payload = line.get("payload")
        if not isinstance(payload, dict):
            self._take_bare(line)
            return
        match line.get("type"):
            case "response_item":
                self._take_item(payload)
            case "event_msg":
                self._take_event(payload)
            case "session_meta":
                self._take_session(payload)
            case "turn_context":
                self._model = payload.get("model") or self._model
                self.run.facts.model = self.run.facts.model or text(self._model)
            case "compacted":
                self._end_turn()
                self.run.say("compaction", text(payload.get("message")) or "The context was compacted.")
                history = payload.get("replacement_history")
                repeated = len(history) if isinstance(history, list) else 0
                self.run.leave_out("item that a compaction repeats", "items that compactions repeat", repeated)
            case _:
                self.run.leave_out(*_SAYS_NOTHING)

    def _take_bare(self, line: Item) -> None:
        """A line of an old file: an item by itself, or what is known of the session."""
        if "type" in line:
            self._take_item(line)
        elif line.keys() >= _HEADER:
            self._take_session(line)
        else:
            self.run.leave_out(*_SAYS_NOTHING)

    def _take_session(self, session: Item) -> None:
        facts = self.run.facts
        facts.run = facts.run or name(session.get("id")) or name(session.get("session_id"))

    def _take_item(self, item: Item) -> None:
        kind = item.get("type")
        match kind:
            case "message":
                self._take_message(item)
            case "reasoning":
                self._begin_turn()
                said = _thought(item.get("summary")) or _thought(item.get("content"))
                self.run.say("reasoning", said)
                if not said and item.get("encrypted_content") is not None:
                    self.run.leave_out("encrypted thought", "encrypted thoughts")
            case "agent_message":
                self.run.say("agent", texts_in(item.get("content")))
            case "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call" | "tool_call":
                self._begin_turn()
                tool, arguments = _called(item)
                # Codex refuses a function whose arguments are no JSON.
                is_sound = kind != "function_call" or not (isinstance(arguments, str) and arguments[:1] == "{")
                self.run.call(tool, arguments, id=_call_id(item), executed=is_sound)
            case "web_search_call":
                self._begin_turn()
                action = item.get("action", ABSENT)
                is_known = action not in (None, ABSENT)
                call = self.run.call("web_search", action, id=item.get("call_id"), known=is_known)
                self.run.result(of=call, known=False, failed=item.get("status") == "failed")
            case "image_generation_call":
                self._begin_turn()
                prompt = item.get("revised_prompt")
                call = self.run.call("image_generation", {"prompt": prompt}, known=prompt is not None)
                if item.get("result") is not None:
                    self.run.result([{"type": "image", "data": item["result"]}], of=call)
            case "function_call_output" | "custom_tool_call_output" | "tool_search_output" | "tool_result":
                self._end_turn()
                self._take_result(item)
            case _:
                self.run.leave_out(*_SAYS_NOTHING)

    def _take_message(self, message: Item) -> None:
        said = texts_in(message.get("content"))
        if message.get("role") == "assistant":
            self._begin_turn()
            self.run.say("assistant", said)
            return
        self._end_turn()
        self.run.leave_out_media(message.get("content"))
        is_asked = message.get("role") == "user" and not said.startswith(_NOT_ASKED)
        self.run.say("user" if is_asked else "system", said)

    def _take_result(self, item: Item) -> None:
        content = item.get("output", item.get("tools", item.get("content", item.get("result", ABSENT))))
        call_id = name(_call_id(item)) or ""
        result = bare_result(content)
        if result.was_wrapped:
            self.reading.count(
                "result without its exit code and time, which its output does not hold.",
                "results without their exit code and time, which would make equal outputs differ.",
            )
        failed = result.failed or call_id in self._failed
        self.run.result(result.content, id=_call_id(item), failed=failed)
        self._failed.discard(call_id)

    def _take_event(self, event: Item) -> None:
        match event.get("type"):
            case "token_count":
                self._take_tokens(event.get("info"))
            case "task_started" | "turn_started":
                self._end_turn()
            case "task_complete" | "turn_complete":
                self._end_turn()
                self.run.facts.end_reason = "complete"
                if (error := text(member(event, "error", "message"))) is not None:
                    self.run.say("error", error)
                    self.run.facts.end_reason = "error"
            case "turn_aborted":
                self._end_turn()
                self.run.facts.end_reason = text(event.get("reason")) or "aborted"
                self.run.say("error", f"The turn was aborted: {self.run.facts.end_reason}.")
            case "error" | "stream_error":
                self.run.say("error", event.get("message"))
            case "exec_command_end" if whole(event.get("exit_code")) not in (0, None):
                self._failed.add(name(event.get("call_id")) or "")
            case "patch_apply_end" if event.get("success") is False:
                self._failed.add(name(event.get("call_id")) or "")
            case "mcp_tool_call_end" if _has_failed(event.get("result")):
                self._failed.add(name(event.get("call_id")) or "")
            case _:
                self.run.leave_out("event that repeats an item", "events that repeat items or say nothing of the run")

    def _take_tokens(self, info: Json) -> None:
        totals, last = member(info, "total_token_usage"), member(info, "last_token_usage")
        if not isinstance(last, dict) or (totals is not None and totals == self._totals):
            return
        self._totals = totals
        self.run.use(
            input=last.get("input_tokens"),
            output=last.get("output_tokens"),
            cache_read=last.get("cached_input_tokens"),
            model=self._model,
        )
        self._end_turn()

    def _begin_turn(self) -> None:
        if not self._is_in_turn:
            self.run.turn()
            self._is_in_turn = True

    def _end_turn(self) -> None:
        self._is_in_turn = False


def _called(item: Item) -> tuple[Json, Json]:
    """The tool that is called, and its arguments."""
    match item.get("type"):
        case "local_shell_call":
            return "local_shell", item.get("action", ABSENT)
        case "tool_search_call":
            return "tool_search", item.get("arguments", ABSENT)
        case "custom_tool_call":
            return item.get("name"), item.get("input", ABSENT)
    tool = item.get("name") or item.get("tool")
    namespace = text(item.get("namespace"))
    named = f"{namespace}.{tool}" if namespace is not None and isinstance(tool, str) else tool
    arguments = item.get("arguments", ABSENT)
    return named, decode_text(arguments) if isinstance(arguments, str) else arguments


def _call_id(item: Item) -> Json:
    """The id of a call; that of the item is another, but for the oldest items, which have no other."""
    if item.get("call_id") or item.get("type") not in ("local_shell_call", "tool_call", "tool_result"):
        return item.get("call_id")
    return item.get("id")


def _thought(parts: Json) -> str:
    texts = (text(member(part, "text")) for part in (parts if isinstance(parts, list) else ()))
    return "\n".join(filter(None, texts))


def _has_failed(result: Json) -> bool:
    """Whether the result of an MCP tool is an error."""
    return isinstance(result, dict) and ("Err" in result or member(result, "Ok", "isError") is True)
