"""Requests to a model and their responses, one after the other: each request repeats all that was said before it.

What is told is what is new in a request. A conversation is known by its messages up to the first of the user, so
several may stand in one file; one that goes back to fewer messages and says nothing new begins another run. Messages
that were shortened or replaced since they were told count as told.

A response is a turn. The message of the next request that repeats it is left out; calls of the response that are
missing there could not be parsed and never ran. When a request is sent again word for word, the response to the first
one was not used: it is left out, and its tokens are counted. Where no response is kept, the assistant's messages in the
next request are the turns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import takewhile

from loopviz.model import Json
from loopviz.readers.decoding import spell
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.telling import Telling

Message = dict[str, Json]
Called = tuple[Json, Json]
"""Tool and id of a call."""

_DIGEST_BYTES = 16
_UNUSED = ("response that was not used", "responses that were not used")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How the messages of an API are told."""

    tell: Callable[[Telling, Message], None]
    """Tells a message of a request."""
    tell_answer: Callable[[Telling, Message, Collection[Called] | None], None]
    """Tells a message of the model, in the turn that is open; of its calls only those ran that are given, if any are.
    """
    tell_tokens: Callable[[Telling, Json, Json], None]
    """Tells what a response used, and its cost."""
    answer: Callable[[Json], Message | None]
    """The message in a response."""
    calls: Callable[[Message], list[Called]]
    """The calls that a message of the model asks for."""
    answers: Callable[[Message], Json]
    """Ids of the calls that a message answers."""
    said: Callable[[Message], Json]
    """All that a message says but for hints to caches, which come and go."""


class Exchanges:
    """The conversations of a file, and the one that the next response belongs to."""

    def __init__(self, reading: Reading, dialect: Dialect) -> None:
        self._reading = reading
        self._dialect = dialect
        self._conversations: list[_Conversation] = []
        self._open: dict[bytes, _Conversation] = {}
        self._current: _Conversation | None = None
        self._known: dict[bytes, _Meant] = {}
        """The messages of the last request, by their bytes: nearly all of them come again in the next one."""

    def ask(self, messages: Iterator[Node], time: Json = None) -> Telling:
        """Take the messages of a request; the run that they belong to."""
        said = [_Said(node, meant) for node in messages if (meant := self._meant(node)) is not None]
        self._known = {one.node.raw: one.meant for one in said}
        meanings = [one.meant.digest for one in said]
        self._current = self._conversation(said, meanings)
        self._current.go_on(said, meanings, time)
        return self._current.run

    def _meant(self, node: Node) -> _Meant | None:
        known = self._known.get(node.raw)
        if known is not None:
            return known
        message = node.object(self._reading.problems, "message")
        return None if message is None else _meant(message, self._dialect)

    def answer(self, node: Node, response: Json, *, time: Json = None, cost: Json = None) -> None:
        """Take a response to the last request, which stands at a node."""
        if self._current is None:
            message = "This response answers no request; it is left out."
            self._reading.problems.add(node.where("record"), message)
        else:
            self._current.take(_Response(node, response, time, cost))

    def finish(self) -> None:
        """Tell the responses that no request takes up."""
        for conversation in self._conversations:
            conversation.answer()

    def _conversation(self, said: list[_Said], meanings: list[bytes]) -> _Conversation:
        """The conversation that a request goes on with, or a new one."""
        first_user = next((place for place, one in enumerate(said) if one.meant.message.get("role") == "user"), 0)
        beginning = b"".join(meanings[: first_user + 1])
        known = self._open.get(beginning)
        if known is not None and not known.starts_over(meanings):
            return known
        if known is not None:
            known.answer()
        conversation = _Conversation(self._reading.run(noun="message"), self._dialect)
        self._open[beginning] = conversation
        self._conversations.append(conversation)
        return conversation


@dataclass(frozen=True, slots=True, eq=False)
class _Meant:
    """What a message of a request says, wherever it stands."""

    message: Message
    digest: bytes
    """Of all that counts in it."""
    key: Json
    """Who says it, and to which call: what stays when a message is shortened."""


def _meant(message: Message, dialect: Dialect) -> _Meant:
    digest = blake2b(spell(dialect.said(message)), digest_size=_DIGEST_BYTES).digest()
    is_answer = message.get("role") == "assistant"
    ids = [call_id for _, call_id in dialect.calls(message)] if is_answer else []
    return _Meant(message, digest, (message.get("role"), dialect.answers(message), ids))


@dataclass(frozen=True, slots=True, eq=False)
class _Said:
    """A message of a request, and where it stands there."""

    node: Node
    meant: _Meant

    @property
    def is_answer(self) -> bool:
        return self.meant.message.get("role") == "assistant"


@dataclass(frozen=True, slots=True, eq=False)
class _Response:
    node: Node
    value: Json
    time: Json
    cost: Json


@dataclass(slots=True, eq=False)
class _Conversation:
    run: Telling
    dialect: Dialect
    meanings: list[bytes] = field(default_factory=list)
    """Of the messages in the last request."""
    keys: list[Json] = field(default_factory=list)
    last: Message = field(default_factory=dict)
    """The last message of that request."""
    pending: _Response | None = None
    """The response that no request has taken up yet."""
    told: int = 0
    """Messages that were told."""

    def starts_over(self, meanings: list[bytes]) -> bool:
        """Whether a request goes back and says nothing new."""
        return len(meanings) < len(self.meanings) and meanings == self.meanings[: len(meanings)]

    def go_on(self, said: list[_Said], meanings: list[bytes], time: Json) -> None:
        """Tell what a request holds that was not told before."""
        if meanings == self.meanings:
            self._drop_answer()
            return
        equal = takewhile(lambda pair: pair[0] == pair[1], zip(meanings, self.meanings, strict=False))
        n_equal = sum(1 for _ in equal)
        news = said[n_equal:]
        echo = next((one for one in news if one.is_answer), None) if self.pending else None
        self.answer(ran=self.dialect.calls(echo.meant.message) if echo else [])
        for place, one in enumerate(news, start=n_equal):
            if one is not echo and (place >= len(self.keys) or self.keys[place] != one.meant.key):
                self._at(one.node, time)
                self.dialect.tell(self.run, one.meant.message)
        self.meanings, self.keys = meanings, [one.meant.key for one in said]
        self.last = said[-1].meant.message if said else {}

    def take(self, response: _Response) -> None:
        """Take a response; if another waits, that one was not used."""
        self._drop_answer()
        self.pending = response

    def answer(self, *, ran: Collection[Called] | None = None) -> None:
        """Tell the response that is pending; of its calls only those ran that are given, if any are."""
        if self.pending is None:
            return
        response, self.pending = self.pending, None
        self._at(response.node, response.time)
        message = self.dialect.answer(response.value)
        if message is not None and not self._has_told(message):
            self.run.turn()
            self.dialect.tell_answer(self.run, message, ran)
        self.dialect.tell_tokens(self.run, response.value, response.cost)

    def _has_told(self, message: Message) -> bool:
        """Whether the request ends with its own response, as some programs keep the two."""
        is_answer = self.last.get("role") == "assistant"
        return is_answer and self.dialect.said({**message, "role": "assistant"}) == self.dialect.said(self.last)

    def _at(self, node: Node, time: Json = None) -> None:
        """Go on to the next message, in these bytes of the file."""
        self.told += 1
        self.run.at(Node(node.origin, node.start, node.stop, node.line, self.told), time)

    def _drop_answer(self) -> None:
        """The response that is pending was of no use; only what it cost counts."""
        if self.pending is not None:
            response, self.pending = self.pending, None
            self._at(response.node)
            self.dialect.tell_tokens(self.run, response.value, response.cost)
            self.run.leave_out(*_UNUSED)
