"""Lists of messages that are written flat, an attribute for each leaf: `llm.input_messages.0.message.role`."""

from __future__ import annotations

from itertools import islice

from msgspec import Struct

from loopviz.model import Json

Fields = dict[str, Json]

DEEPEST = 16
"""Parts of a name that are taken apart."""

_LISTS = ("llm.input_messages.", "llm.output_messages.", "gen_ai.prompt.", "gen_ai.completion.")
"""What the names of their leaves begin with."""


class Leaves(Struct, gc=False):
    """A list by the names of its leaves: `0.message.role`."""

    by_name: Fields

    def whole(self) -> Json:
        """The list itself."""
        inners: dict[str, Fields] = {"": {}}
        for name, leaf in self.by_name.items():
            prefix, _, last = name.rpartition(".")
            inner = inners.get(prefix)
            if inner is None and prefix.count(".") <= DEEPEST:
                inner = _inner(inners, prefix)
            if inner is not None:
                inner.setdefault(last, leaf)
        return _listed(inners[""])

    def after(self, earlier: Leaves) -> Leaves | None:
        """What follows upon another list; None where this one does not go on from it."""
        n_earlier = len(earlier.by_name)
        if dict(islice(self.by_name.items(), n_earlier)) != earlier.by_name:
            return None
        return Leaves(dict(islice(self.by_name.items(), n_earlier, None)))


def leaves_of(attributes: Fields) -> dict[str, Leaves]:
    """The lists that are written flat among the attributes, by name."""
    found: dict[str, Leaves] = {}
    prefix = ""
    for key, leaf in attributes.items():
        if not key.startswith(_LISTS):
            continue
        if not prefix or not key.startswith(prefix):  # As few are: those of a list stand together.
            prefix = next(each for each in _LISTS if key.startswith(each))
            leaves = found.setdefault(prefix[:-1], Leaves({})).by_name
        leaves[key[len(prefix) :]] = leaf
    return found


def _inner(inners: dict[str, Fields], prefix: str) -> Fields:
    """The object whose members have this prefix."""
    inner = inners.get(prefix)
    if inner is None:
        inner = inners[prefix] = {}
        outer, _, key = prefix.rpartition(".")
        _inner(inners, outer).setdefault(key, inner)
    return inner


def _listed(value: Json) -> Json:
    """The same with a list in the place of each object whose keys are numbers."""
    if not isinstance(value, dict):
        return value
    if next(iter(value), "0").isdecimal() and all(key.isdecimal() and len(key) < 10 for key in value):
        return [_listed(value[key]) for key in sorted(value, key=int)]
    return {key: _listed(inner) if isinstance(inner, dict) else inner for key, inner in value.items()}
