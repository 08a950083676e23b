"""The process in which tool patterns run, so that it can be killed.

The `regress` engine backtracks and holds the interpreter lock while it does: a thread cannot stop it. `pattern_pool`
starts this file with an isolated interpreter and the folder of the engine as its only argument, and sends one request
at a time. Each message is four bytes of length, big end first, then JSON:

    {"pattern": "^ba", "flags": "i", "texts": ["Bash", "read"]}   answered by   {"matches": [true, false]}
    {"pattern": "(", "flags": "", "texts": []}                    answered by   {"error": "Unbalanced parenthesis"}

With `"spans": true` the answer is `{"spans": [[0, 2], null]}`: where each text's first match stands, in characters.

Nothing here imports the rest of loopviz, whose dependencies would make a restart slow. It ends when its input does.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import IO, Any

MEMORY_BYTES = 1 << 30
"""Address space a pattern may claim: a nest of counted groups asks for any amount."""
ORPHAN_LIFE_S = 5
"""Longest life of a request. The parent kills much earlier, unless it was killed itself."""


def read_message(stream: IO[bytes]) -> Any:
    """The next message, or None when the stream has ended."""
    head = stream.read(4)
    size = int.from_bytes(head, "big")
    body = stream.read(size) if len(head) == 4 else b""
    return json.loads(body) if body and len(body) == size else None


def write_message(stream: IO[bytes], message: Any) -> None:
    """Send one message; JSON in ASCII, so that any text can travel."""
    body = json.dumps(message).encode("ascii")
    stream.write(len(body).to_bytes(4, "big") + body)
    stream.flush()


def main(engine_folder: str) -> None:
    """Answer requests until there are no more."""
    # At the end: nothing installed beside the engine may hide a module of the standard library.
    sys.path.append(engine_folder)
    from regress import Regex, RegressError

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, whose end is seen as the end of input.
    _limit_memory()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    write_message(answers, "ready")
    while (request := read_message(requests)) is not None:
        _alarm(ORPHAN_LIFE_S)
        try:
            pattern = Regex(request["pattern"], request["flags"])
            found = [(text, pattern.find(text)) for text in request["texts"]]
            answer: dict[str, Any] = (
                {"spans": [None if match is None else _span(text, match.range()) for text, match in found]}
                if request.get("spans")
                else {"matches": [match is not None for _, match in found]}
            )
        except RegressError as error:
            answer = {"error": str(error)}
        _alarm(0)
        write_message(answers, answer)


def _span(text: str, found: slice) -> list[int]:
    """First character and last + 1 of a match, of which the engine tells the bytes in UTF-8."""
    if text.isascii():
        return [found.start, found.stop]
    data = text.encode()
    start = len(data[: found.start].decode())
    return [start, start + len(data[found.start : found.stop].decode())]


def _alarm(seconds: int) -> None:
    """End the process after so many seconds; zero calls it off. The default action needs no interpreter lock."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _limit_memory() -> None:
    """Cap the memory where the system can; elsewhere the time limit alone bounds it."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    main(sys.argv[1])
