"""Items of OpenAI's Responses API: bare lists of them, an item or a list a line, responses as the API returns them, and
requests with their `input` and `output`, or with their `response`.

What the model made is one turn up to the next item that it did not make, a result or a message of somebody else; the
`output` of a response is one turn, whatever is in it. Responses that name the one before them, `previous_response_id`,
are one run, and so are those whose input says all of the last input and output again. A call is any item whose type
ends in `_call`; a tool that OpenAI runs itself, such as a web search, is called for its type, and what its item does
not hold, arguments or a result, is unknown. Results belong to calls by `call_id`; the `id` of an item says nothing of
that.

Tokens are those of each response's `usage`, once a response; input includes what was read from the cache. A response
happened when it was created. Encrypted reasoning is left out, and so are the events of a stream before its last. There
is no error flag, but for the error of an `mcp_call`, and no outcome.

Files of this format were never seen outside of the traces that other formats keep.
"""

from __future__ import annotations

from itertools import chain, islice

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.contents import texts_in
from loopviz.readers.decoding import decode
from loopviz.readers.fields import member, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.scanning import find_elements
from loopviz.readers.sniffing import Peeked, best, first, inside, is_list, is_object
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.stops import tell_stop
from loopviz.readers.telling import ABSENT, Telling

Item = dict[str, Json]

_CALL, _OUTPUT = "_call", "_output"
_ARGUMENTS = ("arguments", "input", "action", "operation", "queries", "code", "prompt")
"""Where the items of different tools keep what the model asked for."""
_RESULTS = ("output", "outputs", "results")
_LISTS = ("input", "items", "output")
"""Lists of items in a wrapper, in the order in which they happened."""
_BLOCKS = ("input_text", "output_text")
_STREAMED, _ENDS = "response.", ("completed", "incomplete", "failed")
_SILENT = ("item_reference", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response")


def sniff(head: Head) -> float:
    """How surely a file holds items of the Responses API."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    if peeked_text(record, "object") == "response" and is_list(record, "output"):
        return 1.0
    if is_object(record, "response") and peeked_text(inside(record, "response"), "object") == "response":
        return 0.9
    return max((_score_item(first(record, key)) for key in _LISTS), default=0.0) or _score_item(record)


def _score_item(item: Peeked) -> float:
    kind = peeked_text(item, "type")
    if kind.endswith((_CALL, _CALL + _OUTPUT)) and "call_id" in item:
        return 0.9
    if kind == "reasoning" and is_list(item, "summary"):
        return 0.8
    is_said = kind in ("message", "") and peeked_text(item, "role") and is_list(item, "content")
    return 0.8 if is_said and peeked_text(first(item, "content"), "type") in _BLOCKS else 0.0


def read(file: Opened) -> Loaded:
    """Read the conversations of a file, each a run."""
    conversations = _Conversations(Reading(file))
    for document in conversations.reading.documents():
        conversations.take(document)
    return conversations.reading.loaded()


READER = Reader(
    name="openai.responses",
    sniff=sniff,
    read=read,
    title="Items of OpenAI's Responses API",
    found="what a program of one's own keeps: `response.model_dump_json()`, or `to_input_list()` of the Agents SDK",
)


class _Conversation:
    """A run, and whether the model's output goes on."""

    def __init__(self, run: Telling) -> None:
        self.run = run
        self.is_speaking = False
        """Between the first item that the model made and the next that it did not."""
        self.is_told = False
        """Whether a list of items was told."""
        self.last: tuple[Node, Node] | None = None
        """What holds the last input, and what holds the output that answered it."""

    def n_said_before(self, asking: Node) -> int:
        """How many items of an input say again what was said last; 0 where not all of that is among them."""
        if self.last is None:
            return 0
        asked, answered = self.last
        items = asking.elements("input")
        number = 0
        for told in chain(asked.elements("input"), answered.elements("output")):
            meaning = _meaning(told)
            while meaning is not None:
                item = next(items, None)
                number += 1
                found = None if item is None else _meaning(item)
                if found == meaning:
                    break
                if item is None or found is not None:
                    return 0
        return number

    def take(self, item: Item, *, response: Json = None) -> None:
        """Tell an item; `response` is the id of the response that it belongs to, where that is known."""
        kind = text(item.get("type")) or "message"
        is_said = kind == "message"
        is_made = item.get("role") == "assistant" if is_said else not kind.endswith(_OUTPUT)
        if is_made and (response is not None or not self.is_speaking):
            self.run.turn(response=response)
        self.is_speaking = is_made
        if is_said:
            self._tell_message(item)
        elif kind == "reasoning":
            _tell_reasoning(self.run, item)
        elif kind.endswith(_CALL):
            _tell_call(self.run, item, kind)
        elif kind.endswith(_OUTPUT):
            self.run.result(item.get("output", ABSENT), id=item.get("call_id"))
        elif kind in _SILENT:
            self.run.leave_out("item that says nothing of the run", "items that say nothing of the run")
        else:
            self.run.say(kind, item)

    def _tell_message(self, item: Item) -> None:
        role = text(item.get("role")) or "message"
        content = item.get("content")
        if role == "assistant":
            self.run.say("assistant", texts_in(content) or _refusal(content))
        else:
            self.run.say("system" if role == "developer" else role, content)


class _Conversations:
    """The runs of a file, and which of them each response belongs to."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._bare: _Conversation | None = None
        self._of_response: dict[str, _Conversation] = {}
        self._by_beginning: dict[bytes, _Conversation] = {}
        """The last conversation whose input begins with an item."""

    def take(self, document: Node) -> None:
        """Take an object at the top of the file."""
        if _is_piece(document):
            self.reading.leave_out("streamed piece", "streamed pieces")
            return
        answer = document.member("response") if document.has_list("response", "output") else None
        if answer is None and document.keys() & {"type", "role"}:
            self._take_item(document)
            return
        whole = answer or document
        parts = [part for part in (answer and document.member("request"), answer and document, whole) if part]
        asking = next((part for part in parts if part.has_list("input")), None)
        conversation, n_before = self._conversation(document, whole, asking)
        run = conversation.run
        for part in parts:
            self._take_lists(conversation, part, n_before if part is asking else 0)
            if part is not whole:
                run.facts.not_judged = None
        _tell_usage(run, whole)
        tell_stop(run, whole.get("incomplete_details", "reason"))
        facts = run.facts
        facts.run = facts.run or name(document.get("id")) or name(whole.get("id"))
        facts.model = facts.model or text(whole.get("model"))
        facts.status = text(whole.get("status")) or facts.status
        facts.error = text(whole.get("error", "message")) or facts.error
        facts.end_reason = text(whole.get("incomplete_details", "reason")) or facts.end_reason

    def _take_item(self, node: Node) -> None:
        item = node.object(self.reading.problems, "item")
        if item is None:
            return
        if self._bare is None:
            self._bare = _Conversation(self.reading.run(key="", noun="item"))
        self._bare.run.at(node, item.get("timestamp"))
        self._bare.take(item)

    def _conversation(self, document: Node, whole: Node, asking: Node | None) -> tuple[_Conversation, int]:
        """The run that a response goes on with, or a new one; and how much of its input was told there."""
        response_id = name(whole.get("id")) if whole.member("object") else None
        if response_id is None:
            return _Conversation(self.reading.run(document, noun="item")), 0
        before = name(whole.get("previous_response_id"))
        conversation = self._of_response.get(before) if before else None
        n_before = 0
        if conversation is None and asking is not None:
            beginning = _beginning(asking)
            conversation = self._by_beginning.get(beginning)
            n_before = conversation.n_said_before(asking) if conversation else 0
            if conversation is None or not n_before:
                conversation = self._by_beginning[beginning] = _Conversation(self.reading.run(noun="item"))
            conversation.last = asking.bare(), whole.bare()
        if conversation is None:
            conversation = _Conversation(self.reading.run(noun="item"))
        self._of_response[response_id] = conversation
        return conversation, n_before

    def _take_lists(self, conversation: _Conversation, whole: Node, n_before: int) -> None:
        """Take the lists of items in a part of a document, but for the beginning of its input that was told before."""
        run, found = conversation.run, [key for key in _LISTS if whole.has_list(key)]
        created = whole.get("completed_at") or whole.get("created_at")
        if not conversation.is_told:
            run.at(whole)
            run.say("system", whole.get("instructions"))
        if "input" not in found:
            run.say("user", whole.get("input"))
        response = whole.get("id") if "output" in found else None
        for key in found:
            made = key == "output"
            skipped = n_before if key == "input" else 0
            for item in islice(run.each(whole, key, all_at=created if made else None), skipped, None):
                conversation.take(item, response=response if made else None)
        if whole.has_list():
            for item in run.each(whole):
                conversation.take(item)
        conversation.is_told = conversation.is_told or bool(found) or whole.has_list()
        if not conversation.is_told:
            run.facts.not_judged = "The record has no list of items."


def _is_piece(document: Node) -> bool:
    """Whether an object is an event of a stream, but for the last one, which holds the whole response."""
    kind = text(document.get("type")) or ""
    return kind.startswith(_STREAMED) and kind.removeprefix(_STREAMED) not in _ENDS


def _beginning(asking: Node) -> bytes:
    """The first item of an input."""
    given = asking.member("input")
    found = None if given is None else next(find_elements(given.origin.text.data, given.start, given.stop), None)
    return b"" if found is None else found[1]


def _meaning(node: Node) -> Json:
    """What an item says, however it is spelled; None for one that says nothing of the run, or only to the model."""
    try:
        item = decode(node.raw)
    except ValueError:
        return None
    if not isinstance(item, dict) or item.get("type") in ("reasoning", *_SILENT):
        return None
    if (item.get("type") or "message") == "message":
        return [item.get("role"), texts_in(item.get("content"))]
    return {key: value for key, value in item.items() if key not in ("id", "status") and value is not None}


def _tell_reasoning(run: Telling, item: Item) -> None:
    run.say("reasoning", texts_in(item.get("summary")) or texts_in(item.get("content")))
    if item.get("encrypted_content"):
        run.leave_out("piece of encrypted reasoning", "pieces of encrypted reasoning")


def _tell_call(run: Telling, item: Item, kind: str) -> None:
    tool = item.get("name") or kind.removesuffix(_CALL)
    arguments = next((item[key] for key in _ARGUMENTS if key in item), ABSENT)
    is_own = kind in ("function_call", "custom_tool_call") or "call_id" in item
    call = run.call(tool, arguments, id=item.get("call_id") or item.get("id"), known=arguments is not ABSENT)
    held = next((item[key] for key in _RESULTS if item.get(key) is not None), None)
    if item.get("result") is not None:
        run.leave_out("image", "images")
    if item.get("error") is not None:
        run.result(item["error"], of=call, failed=True)
    elif held is not None:
        run.result(held, of=call)
    elif not is_own:
        run.result(of=call, known=False)


def _tell_usage(run: Telling, whole: Node) -> None:
    usage = whole.get("usage")
    details = member(usage, "input_tokens_details")
    run.use(
        input=member(usage, "input_tokens"),
        output=member(usage, "output_tokens"),
        cache_read=member(details, "cached_tokens"),
        model=whole.get("model"),
        response=whole.get("id"),
    )


def _refusal(content: Json) -> Json:
    blocks = content if isinstance(content, list) else []
    return next((block.get("refusal") for block in blocks if isinstance(block, dict) and block.get("refusal")), None)
