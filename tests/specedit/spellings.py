"""Eval specs in the many ways in which people spell them, with the lines that belong to each grader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from loopviz.settings import MaxRepeatSettings

Owner = tuple[int, int] | None
"""Stimulus and grader that a line belongs to."""

PATTERNS = (
    *(
        "^bash$",
        "read",
        "a b",
        "it's",
        'say "x"',
        r"\d+\.txt",
        "# x",
        "x # y",
        "a: b",
        "[a-z]+",
        r"\{x\}",
        "é工",
        "\U0001f600",
    ),
    *(
        "- x",
        "no",
        "null",
        "3",
        "0x1f",
        "2024-01-01",
        "2024-99-99",
        "tab\there",
        "x\u2028y",
        "\xa0.",
        "%",
        "@",
        "`",
        "!",
        "&a",
        "a,b",
    ),
    *(":", "a|b", "]", "^$|x", "~", "'", '"', r"\\", "(?i)Read", "...", "---", "=", "<<x"),
)

COMMENTS = ("", "max: 3", "- x", "é", "x\u2028y\x85z", "# #", ": {")

some_settings = st.builds(
    MaxRepeatSettings,
    max=st.integers(1, 12),
    max_cycle_period=st.sampled_from((1, 1, 2, 10)),
    match=st.sampled_from(("observation", "name", "name-args")),
    tools=st.none() | st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=4).map(tuple),
)


@dataclass(frozen=True)
class Spelled:
    """A spec as text."""

    text: str
    owners: tuple[Owner, ...]
    """Of each line."""


@dataclass
class Writer:
    """Writes a spec line by line, and draws how."""

    draw: Any
    step: int
    dash: int
    gap: int
    tabs: bool
    lines: list[tuple[str, Owner]] = field(default_factory=list)
    owner: Owner = None
    comments: int = 0
    after_block: bool = False

    def flip(self, times: int = 4) -> bool:
        return bool(self.draw(st.integers(0, times)) == times)

    def comment(self) -> str:
        self.comments += 1
        return f"# c{self.comments} {self.draw(st.sampled_from(COMMENTS))}".rstrip()

    def line(self, column: int, text: str, *, bare: bool = False) -> None:
        """A line; comments and blank lines may come before it, a comment may end it."""
        while not bare and self.flip(6):
            if self.flip(1):
                self.lines.append((self.draw(st.sampled_from(("", "  "))), self.owner))
            elif not self.after_block:
                indent = self.draw(st.sampled_from((0, column, column, column + 3)))
                self.lines.append((" " * indent + self.comment(), self.owner))
            else:
                self.lines.append((self.comment(), self.owner))
        end = (
            ""
            if bare or not self.flip(5)
            else ("\t" if self.tabs else " " * self.draw(st.integers(1, 3))) + self.comment()
        )
        self.lines.append((" " * column + text + end, self.owner))
        self.after_block = False

    def scalar(self, value: Any) -> str:
        if not isinstance(value, str):
            return str(value)
        ways = ['"']
        if value.isprintable():
            ways.append("'")
        if value.replace("-", "").replace("_", "").isalpha() and value.isascii() and value not in ("null",):
            ways.append("")
        way = self.draw(st.sampled_from(ways))
        if way == '"':
            return (
                '"'
                + value.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("\u2028", "\\L")
                + '"'
            )
        return value if not way else "'" + value.replace("'", "''") + "'"

    def prompt(self, column: int) -> None:
        way = self.draw(st.sampled_from(("plain", "literal", "keep", "folded", "quoted")))
        if way == "plain":
            self.line(column, "prompt: do it")
            return
        if way == "quoted":
            self.line(column, 'prompt: "do', bare=True)
            self.line(column + 1, '# not a comment"', bare=True)
            return
        self.line(column, {"literal": "prompt: |", "keep": "prompt: |+", "folded": "prompt: >-"}[way], bare=True)
        self.line(column + self.step, "do it  # not a comment", bare=True)
        for _ in range(self.draw(st.integers(0, 2))):
            self.lines.append(("", self.owner))
        self.after_block = True

    def tools(self, column: int, tools: list[str]) -> None:
        way = self.draw(st.sampled_from(("brackets", "lines", "lines", "open brackets")))
        if way == "brackets":
            self.line(column, f"tools: [{', '.join(map(self.scalar, tools))}]")
        elif way == "lines":
            self.line(column, "tools:")
            for tool in tools:
                self.line(column + self.dash, f"-{' ' * self.draw(st.integers(1, 2))}{self.scalar(tool)}")
        else:
            self.line(column, "tools: [")
            for place, tool in enumerate(tools):
                comma = "," if place < len(tools) - 1 or self.flip(1) else ""
                self.line(column + self.step, f"{self.scalar(tool)}{comma}")
            self.line(column + self.step, "]")

    def grader(self, column: int, grader: dict[str, Any]) -> None:
        keys = self.draw(st.permutations(list(grader)))
        at = column + self.gap
        for place, key in enumerate(keys):
            head = f"-{' ' * (self.gap - 1)}" if not place else ""
            start = column if not place else at
            if key != "config":
                self.line(start, f"{head}{key}: {self.scalar(grader[key])}")
            else:
                self.line(start, f"{head}config:")
                self.config(at + self.step, grader["config"])

    def config(self, column: int, config: dict[str, Any]) -> None:
        for key in self.draw(st.permutations(list(config))):
            if key == "tools" and isinstance(config[key], list):
                self.tools(column, config[key])
            else:
                self.line(column, f"{key}: {self.scalar(config[key])}")

    def stimulus(self, column: int, place: int, graders: list[dict[str, Any]] | None) -> None:
        at = column + self.gap
        self.line(column, f"-{' ' * (self.gap - 1)}name: s{place}")
        if self.flip(1):
            self.prompt(at)
        if graders is None:
            if self.flip(1):
                self.line(at, f"graders:{self.draw(st.sampled_from(('', ' null', ' []', ' ~')))}")
        else:
            self.line(at, "graders:")
            for index, grader in enumerate(graders):
                self.owner = (place, index)
                self.grader(at + self.dash, grader)
                self.owner = None
        if self.flip(2):
            self.line(at, "tags: {a: b}")


@st.composite
def graders(draw: Any) -> list[dict[str, Any]]:
    """The graders of a stimulus: some max-repeat, some other."""
    made: list[dict[str, Any]] = []
    for place in range(draw(st.integers(1, 3))):
        if draw(st.integers(0, 3)) == 0:
            made.append({"type": "output-matches", "config": {"max": 9, "pattern": draw(st.sampled_from(PATTERNS))}})
            continue
        config = draw(some_settings).model_dump(mode="json")
        kept = {
            key: value for key, value in config.items() if key == "max" or (value is not None and draw(st.booleans()))
        }
        named = {"name": f"g-{place}"} if draw(st.booleans()) else {}
        made.append({"type": "max-repeat", **named, "config": kept})
    return made


@st.composite
def specs(draw: Any) -> Spelled:
    """A whole spec."""
    gap = draw(st.sampled_from((2, 2, 3, 4)))
    writer = Writer(
        draw,
        step=draw(st.sampled_from((2, 2, 3, 4))),
        dash=draw(st.sampled_from((0, 2, 4))),
        gap=gap,
        tabs=draw(st.booleans()),
    )
    if draw(st.booleans()):
        writer.line(0, "---")
    writer.line(0, "name: spec")
    writer.line(0, "stimuli:")
    for place in range(draw(st.integers(1, 3))):
        writer.stimulus(writer.dash, place, draw(st.none() | graders()))
    ends = draw(st.sampled_from((("scoring:", "  threshold: 0.5"), ("...",), ())))
    for text in ends:
        writer.line(0, text, bare=True)
    return _joined(writer.lines, draw)


def _joined(lines: list[tuple[str, Owner]], draw: Any) -> Spelled:
    line_break = draw(st.sampled_from(("\n", "\n", "\r\n")))
    text = "".join(line + line_break for line, _ in lines)
    if draw(st.booleans()):
        text = text.removesuffix(line_break)
    mark = draw(st.sampled_from(("", "", "\ufeff")))
    return Spelled(mark + text, tuple(owner for _, owner in lines))


def comments(text: str) -> Iterator[str]:
    """The comments that a writer has put into a text, in order."""
    for line in re.split(r"[\r\n]+", text):
        at = line.find("# c")
        if at >= 0:
            yield line[at:].rstrip()
