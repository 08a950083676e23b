"""The page that lists the reports of many runs: failed first, each with its verdict and a link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loopviz.report.document import Document
from loopviz.report.export import Export, Masks
from loopviz.report.markup import Markup, element
from loopviz.report.page import frame
from loopviz.report.pieces import pattern, table, verdict
from loopviz.timeline.words import number

_ORDER = {False: 0, None: 1, True: 2}
"""Failed first, then what has no verdict, then what passed."""
_VERDICTS = {False: "fails", None: "could not be judged by", True: "passes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A run in the list."""

    file: str
    """Name of its report, which lies beside the list."""
    heading: str
    facts: str
    passed: bool | None
    occurrences: int | None
    limit: int | None
    pattern: tuple[str, ...]
    period: int | None
    call: int | None
    """Where it goes over the limit, from 0."""


def entry(document: Document, file: str) -> Entry:
    """What the list says of a run."""
    finding = None if document.findings is None else document.findings.finding
    return Entry(
        file=file,
        heading=document.heading,
        facts=document.facts,
        passed=document.passed,
        occurrences=None if finding is None else finding.occurrences,
        limit=None if finding is None else finding.settings.max,
        pattern=() if document.findings is None else document.findings.pattern,
        period=None if finding is None else finding.period,
        call=None if finding is None else finding.first_failing_call,
    )


def make_index(entries: Sequence[Entry], unread: Sequence[tuple[str, str]], export: Export) -> str:
    """Make the list.

    Args:
        entries: The runs, in the order they were read; of equals that order stays.
        unread: (file, reason) of what could not be used.
        export: How the reports were made.
    """
    masks = Masks(on=export.masked)
    ordered = sorted(entries, key=lambda one: (_ORDER[one.passed], -(one.occurrences or 0)))
    heads = ("Run", "Verdict", "In a row", "Allowed", "Pattern", "Over the limit", "Facts")
    main = element(
        "main",
        element("p", element("span", "loopviz report"), element("span", export.day), class_="top"),
        element("h1", headline(entries)),
        element("p", counts(entries), class_="facts") if entries else None,
        element("p", masks.text(export.note.strip()), class_="note") if export.note.strip() else None,
        element("section", table(heads, map(_row, ordered), class_="runs")),
        _unread(unread, export, masks),
        element("footer", "A page a run, beside this file. No network needed."),
    )
    return frame(headline(entries), main)


def headline(entries: Sequence[Entry]) -> str:
    """`3 of 40 runs fail max-repeat`, `1 run, which fails max-repeat`."""
    failed, n_runs = sum(one.passed is False for one in entries), len(entries)
    if n_runs == 1:
        return f"1 run, which {_VERDICTS[entries[0].passed]} max-repeat"
    if not failed:
        return f"None of {number(n_runs)} runs fails max-repeat"
    return f"{number(failed)} of {number(n_runs)} runs fail{'s' if failed == 1 else ''} max-repeat"


def counts(entries: Sequence[Entry]) -> str:
    """`36 pass. 1 could not be judged.`; nothing of a single run, whose verdict the headline says."""
    if len(entries) == 1:
        return ""
    passed, unknown = (sum(one.passed is which for one in entries) for which in (True, None))
    words = [f"{number(passed)} pass{'es' if passed == 1 else ''}."] if passed else []
    words += [f"{number(unknown)} could not be judged."] if unknown else []
    return " ".join(words)


def _row(one: Entry) -> Markup:
    return element(
        "tr",
        element("td", element("a", element("bdi", one.heading), href=one.file)),
        element("td", verdict(one.passed)),
        element("td", element("b", "–" if one.occurrences is None else number(one.occurrences))),
        element("td", "–" if one.limit is None else number(one.limit)),
        element("td", pattern(one.pattern, over=one.passed is False) if one.pattern else "–"),
        element("td", "–" if one.call is None else f"call {number(one.call + 1)}"),
        element("td", one.facts, class_="muted"),
        class_="failed" if one.passed is False else None,
    )


def _unread(unread: Sequence[tuple[str, str]], export: Export, masks: Masks) -> Markup | None:
    """Files that could not be used; of a redacted export their number alone, for a path is a path."""
    if not unread:
        return None
    n_files = len(unread)
    title = f"{number(n_files)} file{'' if n_files == 1 else 's'} could not be read"
    rows = [] if export.redact else [element("li", masks.text(f"{path}: {reason}")) for path, reason in unread]
    return element("section", element("h2", title), element("ul", rows) if rows else None)
