"""Verdicts as JUnit's XML, as continuous integration reads them: a suite a file, a case a verdict.

Whatever was asked for and could not be checked is a case too, and an error: files, labels, pins, the baseline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree

from loopviz.analysis.lines import Line
from loopviz.labelled import Labels
from loopviz.masking import mask_text
from loopviz.status import Status, write
from loopviz.tuning.lines import Flip, pin_name
from loopviz.verdict_words import WORDS, differs, place, then_and_now

Kind = Literal["passed", "failure", "error", "skipped"]
BASELINE = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """One test of a suite."""

    of: str
    """What it is about: a run or a file."""
    name: str
    kind: Kind
    message: str = ""
    """Why it did not pass, as a sentence."""
    text: str = ""
    """More on that."""
    properties: Mapping[str, str] = field(default_factory=dict)
    output: str = ""


class Junit:
    """Gathers lines, and prints them as one document at the end."""

    def __init__(self) -> None:
        self._suites: dict[str, list[Line]] = {}

    def take(self, line: Line) -> None:
        """Keep a line of `grade`."""
        self._suites.setdefault(line["source"], []).append(line)

    def end(self, status: Status) -> None:
        """Print everything."""
        root = ElementTree.Element("testsuites", name="loopviz")
        for found in status.unusable_files:
            case = _Case(of=found.path, name="read", kind="error", message=found.reason)
            _add_suite(root, found.path, [case], ())
        for source, lines in self._suites.items():
            flips = [flip for flip in status.flips if flip.source == source]
            _add_suite(root, source, list(map(_of_line, lines)), flips)
        if status.labels is not None:
            _add_suite(root, str(status.labels.path), list(_of_labels(status.labels)), ())
        unusable = [_Case(of=BASELINE, name=BASELINE, kind="error", message=why) for why in status.unusable_baseline]
        _add_suite(root, BASELINE, unusable, ())
        for name in ("tests", "failures", "errors", "skipped"):
            root.set(name, str(sum(int(suite.get(name, 0)) for suite in root)))
        ElementTree.indent(root)
        write(ElementTree.tostring(root, encoding="unicode", xml_declaration=False))


def _of_line(line: Line) -> _Case:
    kinds: dict[bool | None, Kind] = {True: "passed", False: "failure", None: "error"}
    baseline = line.get("baseline")
    told = {} if baseline is None else {"baseline": WORDS[baseline["passed"]], "baseline.flips": str(differs(line))}
    return _Case(
        of=line["run"],
        name=line["name"],
        kind=kinds[line["passed"]],
        message=line["evidence"],
        text=f"{line['source']} {line['run']}{place(line)}",
        properties={name: value.lower() for name, value in told.items()},
        output=f"The baseline says {then_and_now(line)}." if differs(line) else "",
    )


def _of_labels(labels: Labels) -> Iterator[_Case]:
    """The pins that were not checked, each, and what else of the label file could not be used."""
    for label, reason in labels.faulty_pins():
        yield _Case(of=label.run, name=pin_name(label), kind="error", message=reason)
    for label in labels.absent:
        if label.pin:
            yield _Case(of=label.run, name=pin_name(label), kind="skipped", message="Its run is not among these.")
    for fault in labels.faults():
        yield _Case(of=str(labels.path), name="labels", kind="error", message=mask_text(fault))


def _add_suite(root: ElementTree.Element, name: str, cases: Sequence[_Case], flips: Sequence[Flip]) -> None:
    """Put a suite below all others; one without a case is none."""
    if not cases:
        return
    kinds = Counter(case.kind for case in cases)
    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name=_xml(name),
        tests=str(len(cases)),
        failures=str(kinds["failure"]),
        errors=str(kinds["error"]),
        skipped=str(kinds["skipped"]),
    )
    for case in cases:
        _add_case(suite, case)
    if flips:
        told = [f"{flip.run} {'passes' if flip.passed else 'fails'} now, unlike under the baseline." for flip in flips]
        ElementTree.SubElement(suite, "system-out").text = _xml("\n".join(told))


def _add_case(suite: ElementTree.Element, case: _Case) -> None:
    element = ElementTree.SubElement(suite, "testcase", classname=_xml(case.of), name=_xml(case.name))
    if case.properties:
        properties = ElementTree.SubElement(element, "properties")
        for name, value in case.properties.items():
            ElementTree.SubElement(properties, "property", name=name, value=_xml(value))
    if case.kind != "passed":
        ElementTree.SubElement(element, case.kind, message=_xml(case.message)).text = _xml(case.text) or None
    if case.output:
        ElementTree.SubElement(element, "system-out").text = _xml(case.output)


def _xml(words: str) -> str:
    """A text without the characters that XML cannot hold."""
    return "".join(
        sign
        if sign in "\t\n\r" or (" " <= sign <= "\ufffd" and not "\ud800" <= sign <= "\udfff") or sign > "\uffff"
        else "\ufffd"
        for sign in words
    )
