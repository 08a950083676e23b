"""What Help says of the detectors and the decided rules stands in the modules that carry them out."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from loopviz.detectors import escalation, max_repeat, thrash
from loopviz.settings import EscalationSettings, LoopOutcomeSettings, ThrashSettings
from loopviz.ui.help_docs import CHAPTERS, read_doc, rules
from loopviz.ui.help_notation import run_of_commands

PACKAGE = Path(__file__).resolve().parents[2] / "loopviz"

DECIDED = {
    "turns, steps and agents": (
        "Whose event it is",
        "One open turn an agent",
        "Which turn a call joins",
        "Turn ids come again",
        "One turn, one step",
        "One sequence a run",
    ),
    "calls and their results": (
        "A call said twice",
        "Results with an id come first",
        "Several results of one call",
        "A result without an id",
        "A result without a call",
    ),
    "names of tools": ("What a tool is called",),
    "identity of a step": ("A step is a set", "Success is not compared"),
    "empty outputs": ("What an empty output is", "What is not empty"),
    "the figure of a run": ("The count decides",),
    "words of the ladder": ("What separates words",),
    "normalised arguments": (
        "Texts, not JSON",
        "Paths lose their folders",
        "Times and ids go",
        "Long numbers",
        "What is compared",
    ),
    "choosing settings": (
        "Which runs count",
        "One label each",
        "Order of a label file",
        "Runs that changed",
        "Runs that did the same",
        "Labels of older files",
        "Best",
        "Among equals",
        "Held out",
        "More labels",
        "Enough labels",
        "A random share",
        "What is offered first",
    ),
    "comparing runs": (
        "Empty outputs when runs are compared",
        "Matched steps",
        "The first difference stands as late as possible",
        "Steps between them",
    ),
}
"""What is decided, and the rules that say it."""


def gathered() -> list[str]:
    return [rule.name for _, items in rules() for rule in items]


@pytest.mark.parametrize("names", DECIDED.values(), ids=DECIDED.keys())
def test_what_is_decided_is_said(names: tuple[str, ...]) -> None:
    assert set(names) <= set(gathered())


def test_nothing_else_is_said_to_be_decided() -> None:
    assert sorted(gathered()) == sorted(name for names in DECIDED.values() for name in names)


def test_every_module_that_decides_is_in_the_table() -> None:
    paths = {path for path in PACKAGE.rglob("*.py") if "\nDecided:\n" in (docstring(path) or "")}
    table = [module for _, modules in CHAPTERS for module in modules]
    assert paths == {Path(str(module.__file__)).resolve() for module in table}
    assert Counter(table).most_common(1)[0][1] == 1


def docstring(path: Path) -> str | None:
    return ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_rules_can_be_linked_to() -> None:
    anchors = [rule.anchor for _, items in rules() for rule in items]
    assert len(set(anchors)) == len(anchors)
    assert all(re.fullmatch(r"rule(-[a-z0-9]+)+", anchor) for anchor in anchors)


@pytest.mark.parametrize("rule", [rule for _, items in rules() for rule in items], ids=lambda rule: rule.name)
def test_a_rule_is_a_sentence_with_a_place(rule: object) -> None:
    assert re.match(r"[A-Z`]", rule.text) and rule.text.endswith(".")
    assert (PACKAGE.parent / rule.module).is_file()


@pytest.mark.parametrize(
    ("docstring", "lead", "body", "why", "decided"),
    [
        pytest.param("One line.", "One line.", "", "", (), id="a title alone"),
        pytest.param("name: what it is.", "What it is.", "", "", (), id="a title with a name"),
        pytest.param("T.\n\nOne.\n\n    code\n\nTwo.", "T.", "One.\n\n    code\n\nTwo.", "", (), id="paragraphs"),
        pytest.param("T.\n\nWhy it matters: it\ndoes.", "T.", "", "It\ndoes.", (), id="why"),
        pytest.param("T.\n\nOne.\n\nIn code: x.\n\nSource: y.", "T.", "One.", "", (), id="for whoever works on it"),
        pytest.param(
            "T.\n\nDecided:\n\n- A: b: c\n  d.\n- E: `f`.\n\nMore.",
            "T.",
            "More.",
            "",
            (("A", "B: c d."), ("E", "`f`.")),
            id="rules",
        ),
        pytest.param("T.\n\nDecided: no list.", "T.", "Decided: no list.", "", (), id="the word alone"),
    ],
)
def test_taking_a_docstring_apart(
    docstring: str, lead: str, body: str, why: str, decided: tuple[tuple[str, str], ...]
) -> None:
    doc = read_doc(docstring)
    assert (doc.lead, doc.body, doc.why, doc.decided) == (lead, body, why, decided)


@pytest.mark.parametrize("text", [max_repeat.__doc__, escalation.__doc__, thrash.__doc__, LoopOutcomeSettings.__doc__])
def test_each_detector_says_what_it_finds_and_why_it_matters(text: str) -> None:
    doc = read_doc(text)
    assert doc.body and doc.why
    assert "SPEC" not in doc.body + doc.why


def commands(docstring: str | None, start: str) -> list[str]:
    """What stands in backticks in the sentence that begins so."""
    sentence = re.search(rf"{start}.*?[:;.]\s", docstring or "", re.DOTALL)
    assert sentence is not None
    return re.findall(r"`([^`]+)`", sentence[0])


def test_the_ladder_does_what_its_docstring_says() -> None:
    said = commands(escalation.__doc__, r"So\s`")
    assert len(said) == len(set(said)) == 3
    fired = run_of_commands(said, ["bash"] * 3).escalation(EscalationSettings()).fired(0)
    assert [(firing.level, firing.call) for firing in fired] == [(escalation.Level.REPLAN, 2)]


@pytest.mark.parametrize(
    ("said", "kind", "call"),
    [
        pytest.param(["ls", "ls", "ls"], thrash.Kind.IDENTICAL, 2, id="three times"),
        pytest.param(["ls", "cat a", "ls", "cat a"], thrash.Kind.PING_PONG, 3, id="taking turns"),
    ],
)
def test_thrash_does_what_its_docstring_says(said: list[str], kind: thrash.Kind, call: int) -> None:
    assert ", ".join(f"`{command}`" for command in said) in " ".join((thrash.__doc__ or "").split())
    stop = run_of_commands(said, ["bash"] * len(said)).thrash(ThrashSettings()).stop(0)
    assert stop is not None and (stop.kind, stop.call) == (kind, call)
