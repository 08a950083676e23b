"""Finding one's way on Inspect: the box "Go to", the answer above the verdict, and the hits, kept from run to run.

What was typed belongs to the session, what it found to the run on screen: another run is searched anew for the same
words. Everything asked for arrives as an action: `find=call+12`, `find=404&as=text`, `hit=next`, `found=2`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qs, urlencode

import numpy as np
import streamlit as st

from loopviz.analysis.going import read
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.matching import Query
from loopviz.analysis.searching import Hits, search_run
from loopviz.analysis.tool_patterns import only
from loopviz.model import IntArray, Trajectory
from loopviz.patterns import PatternError
from loopviz.timeline.contract import Part
from loopviz.timeline.finding import LONGEST_WORDS, say_found, say_going, show_found
from loopviz.timeline.words import code, number, text
from loopviz.ui.asking import mark
from loopviz.ui.components.find_box import find_box
from loopviz.ui.components.notices import notices
from loopviz.ui.linking import CALL, query_fields, query_of
from loopviz.ui.walk import choose_call, lines_of_link, say_of_link

RUNS_PAGE = "views/runs.py"
RUNS_SEARCH = ("runs.search", "runs.inside", "runs.pattern")
"""Where that page keeps its own search: the words, whether texts are searched, whether the words are a pattern."""

Fields = Mapping[str, list[str]]
Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed last."""

    words: str = ""
    query: Query | None = None
    """What is looked for in the texts; None where it was a place to go to."""
    pattern: bool = False
    """The switch beside the box."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a query gave in one run."""

    run: str
    query: Query
    hits: Hits | None
    refused: str = ""


@dataclass(frozen=True, slots=True)
class _OnScreen:
    """The run that an action is about."""

    key: str
    trajectory: Trajectory
    step_of_call: IntArray
    n_steps: int


@st.fragment(key="find")
def find_in_run() -> None:
    """Draw the box. A fragment of its own: what is typed into it draws no control anew, and a control draws no box."""
    asked = _asked()
    find_box(
        {
            "words": asked.words,
            "pattern": asked.pattern,
            "searching": asked.query is not None,
            "seq": st.session_state.get("find.seq", 0),
        },
        key="find",
        on_action=_from_box,
    )


def look(key: str, trajectory: Trajectory, found: Inspection | None) -> Hits | None:
    """Note which run is on screen, and search it for what was asked; the hits, if anything is looked for.

    Args:
        key: What links call the run.
        trajectory: The run.
        found: What the detectors found in it; None where it could not be judged.
    """
    steps = np.full(len(trajectory.calls), -1) if found is None else found.grader.steps.of_call
    n_steps = 0 if found is None else found.finding.steps
    st.session_state["find.run"] = _OnScreen(key, trajectory, steps, n_steps)
    query = _asked().query
    if query is None:
        return None
    kept: _Found | None = st.session_state.get("find.found")
    if kept is None or (kept.run, kept.query) != (key, query):
        kept = _search(key, trajectory, query)
        st.session_state["find.found"] = kept
        st.session_state["find.page"] = None
    if st.session_state.pop("find.jump", False) and kept.hits is not None:
        _go_to_hit(kept.hits, 0)
    return kept.hits


def _search(key: str, trajectory: Trajectory, query: Query) -> _Found:
    try:
        with st.spinner("Searching the texts…", show_time=True) if query.kind == "pattern" else st.empty():
            return _Found(key, query, search_run(trajectory, query))
    except PatternError as error:
        return _Found(key, query, None, f"Not searched: {error}.")


def say(key: str, found: Inspection | None, n_runs: int, *, on_action: Callable[[str | None], None]) -> None:
    """What there is to say above the verdict, of a link or of what was typed; nothing most of the time."""
    lines = [*lines_of_link(key), *_unwatched(found), *_answer(key, n_runs)]
    with st.container(key="notices" if lines else "notices-none"):
        notices(lines, key="said", on_action=on_action)


def found_section(hits: Hits | None) -> Data:
    """The section of hits below the timeline; kept until something in it changes."""
    if hits is None:
        return {"found": None}
    call, page = st.session_state.get("call"), st.session_state.get("find.page")
    notice = st.session_state.get("find.notice", "")
    key = (call, page, notice)
    kept = st.session_state.get("find.section")
    if kept is None or kept[0] is not hits or kept[1] != key:
        try:
            kept = (hits, key, show_found(hits, call, page, notice=notice))
        except PatternError:
            kept = (hits, key, None)
        st.session_state["find.section"] = kept
    return {"found": kept[2]}


def to_link() -> dict[str, str | list[str]]:
    """What is looked for, as fields of the address; long words stay out of it."""
    query = _asked().query
    if query is None or len(query.words) > LONGEST_WORDS:
        return {}
    return {**query_fields(query)}


def look_for(query: Query) -> None:
    """Look for something in the texts of whatever run is shown from now on."""
    _ask(_texts(query))


def leave_if_asked() -> None:
    """Go to the Runs page when a click has asked for it: a callback itself cannot."""
    if st.session_state.pop("find.leave", False):
        st.switch_page(RUNS_PAGE)


def find_act(fields: Fields) -> None:
    """Ask for something: a place, a text or a pattern."""
    words, kind = fields["find"][0].strip(), (fields.get("as") or [""])[0]
    st.session_state["find.jump"] = False
    if not words:
        _ask(Asked())
    elif kind == "pattern":
        _ask(_texts(Query(words, "pattern")), jump=True)
    elif kind == "text":
        _ask(_texts(Query(words)), jump=True)
    else:
        _go(words, kind)


def hit_act(fields: Fields) -> None:
    """Go to the `next` or `previous` call with a hit."""
    kept: _Found | None = st.session_state.get("find.found")
    if kept is not None and kept.hits is not None:
        _go_to_hit(kept.hits, -1 if fields["hit"][0] == "previous" else 1)


def page_act(fields: Fields) -> None:
    """Show another part of the list of hits."""
    st.session_state["find.page"] = int(fields["found"][0])


def runs_act(fields: Fields) -> None:
    """Go to the Runs page; with words, to look for them there in the texts of every run."""
    words = fields["runs"][0]
    if words:
        for key, value in zip(RUNS_SEARCH, (words, True, "as" in fields), strict=True):
            st.session_state[key] = value
    st.session_state["find.leave"] = True


def dismiss_act(fields: Fields) -> None:
    """Put the lines above the verdict away; what is looked for stays."""
    st.session_state["find.answer"] = st.session_state["arrived"] = None
    say_of_link("")


ACTS: dict[str, Callable[[Fields], None]] = {
    "find": find_act,
    "hit": hit_act,
    "found": page_act,
    "runs": runs_act,
    "dismiss": dismiss_act,
}
"""What is done for an action that has this field."""


def _from_box(action: str | None) -> None:
    fields = parse_qs(action or "", keep_blank_values=True)
    for name, do in ACTS.items():
        if name in fields:
            do(fields)
    st.rerun(["find", "answers"])


def _asked() -> Asked:
    """What was asked last; at first what the link asks."""
    if "find.asked" not in st.session_state:
        query = query_of(st.query_params.to_dict())
        st.session_state["find.asked"] = (
            Asked() if query is None else Asked(query.words, query, query.kind == "pattern")
        )
        st.session_state["find.jump"] = query is not None and CALL not in st.query_params
        st.session_state["find.answer"] = None if query is None else ("texts", None)
    asked: Asked = st.session_state["find.asked"]
    return asked


def _texts(query: Query) -> Asked:
    return Asked(query.words, query, query.kind == "pattern")


def _ask(asked: Asked, *, jump: bool = False) -> None:
    st.session_state["find.asked"] = asked
    st.session_state["find.seq"] = st.session_state.get("find.seq", 0) + 1
    st.session_state["find.jump"] = jump
    st.session_state["find.page"] = None
    st.session_state["find.notice"] = ""
    st.session_state["find.answer"] = ("texts", None) if asked.query else None


def _go(words: str, kind: str) -> None:
    """Read what was typed as a place, and go there; as a text where it names none."""
    here: _OnScreen = st.session_state["find.run"]
    going = read(words, here.trajectory, here.step_of_call)
    if kind == "id":
        going = going.as_read("id")
    if going.taken.kind == "text":
        _ask(_texts(Query(words)), jump=True)
        return
    _ask(Asked(words))
    st.session_state["find.answer"] = (here.key, say_going(going, here.trajectory, here.n_steps))
    if going.taken.call is not None:
        st.session_state["arrived"] = going.taken.call
        choose_call(going.taken.call)
    if going.taken.kind == "stretch" and going.taken.call is not None:
        mark((going.taken.number - 1, going.taken.last - 1))


def _go_to_hit(hits: Hits, by: int) -> None:
    """Choose the next call with a hit (1), the one before (-1), or the first from the chosen one on (0)."""
    if not len(hits.calls):
        return
    call, last = st.session_state.get("call"), len(hits.calls) - 1
    side: Literal["left", "right"] = "right" if by > 0 else "left"
    at = (0 if by >= 0 else last) if call is None else int(np.searchsorted(hits.calls, call, side)) - (by < 0)
    st.session_state["find.notice"] = ""
    if not 0 <= at <= last:
        at = 0 if by >= 0 else last
        end, begin = ("last", "first") if by >= 0 else ("first", "last")
        st.session_state["find.notice"] = f"That was the {end} hit; went on from the {begin}."
    st.session_state["find.page"] = None
    choose_call(int(hits.calls[at]))


def _answer(key: str, n_runs: int) -> list[list[Part]]:
    """The answer to what was typed, while it is about this run."""
    answer = st.session_state.get("find.answer")
    if answer is None:
        return []
    about, line = answer
    if line is not None:
        return [line] if about == key else []
    kept: _Found | None = st.session_state.get("find.found")
    if kept is None or kept.run != key or _asked().query != kept.query:
        return []
    said = [text(kept.refused)] if kept.hits is None else say_found(kept.hits)
    if n_runs > 1 and not kept.refused:
        action = urlencode({"runs": kept.query.words} | ({"as": "pattern"} if kept.query.kind == "pattern" else {}))
        said += [text(" "), {"kind": "text", "text": f"Look in all {number(n_runs)} runs", "action": action}]
    return [said]


def _unwatched(found: Inspection | None) -> list[list[Part]]:
    """A call that a link or the box led to, and that the settings leave out."""
    call = st.session_state.get("arrived")
    if found is None or call is None or call != st.session_state.get("call") or call >= len(found.trajectory.calls):
        return []
    if found.grader.steps.of_call[call] >= 0:
        return []
    tool = found.trajectory.tool(call)
    tools = [*(found.finding.settings.tools or ()), only(tool)]
    line = [text(f"Call {number(call + 1)}, "), code(tool), text(", is not watched by these settings: ")]
    line.append({"kind": "text", "text": "watch this tool too", "action": urlencode({"tools": tools}, doseq=True)})
    return [[*line, text(" or "), {"kind": "text", "text": "watch every tool", "action": "tools="}, text(".")]]
