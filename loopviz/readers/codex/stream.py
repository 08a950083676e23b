"""What `codex exec --json` prints: the events of one thread, or of several one after the other.

The stream does not say where a response of the model begins. Calls that begin before any of them has ended are one
turn; one that begins after that is of the next.

A call is an item: a command, a tool of MCP or of another agent, a change of files, a search of the web, and each new
state of the to-do list. What a change put into its files is not in the stream, only which files: its arguments count as
unknown, and so do the results of changes, searches and lists. What a search looks for stands where it ends.

Tokens are known for the run as a whole, from its last `turn.completed`, which counts from the thread's beginning.
Whether the task was solved is not recorded. Only a short file written by hand was seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.fields import count, member, name, text, whole
from loopviz.readers.growing import Lines, read_lines
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, is_object
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT, Telling

Item = dict[str, Json]
Moment = tuple[Node, Json]
"""Where in the file, and when."""

_SPEECH = {
    "agent_message": "assistant", "assistant_message": "assistant", "plan": "assistant", "reasoning": "reasoning",
    "error": "error",
}  # fmt: skip
_NEVER_ANSWERED = frozenset(("file_change", "web_search", "todo_list"))
_FAILED = ("failed", "declined")


def sniff(head: Head) -> float:
    """How surely a file is a stream of `codex exec`."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    kind = peeked_text(record, "type")
    if kind == "thread.started":
        return 1.0 if "thread_id" in record else 0.6
    if kind in ("item.started", "item.updated", "item.completed"):
        return 0.9 if is_object(record, "item") else 0.0
    return 0.6 if kind in ("turn.started", "turn.completed", "turn.failed") else 0.0


def read(file: Opened) -> Loaded:
    """Read the threads of a file."""
    return read_lines(file, _Threads)


STREAM = Reader(
    name="codex.exec",
    sniff=sniff,
    read=read,
    title="What Codex prints as JSON",
    found="printed by `codex exec --json`",
    lines=lambda reading: _Threads(reading),
)


class _Threads(Lines):
    """The threads of a file while its events are taken."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._threads: dict[str, _Thread] = {}
        self._known_as = ""

    def take(self, node: Node, line: Item) -> None:
        """Take the next event of the file."""
        kind = line.get("type")
        self.ended = kind in ("turn.completed", "turn.failed")
        if kind in ("thread.started", "session.created"):
            self._known_as = name(line.get("thread_id")) or name(line.get("session_id")) or ""
        thread = self._threads.get(self._known_as)
        if thread is None:
            thread = self._threads[self._known_as] = _Thread(self.reading.run())
            thread.run.facts.run = self._known_as or None
        thread.at(node, line.get("timestamp"))
        thread.take(line)

    def end(self) -> None:
        """Tell the searches that did not end."""
        for thread in self._threads.values():
            thread.settle()

    @contextmanager
    def as_ended(self) -> Iterator[None]:
        """The threads as they are if the file ends here."""
        marks = [
            (thread, thread.run.mark(), thread.is_in_turn, dict(thread.searching))
            for thread in self._threads.values()
            if thread.searching
        ]
        self.end()
        yield
        for thread, mark, is_in_turn, searching in marks:
            thread.run.rewind(mark)
            thread.is_in_turn, thread.searching = is_in_turn, searching


@dataclass(slots=True)
class _Thread:
    """A thread while its events are taken."""

    run: Telling
    running: dict[str, int] = field(default_factory=dict)
    """Numbers of the calls that have not ended, by the ids of their items."""
    is_in_turn: bool = False
    """None of the turn's calls has ended."""
    here: Moment | None = None
    searching: dict[str, tuple[Moment | None, Item]] = field(default_factory=dict)
    """Searches that began and have not ended, by the ids of their items; what is looked for stands at the end."""

    def at(self, node: Node, time: Json) -> None:
        """What is taken from now on stands here."""
        self.here = node, time
        self.run.at(node, time)

    def settle(self) -> None:
        """Tell the searches that did not end."""
        for moment, item in self.searching.values():
            if moment is not None:
                self.run.at(*moment)
            self._call("web_search", item)
        self.searching.clear()

    def take(self, event: Item) -> None:
        """Take the next event."""
        kind, facts = text(event.get("type")) or "", self.run.facts
        item = event.get("item")
        if isinstance(item, dict):
            self._take_item(kind, text(item.get("type")) or text(item.get("item_type")) or "", item)
            return
        match kind:
            case "turn.completed":
                facts.end_reason = "complete"
                facts.total_tokens = _total(event.get("usage"))
            case "turn.failed" | "error":
                message = text(member(event, "error", "message")) or text(event.get("message")) or "An error."
                self.run.say("error", message)
                facts.end_reason, facts.status = "error", "error"
            case "thread.started" | "turn.started" | "session.created":
                pass
            case _:
                self.run.leave_out("event that says nothing of the run", "events that say nothing of the run")

    def _take_item(self, event: str, kind: str, item: Item) -> None:
        is_over = event == "item.completed"
        if kind in _SPEECH:
            if is_over:
                self.run.say(_SPEECH[kind], item.get("text") or item.get("message"))
        elif kind == "todo_list":
            if not is_over:
                self._call(kind, item)
        elif event != "item.updated":
            known_as = name(item.get("id")) or ""
            if kind == "web_search" and not is_over and known_as and not text(item.get("query")):
                self.searching[known_as] = self.here, item
                return
            self.searching.pop(known_as, None)
            call = self.running.pop(known_as, None) if is_over else None
            if call is None:
                call = self._call(kind, item)
            if is_over:
                self._answer(call, kind, item)
                self.is_in_turn = False
            elif known_as:
                self.running[known_as] = call

    def _call(self, kind: str, item: Item) -> int:
        if not self.is_in_turn:
            self.run.turn()
            self.is_in_turn = True
        tool, arguments = _called(kind, item)
        is_known = kind != "file_change" and (kind != "web_search" or text(item.get("query")) is not None)
        call = self.run.call(tool, arguments, id=item.get("id"), known=is_known)
        if kind in _NEVER_ANSWERED:
            self.run.result(of=call, known=False, failed=item.get("status") in _FAILED)
        return call

    def _answer(self, call: int, kind: str, item: Item) -> None:
        if kind in _NEVER_ANSWERED:
            return
        failed = (
            item.get("status") in _FAILED
            or whole(item.get("exit_code")) not in (0, None)
            or item.get("error") is not None
        )
        self.run.result(_answered(item), of=call, failed=failed)


def _called(kind: str, item: Item) -> tuple[Json, Json]:
    """The tool that an item is a call of, and its arguments."""
    match kind:
        case "command_execution":
            return kind, {"command": item.get("command")}
        case "mcp_tool_call":
            tool, server = item.get("tool"), text(item.get("server"))
            named = f"{server}.{tool}" if server is not None and isinstance(tool, str) else tool
            return named, item.get("arguments", ABSENT)
        case "file_change":
            return kind, {"changes": item.get("changes")}
        case "web_search":
            return kind, {"query": item.get("query")}
        case "todo_list":
            return kind, {"items": item.get("items")}
        case "collab_tool_call":
            return item.get("tool"), {key: item.get(key) for key in ("prompt", "receiver_thread_ids")}
        case _:
            return kind or None, {key: value for key, value in item.items() if key not in ("id", "type", "status")}


def _answered(item: Item) -> Json:
    error = item.get("error")
    if error is not None:
        return text(member(error, "message")) or error
    if "result" in item:
        content = member(item["result"], "content")
        return item["result"] if content is None else content
    return item.get("aggregated_output", item.get("agents_states", ABSENT))


def _total(usage: Json) -> int | None:
    known = [tokens for key in ("input_tokens", "output_tokens") if (tokens := count(member(usage, key))) is not None]
    return sum(known) if known else None
