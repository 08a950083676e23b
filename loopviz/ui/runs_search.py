"""Finding runs by what they are called, the tools they use, their call ids and, when asked, the texts inside.

Texts are searched as the file spells them, case aside, so a value is looked at once however often it occurs.
"""

from __future__ import annotations

import json
import re

import numpy as np

from loopviz.analysis.runset import RunSet
from loopviz.model import BoolArray, Codebook, Trajectory

_SPELLED = re.compile(rb"\\[u/]")
"""A sign written in a way that JSON offers beside the plain one."""


def search(runs: RunSet, words: str, *, inside: bool) -> BoolArray:
    """Which runs have `words`, case aside, in their names, tools or call ids, or in any text inside.

    Args:
        runs: The runs.
        words: One piece of text, white space at its ends left out; every run has the empty one.
        inside: Look into prompts, messages, arguments, outputs and final answers too.
    Returns:
        Shape (n_runs,).
    """
    wanted = words.strip().casefold()
    if not wanted:
        return np.ones(len(runs), dtype=np.bool_)
    found: BoolArray = _by_name(runs, wanted) | _by_tool(runs, wanted)
    if inside:
        found |= runs.kept.get(("inside", wanted), lambda: _inside(runs, wanted))
    return found


def _by_name(runs: RunSet, wanted: str) -> BoolArray:
    names: list[str] = runs.kept.get("names", lambda: [_names(t) for t in runs.trajectories])
    return np.array([wanted in name for name in names], dtype=np.bool_)


def _names(trajectory: Trajectory) -> str:
    parts = (
        trajectory.run,
        trajectory.stimulus,
        trajectory.model,
        trajectory.variant,
        trajectory.eval_name,
        trajectory.source.name,
        *trajectory.calls.ids,
    )
    return "\n".join(part for part in parts if part).casefold()


def _by_tool(runs: RunSet, wanted: str) -> BoolArray:
    columns = runs.columns
    named = np.array([wanted in tool.casefold() for tool in columns.tools], dtype=np.bool_)
    if not named.any():
        return np.zeros(len(runs), dtype=np.bool_)
    so_far = np.concatenate([[0], np.cumsum(named[columns.tool])])
    uses: BoolArray = np.diff(so_far[columns.starts]) > 0
    return uses


def _inside(runs: RunSet, wanted: str) -> BoolArray:
    values: dict[int, BoolArray] = {}
    for trajectory in runs.trajectories:
        book = trajectory.codebook
        if id(book) not in values:
            values[id(book)] = _values_with(book, wanted)
    return np.array([_tells(t, wanted) or _calls_hold(t, values[id(t.codebook)]) for t in runs.trajectories])


def _values_with(book: Codebook, wanted: str) -> BoolArray:
    """Which values of a codebook hold the words; a place more at the end, for a value that is missing."""
    spelled = json.dumps(wanted, ensure_ascii=False)[1:-1]
    plain = spelled.encode("utf-8", "surrogatepass")
    if wanted.isascii():
        found = [plain in (_plainly(value) if _SPELLED.search(value) else value).lower() for value in book.values]
    else:
        found = [spelled in _plainly(value).decode("utf-8", "replace").casefold() for value in book.values]
    return np.array([*found, False], dtype=np.bool_)


def _plainly(value: bytes) -> bytes:
    """A JSON text with every sign written as itself where JSON allows that; as it stands where it is not JSON."""
    try:
        return json.dumps(json.loads(value), ensure_ascii=False).encode("utf-8", "surrogatepass")
    except ValueError:
        return value


def _calls_hold(trajectory: Trajectory, found: BoolArray) -> bool:
    calls = trajectory.calls
    return bool(found[calls.arguments].any() or found[calls.observation].any())


def _tells(trajectory: Trajectory, wanted: str) -> bool:
    texts = (trajectory.prompt, trajectory.output, trajectory.error, *(event.text for event in trajectory.events))
    return any(wanted in text.casefold() for text in texts if text)
