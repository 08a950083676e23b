"""What the modules say of themselves, for the Help page: a text for people, and the rules that were decided in them.

A docstring begins with its title and goes on with what a person should know; one paragraph may begin with "Why it
matters:". A list under "Decided:" holds the rules that settle what public documentation leaves open, each as
"- Name: what holds.". What stands under "In code:" and "Source:" is for whoever works on the module, and is left out.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType

from loopviz.comparing import aligning, common_steps
from loopviz.detectors.core import normalise, repeats, similarity, steps
from loopviz.readers import assembly, interning, pairing, turns
from loopviz.readers.vally import events
from loopviz.tuning import labels, queue, suggest, sweep

_DECIDED = "Decided:"
_WHY = "Why it matters: "
_FOR_CODERS = ("In code:", "Source:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Doc:
    """A docstring, taken apart."""

    lead: str
    """Its first line, without the name that it begins with."""
    body: str
    """What a person should know, as Markdown."""
    why: str
    """Why it matters; empty where it does not say."""
    decided: tuple[tuple[str, str], ...]
    """Name and text of each rule, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One decided rule."""

    name: str
    text: str
    module: str
    """Where it is implemented: `loopviz/readers/turns.py`."""

    @property
    def anchor(self) -> str:
        """What a link to it ends with: `rule-one-open-turn-an-agent`."""
        return "rule-" + re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


CHAPTERS: tuple[tuple[str, tuple[ModuleType, ...]], ...] = (
    ("Which events belong together", (events, turns, assembly, pairing)),
    ("What a step is, and when two are the same", (steps, interning)),
    ("What is counted", (repeats,)),
    ("What the ladder compares", (normalise, similarity)),
    ("What settings are held against", (sweep, labels, suggest, queue)),
    ("How two runs are compared", (aligning, common_steps)),
)
"""Every module that a decided rule lives in, in the order in which a run goes through them."""


def read_doc(docstring: str) -> Doc:
    """Take a docstring apart."""
    title, *paragraphs = re.split(r"\n{2,}", inspect.cleandoc(docstring))
    body: list[str] = []
    why = ""
    decided: list[tuple[str, str]] = []
    for before, paragraph in pairwise([title, *paragraphs]):
        if paragraph.startswith(_FOR_CODERS):
            break
        if before == _DECIDED:
            decided += _items(paragraph)
        elif paragraph.startswith(_WHY):
            why = _sentence(paragraph.removeprefix(_WHY))
        elif paragraph != _DECIDED:
            body.append(paragraph)
    lead = _sentence(title.partition(": ")[2] or title)
    return Doc(lead=lead, body="\n\n".join(body), why=why, decided=tuple(decided))


def rules() -> Iterator[tuple[str, tuple[Rule, ...]]]:
    """Every decided rule, by chapter."""
    for chapter, modules in CHAPTERS:
        yield chapter, tuple(rule for module in modules for rule in rules_of(module))


def rules_of(module: ModuleType) -> tuple[Rule, ...]:
    """The rules that a module states, in its order."""
    place = module.__name__.replace(".", "/") + ".py"
    decided = read_doc(module.__doc__ or "").decided
    return tuple(Rule(name=name, text=text, module=place) for name, text in decided)


def _items(paragraph: str) -> Iterator[tuple[str, str]]:
    """(name, text) of each item of a list, its lines joined."""
    for item in re.split(r"^- ", paragraph, flags=re.MULTILINE)[1:]:
        name, _, text = " ".join(item.split()).partition(": ")
        yield name, _sentence(text)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
