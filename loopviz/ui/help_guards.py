"""Live examples of the two guards: command lines that are more or less alike, and calls that are identical or not."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from loopviz.analysis.inspection import GuardSettings, Inspection, inspect
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.similarity import Similarity, split_words
from loopviz.detectors.escalation import EscalationFindings, Level
from loopviz.detectors.thrash import Kind, Stop, ThrashFindings
from loopviz.settings import EscalationSettings, MaxRepeatSettings, ThrashSettings
from loopviz.timeline.contract import Part, Verdict, VerdictRow
from loopviz.timeline.guards import draw_ladder
from loopviz.timeline.picture import draw
from loopviz.timeline.words import number, text
from loopviz.ui.components.help_lines import help_lines
from loopviz.ui.components.small import small_timeline
from loopviz.ui.help_controls import Case, Example
from loopviz.ui.help_examples import line_of, type_line
from loopviz.ui.help_notation import WATCHED, NotationError, run_of_commands

MOST_LINES, MOST_SIGNS = 20, 2_000
_COMMAND = re.compile(r"(?:(\w+)> )?(.*)")
_ARGUMENTS = MaxRepeatSettings(max=3, match="name-args")
"""What the grader of the pictures is set to: as the guards do, it looks at arguments."""

LADDER = Example(
    key="ladder",
    model=EscalationSettings,
    fields=("similarity", "replan", "explore", "force_done", "same_tool", "tokens"),
    shown={},
    cases=(
        Case(name="Only the folder differs", text="cat src/a/notes.md\ncat src/b/notes.md\ncat /tmp/notes.md"),
        Case(name="Another file each time", text="grep total a.py\ngrep total b.py\ngrep total c.py"),
        Case(
            name="One flag of many",
            text="\n".join(f"pytest tests -k money -x -q --maxfail {flag}" for flag in ("1", "2", "3", "4", "5")),
        ),
        Case(
            name="Only times and ids differ",
            text="curl https://example.com/jobs/4711001?at=2026-11-03T09:00:00Z\n"
            "curl https://example.com/jobs/4711002?at=2026-11-03T09:05:00Z\n"
            "curl https://example.com/jobs/4711003?at=2026-11-03T09:10:00Z",
        ),
        Case(name="No space in it: one single word", text="setup-guide-part-1\nsetup-guide-part-2\nsetup-guide-part-3"),
        Case(
            name="The same, split at every sign",
            text="setup-guide-part-1\nsetup-guide-part-2\nsetup-guide-part-3",
            settings={"tokens": "word", "similarity": 0.6},
        ),
        Case(name="Another tool in between", text="cat> notes.md\ncat> notes.md\nread> notes.md\ncat> notes.md"),
        Case(
            name="Slow drift",
            text="ls a b c d e\nls a b c d f\nls a b c g f\nls a b h g f",
            settings={"similarity": 0.7},
        ),
    ),
)
THRASH = Example(
    key="thrash",
    model=ThrashSettings,
    fields=("n", "scope", "empty_retry", "ignore_args", "finish_tools", "ping_pong"),
    shown={},
    cases=(
        Case(name="The same call again", text="A A A A A"),
        Case(name="Another call in between", text="A A B A A"),
        Case(name="The same, counted over the whole run", text="A A B A A", settings={"scope": "run"}),
        Case(name="Two calls that take turns", text="A B A B A"),
        Case(name="The same, but the outputs change", text="A1 B1 A2 B2 A3"),
        Case(name="A fresh id each time", text="Ap Aq Ar As"),
        Case(name="The same, with the id left out", text="Ap Aq Ar As", settings={"ignore_args": ("id",)}),
        Case(name="Empty outputs retried", text="A_ A_ A_ A_", settings={"n": 5, "empty_retry": 1}),
        Case(name="A finishing tool in between", text="A A F A", settings={"finish_tools": ("^F$",)}),
    ),
)


@st.fragment(key="help-ladder")
def ladder_example() -> None:
    """The ladder on some command lines."""
    LADDER.begin()
    LADDER.pick()
    st.text_area(
        "Commands, one a line",
        key=LADDER.state("text"),
        height=128,
        help="Each line is a call of the tool bash, with the line as its argument `command`. Begin it with `read> ` "
        "for a tool called read. Leave the box, or press Ctrl and Enter, to see the answer.",
    )
    LADDER.controls()
    run, settings = line_of(LADDER, read_commands), LADDER.settings(EscalationSettings)
    if run is None or settings is None:
        return
    found = inspect(run, _ARGUMENTS, GuardSettings(escalation=settings))
    small_timeline(draw(found, ladder_in_words(found), {"call": None, "seq": 0}), key="help-ladder-picture")
    help_lines(compare(run, found.ladder), key="help-ladder-lines")


@st.fragment(key="help-thrash")
def thrash_example() -> None:
    """The thrash detector on a line."""
    type_line(THRASH)
    THRASH.controls()
    run, settings = line_of(THRASH), THRASH.settings(ThrashSettings)
    if run is None or settings is None:
        return
    watched = _ARGUMENTS.model_copy(update={"tools": WATCHED})
    found = inspect(run, watched, GuardSettings(thrash=settings))
    small_timeline(draw(found, thrash_in_words(found), {"call": None, "seq": 0}), key="help-thrash-picture")


def read_commands(lines: str) -> RunSet:
    """The run that some command lines stand for.

    Raises:
        NotationError: if there are too many, or they are too long.
    """
    if len(lines) > MOST_SIGNS:
        raise NotationError(f"These lines are too long: {len(lines):,} signs, and at most {MOST_SIGNS:,} are read")
    found = [_COMMAND.fullmatch(line.strip()) for line in lines.splitlines() if line.strip()]
    if len(found) > MOST_LINES:
        raise NotationError(f"These are more than {MOST_LINES} lines")
    return run_of_commands([line[2] for line in found if line], [line[1] or "bash" for line in found if line])


def compare(run: RunSet, found: EscalationFindings) -> list[dict[str, Any]]:
    """How each call of a run, all of which are watched, was held against the first of the stretch before it."""
    trajectory, arguments = run.trajectories[0], run.columns.arguments
    similarity = Similarity(run.columns, found.settings.tokens)
    firing = {fired.call: fired.level for fired in found.fired(0)}
    rows: list[dict[str, Any]] = []
    for call, code in enumerate(arguments.tolist()):
        head = found.stretches.head(0, call - 1) if call else None
        held = set() if head is None else _words(similarity, int(arguments[head]))
        rows.append(
            {
                "n": number(call + 1),
                "tool": trajectory.tool(call),
                "words": [[word, word in held] for word in _in_order(similarity, code)],
                "score": "" if head is None else f"{similarity.score(int(arguments[head]), code):.2f}",
                "against": "" if head is None else _against(run, head, call),
                "stretch": number(int(found.stretches.length[call])),
                "level": _level_word(firing.get(call)),
                "rank": int(firing.get(call, 0)),
            }
        )
    return rows


def _words(similarity: Similarity, code: int) -> set[str]:
    return split_words(similarity.text(code), similarity.tokens)


def _in_order(similarity: Similarity, code: int) -> list[str]:
    """The words of some arguments in the order in which they stand there, each once."""
    written = similarity.text(code)
    return sorted(_words(similarity, code), key=lambda word: (written.find(word), word))


def _against(run: RunSet, head: int, call: int) -> str:
    other = run.columns.tool[head] != run.columns.tool[call]
    return f"held against {number(head + 1)}" + (", another tool" if other else "")


def _level_word(level: Level | None) -> str:
    return "" if level is None else {1: "replan", 2: "explore", 3: "force-done"}[int(level)]


def ladder_in_words(found: Inspection) -> Verdict:
    """The highest level as a badge, and where each level fires first."""
    ladder = found.ladder
    level, longest = int(ladder.level[0]), int(ladder.longest_stretch[0])
    note = draw_ladder(ladder, len(found.trajectory.calls))["note"]
    words = f"{note[:1].upper()}{note[1:]}." if note else f"No level fires; replan needs {ladder.settings.replan}."
    return {
        "passed": True if not level else False if level >= ladder.settings.fail_level else None,
        "badge": f"LEVEL {level}",
        "sentence": [text(words)],
        "rows": [_row("Longest stretch", f"{number(longest)} similar call{'' if longest == 1 else 's'} in a row")],
    }


def thrash_in_words(found: Inspection) -> Verdict:
    """Whether the guard stops the run, where, and by which rule."""
    thrash = found.thrash
    stop, settings, count = thrash.stop(0), thrash.settings, int(thrash.count[0])
    if stop is None:
        words = f"At most {number(count)} identical; the run is stopped at {number(settings.n)}."
        return {"passed": True, "badge": "NO STOP", "sentence": [text(words)], "rows": []}
    after = len(found.trajectory.calls) - stop.call - 1
    return {
        "passed": False,
        "badge": "STOP",
        "sentence": [text(f"Stops at call {number(stop.call + 1)}: {_cause(thrash, stop)}.")],
        "rows": [
            _row("Rule", str(stop.kind.word)),
            {"label": "Key", "parts": [_code(stop.key)]},
            _row("After the stop point", f"{number(after)} call{'' if after == 1 else 's'}"),
        ],
    }


def _cause(thrash: ThrashFindings, stop: Stop) -> str:
    count, where = number(int(thrash.count[0])), "in the run" if thrash.settings.scope == "run" else "in a row"
    return {
        Kind.IDENTICAL: f"{count} identical calls {where}",
        Kind.EMPTY_RETRY: f"{count} nearly empty outputs of identical calls in a row",
        Kind.PING_PONG: "two calls took turns twice, each with the same output as before",
    }[stop.kind]


def _row(label: str, words: str) -> VerdictRow:
    return {"label": label, "parts": [text(words)]}


def _code(words: str) -> Part:
    return {"kind": "code", "text": words}
