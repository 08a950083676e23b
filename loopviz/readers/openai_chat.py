"""Chat messages of OpenAI's API: a bare list of them, a message or a list a line, or wrapped as `{messages, …}`, a
document or a line a run. Whatever speaks to a model through this API keeps such files: editors, proxies, training sets.

An assistant's message is a turn; see `loopviz.readers.chat` for its calls and their results. A wrapper may hold the
answer to its messages as `response`: it is a turn, unless the messages end with it; such requests that repeat each
other are one run, as `loopviz.readers.exchanges` tells it. Messages that stand alone are one run, or one for each
`session_id` or `conversation_id` that they name.

Tokens and cost are those of the wrapper's `response`, and of messages that state their own `usage`, once a message;
where there are none, those that the wrapper states for the whole run. Input includes what was read from the cache. Tool
schemas are left out. There is no error flag. An outcome is what a wrapper calls `resolved` or `success`; a `reward` or
`score` is shown and not judged.

The older `function_call`, messages a line, and calls that are spelled in texts were never seen in real files.
"""

from __future__ import annotations

from loopviz.model import GraderResult, Json, Loaded
from loopviz.readers import chat
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.exchanges import Exchanges
from loopviz.readers.fields import amount, count, flag, member, name, number, text
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, inside, is_list
from loopviz.readers.telling import Telling

_NAMES = ("id", "run_id", "conversation_id", "session_id", "thread_id", "trace_id", "instance_id", "task_id")
"""Members of a wrapper that may name its run."""
_TOKENS = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))
_SESSIONS = ("session_id", "conversation_id")


def sniff(head: Head) -> float:
    """How surely a file holds chat messages; many formats have a role and a content, so it is never very sure."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    if not is_list(record, "messages"):
        return chat.score(record)
    score = chat.score(first(record, "messages"))
    if score and (is_list(inside(record, "response"), "choices") or "tools" in record):
        return 0.7
    return score


def read(file: Opened) -> Loaded:
    """Read the conversations of a file, each a run."""
    reading = Reading(file)
    exchanges = Exchanges(reading, chat.DIALECT)
    for document in reading.documents():
        if document.has_list("response", "choices") and document.has_list("messages"):
            _tell_exchange(exchanges, document)
        elif document.member("messages") is not None or not document.keys() & {"role", "content"}:
            _tell_whole(reading, document)
        elif (message := document.object(reading.problems, "message")) is not None:
            _tell_bare(reading, document, message)
    exchanges.finish()
    return reading.loaded()


READER = Reader(
    name="openai.chat",
    sniff=sniff,
    read=read,
    title="Messages of OpenAI's chat API, bare or wrapped",
    found="what an editor, a proxy or a program of one's own keeps",
)


def path_to_messages(document: Node) -> tuple[str, ...]:
    """The path of keys to the messages of a record, which may be a list of them itself."""
    return () if document.has_list() else ("messages",)


def state_wrapping(run: Telling, document: Node) -> None:
    """What a wrapper of messages says of its run: its name, its model and how it ended."""
    keys, facts = document.keys(), run.facts
    names = (found for key in _NAMES if key in keys and (found := name(document.get(key))))
    facts.run = facts.run or next(names, None)
    facts.model = facts.model or text(document.get("model"))
    for key in ("resolved", "success"):
        if facts.outcome is None:
            facts.outcome = flag(document.get(key))
    for key in ("reward", "score"):
        score = number(document.get(key))
        if score is not None and facts.grade is None:
            facts.grade = GraderResult(name=key, type=None, passed=None, score=score)
    if "response" not in keys:
        facts.total_tokens = _total(document.get("usage"))
        facts.total_cost = amount(document.get("cost"))
    if "tools" in keys:
        run.leave_out("list of tools", "lists of tools")


def _total(usage: Json) -> int | None:
    """What a whole run used: input and output."""
    given = ((member(usage, first), member(usage, other)) for first, other in _TOKENS)
    counted = [found for pair in given if (found := next(filter(None, map(count, pair)), None)) is not None]
    return sum(counted) or None


def _tell_bare(reading: Reading, node: Node, message: chat.Message) -> None:
    session = next((found for key in _SESSIONS if (found := name(message.get(key)))), None)
    run = reading.run(key=session or "", noun="message")
    run.facts.run = session
    run.at(node, message.get("timestamp"))
    _tell_message(run, message)


def _tell_whole(reading: Reading, document: Node) -> None:
    run = reading.run(document, noun="message")
    for message in run.each(document, *path_to_messages(document), time="timestamp"):
        _tell_message(run, message)
    state_wrapping(run, document)


def _tell_exchange(exchanges: Exchanges, document: Node) -> None:
    """Tell a request that is kept together with its response, and perhaps with those before it."""
    run = exchanges.ask(document.elements("messages"))
    place, response = document.member("response"), document.get("response")
    if place is not None:
        exchanges.answer(place, response, time=document.get("timestamp"), cost=document.get("cost"))
    state_wrapping(run, document)
    run.facts.model = run.facts.model or text(member(response, "model"))


def _tell_message(run: Telling, message: chat.Message) -> None:
    chat.tell(run, message)
    if isinstance(message.get("usage"), dict):
        chat.tell_usage(run, message["usage"], cost=message.get("cost"), model=message.get("model"))
