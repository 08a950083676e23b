"""Gemini CLI: the sessions that it records, and histories as `/chat save` and reports of bugs hold them.

A session is a document, or, in newer builds, lines: its head, then a message each, written anew with the same id when
it has grown, of which the last counts. A message of the model is a turn; the result stands inside the call. What the
user took back by a rewind did happen and stays. A history is a list of contents in the form of Gemini's API; what the
model says between two contents of the user is one turn, and a result belongs to the call of its id, or else the first
of its name that has no id, that the turn before asked for.

A result is the `output` or the `error` of a response, else all of it; with an `error`, or the status `error` or
`cancelled`, the call failed. Tokens are those of a session's messages, once a message: input holds what was read from
the cache and what tools put in, output holds the thoughts. Histories record neither tokens nor times. `resultDisplay`,
which repeats a result for the screen, is left out.

Sessions as lines were never seen in real files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.contents import texts_in
from loopviz.readers.fields import count, member, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.pairing import NO_CALL
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, is_list
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT, Telling

Fields = dict[str, Json]

_MODEL = ("gemini", "model")
_FAILED = ("error", "cancelled")
_WRAPPED = ("history", "context", "contents")
"""Members under which a document keeps a history."""
_PARTS = frozenset(("text", "functionCall", "functionResponse", "inlineData", "fileData", "thought"))
_CONTEXT = ("<session_context>", "This is the Gemini CLI. We are setting up the context")
"""What Gemini CLI says in the user's name when a session begins."""
_SNAPSHOT = "<state_snapshot>"
_MASKED = "<tool_output_masked>"


def sniff_session(head: Head) -> float:
    """How surely a file holds sessions of Gemini CLI."""
    return best(head, _score_session)


def _score_session(record: Peeked) -> float:
    if peeked_text(record, "sessionId") and peeked_text(record, "projectHash"):
        return 1.0
    return 0.8 if peeked_text(record, "type") == "gemini" and ("toolCalls" in record or "tokens" in record) else 0.0


def sniff_history(head: Head) -> float:
    """How surely a file holds contents of Gemini's API."""
    return best(head, _score_history)


def _score_history(record: Peeked) -> float:
    return max(_score_content(record), *(_score_content(first(record, key)) for key in _WRAPPED))


def _score_content(record: Peeked) -> float:
    if peeked_text(record, "role") not in ("user", "model") or not is_list(record, "parts"):
        return 0.0
    return 0.9 if first(record, "parts").keys() & _PARTS else 0.0


def read_session(file: Opened) -> Loaded:
    """Read the sessions of a file, documents or lines."""
    reading = Reading(file)
    lines = _Lines(reading)
    for node in reading.documents():
        if node.line is None or node.has_list("messages"):
            run = reading.run(node, noun="message")
            run.facts.run = text(node.get("sessionId"))
            for message in run.each(node, "messages", time="timestamp"):
                _tell_message(run, message)
        else:
            lines.take(node)
    lines.tell()
    return reading.loaded()


def read_history(file: Opened) -> Loaded:
    """Read the histories of a file: one that is the file's list, or several wrapped in documents."""
    reading = Reading(file)
    bare: _History | None = None
    for node in reading.documents():
        keys = node.keys()
        if "parts" in keys or "role" in keys:
            bare = bare or _History(reading.run(noun="content"))
            value = node.object(reading.problems, "content")
            if value is not None:
                bare.run.at(node)
                bare.take(value)
        elif wrapper := next((key for key in _WRAPPED if node.has_list(key)), None):
            history = _History(reading.run(node, noun="content"))
            history.run.facts.error = text(node.get("error", "message"))
            for content in history.run.each(node, wrapper):
                history.take(content)
        else:
            message = "This holds no contents of Gemini's API: it has neither `parts` nor `history`; it is left out."
            reading.problems.add(node.where("record"), message)
    return reading.loaded()


SESSION = Reader(
    name="gemini.session",
    sniff=sniff_session,
    read=read_session,
    title="Gemini CLI sessions",
    found="`~/.gemini/tmp/<project>/chats/session-<time>-<id>.json`, or `.jsonl`",
)
HISTORY = Reader(
    name="gemini.history",
    sniff=sniff_history,
    read=read_history,
    title="Gemini CLI histories, contents of Gemini's API",
    found="`~/.gemini/tmp/<project>/checkpoint-<tag>.json` of `/chat save`",
)


class _Lines:
    """A session that is written as lines, until the file or the next session's head ends it."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._session: str | None = None
        self._messages: list[Node] = []
        self._by_id: dict[str, int] = {}

    def take(self, node: Node) -> None:
        """Take a line: the head of a session, a message, or a change to the session."""
        session, message = text(node.get("sessionId")), name(node.get("id"))
        if session is not None:
            if session != self._session:
                self.tell()
            self._session = session
        elif message is not None and message in self._by_id:
            self._messages[self._by_id[message]] = node
            self._reading.leave_out("earlier state of a message", "earlier states of messages")
        elif {"type", "$rewindTo"} & node.keys():
            if message is not None:
                self._by_id[message] = len(self._messages)
            self._messages.append(node)
        else:
            self._reading.leave_out("line that says nothing of the run", "lines that say nothing of the run")

    def tell(self) -> None:
        """Tell the session, and begin anew."""
        if self._session is not None or self._messages:
            run = self._reading.run(noun="message")
            run.facts.run = self._session
            for node in self._messages:
                message = node.object(run.problems, "message")
                if message is not None:
                    run.at(node, message.get("timestamp"))
                    _tell_message(run, message)
        self._session, self._messages, self._by_id = None, [], {}


def _tell_message(run: Telling, message: Fields) -> None:
    kind, said = message.get("type"), _said(message)
    if "$rewindTo" in message:
        run.say("cut", "The user went back to an earlier message.")
    elif kind == "user":
        _tell_request(run, said)
        _leave_out_media(run, _objects(message.get("content")))
    elif kind in _MODEL:
        run.turn(response=message.get("id"))
        for thought in _objects(message.get("thoughts")):
            run.say(
                "reasoning", "\n".join(filter(None, (text(thought.get("subject")), text(thought.get("description")))))
            )
        run.say("assistant", said)
        _tell_tokens(run, message)
        for call in _objects(message.get("toolCalls")):
            _tell_call(run, call)
    else:
        run.say("error" if kind == "error" else "system", said)


def _said(message: Fields) -> str:
    return texts_in(message.get("content") or message.get("parts"))


def _tell_request(run: Telling, said: str) -> None:
    """What stands in the user's name, which is not always the user's."""
    if said.startswith(_SNAPSHOT):
        run.say("compaction", said)
    else:
        run.say("system" if said.startswith(_CONTEXT) else "user", said)


def _leave_out_media(run: Telling, parts: list[Fields]) -> None:
    run.leave_out("image or file", "images or files", sum(_block(part) is not None for part in parts))


def _tell_call(run: Telling, call: Fields) -> None:
    number = run.call(call.get("name"), call.get("args", ABSENT), id=call.get("id"), time=call.get("timestamp"))
    has_failed = call.get("status") in _FAILED
    answers = list(_answers(_objects(call.get("result"))))
    for answer in answers:
        _tell_answer(run, answer, of=number, failed=has_failed)
    if not answers and (has_failed or "result" in call):
        run.result(call.get("result", ABSENT), of=number, failed=has_failed)


def _tell_tokens(run: Telling, message: Fields) -> None:
    tokens = message.get("tokens")
    run.use(
        input=_together(tokens, "input", "tool"),
        output=_together(tokens, "output", "thoughts"),
        cache_read=member(tokens, "cached"),
        model=message.get("model"),
    )


def _together(tokens: Json, main: str, more: str) -> int | None:
    counted = count(member(tokens, main))
    return None if counted is None else counted + (count(member(tokens, more)) or 0)


class _Answer(NamedTuple):
    """What a tool answered: the response to a call, and the images after it."""

    response: Fields
    media: list[Fields]


def _answers(parts: list[Fields]) -> Iterator[_Answer]:
    answer: _Answer | None = None
    for part in parts:
        response = part.get("functionResponse")
        if isinstance(response, dict):
            if answer is not None:
                yield answer
            answer = _Answer(response, [block for own in _objects(response.get("parts")) if (block := _block(own))])
        elif answer is not None and (block := _block(part)):
            answer.media.append(block)
    if answer is not None:
        yield answer


def _block(part: Fields) -> Fields | None:
    """An image, or a file of another sort, as a content block."""
    data = part.get("inlineData") or part.get("fileData")
    if not isinstance(data, dict):
        return None
    kind = str(data.get("mimeType")).partition("/")[0]
    return {"type": kind if kind in ("image", "audio", "video") else "document", "data": data}


def _tell_answer(run: Telling, answer: _Answer, *, of: int, failed: bool = False) -> None:
    response = answer.response.get("response", ABSENT)
    is_error = member(response, "error") is not None
    content = response
    if isinstance(response, dict):
        content = response.get("output", response["error"] if is_error else response)
    if isinstance(content, str):
        if content.startswith(_MASKED):
            run.say("cut", "Gemini CLI took most of a result out of the history.")
        if answer.media:
            content = [{"type": "text", "text": content}, *answer.media]
    elif answer.media:
        run.leave_out("image or file", "images or files", len(answer.media))
    run.result(
        content, id=answer.response.get("id"), of=of, tool=answer.response.get("name"), failed=failed or is_error
    )


class _Asked(NamedTuple):
    """A call that waits for its result."""

    number: int
    id: Json
    tool: Json


class _History:
    """A history while it is told."""

    def __init__(self, run: Telling) -> None:
        self.run = run
        self._is_speaking = False
        """Between what the model says first and the next content of the user."""
        self._asked: list[_Asked] = []

    def take(self, content: Fields) -> None:
        """Tell the next content."""
        parts = _objects(content.get("parts"))
        is_made = content.get("role") == "model"
        if is_made and not self._is_speaking:
            self.run.turn()
            self._asked.clear()
        self._is_speaking = is_made
        for part in parts:
            if is_made:
                self._tell_made(part)
            elif "text" in part:
                _tell_request(self.run, texts_in([part]))
        answers = list(_answers(parts))
        for answer in answers:
            _tell_answer(self.run, answer, of=self._call_of(answer.response))
        if not answers:
            _leave_out_media(self.run, parts)

    def _tell_made(self, part: Fields) -> None:
        call = part.get("functionCall")
        if isinstance(call, dict):
            number = self.run.call(call.get("name"), call.get("args", ABSENT), id=call.get("id"))
            self._asked.append(_Asked(number, call.get("id"), call.get("name")))
        elif "text" in part:
            self.run.say("reasoning" if part.get("thought") is True else "assistant", part.get("text"))
        elif "functionResponse" not in part and _block(part) is None:
            self.run.leave_out("part of another sort", "parts of another sort")

    def _call_of(self, response: Fields) -> int:
        """The call of the open turn that a response answers: that of its id, else the first of its name without one.

        Gemini CLI makes up an id for the response where the call that it answers has none.
        """
        own, tool = response.get("id"), response.get("name")
        if own is not None and (asked := next((asked for asked in self._asked if asked.id == own), None)):
            self._asked.remove(asked)
            return asked.number
        for asked in self._asked:
            if asked.tool == tool and None in (own, asked.id):
                self._asked.remove(asked)
                return asked.number
        return NO_CALL


def _objects(value: Json) -> list[Fields]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
