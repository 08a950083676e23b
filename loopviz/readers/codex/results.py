"""What a tool of Codex gave back, and what Codex says about it: how a command ended, and how long it took."""

from __future__ import annotations

import re
from typing import NamedTuple

from loopviz.model import Json
from loopviz.readers.contents import flatten
from loopviz.readers.decoding import decode_text
from loopviz.readers.fields import flag, text, whole

_ABOUT = re.compile(
    r"(?:(?:Chunk ID|Exit code|Wall time|Total output lines|Original token count|Process (?:exited|running) with)"
    r"[^\n]*\n)+Output:\n?"
)
"""What stands before an output: how the command ended, and how long it took."""
_EXIT_CODE = re.compile(r"(?:Exit code:|exited with code) (-?\d+)")
_EXITED = re.compile(r"(?:^Exit code:|exited with code) -?0*[1-9]")
"""How the first line of an output says that the command failed, where nothing else is said about it."""


class Result(NamedTuple):
    """A result without what is said about it."""

    content: Json
    failed: bool = False
    """What is said about it says that the call failed."""
    was_wrapped: bool = False
    """Its exit code and time were taken off."""


def bare_result(content: Json) -> Result:
    """Take a result out of what is said about it: JSON with `metadata`, or lines before the output."""
    said = flatten(content).value if _is_one_text(content) else content
    wrapped = decode_text(said) if isinstance(said, str) else said
    if isinstance(wrapped, dict) and "output" in wrapped and isinstance(wrapped.get("metadata"), dict):
        return Result(wrapped["output"], whole(wrapped["metadata"].get("exit_code")) not in (0, None), True)
    if isinstance(wrapped, dict) and "content" in wrapped and flag(wrapped.get("success")) is not None:
        return Result(wrapped["content"], wrapped["success"] is False)
    about = _ABOUT.match(said) if isinstance(said, str) else None
    if about is None:
        return Result(content, isinstance(said, str) and _EXITED.search(said.partition("\n")[0]) is not None)
    code = _EXIT_CODE.search(about[0])
    return Result(said[about.end() :], code is not None and int(code[1][:9]) != 0, True)


def _is_one_text(content: Json) -> bool:
    block = content[0] if isinstance(content, list) and len(content) == 1 else content
    return isinstance(block, dict) and text(block.get("type")) in ("input_text", "output_text", "text")
