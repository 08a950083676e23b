"""The switch *Follow* on Inspect: the run on screen as it is written, and the moment at which something fires.

Only what is new in the file is parsed; picture and verdict are made of the whole run, as on any change of a setting.
While it is followed the run keeps the key that it had when the switch was turned on, and with it everything that a
person chose: call, zoom, marks, what was searched for. A link made meanwhile leads to the run by its name.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

import streamlit as st

from loopviz.detectors.escalation import Level
from loopviz.following.asking import Asked
from loopviz.following.beginning import Unusable
from loopviz.following.events import Restarted
from loopviz.following.follower import Follower, can_follow
from loopviz.following.waiting import Recorded, is_failure_held, is_stop_held
from loopviz.model import Loaded, Trajectory
from loopviz.patterns import PatternError
from loopviz.readers import reader_named
from loopviz.readers.base import Stopped
from loopviz.readers.limits import limits_given
from loopviz.readers.loading import stamp
from loopviz.timeline.contract import Part
from loopviz.timeline.verdict import call_place
from loopviz.timeline.words import code, number, strong, text
from loopviz.ui import choice as choices
from loopviz.ui.components.following import following_line
from loopviz.ui.graders import grader_shown
from loopviz.ui.library import Library
from loopviz.ui.loading import Loading, Meter, awaited
from loopviz.ui.opening import end_following, show_instead
from loopviz.ui.shelf import OnDisk

SHOWN = 3
"""How many of the things that happened last are shown."""
_KEY, _NEWS, _FAULT = "follow", "follow.news", "follow.fault"
_SWITCH = "follow.on"
_LEVELS = {Level.REPLAN: "replan", Level.EXPLORE: "explore", Level.FORCE_DONE: "force-done"}
_RESTARTS = {"cut": "was cut", "replaced": "was replaced by another one", "rewritten": "was written anew"}

Happened = tuple[str, int, int]
"""What happened in a run, at which call, and for the ladder its level: what tells it from everything else."""


@dataclass(slots=True, eq=False)
class _Followed:
    """The file that a session follows."""

    file: OnDisk
    follower: Follower
    catching_up: Loading[bool]
    """Reads what is there already; False where the person stopped it."""
    digests: dict[int, str]
    """What the runs of the file are known by, by their place in it."""
    version: int = -1
    """Of what is shown."""
    n_looks: int = 0
    n_before: int = 0
    """Calls of the run on screen when it came there, or when the switch was turned on."""
    n_runs: int = 0
    """Runs of the file when the switch was turned on."""
    seen: Trajectory | None = None
    """The run as it was last looked at."""
    is_anew: bool = False
    """Whether the file was begun anew since, so that nothing of it was told."""
    known: tuple[object, frozenset[Happened]] = (None, frozenset())
    """The settings it was looked at by, and what had happened."""
    said: list[list[Part]] = field(default_factory=list)
    """What happened, the last first."""


def followed(library: Library) -> Library:
    """What is open, with the file that is followed as far as it is written; the first time that may take a while."""
    one = _followed()
    if one is None or one.version >= 0:
        return library
    try:
        is_read = awaited(one.catching_up, "Catching up with the file…")
    except (Unusable, PatternError) as error:
        return _give_up(library, str(error))
    if not is_read:
        return _give_up(library, "It is not followed: reading was stopped.")
    return _take_in(library, one)


def follow_row(library: Library, index: int) -> None:
    """The switch, where the run's file can be followed, and what there is to say of it."""
    file, one = _file(library, index), _followed()
    if file is None:
        return
    is_on = one is not None and one.file.path == file.path
    st.session_state[_SWITCH] = is_on
    with st.container(horizontal=True, key="follow-row"):
        st.toggle(
            "Follow",
            key=_SWITCH,
            on_change=lambda: _turn(library, file),
            help="Reads on while the file is being written: new calls appear within two seconds.",
        )
        if is_on:
            _line(library, index)
        elif fault := st.session_state.pop(_FAULT, None):
            st.text(fault)


@st.fragment(key="follow")
def _line(library: Library, index: int) -> None:
    """What happens in the file; it alone is drawn anew at each look that finds nothing."""
    one = _followed()
    if one is None or st.session_state.pop(_NEWS, False):
        st.rerun()
    _look(one, library, index)
    n_runs = len(_loaded(library, one.file).trajectories)
    following_line(
        _progress(one, len(library.trajectories[index].calls), n_runs),
        one.said[:SHOWN],
        answered=one.n_looks,
        key="follow.line",
        on_beat=lambda: _beat(library),
    )


def _turn(library: Library, file: OnDisk) -> None:
    """The switch was moved."""
    if not st.session_state[_SWITCH]:
        _end()
        return
    loaded = _loaded(library, file)
    meter = Meter([os.path.getsize(file.path)] if os.path.exists(file.path) else [0])
    follower = Follower(
        file.path,
        Asked(),
        read_as=loaded.source.format,
        limits=limits_given(),
        advance=lambda done: meter.tell(file.path, done, meter.total),
    )
    digests = {place: run.digest for place, run in enumerate(loaded.trajectories)}
    loading = Loading(lambda _: _catch_up(follower, meter), meter)
    st.session_state[_KEY] = _Followed(file, follower, loading, digests, n_runs=len(digests))


def _catch_up(follower: Follower, meter: Meter) -> bool:
    meter.begin(follower.path)
    try:
        follower.poll()
    except Stopped:
        return False
    meter.end()
    return True


def _beat(library: Library) -> None:
    """Look at the file; where anything is new, the page is to be drawn."""
    one = _followed()
    if one is None or one.version < 0:
        return
    one.n_looks += 1
    try:
        events = one.follower.poll()
    except (Unusable, PatternError) as error:
        _give_up(library, str(error))
        st.session_state[_NEWS] = True
        return
    for event in events:
        if isinstance(event, Restarted):
            one.digests.clear()
            one.is_anew = True
            one.said.clear()
            one.said.append([text(f"The file {_RESTARTS[event.reason]}; it was read from its beginning.")])
    if one.follower.version != one.version:
        _take_in(library, one)
        st.session_state[_NEWS] = True


def _take_in(library: Library, one: _Followed) -> Library:
    """Show the file as it is by now."""
    one.version = one.follower.version
    loaded = one.follower.loaded()
    if loaded is None or not loaded.trajectories:
        return library  # a file that was just cut: what was there is shown until something else is
    runs = (
        replace(run, digest=one.digests.setdefault(place, run.digest)) for place, run in enumerate(loaded.trajectories)
    )
    one.file = replace(one.file, stamp=stamp(one.file.path))
    library = library.with_file(one.file, replace(loaded, trajectories=tuple(runs)))
    show_instead(library, one.file)
    st.session_state.pop("find.found", None)  # what is searched for may stand in what is new
    return library


def _give_up(library: Library, reason: str) -> Library:
    _end()
    st.session_state[_FAULT] = reason
    return library


def _end() -> None:
    st.session_state.pop(_KEY, None)
    end_following()


def _followed() -> _Followed | None:
    one: _Followed | None = st.session_state.get(_KEY)
    return one


def _file(library: Library, index: int) -> OnDisk | None:
    """The file of a run, where that can be followed: on disk, not packed, and of a format of lines."""
    source = library.trajectories[index].source
    file = library.file_of(source)
    if library.samples or not isinstance(file, OnDisk) or file.path != source.name:
        return None
    return file if can_follow(reader_named(source.format)) and _has_lines(library, index) else None


def _has_lines(library: Library, index: int) -> bool:
    """Whether the run stands in a file of lines, and not in a document of the same format."""
    trajectory = library.trajectories[index]
    return trajectory.line is not None or not len(trajectory.calls) or bool(trajectory.calls.line[0])


def _loaded(library: Library, file: OnDisk) -> Loaded:
    return next(one for one in library.loaded if one.source.name == file.path)


def _progress(one: _Followed, n_calls: int, n_runs: int) -> list[Part]:
    """`run.jsonl 58 calls, 12 new`, and how many runs are new where the file holds several."""
    words = f" {_counted(n_calls, 'call')}"
    if (new := n_calls - one.n_before) > 0:
        words += f", {number(new)} new"
    if (more := n_runs - one.n_runs) > 0:
        words += f"; {_counted(more, 'new run')} in the file"
    if one.follower.is_gone:
        words += "; the file is gone"
    elif one.follower.ended:
        words += "; the file says that the run has ended"
    return [code(os.path.basename(one.file.path)), text(words)]


def _counted(count: int, what: str) -> str:
    return f"{number(count)} {what}{'' if count == 1 else 's'}"


def _look(one: _Followed, library: Library, index: int) -> None:
    """Note what happened in the run on screen since it was last looked at, by the settings in force."""
    trajectory, before = library.trajectories[index], one.seen
    by, judged_by = _in_force(library, index), one.known[0]
    if trajectory is before and by == judged_by:
        return
    now = _happened(library, index, is_over=one.follower.ended)
    if one.is_anew and trajectory is not before:  # all that the file holds is new
        one.is_anew, one.n_before, earlier = False, len(trajectory.calls), frozenset[Happened]()
    elif before is None or before.run != trajectory.run:
        one.said.clear()
        one.n_before, earlier = len(trajectory.calls), frozenset(now)
    elif by != judged_by:  # what was said by other settings does not hold
        one.said.clear()
        earlier = frozenset(each for each in now if each[1] < one.n_before)
    else:
        earlier = one.known[1]
    for each in sorted(now.keys() - earlier, key=lambda one: one[1]):
        one.said.insert(0, now[each])
    one.seen, one.known = trajectory, (by, frozenset(now))


def _in_force(library: Library, index: int) -> object:
    """The settings in force."""
    choice = choices.current()
    return grader_shown(library.trajectories[index], library.spec, choice).settings, choice.guards, choice.unknown


def _happened(library: Library, index: int, *, is_over: bool) -> dict[Happened, list[Part]]:
    """All that happened in a run by the settings in force, each with its words.

    While the run is not over, what rests on results that may still come is left out.
    """
    trajectory, choice, runs = library.trajectories[index], choices.current(), library.alone(index)
    settings = grader_shown(trajectory, library.spec, choice).settings
    tools = choice.guards.tools or settings.tools
    try:
        finding = runs.max_repeat(settings.tools, choice.unknown).judge(0, settings)
        ladder = runs.escalation(choice.guards.escalation, tools, choice.unknown)
        stop = runs.thrash(choice.guards.thrash, tools, choice.unknown).stop(0)
    except PatternError:
        return {}
    calls, failing = Recorded(trajectory), finding.first_failing_call
    if stop is not None and not is_over and is_stop_held(stop.kind, stop.call, calls):
        stop = None
    if not is_over and is_failure_held(settings.match, failing, calls):
        failing = None
    happened: dict[Happened, list[Part]] = {}
    for firing in ladder.fired(0):
        words = f"Ladder: level {int(firing.level)} ({_LEVELS[firing.level]}) fired at "
        happened["fired", firing.call, int(firing.level)] = [text(words + call_place(trajectory, firing.call))]
    if stop is not None:
        happened["stopped", stop.call, 0] = [text(f"Thrash: would stop at {call_place(trajectory, stop.call)}")]
    if failing is not None:
        place = call_place(trajectory, failing)
        happened["failed", failing, 0] = [strong("FAIL"), text(f" over the limit at {place}")]
    return happened
