"""What a model is given, request after request: each repeats all that came before, and only what is new is read.

Values that go on where the last one ended are found by comparing them, texts as they stand, so that a conversation of
many requests is not decoded once for each of them.
"""

from __future__ import annotations

from loopviz.model import Json
from loopviz.readers.decoding import decode_text
from loopviz.readers.dialogue import Answered, Message, messages
from loopviz.readers.leaves import Leaves

Said = tuple[str, str]
"""Who spoke, and what."""

_SPEAKERS = frozenset(("user", "system"))


class Hearing:
    """What one agent's model has heard so far."""

    def __init__(self, told: dict[Said, int]) -> None:
        """`told` is how often each thing was told already, by any agent of the run."""
        self.answers: list[Answered] = []
        """The results that came after the last message of the model: those that answer its last response."""
        self._told = told
        self._latest: Json = None
        self._heard: dict[Said, int] = {}
        """How often each thing is said in the latest value."""

    def hear(self, given: Json) -> list[Said]:
        """Take what the model is given now; what users and the system say in it that was not told yet."""
        following = _following(self._latest, given)
        if following is None:
            following = messages(given, "user")
            self.answers, self._heard = [], {}
        self._latest = given
        return [said for message in following if (said := self._take(message)) is not None]

    def _take(self, message: Message) -> Said | None:
        if message.role == "assistant":
            self.answers = []
        else:
            self.answers += message.answered
        if message.role not in _SPEAKERS or not message.text:
            return None
        said = message.role, message.text
        times = self._heard[said] = self._heard.get(said, 0) + 1
        if times <= self._told.get(said, 0):
            return None
        self._told[said] = times
        return said


def _spells_some(text: str) -> bool:
    """Whether a text looks like a list that is not empty."""
    return len(text) > len("[]") and text[0] == "[" and text[-1] == "]"


def _following(latest: Json, given: Json) -> list[Message] | None:
    """The messages in a value after those of the one before; None where it does not go on from there."""
    if type(latest) is not type(given):
        return None
    if latest == given:
        return []
    rest: Json = None
    if isinstance(given, Leaves):
        rest = given.after(latest)
    elif isinstance(given, list):
        rest = given[len(latest) :] if given[: len(latest)] == latest else None
    elif isinstance(given, str) and _spells_some(latest) and given.startswith(f"{latest[:-1]},"):
        rest = decode_text(f"[{given[len(latest) :]}")
    return messages(rest, "user") if isinstance(rest, (list, Leaves)) else None
