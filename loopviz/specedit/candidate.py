"""Graders as YAML to copy into an eval spec, with a word on what they were chosen by."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from loopviz import yaml12
from loopviz.evalspec import MAX_REPEAT
from loopviz.model import Json
from loopviz.specedit.changes import Grader
from loopviz.specedit.spelling import plain_settings

LONGEST_NAME = 60
"""Characters of a grader's name, as Vally takes it."""
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def candidate_yaml(graders: Sequence[Grader], about: Sequence[str] = (), *, weight: float | None = None) -> str:
    """Graders as entries of a stimulus' `graders`, defaults left out, with comments below.

    Args:
        graders: What to write; their names must be Vally's, and differ.
        about: What they were chosen by, a comment each.
        weight: What the type max-repeat weighs; Vally has one weight for all graders of a type, at the top of the file.
    Raises:
        ValueError: for a name that Vally refuses; the message says why.
    """
    taken: list[str] = []
    for grader in graders:
        if grader.name is not None and (problem := name_problem(grader.name, taken)):
            raise ValueError(problem)
        taken += [grader.name] if grader.name is not None else []
    listed = yaml12.dump([entry(grader) for grader in graders]) if graders else ""
    comments = [*([] if weight is None else [_weighed(weight)]), *map(_on_one_line, about)]
    return listed + "".join(f"# {comment}\n" for comment in comments if comment)


def _weighed(weight: float) -> str:
    return f"at the top of the file, scoring: {{weights: {{{MAX_REPEAT}: {weight:g}}}}}"


def entry(grader: Grader) -> dict[str, Json]:
    """A grader as it stands in a list of graders, decoded."""
    named = {} if grader.name is None else {"name": grader.name}
    return {"type": MAX_REPEAT, **named, "config": plain_settings(grader.settings)}


def name_problem(name: str, taken: Collection[str] = ()) -> str | None:
    """Why Vally would refuse a grader's name, as a sentence; None for one that it takes.

    Args:
        name: The name.
        taken: The names of the other graders of the stimulus.
    """
    if len(name) > LONGEST_NAME:
        return f"The name of the grader has {len(name)} characters; {LONGEST_NAME} are allowed."
    if not _SLUG.fullmatch(name):
        return f"The name of the grader is {name!r}; it must be small letters, digits and single hyphens: {slug(name)}."
    if name in taken:
        return f"Two graders are named {name!r}; names must differ within a stimulus."
    return None


def slug(text: str) -> str:
    """The nearest name that Vally takes."""
    words = "-".join(re.findall(r"[a-z0-9]+", text.lower()))
    return words[:LONGEST_NAME].rstrip("-") or MAX_REPEAT


def _on_one_line(comment: str) -> str:
    """A comment without what would end it."""
    return " ".join("".join(char if char.isprintable() else " " for char in comment).split())
