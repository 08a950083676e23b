"""One sentence on a run for people who never saw one, made from what was found and claiming no more than that.

Each way of "same" counts something else: the same result from one tool, the same request, or the same tool. Where the
sentence says more, as that requests were the same too, that was looked up among the very copies it speaks of.
"""

from __future__ import annotations

import json
from typing import Any

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.steps import Match
from loopviz.masking import MASK, mask_text
from loopviz.model import Trajectory
from loopviz.presenting.empties import empties_of
from loopviz.presenting.names import seen
from loopviz.presenting.repeats import Alike, Copies, among_watched, copies_of
from loopviz.presenting.tool_words import doing, tool_words
from loopviz.timeline.contract import Part
from loopviz.timeline.words import allowed, code, number, plain, spaced, text

LONGEST_COMMAND = 32
"""Characters of a command that is told in the sentence itself."""
_COMMAND_FIELDS = ("command", "cmd")
_RESULT: dict[Alike, str] = {
    "same": "and got the same result each time",
    "new": "and got another result each time",
    "mixed": "and got results that were not all the same",
    "empty": "and got nothing back",
    "unknown": "; not every result was recorded",
}
_RESULTS: dict[Alike, str] = {**_RESULT, "same": "and got the same results each time", "new": _RESULT["mixed"]}
"""Of a pattern of several steps, or of several calls at once."""
_TWICE: dict[Match, str] = {
    "observation": "got the same result from one{} tool",
    "name-args": "made the same request{}",
    "name": "used the same{} tool",
}
"""What a call does again that is the same; between the braces goes whether only some tools are watched."""
_ALIKE: dict[Match, str] = {
    "observation": "with the same results",
    "name-args": "with the same requests",
    "name": "with the same tools",
}


def headline(inspection: Inspection, *, hide_texts: bool) -> str:
    """The sentence as one line of text; a tool's own name and a command stand between backticks.

    Args:
        inspection: The run and what was found in it.
        hide_texts: Tell nothing of what the agent asked for; names of tools stay.
    """
    return plain(headline_parts(inspection, hide_texts=hide_texts))


def headline_parts(inspection: Inspection, *, hide_texts: bool) -> list[Part]:
    """The same as pieces, so that names are set apart."""
    copies = copies_of(inspection)
    if copies is None:
        return spaced(_nothing_twice(inspection))
    return spaced(_within(inspection, copies) if inspection.finding.passed else _over(inspection, copies, hide_texts))


def bare(parts: list[Part]) -> str:
    """Pieces as one line of text in which nothing sets a name apart, as a title has it."""
    return "".join(part["text"] for part in parts)


def unjudged_headline(trajectory: Trajectory, *, hide_texts: bool) -> str:
    """The sentence on a run that could not be judged."""
    if hide_texts or not trajectory.not_judged:
        return "This run could not be judged."
    return f"This run could not be judged: {seen(mask_text(trajectory.not_judged))}"


def _over(inspection: Inspection, copies: Copies, hide_texts: bool) -> list[Part]:
    times = f"{number(copies.times)} times in a row{among_watched(inspection)}"
    parts = [text("The agent"), *_did(inspection, copies, hide_texts), text(times)]
    several = copies.tool is None
    if copies.results in ("new", "mixed") and copies.requests in ("new", "mixed"):
        return [*parts, text("; neither requests nor results were all the same.")]
    clause = (_RESULTS if several else _RESULT)[copies.results]
    return [*parts, text(f"{clause}{_requests_differ(inspection.finding.settings.match, copies)}.")]


def _did(inspection: Inspection, copies: Copies, hide_texts: bool) -> list[Part]:
    """What was done, after `The agent`."""
    same = copies.requests == "same"
    if copies.tool is not None:
        command = None if hide_texts or not same else _command(inspection, copies)
        return [text("ran"), code(command)] if command else doing(copies.tool, same=same)
    if copies.period == 1:
        what = "the same calls" if same else "calls with the same tools"
        return [text(f"made {what} side by side" if copies.at_once else f"made {what}, at times several at once,")]
    steps = f"{number(copies.period)} steps"
    return [text(f"went through the same {steps}" if same else f"repeated a pattern of {steps}")]


def _requests_differ(match: Match, copies: Copies) -> str:
    """That requests were not the same, where counting did not look at them."""
    if copies.requests not in ("new", "mixed") or match == "name-args":
        return ""
    return ", though what it asked for was not always the same"


def _command(inspection: Inspection, copies: Copies) -> str | None:
    """The command itself, where the tool runs commands and this one is short."""
    words = tool_words(copies.tool or "")
    raw = inspection.trajectory.arguments_json(copies.first_call())
    if words is None or words.same != "the same command" or raw is None:
        return None
    command = _command_in(raw)
    fits = command is not None and 0 < len(command) <= LONGEST_COMMAND and command.isprintable()
    return command if fits and command is not None and MASK not in mask_text(command) and "`" not in command else None


def _command_in(raw: bytes) -> str | None:
    try:
        value: Any = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        told = [value[name] for name in _COMMAND_FIELDS if isinstance(value.get(name), str)]
        return told[0].strip() if told and len(value) == 1 else None
    return None


def _within(inspection: Inspection, copies: Copies) -> list[Part]:
    """A run that passes although something came more than once in a row."""
    settings = inspection.finding.settings
    times = f"at most {number(copies.times)} times in a row{among_watched(inspection)}"
    most = f"{times}{_aside(inspection)}; {allowed(settings.max)}."
    if copies.period == 1 and _one_by_one(inspection):
        return _taken(inspection, f"The agent {_twice(inspection)} {most}")
    what = "step" if copies.period == 1 else f"pattern of {number(copies.period)} steps"
    return _taken(inspection, f"The agent repeated a {what}, {_ALIKE[settings.match]}, {most}")


def _taken(inspection: Inspection, sentence: str) -> list[Part]:
    """A sentence on all calls, and how those are taken of which nobody recorded what is compared."""
    doubt = inspection.caution
    if doubt is None:
        return [text(sentence)]
    what = "results" if doubt.what == "outputs" else "requests"
    as_what = "the same" if doubt.taken == "equal" else "different"
    taken = f"With {what} that were not recorded taken as {as_what}, "
    return [text(f"{taken}{sentence[:1].lower()}{sentence[1:]}")]


def _one_by_one(inspection: Inspection) -> bool:
    """Whether no turn made several calls; those would count once, so that nothing can be said of each call."""
    return inspection.finding.steps == inspection.finding.watched_calls


def _twice(inspection: Inspection) -> str:
    finding = inspection.finding
    some = finding.watched_calls < len(inspection.trajectory.calls)
    watched = " to a watched tool" if finding.settings.match == "name-args" else " watched"
    return _TWICE[finding.settings.match].format(watched if some else "")


def _aside(inspection: Inspection) -> str:
    """Empty results are the same as nothing, and so are not told among those that came again."""
    empties = empties_of(inspection)
    return "" if empties is None else empties.aside


def _nothing_twice(inspection: Inspection) -> list[Part]:
    finding, n_calls = inspection.finding, len(inspection.trajectory.calls)
    if not n_calls:
        return [text("The agent called no tool in this run.")]
    if not finding.watched_calls:
        calls = "its one call" if n_calls == 1 else f"its {number(n_calls)} calls"
        return [text(f"The agent used none of the tools that are watched here; {calls} were of others.")]
    empties = empties_of(inspection)
    if empties is not None and not finding.occurrences:
        return [text(empties.only)]
    bound, match = finding.settings.max_cycle_period, finding.settings.match
    if bound == 1 and _one_by_one(inspection):
        return _taken(inspection, f"The agent never {_twice(inspection)} twice in a row{_aside(inspection)}.")
    what = "No step" if bound == 1 else f"No step and no pattern of up to {number(bound)} steps"
    return _taken(inspection, f"{what} came twice in a row {_ALIKE[match]}{_aside(inspection)}.")
