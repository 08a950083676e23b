"""What was in force before: a bounded list of states to go back through, and forward again.

A control that is stepped or typed in passes through many states on its way to one that is meant. Consecutive changes by
the same control are therefore one step back; anything else in between, a step back included, begins a new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

State = TypeVar("State")
MOST = 100
"""Steps back that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History(Generic[State]):
    """States before the present one, and those that were gone back from; every change makes a new one."""

    past: tuple[State, ...] = ()
    """The oldest first."""
    future: tuple[State, ...] = ()
    """The nearest first."""
    control: str | None = None
    """The control whose changes are still one step."""

    def changed(self, before: State, after: State, control: str | None = None) -> History[State]:
        """Another state is in force.

        Args:
            before: What was in force until now.
            after: What is now.
            control: What is stepped or typed in; None for a change that is a step of its own.
        """
        if control is None or control != self.control:
            return History(past=(*self.past, before)[-MOST:], control=control)
        if self.past[-1] == after:  # stepped there and back
            return History(past=self.past[:-1])
        return History(past=self.past, control=control)

    def undone(self, now: State) -> tuple[History[State], State]:
        """One step back: the history then, and the state to put in force.

        Raises:
            IndexError: if there is nothing to go back to.
        """
        return History(past=self.past[:-1], future=(now, *self.future)), self.past[-1]

    def redone(self, now: State) -> tuple[History[State], State]:
        """One step forward again.

        Raises:
            IndexError: if nothing was gone back from.
        """
        return History(past=(*self.past, now), future=self.future[1:]), self.future[0]
