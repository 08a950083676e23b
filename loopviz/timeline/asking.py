"""The answer about a stretch in words: a card beside the marked calls, and a section below the timeline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from loopviz.analysis.asking import Answer, Elsewhere, Suggestion, WhyNone
from loopviz.analysis.nearest import Nearest
from loopviz.analysis.reasons import Reason
from loopviz.analysis.set_effects import Effect
from loopviz.analysis.tool_choices import Kind
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.asking_words import (
    call_part,
    counted_steps,
    lead,
    neighbour_parts,
    other_parts,
    reason_parts,
    why_none,
)
from loopviz.timeline.contract import CycleState, Part
from loopviz.timeline.verdict import pattern_parts
from loopviz.timeline.words import SAME_WHEN, code, muted, number, spaced, span, strong, text

Data = dict[str, Any]
LONGEST_SHOWN = 3
"""Steps of a pattern that the card names; the section names all."""
NAMED = 3
"""Runs of the set that are named of each kind; the rest is counted."""

DEFINITION = (
    "A stretch counts when a loop over the limit covers at least half of the marked calls, from the first call of its "
    "complete copies to the last, with at least two copies among them."
)


def ask_form(n_calls: int, marked: tuple[int, int] | None) -> Data | None:
    """The way to ask without dragging, filled in with what is marked; None in a run without calls."""
    if not n_calls:
        return None
    first, last = marked or (None, None)
    return {"calls": n_calls, "first": None if first is None else first + 1, "last": None if last is None else last + 1}


def card_lines(answer: Answer) -> list[list[Part]]:
    """The answer in a few lines: whether, why, and the nearest setting as a button.

    That its steps differ says little where something else is known of them, so that is told instead.
    """
    plain = answer.head.reason in (Reason.ALL_DIFFER, Reason.NO_REPEAT) and answer.others
    why = (
        other_parts(answer.others[0], answer, most=LONGEST_SHOWN) if plain else reason_parts(answer, most=LONGEST_SHOWN)
    )
    lines = [[strong(lead(answer))], spaced(why)]
    if answer.suggestions:
        best = answer.suggestions[0].nearest
        words = " + ".join(_plain_change(best, field) for field in best.changed)
        lines.append(spaced([muted("Would count:"), {**text(words), "action": action_of(best)}]))
    elif answer.why_none is not None:
        lines.append([muted("No setting counts it.")])
    return lines


def tell_answer(answer: Answer, *, n_runs: int, others: Data | None = None) -> Data:
    """The section about a stretch.

    Args:
        answer: What is known of it.
        n_runs: Judged runs there are beside this one.
        others: What `tell_effects` gives, once it has been asked for.
    """
    stretch = answer.stretch
    return {
        "title": f"About call{'s' if len(stretch) > 1 else ''} {span(stretch.first, stretch.last)}",
        "aside": _sizes(answer),
        "lead": lead(answer),
        "reason": spaced(reason_parts(answer)),
        "facts": [spaced(other_parts(fact, answer)) for fact in answer.others],
        "neighbours": neighbour_parts(answer),
        "suggestions": [_suggestion(one, answer) for one in answer.suggestions],
        "none": spaced([text(why_none(answer))]) if answer.why_none is not None else None,
        "elsewhere": spaced(_elsewhere(answer.elsewhere, "These settings flag")) if answer.counts else None,
        "others": others,
        "look": _look(answer, n_runs) if others is None else None,
        "foot": f"{DEFINITION} {_tried(answer)}",
    }


def tell_effects(effects: Sequence[Effect], label: Callable[[int], str], link: Callable[[int, int], Data]) -> Data:
    """What each suggestion does in the other judged runs: what newly fails, then what newly passes.

    Args:
        effects: One for each suggestion.
        label: Names a run.
        link: The `href` and `action` that open a run under the settings of a suggestion.
    """
    told = [
        [
            _newly("fail", "fails", effect.newly_fail.tolist(), place, label, link),
            _newly("pass", "passes", effect.newly_pass.tolist(), place, label, link),
        ]
        for place, effect in enumerate(effects)
    ]
    n_judged = effects[0].n_judged if effects else 0
    which = "the other judged run" if n_judged == 1 else f"the other {number(n_judged)} judged runs"
    return {"head": f"In {which}" if effects else "", "effects": told}


def _newly(
    several: str, one: str, runs: list[int], place: int, label: Callable[[int], str], link: Callable[[int, int], Data]
) -> Data:
    """`4 newly fail`, the first of them by name."""
    return {
        "words": f"{number(len(runs))} newly {one if len(runs) == 1 else several}",
        "runs": [{"text": label(run), **link(place, run)} for run in runs[:NAMED]],
        "more": f"and {number(len(runs) - NAMED)} more" if len(runs) > NAMED else "",
    }


def action_of(option: Nearest) -> str:
    """What puts the settings in force: the fields that change, as `loopviz.ui.acting` takes them."""
    return urlencode(fields_of(option), doseq=True)


def fields_of(option: Nearest) -> dict[str, str | list[str]]:
    """The changed fields as texts; no pattern at all is every tool."""
    values: dict[str, str | list[str]] = {}
    for field in option.changed:
        value = getattr(option.settings, field)
        values[field] = list(value or [""]) if field == "tools" else str(value)
    return values


def _sizes(answer: Answer) -> str:
    n_calls = len(answer.stretch)
    calls = "1 call" if n_calls == 1 else f"{number(n_calls)} calls"
    return f"{calls} · {number(answer.n_watched)} watched · {counted_steps(answer.n_steps)}"


def _suggestion(suggestion: Suggestion, answer: Answer) -> Data:
    option = suggestion.nearest
    loop = option.loop
    over = pattern_parts(loop.pattern, CycleState.OVER)
    times = f"{number(loop.occurrences)} in a row, calls {span(loop.first, loop.last)}"
    return {
        "changes": [spaced(_change(option, field, answer.settings)) for field in option.changed],
        "loop": spaced([*over, text(times)]),
        "here": spaced(_elsewhere(suggestion.elsewhere)),
        "action": action_of(option),
    }


def _change(option: Nearest, field: str, now: MaxRepeatSettings) -> list[Part]:
    """`longest pattern 3` with what it is now, or the tools with their pattern."""
    if field != "tools":
        before = SAME_WHEN[now.match] if field == "match" else str(getattr(now, field))
        return [strong(_plain_change(option, field)), muted(f"now {before}")]
    patterns: list[Part] = [code(pattern) for pattern in option.settings.tools or ()]
    tool = option.choice.tool
    if tool is None:
        return [strong(_plain_change(option, field)), *patterns]
    words = "only" if option.choice.kind is Kind.ALONE else "without"
    return [strong(words), code(tool), *patterns]


def _plain_change(option: Nearest, field: str) -> str:
    settings = option.settings
    match field:
        case "max":
            return f"{number(settings.max)} allowed"
        case "max_cycle_period":
            return f"longest pattern {settings.max_cycle_period}"
        case "match":
            return SAME_WHEN[settings.match]
    match option.choice.kind:
        case Kind.EVERY:
            return "every tool"
        case Kind.ALONE:
            return f"only {option.choice.tool}"
        case Kind.WITHOUT:
            return f"without {option.choice.tool}"
        case _:
            return "only the tools of these calls"


def _elsewhere(elsewhere: Elsewhere, flags: str = "") -> list[Part]:
    """`2 more loops in this run, from call 10, call 25`."""
    if not elsewhere.count:
        return [text(f"{flags} nothing else in this run.".strip().capitalize())]
    loops = f"{number(elsewhere.count)} more loop{'' if elsewhere.count == 1 else 's'}"
    parts = [text(f"{flags} {loops} in this run, from".strip())]
    for place, call in enumerate(elsewhere.first_calls):
        parts += [text(",")] if place else []
        parts.append(call_part(call))
    if elsewhere.count > len(elsewhere.first_calls):
        parts.append(text("and on"))
    return [*parts, text(".")]


def _look(answer: Answer, n_runs: int) -> Data | None:
    """The button that asks what the suggestions do in the other runs."""
    if not answer.suggestions or not n_runs:
        return None
    which = "the other run" if n_runs == 1 else f"the other {number(n_runs)} runs"
    return {"label": f"Look at {which}", "busy": f"Looking at {which}…", "action": "asked=runs"}


def _tried(answer: Answer) -> str:
    if answer.counts or answer.why_none in (WhyNone.ONE_CALL, WhyNone.ONE_TURN):
        return ""
    return (
        f"Tried were {number(answer.tried)} settings, and any number allowed: every way of “same” and every longest "
        "pattern, with the tools as they are, every tool, only those of these calls, each of them alone, and each left "
        "out. One tool by its name alone is not tried: that counts calls. Nearest is what changes fewer settings; then "
        "what allows most; then what changes fewer tools; then the shorter pattern and the stricter “same”."
    )
