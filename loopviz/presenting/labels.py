"""What stands beside the marks of the plain picture."""

from __future__ import annotations

from loopviz.presenting.names import cut
from loopviz.presenting.repeats import Alike, Copies
from loopviz.presenting.scene import Scene
from loopviz.presenting.stopping import StopKind, StopPoint
from loopviz.presenting.tool_words import thing
from loopviz.timeline.contract import CycleState
from loopviz.timeline.words import allowed, number

LEVELS = ("", "make a new plan", "try another way", "stop with what you have")
"""What a warning guard says at each level of the ladder, to people who have never seen one."""
LADDER = "what a warning guard would have told the agent (both guards are simulated)"
SILENT_LADDER = "A warning guard would have said nothing (both guards are simulated)."
LONGEST_NAME = 40
"""Characters of a tool's name on a label."""

_RESULT: dict[Alike, str] = {
    "same": "the same result",
    "new": "another result each time",
    "mixed": "not always the same result",
    "empty": "nothing back",
    "unknown": "",
}
_MIXED = "not always the same results"
_RESULTS: dict[Alike, str] = {**_RESULT, "same": "the same results", "mixed": _MIXED, "new": _MIXED}
"""Of a pattern of several steps, or of several calls at once."""
NOT_COUNTED = "not counted by these settings"
_STOP: dict[StopKind, str] = {
    "thrash": "a stop guard would have ended the run here, after call {}",
    "ladder": "a warning guard would have told the agent to stop here, before call {}",
    "limit": "over the limit here, at call {}; no guard would have stopped the run",
}


def bracket_words(copies: Copies, limit: int) -> str:
    """`the same test, the same result, 7 times; 3 are allowed`."""
    results = _RESULT[copies.results] if copies.tool is not None else _RESULTS.get(copies.results, "")
    parts = [_what(copies), results, f"{number(copies.times)}\u00a0times"]
    counted = NOT_COUNTED if copies.state is CycleState.NOT_COUNTED else allowed(limit)
    return f"{', '.join(filter(None, parts))}; {counted}"


def _what(copies: Copies) -> str:
    same = copies.requests == "same"
    if copies.tool is not None:
        words = "".join(part["text"] + " " for part in thing(copies.tool, same=same)).strip()
        return cut(words, LONGEST_NAME)
    if copies.period > 1:
        return f"{'the same' if same else 'a pattern of'} {number(copies.period)} steps"
    what = "the same calls" if same else "calls"
    return f"{what} side by side" if copies.at_once else f"{what}, at times several at once"


def stop_words(stop: StopPoint) -> str:
    """`a stop guard would have ended the run here, after call 18`."""
    return _STOP[stop.kind].format(number(stop.call + 1))


def caption(scene: Scene) -> str:
    """What a cell is: `26 calls, in order`."""
    calls = f"{number(scene.n_calls)} call{'' if scene.n_calls == 1 else 's'}, in order"
    if scene.binned:
        size = -(-scene.n_calls // len(scene.items))
        calls += f", up to {number(size)} in each bar"
    notes = ["a line below joins calls made at once"] if scene.at_once else []
    notes += ["darker: another repeat over the limit"] if scene.has_others else []
    return "; ".join([calls, *notes])
