"""Blocks of a message of the Anthropic API, in its own dumps and in the lines of Claude Code."""

from __future__ import annotations

from loopviz.model import Json
from loopviz.readers.fields import text
from loopviz.readers.telling import ABSENT, Telling

CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
"""Types of blocks that call a tool."""


def tell_result_or_thought(run: Telling, block: dict[str, Json]) -> bool:
    """Tell a block that is a result, a thought, a compaction or an attachment, which is left out; False for others."""
    kind = block.get("type")
    if kind == "text" or type(kind) is not str:  # As most are.
        return False
    if kind.endswith("tool_result"):
        content = block.get("content", ABSENT)
        failed = block.get("is_error") is True or (
            type(content) is dict and (text(content.get("type")) or "").endswith("_error")
        )
        run.result(content, id=block.get("tool_use_id"), failed=failed)
    elif kind == "thinking":
        run.say("reasoning", block.get("thinking"))
    elif kind == "compaction":
        run.say("compaction", block.get("content") or "The conversation so far was summarised.")
    elif kind == "redacted_thinking":
        run.leave_out("encrypted thought", "encrypted thoughts")
    elif kind in ("image", "document"):
        run.leave_out(kind, f"{kind}s")
    else:
        return False
    return True
