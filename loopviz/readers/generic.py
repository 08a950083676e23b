"""The plain form, for tools of one's own: a line of JSON for each call.

    {"turn": 1, "tool": "bash", "args": {"command": "ls"}, "observation": "a.txt"}

Every member but `tool` may be left out:

- `turn`: Lines that follow each other with the same turn, a number or a text, are one turn: the calls of one model
  response. A call without a turn stands alone.
- `tool`: The tool's name.
- `args`: Its arguments, any JSON value; a text that spells an object or a list is read as that. Left out means that
  nobody knows them; a tool that takes none has `{}`.
- `observation`: What came back, any JSON value. Left out means that nothing was recorded; `null` and `""` are empty.
- `id`: The call's id. A line without `tool` that has an `observation` is the result of the call of that id.
- `error`: `true`, or a text, where the call failed; a text is the observation where there is no other.
- `run`: What tells the runs of a file apart; each is named for it.
- `time`, `ended`: When the call was made and when its result came: ISO 8601, or seconds since the epoch.
- `model`, `input_tokens`, `output_tokens`, `cost`: Of the turn, counted once a turn; the last line of it counts.
- `user`, `assistant`, `reasoning`, `system`: What was said; on lines of their own, or beside a call, before it.
- `outcome`: `true` or `false`, on any line of the run; `end_reason`: why it ended.

The same lines as one JSON list are read alike.
"""

from __future__ import annotations

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.fields import flag, name, text
from loopviz.readers.growing import Lines, read_lines
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT, Telling

_SPEECH = ("system", "user", "reasoning", "assistant")
_NAMES = frozenset(
    ("turn", "tool", "args", "observation", "id", "error", "run", "time", "ended", "model", "input_tokens",
     "output_tokens", "cost", *_SPEECH, "outcome", "end_reason")
)  # fmt: skip


def sniff(head: Head) -> float:
    """How surely a file is in the plain form; other formats have a `tool` too, so it is never very sure."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    if not peeked_text(record, "tool") or not record.keys() & {"args", "observation", "turn"}:
        return 0.0
    return 0.5 if record.keys() <= _NAMES else 0.2


def read(file: Opened) -> Loaded:
    """Read the runs of a file."""
    return read_lines(file, _Runs)


class _Runs(Lines):
    """The runs of a file while its lines are taken; one that says why a run ended is the end."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._turns: dict[str, Json] = {}
        """The turn of each run's last line."""
        self._n_turns = 0

    def take(self, node: Node, line: dict[str, Json]) -> None:
        """Take the next line of the file."""
        key = name(line.get("run")) or ""
        run = self.reading.run(key=key)
        run.facts.run = key or None
        run.at(node, line.get("time"))
        is_same = bool(key in self._turns and self._turns[key] == line.get("turn"))
        self._turns[key] = line.get("turn")
        self._n_turns += not is_same
        self.ended = text(line.get("end_reason")) is not None
        _tell_turn(run, line, is_same=is_same)
        _tell(run, line, response=None if line.get("turn") is None else f"{key} {self._n_turns}")


READER = Reader(
    name="generic",
    sniff=sniff,
    read=read,
    title="The plain form: a line of JSON for each call",
    found="",
    lines=_Runs,
)


def _tell_turn(run: Telling, line: dict[str, Json], *, is_same: bool) -> None:
    turn = line.get("turn")
    if turn is not None and not is_same:
        run.turn()
    elif turn is None and "tool" in line:
        run.end_turn()


def _tell(run: Telling, line: dict[str, Json], *, response: str | None) -> None:
    """Tell a line; `response` is what tells its turn from all others."""
    for kind in _SPEECH:
        run.say(kind, line.get(kind))
    run.use(
        response=response,
        input=line.get("input_tokens"),
        output=line.get("output_tokens"),
        cost=line.get("cost"),
        model=line.get("model"),
    )
    if "tool" in line:
        call = run.call(line["tool"], line.get("args", ABSENT), id=line.get("id"), known="args" in line)
        if "observation" in line or line.get("error"):
            run.result(_observation(line), of=call, failed=bool(line.get("error")), time=line.get("ended"))
    elif "observation" in line:
        run.result(_observation(line), id=line.get("id"), failed=bool(line.get("error")), time=line.get("ended"))
    elif error := text(line.get("error")):
        run.say("error", error)
    if (outcome := flag(line.get("outcome"))) is not None:
        run.facts.outcome = outcome
    run.facts.end_reason = text(line.get("end_reason")) or run.facts.end_reason


def _observation(line: dict[str, Json]) -> Json:
    if "observation" in line:
        return line["observation"]
    return text(line.get("error")) or ABSENT
