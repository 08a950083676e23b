"""Both verdicts in a line each, and the settings that they rest on."""

from __future__ import annotations

from typing import Any

from loopviz.comparing.sides import LETTERS, Side, Sides, cut
from loopviz.detectors.max_repeat import NAME
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.verdict import call_place, judge_in_words, trial_in_words
from loopviz.timeline.words import SAME_WHEN, number, text

Data = dict[str, Any]
FIELDS = {
    "max": "Allowed in a row (max)",
    "max_cycle_period": "Longest pattern (max_cycle_period)",
    "match": "Same when (match)",
    "tools": "Watched tools (tools)",
}


def show_verdict(side: Side, place: int, name: str) -> Data:
    """The line of a side: its letter and name, the badge, the sentence, where it is over the limit."""
    letter = LETTERS[place]
    trial = trial_in_words(side.trajectory)
    found = side.inspection
    data: Data = {"letter": letter, "name": name, "passed": side.passed, "trial": trial, "over": None}
    if found is None:
        return {**data, "badge": "– not judged", "sentence": [text(side.why_not)]}
    verdict = judge_in_words(found, side.recorded, comparable=side.comparable)
    call = found.finding.first_failing_call
    if call is not None:
        data["over"] = {"text": call_place(side.trajectory, call), "action": f"inspect={letter}&call={call}"}
    sentence = [part.copy() for part in verdict["sentence"] if part["kind"] != "swatch"]
    for part in sentence:
        if part["kind"] == "code":
            part["text"] = cut(part["text"])
    recorded = _recorded(side)
    if data["over"] is None and (recorded or trial) and sentence:
        sentence[-1]["text"] = sentence[-1]["text"].removesuffix(".")  # more follows on the line
    badge = "✓ pass" if found.finding.passed else "✗ FAIL"
    return {**data, "badge": badge, "sentence": sentence, "recorded": recorded}


def _recorded(side: Side) -> str:
    """`max-repeat ✓` as the file has it; that it says otherwise where it does."""
    if side.recorded is None or side.recorded.passed is None:
        return ""
    if side.comparable and side.recorded.passed != side.passed:
        return f"≠ Vally said {'PASS' if side.recorded.passed else 'FAIL'}"
    return f"{NAME} {'✓' if side.recorded.passed else '✗'}" + ("" if side.comparable else " by other settings")


def in_words(settings: MaxRepeatSettings) -> str:
    """`max 3, longest pattern 1, same output`; the tools are told apart, since their patterns are the file's."""
    tools = "" if settings.tools is None else ", some tools watched"
    return (
        f"max {number(settings.max)}, longest pattern {settings.max_cycle_period}, {SAME_WHEN[settings.match]}{tools}"
    )


def settings_line(sides: Sides, origins: tuple[str, str]) -> str:
    """Which settings judge both, or each, and where they come from: `as recorded`."""
    one, other = (side.settings for side in sides)
    judged = [side.inspection is not None for side in sides]
    if not any(judged):
        return "Neither is judged."
    if not all(judged):
        at = judged.index(True)
        words = f"{LETTERS[at]} is judged {origins[at]}: {in_words(sides[at].settings)}"
        return f"{words}; {LETTERS[1 - at]} is not judged."
    if one != other:
        return f"A is judged {origins[0]}: {in_words(one)}; B {origins[1]}: {in_words(other)}."
    if origins[0] == origins[1]:
        return f"Both judged {origins[0]}: {in_words(one)}."
    return f"Both judged by {in_words(one)}: A {origins[0]}, B {origins[1]}."


def differing(one: MaxRepeatSettings, other: MaxRepeatSettings) -> list[Data]:
    """The settings in which two sides differ."""
    values = [_values(settings) for settings in (one, other)]
    return [
        {"name": label, "a": values[0][field], "b": values[1][field]}
        for field, label in FIELDS.items()
        if values[0][field] != values[1][field]
    ]


def _values(settings: MaxRepeatSettings) -> dict[str, str]:
    return {
        "max": number(settings.max),
        "max_cycle_period": str(settings.max_cycle_period),
        "match": SAME_WHEN[settings.match],
        "tools": "every tool" if settings.tools is None else " ".join(settings.tools),
    }
