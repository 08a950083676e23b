"""Who&When, failures of teams of agents with the step that was to blame: a document a run, or a list of them.

The files record messages, no calls. What an orchestrator tells an agent to do, `Orchestrator (-> WebSurfer)`, is a call
of that agent, and what the agent says next is the result. In files without an orchestrator each message of an agent is
a call of it, with the message as arguments, and what the terminal prints next is the result. Each call is a turn. What
an orchestrator thinks is reasoning; a ledger that finds the run in a loop is counted.

The outcome is `is_correct`, or `is_corrected`; who made which mistake is the grade's evidence. A run ended for what the
orchestrator says of its termination condition. There are neither times, tokens nor call ids.
"""

from __future__ import annotations

import re

from loopviz.model import GraderResult, Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.decoding import decode_text
from loopviz.readers.fields import flag, member, text
from loopviz.readers.nodes import Node
from loopviz.readers.pairing import NO_CALL
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, is_list
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import Telling

Fields = dict[str, Json]

_OWN = frozenset(("mistake_agent", "mistake_step", "mistake_reason"))
_TO = re.compile(r".+ \(-> (.+)\)")
_TERMINALS = ("Computer_terminal", "ComputerTerminal")
_END = " (termination condition)"
_LEDGER = "Updated Ledger:"
_EXIT = re.compile(r"exitcode: (?!0\b)")


def sniff(head: Head) -> float:
    """How surely a file holds runs of Who&When."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    if len(record.keys() & _OWN) > 1:
        return 1.0
    if "question_ID" in record and is_list(record, "history"):
        return 0.8
    # The messages may stand first, and fill all that is looked at.
    message = first(record, "history")
    return 0.5 if "content" in message and peeked_text(message, "role") == "human" else 0.0


def read(file: Opened) -> Loaded:
    """Read the runs of a file."""
    reading = Reading(file)
    for document in reading.documents():
        run = reading.run(document, noun="message")
        team = _Team(run, reading)
        for message in run.each(document, "history"):
            team.take(text(message.get("name")) or text(message.get("role")) or "", message.get("content"))
        _state_facts(run, document)
    return reading.loaded()


READER = Reader(
    name="who-and-when",
    sniff=sniff,
    read=read,
    title="Who&When, failures of teams of agents",
    found="`Who&When/` in a checkout of Agents_Failure_Attribution",
)


class _Team:
    """The agents of a run, and the call that one of them has not answered yet."""

    def __init__(self, run: Telling, reading: Reading) -> None:
        self._run = run
        self._reading = reading
        self._answering: tuple[str, ...] = ()
        """Those whose next message answers the call."""
        self._call = NO_CALL

    def take(self, agent: str, content: Json) -> None:
        """Tell the next message."""
        told = _TO.fullmatch(agent)
        if agent in self._answering:
            self._run.result(content, of=self._call, failed=isinstance(content, str) and bool(_EXIT.match(content)))
            self._answering = ()
        elif told is not None:
            self._ask(told[1], content, (told[1],))
        elif agent.casefold() in ("human", "user"):
            self._run.say("user", content)
        elif agent.endswith(" (thought)"):
            self._run.say("reasoning", content)
            self._count_loops(content)
        elif agent.endswith(_END):
            self._run.facts.end_reason = text(content.partition("\n")[0]) if isinstance(content, str) else None
            self._run.say("system", content)
        elif agent.endswith(")") or agent in _TERMINALS or not agent:
            self._run.say("system", content)
        else:
            self._ask(agent, content, _TERMINALS)

    def _ask(self, agent: str, content: Json, answering: tuple[str, ...]) -> None:
        self._run.turn()
        self._call = self._run.call(agent, content)
        self._answering = answering

    def _count_loops(self, thought: Json) -> None:
        if isinstance(thought, str) and thought.startswith(_LEDGER):
            ledger = decode_text(thought[len(_LEDGER) :])
            if member(ledger, "is_in_loop", "answer") is True:
                self._reading.count("ledger finds the run in a loop.", "ledgers find the run in a loop.")


def _state_facts(run: Telling, document: Node) -> None:
    facts = run.facts
    facts.run, facts.prompt = text(document.get("question_ID")), text(document.get("question"))
    is_good = flag(document.get("is_correct"))
    facts.outcome = flag(document.get("is_corrected")) if is_good is None else is_good
    agent, step, reason = (text(document.get(key)) for key in ("mistake_agent", "mistake_step", "mistake_reason"))
    if agent is not None:
        evidence = f"The mistake is made by {agent} in step {step or 'unknown'}: {reason or 'no reason is given'}"
        facts.grade = GraderResult(name="Who&When", type=None, passed=facts.outcome, evidence=evidence)
