"""Claude Code: sessions as it keeps them, what `claude -p --output-format stream-json` prints, and exports of its page.

All three hold the same lines, each with a message of the Anthropic API, so one reader reads them; a list of lines, and
the lines that the app Happy wraps, are read alike.

A turn is one response, known by `message.id`: it is written over several lines, a block of content each, and the
results of its first calls may stand between them. A call is a `tool_use` block (of the client, the server or MCP), its
result the block that names it, in whatever order they come.

A run is a conversation. Lines of another session that go on from it by `parentUuid`, as a resumed one does, belong to
it; otherwise a session is a run. A sub-agent is a run of its own in all three ways of recording one: lines with
`isSidechain`, told apart by `agentId` or by the line that they go back to; lines of `progress` that hold its messages;
and the file of its own that newer versions write. A stream tells it by `parent_tool_use_id`. Lines that stand in the
file twice, with the same `uuid` and message, count once.

Tokens are those of `usage`, once a response, as its last line states them; input does not include the cache. Cost is
`costUSD`, which lines of the first versions have. Where no response states any, the totals of the stream's `result`
count. That line also gives the status, why the run ended, and what it cost; that a run ended well does not mean that
its task was solved, so only an error is an outcome. Sessions record no outcome.

Left out are the structured twins of results, progress ticks, snapshots, titles and streamed pieces. Sub-agents,
compaction, exports of the page and Happy's wrapping were never seen in a real file at hand; they follow descriptions
of such files.
"""

from __future__ import annotations

from loopviz.model import Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.claude.conversations import Conversations
from loopviz.readers.growing import read_lines
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, inside, is_list, is_object, text

_NEVER_MESSAGES = frozenset(("file-history-snapshot", "queue-operation", "pr-link", "last-prompt", "custom-title"))


def sniff_session(head: Head) -> float:
    """How surely a file holds lines of sessions."""
    return best(head, _session_score)


def sniff_stream(head: Head) -> float:
    """How surely a file holds what Claude Code streams."""
    return best(head, _stream_score)


def sniff_export(head: Head) -> float:
    """How surely a file is an export of a session's page."""
    return best(head, lambda record: 1.0 if is_list(record, "loglines") else 0.0)


def read(file: Opened) -> Loaded:
    """Read the runs of a file of lines, or of a list of them."""
    return read_lines(file, Conversations)


def read_export(file: Opened) -> Loaded:
    """Read the runs of an export."""
    conversations = Conversations(Reading(file))
    for document in conversations.reading.documents():
        if not document.has_list("loglines"):
            message = "The export has no list of `loglines`; it is left out."
            conversations.reading.problems.add(document.where("record"), message)
        for node in conversations.reading.each(document, "loglines", noun="line"):
            line = node.object(conversations.reading.problems, "line")
            if line is not None:
                conversations.take(node, line)
    conversations.end()
    return conversations.reading.loaded()


def _session_score(record: Peeked) -> float:
    kind = text(record, "type")
    if "parentUuid" in record:
        # Qwen Code writes such lines too, with messages as Gemini has them.
        return 0.0 if is_list(inside(record, "message"), "parts") else 1.0
    if kind == "summary" and "leafUuid" in record:
        return 0.9
    if kind in _NEVER_MESSAGES or (kind == "progress" and is_object(record, "data")):
        return 0.6
    if kind in ("user", "assistant") and is_object(record, "message") and "sessionId" in record:
        return 0.9
    wrapped = inside(record, "content", "content")
    return 0.9 if text(wrapped, "type") == "output" and is_object(wrapped, "data") else 0.0


def _stream_score(record: Peeked) -> float:
    kind = text(record, "type")
    if "parentUuid" in record or "sessionId" in record:
        return 0.0
    if kind == "system" and text(record, "subtype"):
        return 1.0 if text(record, "subtype") == "init" else 0.5
    if kind == "result" and text(record, "subtype") and record.keys() & {"num_turns", "total_cost_usd", "is_error"}:
        return 0.9
    if kind in ("user", "assistant") and is_object(record, "message"):
        return 0.9 if record.keys() & {"session_id", "parent_tool_use_id"} else 0.4
    return 0.0


SESSION = Reader(
    name="claude.session",
    sniff=sniff_session,
    read=read,
    title="Claude Code sessions",
    found="`~/.claude/projects/<project>/<session>.jsonl`, sub-agents in `<session>/subagents/agent-<id>.jsonl`",
    lines=Conversations,
)
STREAM = Reader(
    name="claude.stream",
    sniff=sniff_stream,
    read=read,
    title="What Claude Code prints as stream-json",
    found="printed by `claude -p --output-format stream-json --verbose`",
    lines=Conversations,
)
EXPORT = Reader(
    name="claude.export",
    sniff=sniff_export,
    read=read_export,
    title="Claude Code sessions as its page on the web exports them",
    found="",
)
