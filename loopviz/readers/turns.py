"""Which turn an event belongs to.

Several agents may work at once, and turn ids restart within a session, so a turn is known by its place: each agent has
at most one open.

Decided:

- One open turn an agent: a new turn closes the one that its agent has open. A turn end closes the open turn of its
  agent, whatever id it names, and the end of the file closes every turn.
- Which turn a call joins: the open turn that the call itself names, its own agent's before that of any other; else the
  turn that its agent has open. Without either it stands alone.
- Turn ids come again: within a session they start anew, so two turns are never joined for bearing the same id.

Source: SPEC, section 1, "From events to steps", rule 2.
"""

from __future__ import annotations

from msgspec import Struct

MAIN_AGENT = ""


class Turn(Struct, eq=False, gc=False):
    """A turn that is open."""

    number: int
    """From 0, over all turns of the run."""
    id: str
    """As its start names it; empty where it names none."""
    said: object = None
    """What was met in it first and must not count twice."""
    also: set[object] | None = None
    """What was met after that; in most turns there is nothing."""

    def says(self, what: object) -> bool:
        """Note what was met; True the first time."""
        if self.said is None:
            self.said = what
            return True
        if what == self.said:
            return False
        if self.also is None:
            self.also = {what}
            return True
        before = len(self.also)
        self.also.add(what)
        return len(self.also) > before

    def copy(self) -> Turn:
        """The same turn, on its own."""
        return Turn(self.number, self.id, self.said, None if self.also is None else set(self.also))


class OpenTurns:
    """The turns that are open at one point of a run."""

    def __init__(self) -> None:
        self.n_turns = 0
        """How many were ever opened."""
        self.by_agent: dict[str, Turn] = {}
        """The open turn of each agent."""
        self._by_id: dict[str, dict[str, Turn]] = {}
        """Open turns of all agents but the main one, by turn id and agent, in the order in which they were opened."""

    def start(self, agent: str, turn_id: str) -> Turn:
        """Open a turn, closing the one that the agent has open."""
        if agent:
            self.end(agent)
        turn = self.by_agent[agent] = Turn(self.n_turns, turn_id)
        if agent and turn_id:
            self._by_id.setdefault(turn_id, {})[agent] = turn
        self.n_turns += 1
        return turn

    def end(self, agent: str) -> Turn | None:
        """Close the turn that the agent has open, and return it."""
        turn = self.by_agent.pop(agent, None)
        if turn is not None and agent and turn.id:
            bearers = self._by_id[turn.id]
            del bearers[agent]
            if not bearers:
                del self._by_id[turn.id]
        return turn

    def copy(self) -> OpenTurns:
        """The same turns, open on their own."""
        other = OpenTurns()
        other.n_turns = self.n_turns
        other.by_agent = {agent: turn.copy() for agent, turn in self.by_agent.items()}
        for turn_id, bearers in self._by_id.items():
            other._by_id[turn_id] = {agent: other.by_agent[agent] for agent in bearers}
        return other

    def find(self, agent: str, turn_id: str) -> Turn | None:
        """The open turn of this id: the agent's own, the main one's, the first opened; else the agent's open turn."""
        own = self.by_agent.get(agent)
        if not turn_id or (own is not None and own.id == turn_id):
            return own
        main = self.by_agent.get(MAIN_AGENT)
        if main is not None and main.id == turn_id:
            return main
        return next(iter(self._by_id.get(turn_id, {}).values()), own)
