"""Markdown that is safe by construction: what comes from a run cannot become markup, a link, a mention or a reference.

Escaping with backslashes would not do: forges look for `@name`, `#12` and addresses in what is shown, after the
escapes are gone. They leave code alone, so every word that could become anything else is set as code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from loopviz.report.markup import readable
from loopviz.timeline.contract import Part

_LIVELY = re.compile(
    r"""
      [\\`*_{}\[\]<>|#@^]                  # markup, tags, mentions, numbers of issues
    | [!&~%][^\s.,;)] | :(?=[^\s\d.,;)])   # images, entities, references, signs that are pictures
    | :\d+:                                # a picture that is called by a number
    | \$(?=\S)(?![\d.,]+(?:[).;,:]|$))     # formulas; a sum of money is none
    | ://|(?i:www\.|gh-\d)                 # addresses, and an issue by another name
    | (?<![\d,.])[0-9a-f]{7,64}(?![0-9a-f]|[.,]\d)   # a commit
    """,
    re.VERBOSE,
)


class Markdown(str):
    """A text that is Markdown already; only the functions here make it."""

    __slots__ = ()


Content: TypeAlias = "str | None"


def words(text: str) -> Markdown:
    """A text on one line, as running words; those that could become anything else are set as code."""
    flat = re.sub(r"\s", " ", readable(text))
    return Markdown(re.sub(r"\S+", lambda word: _word(word[0]), flat))


def _word(word: str) -> str:
    if not _LIVELY.search(word):
        return word
    bare = word.rstrip(".,;?")  # stops behind a word are harmless
    bare = bare[:-1] if bare.find(":") == len(bare) - 1 else bare
    return f"{code(bare)}{word[len(bare) :]}"


def code(text: str) -> Markdown:
    """A text on one line, letter by letter: within more backticks than it has in a row itself."""
    flat = " ".join(readable(text).split())
    if not flat:
        return Markdown("")
    fence = "`" * (_longest_row(flat) + 1)
    gap = " " if flat[0] == "`" or flat[-1] == "`" else ""
    return Markdown(f"{fence}{gap}{flat}{gap}{fence}")


def fenced(text: str, language: str = "") -> Markdown:
    """Lines as a block of code."""
    shown = readable(text).rstrip("\n")
    fence = "`" * max(3, _longest_row(shown) + 1)
    return Markdown(f"{fence}{language}\n{shown}\n{fence}")


def line(*content: Content) -> Markdown:
    """Pieces one after the other: texts as `words`, Markdown as it is; None is left out."""
    return Markdown("".join(one if isinstance(one, Markdown) else words(one) for one in content if one is not None))


_MARKER = re.compile(r"(?:[-+*=~]+|\d{1,9}[.)])(?=\s|$)")
"""What would make a list, a rule or a heading of a paragraph that begins with it."""


def paragraph(*content: Content) -> Markdown:
    """The same as a block of its own, which nothing at its beginning makes into another one."""
    told = line(*content)
    marker = _MARKER.match(told.lstrip())
    return Markdown(f"{code(marker[0])}{told.lstrip()[marker.end() :]}") if marker else told


def strong(*content: Content) -> Markdown:
    """Pieces set in bold."""
    return Markdown(f"**{line(*content)}**")


def sentence(parts: Sequence[Part]) -> Markdown:
    """The pieces of a sentence, without the letters of the picture."""
    return line(*map(_part, parts))


def _part(part: Part) -> Markdown:
    shown = part["text"]
    match part["kind"]:
        case "swatch":
            return Markdown("")
        case "code":
            return code(shown)
        case "mark":
            return Markdown(f" {words(shown)} ")
        case "strong" if shown.strip():
            return strong(shown.strip())
        case _:
            return words(shown)


def heading(level: int, *content: Content) -> Markdown:
    """A heading."""
    return Markdown(f"{'#' * level} {line(*content)}")


def quote(text: str) -> Markdown:
    """A text as a quotation, a line each."""
    return Markdown("\n".join(f"> {paragraph(one)}  " for one in text.split("\n") if one.strip()))


def table(heads: Sequence[str], rows: Iterable[Sequence[str | None]]) -> Markdown:
    """A table; an empty heading for columns that need none."""
    lines = [_row(heads), f"|{' --- |' * len(heads)}", *map(_row, rows)]
    return Markdown("\n".join(lines))


def _row(cells: Sequence[str | None]) -> str:
    # A bar is escaped inside code too: rows are taken apart before anything else is looked at.
    told = (line(cell).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(told)} |"


def details(title: str, *blocks: Markdown | None) -> Markdown:
    """Blocks behind a title that opens them; the title is in the program's own words."""
    inside = "\n\n".join(block for block in blocks if block)
    return Markdown(f"<details><summary>{title}</summary>\n\n{inside}\n\n</details>")


def document(*blocks: Markdown | None) -> str:
    """Blocks one below the other."""
    return "\n\n".join(block for block in blocks if block) + "\n"


def _longest_row(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
