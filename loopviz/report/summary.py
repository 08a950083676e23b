"""Many runs as Markdown, for the page of a CI job: how many fail, which, where and on what; the rest folded away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from loopviz import __version__
from loopviz.detectors.max_repeat import NAME
from loopviz.report import markdown
from loopviz.report.data_files import Unread
from loopviz.report.export import Export, Masks
from loopviz.report.markdown import Markdown, code, line, words
from loopviz.report.pieces import SIGNS
from loopviz.report.rows import Row, RunRows
from loopviz.report.texts import brief
from loopviz.timeline.words import number

OPEN, FOLDED = 20, 100
"""Failing runs in the table that stands open, and rows of each list that is folded away."""
REASON, RUN = 240, 120
"""Characters of a reason, and of a run's name or place."""


def make_summary(told: Sequence[RunRows], unread: Unread, export: Export) -> str:
    """Make it.

    Args:
        told: The runs, in the order they were read.
        unread: (file, reason) of what could not be used.
        export: What stays out, and what is put on top.
    """
    masks = Masks(on=export.masked)
    failed = [one for one in told if one.passed is False]
    unknown = [one for one in told if one.passed is None]
    note = masks.text(export.note.strip())
    return markdown.document(
        markdown.heading(2, f"{SIGNS[False if failed else None if unknown else True]} {headline(told)}"),
        line(" ".join([*_counts(told), *_after(failed)])),
        markdown.quote(note) if note else None,
        _failing(failed[:OPEN]),
        _folded(f"{number(len(failed) - OPEN)} more that fail", _failing(failed[OPEN : OPEN + FOLDED]), failed[OPEN:]),
        _folded(f"{number(len(unknown))} not judged", _unjudged(unknown[:FOLDED]), unknown),
        _unread(unread, export, masks),
        line(_settings(told)),
        Markdown(f"<sub>loopviz {__version__}, {export.day}. {_left_out(export)}</sub>"),
    )


def headline(told: Sequence[RunRows]) -> str:
    """`3 of 40 runs fail max-repeat`."""
    failed, n_runs = sum(one.passed is False for one in told), len(told)
    what = NAME if all(row["grader"] == NAME for one in told for row in one.rows) else "a detector"
    if n_runs == 1:
        return f"1 run, which {'fails' if failed else 'passes' if told[0].passed else 'could not be judged by'} {what}"
    if not failed:
        return f"None of {number(n_runs)} runs fails {what}"
    return f"{number(failed)} of {number(n_runs)} runs fail{'s' if failed == 1 else ''} {what}"


def _counts(told: Sequence[RunRows]) -> Iterator[str]:
    verdicts = Counter(one.passed for one in told)
    words_of = {False: ("fails", "fail"), True: ("passes", "pass"), None: ("could not be judged",) * 2}
    for passed, (singular, plural) in words_of.items():
        if verdicts[passed]:
            yield f"{SIGNS[passed]} {number(verdicts[passed])} {singular if verdicts[passed] == 1 else plural}."


def _after(failed: Sequence[RunRows]) -> Iterator[str]:
    """What came after the stop points of the runs that fail, as far as it is recorded."""
    stops = [one.deciding["stop"] for one in failed if one.deciding["stop"] is not None]
    if not stops:
        return
    costs = [stop["cost_after"] for stop in stops if stop["cost_after"] is not None]
    n_calls, n_runs = sum(stop["calls_after"] for stop in stops), len(stops)
    cost = f" and ${sum(costs):,.2f} of recorded cost" if costs else ""
    runs = "1 of them" if n_runs == 1 else f"{number(n_runs)} of them"
    yield (
        f"A live guard, simulated, would have stopped {runs}: at most {number(n_calls)} "
        f"call{'' if n_calls == 1 else 's'}{cost} came after that."
    )


def _failing(failed: Sequence[RunRows]) -> Markdown | None:
    """A row a run: which, on what, and where one finds it."""
    if not failed:
        return None
    rows = [(code(brief(one.heading, RUN)), _reason(one), _place(one.deciding)) for one in failed]
    return markdown.table(("Run", "What repeated", "Where"), rows)


def _reason(one: RunRows) -> Markdown:
    row, n_failed = one.deciding, sum(row["passed"] is False for row in one.rows)
    name = [code(row["name"]), ": "] if len(one.rows) > 1 or row["grader"] != NAME else []
    more = f" ({n_failed - 1} more of its graders fail.)" if n_failed > 1 else ""
    return line(*name, _evidence(row), more)


def _evidence(row: Row) -> Markdown:
    """The verdict in words, the tools of a short pattern as code."""
    found, evidence = row["metadata"] or {}, row["evidence"]
    pattern, preview = found.get("pattern") or [], found.get("pattern_preview") or ""
    if len(evidence) > REASON or not preview or preview not in evidence:
        return words(brief(evidence, REASON))
    before, _, after = evidence.partition(preview)
    return line(before, Markdown(" → ".join(map(code, pattern))), after)


def _place(row: Row) -> Markdown:
    """`results.jsonl`, line 3, turn 13, call 13."""
    at = row["at"] or {}
    told = [f"{name} {number(at[name])}" for name in ("line", "turn", "call") if at.get(name)]
    source = [code(_short(row["source"]))] if row["source"] else []
    return line(*source, ", " if source and told else "", ", ".join(told))


def _short(path: str) -> str:
    """A path by its end, which tells files of one folder apart."""
    return path if len(path) <= RUN else f"…{path[1 - RUN :]}"


def _unjudged(unknown: Sequence[RunRows]) -> Markdown | None:
    if not unknown:
        return None
    rows = [
        (code(brief(one.heading, RUN)), words(brief(one.deciding["evidence"], REASON)), _place(one.deciding))
        for one in unknown
    ]
    return markdown.table(("Run", "Why", "Where"), rows)


def _folded(title: str, table: Markdown | None, runs: Sequence[RunRows]) -> Markdown | None:
    if table is None:
        return None
    n_more = len(runs) - FOLDED
    return markdown.details(title, table, line(f"… {number(n_more)} more.") if n_more > 0 else None)


def _unread(unread: Unread, export: Export, masks: Masks) -> Markdown | None:
    """Files that could not be used; of a redacted export their number alone."""
    if not unread:
        return None
    n_files = len(unread)
    title = f"{number(n_files)} file{'' if n_files == 1 else 's'} could not be read"
    if export.redact:
        return line(f"{title}.")
    rows = [
        (code(_short(masks.text(path))), words(brief(masks.text(reason), REASON))) for path, reason in unread[:FOLDED]
    ]
    more = line(f"… {number(n_files - FOLDED)} more.") if n_files > FOLDED else None
    return markdown.details(title, markdown.table(("File", "Why"), rows), more)


def _settings(told: Sequence[RunRows]) -> str:
    """The settings in force, where all runs were judged by the same."""
    used = {
        _setting(row["metadata"])
        for one in told
        for row in one.rows
        if row["grader"] == NAME and row["metadata"] is not None
    }
    if len(used) != 1:
        return "Settings: those of each run." if used else ""
    limit, longest, match, tools = next(iter(used))
    watched = "all" if tools is None else " ".join(tools)
    return f"Settings: max {limit}, longest pattern {longest}, match {match}, tools {watched}."


def _setting(found: Row) -> tuple[int, int, str, tuple[str, ...] | None]:
    tools = found["tools"]
    return found["max"], found["max_cycle_period"], found["match"], None if tools is None else tuple(tools)


def _left_out(export: Export) -> str:
    return "Guards are simulated." + (" Texts and names of runs and files are left out." if export.redact else "")
