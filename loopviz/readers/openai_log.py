"""Logs of requests to OpenAI's chat API: lines `{type: request, request_params: {messages}}` and `{type: response}`.

Each request repeats all that was said before it, and is told once: see `loopviz.readers.exchanges`. Calls and results
are those of `loopviz.readers.chat`. Tokens and cost are those of each response, once.
"""

from __future__ import annotations

from loopviz.model import Loaded
from loopviz.readers import chat
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.exchanges import Exchanges
from loopviz.readers.fields import text
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, inside, is_list
from loopviz.readers.sniffing import text as peeked_text

_REQUESTS = ("request_params", "request")


def sniff(head: Head) -> float:
    """How surely a file is a log of requests."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    is_answer = is_list(inside(record, "response"), "choices")
    for key in _REQUESTS:
        asked = inside(record, key)
        if is_list(asked, "messages"):
            is_chat = chat.score(first(asked, "messages")) > 0 or asked["messages"][:2] == b"[]"
            return 0.9 if is_chat and (is_answer or "response" not in record) else 0.2
    return 0.8 if is_answer and peeked_text(record, "type") == "response" and "messages" not in record else 0.0


def read(file: Opened) -> Loaded:
    """Read the conversations in a log, each a run."""
    reading = Reading(file)
    exchanges = Exchanges(reading, chat.DIALECT)
    for line in reading.documents():
        request = next((key for key in _REQUESTS if line.has_list(key, "messages")), None)
        time = line.get("timestamp")
        if request is not None:
            run = exchanges.ask(line.elements(request, "messages"), time)
            run.facts.model = run.facts.model or text(line.get(request, "model"))
        if response := line.member("response"):
            exchanges.answer(response, line.get("response"), time=time, cost=line.get("cost"))
        elif request is None:
            reading.leave_out("line of another sort", "lines of other sorts")
    exchanges.finish()
    return reading.loaded()


READER = Reader(
    name="openai.log",
    sniff=sniff,
    read=read,
    title="Logs of requests to OpenAI's chat API",
    found="what a program or a proxy logs, `llm_interactions/` of some forks of SWE-agent",
)
