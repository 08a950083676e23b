"""What a tool is called in plain words, where its name says so beyond doubt; else by its own name, in code style.

A name is all that is looked at. What stands behind it is not guessed: `lookup_order` stays `lookup_order`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from loopviz.presenting.names import tool_name
from loopviz.timeline.contract import Part
from loopviz.timeline.words import code, text

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_ALL_KNOWN = re.compile(r"[A-Za-z0-9 _./:-]*")
"""A name in which no sign is left out by looking at its words alone; signs of other scripts are words too."""


@dataclass(frozen=True, slots=True)
class ToolWords:
    """One kind of act: `ran`, `the same test`, `a test`."""

    did: str
    same: str
    """What was done, where the arguments are the same each time."""
    one: str
    """What was done, where nothing is known of them."""


_COMMAND = ToolWords("ran", "the same command", "a command")
_CODE = ToolWords("ran", "the same code", "some code")
_TEST = ToolWords("ran", "the same test", "a test")
_SEARCH = ToolWords("ran", "the same search", "a search")
_READ = ToolWords("read", "the same file", "a file")
_EDIT = ToolWords("made", "the same edit", "an edit")
_WRITE = ToolWords("wrote", "the same file", "a file")
_LIST = ToolWords("listed", "the same folder", "a folder")
_FETCH = ToolWords("fetched", "the same page", "a page")
_STATUS = ToolWords("asked for", "the same status", "a status")

_KNOWN: tuple[tuple[ToolWords, str], ...] = (
    (_COMMAND, "bash, sh, shell, zsh, terminal, powershell, execute bash, run bash, run command, run shell command"),
    (_COMMAND, "execute command, exec command, run terminal cmd, run in terminal, run shell, local shell, shell exec"),
    (_CODE, "python, ipython, run python, execute python, run code, execute code, code interpreter"),
    (_TEST, "test, tests, run test, run tests, pytest, run pytest, unit test, run unit tests"),
    (_SEARCH, "search, grep, rg, ripgrep, glob, web search, search web, file search, search files, search docs"),
    (_SEARCH, "search code, code search, codebase search, grep search, search in files, find files, find file"),
    (_READ, "read, read file, view file, open file, cat, cat file"),
    (_EDIT, "edit, edit file, multi edit, apply patch, str replace, replace in file, search replace"),
    (_WRITE, "write, write file, create file, write to file"),
    (_LIST, "ls, list dir, list files, list directory, list folder"),
    (_FETCH, "web fetch, fetch url, fetch page, open url, fetch web page"),
    (_STATUS, "get status, check status, job status, get job status"),
)
_BY_NAME = {name: words for words, names in _KNOWN for name in names.split(", ")}


def tool_words(tool: str) -> ToolWords | None:
    """The plain words of a tool; None where its name does not say what it does."""
    if not _ALL_KNOWN.fullmatch(tool):
        return None
    return _BY_NAME.get(" ".join(word.lower() for word in _WORDS.findall(tool)))


def doing(tool: str, *, same: bool) -> list[Part]:
    """What the agent did with a tool, after `The agent`: `ran the same test`, or `used` and the tool's own name.

    Args:
        tool: Its name.
        same: The arguments were the same each time.
    """
    words = tool_words(tool)
    if words is not None:
        return [text(f"{words.did} {words.same if same else words.one}")]
    return [text("made the same call to" if same else "used"), code(tool_name(tool))]


def thing(tool: str, *, same: bool) -> list[Part]:
    """The same as a label without a verb: `the same test`, `a test`, or the tool's own name."""
    words = tool_words(tool)
    if words is not None:
        return [text(words.same if same else words.one)]
    return [text("the same call to"), code(tool_name(tool))] if same else [code(tool_name(tool))]
