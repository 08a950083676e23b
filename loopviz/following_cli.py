"""`loopviz follow`: prints what happens in a run that is being written, until it ends or a condition comes true."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from loopviz.analysis.lines import Question
from loopviz.detectors.escalation import Level
from loopviz.detectors.thrash import Kind
from loopviz.following.asking import Asked
from loopviz.following.beginning import Unusable
from loopviz.following.events import Event, Fired, Restarted, Stopped, Verdict
from loopviz.following.follower import EVERY_S, Follower
from loopviz.masking import mask
from loopviz.readers.folders import STANDARD_INPUT
from loopviz.readers.limits import limits_given
from loopviz.status import FAILED, OK, UNUSABLE, Status, say, write
from loopviz.terminal import safe
from loopviz.verdict_words import WORDS, place

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C ended, as shells have it."""
IDLE_S = 300.0
"""Seconds of silence after which a run counts as ended that does not say so itself."""

_GONE_LOOKS = 2

LEVELS = {"level=1": Level.REPLAN, "level=2": Level.EXPLORE, "level=3": Level.FORCE_DONE}
CONDITIONS = (*LEVELS, "stopped", "fail")
"""What `--until` may name: a level of the ladder, a stop by the thrash detector, a max-repeat grader that fails."""

_RESTARTS = {
    "cut": "the file was cut",
    "replaced": "another file took its place",
    "rewritten": "the file was written anew",
}
_LEVEL_WORDS = {Level.REPLAN: "replan", Level.EXPLORE: "explore", Level.FORCE_DONE: "force-done"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """How a file is followed."""

    path: str
    question: Question
    """What the runs are judged by; both guards watch whether or not it names them."""
    until: str | None = None
    """One of `CONDITIONS`; None to go on to the end."""
    idle_s: float = IDLE_S
    as_json: bool = False
    masked: bool = True
    read_as: str | None = None


def follow(
    following: Following,
    *,
    clock_s: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = time.sleep,
) -> int:
    """Follow a file and print what happens.

    Returns:
        The exit status: 1 when the condition came true, 0 when the run ended without it or there is none, 2 when the
        file could not be used, 130 when a person ended it.
    """
    if following.path == STANDARD_INPUT:
        say("Standard input cannot be followed; name the file that is being written.")
        return UNUSABLE
    try:
        return _Loop(following).run(clock_s, wait)
    except Unusable as error:
        say(f"{following.path}: {error}")
        return UNUSABLE
    except KeyboardInterrupt:
        say("Ended by hand.")
        return INTERRUPTED


class _Loop:
    """One file while it is followed."""

    def __init__(self, following: Following) -> None:
        self._following = following
        asked = Asked(question=following.question)
        self._follower = Follower(following.path, asked, read_as=following.read_as, limits=limits_given())
        self._print = _printer(following, asked)
        self._is_missing_told = False
        self._n_gone = 0
        """Looks in a row that found no file where there was one."""
        self._not_judged: str | None = None

    def run(self, clock_s: Callable[[], float], wait: Callable[[float], None]) -> int:
        follower, idle_s = self._follower, self._following.idle_s
        read, since_s = -1, clock_s()
        while True:
            if self._tell(follower.poll()):
                return self._end(FAILED, f"{self._following.until} came true")
            if self._following.until == "fail" and follower.is_never_judged:
                return self._end(UNUSABLE, f"nothing can fail here: {follower.missing}")
            self._note_gone()
            if follower.bytes_read != read:
                read, since_s = follower.bytes_read, clock_s()
            if follower.ended:
                return self._finish("the run has ended")
            left_s = idle_s - (clock_s() - since_s)
            if left_s <= 0:
                gone = "the file is gone, and there was " if follower.is_gone else ""
                return self._finish(f"{gone}nothing new for {idle_s:g} s" if idle_s else "all that is there is read")
            wait(min(EVERY_S, left_s))

    def _tell(self, events: list[Event]) -> bool:
        """Print what happened; whether the condition came true."""
        is_met = False
        for event in events:
            self._print(event)
            is_met = is_met or _meets(event, self._following.until)
            if isinstance(event, Verdict) and event.passed is None:
                self._not_judged = event.evidence
        self._note_missing()
        return is_met

    def _note_missing(self) -> None:
        """Say once why there is no verdict."""
        missing = self._follower.missing
        if missing is not None and not self._is_missing_told and self._following.until != "fail":
            self._is_missing_told = True
            say(f"note: no max-repeat verdict: {missing}. Ladder and thrash are told.")

    def _note_gone(self) -> None:
        """Say once that the file is gone; one that is rotated is there again at the next look."""
        self._n_gone = self._n_gone + 1 if self._follower.is_gone else 0
        if self._n_gone == _GONE_LOOKS:
            say("note: the file is gone; it is followed on if it comes back.")

    def _finish(self, reason: str) -> int:
        """The run is over, as far as can be told."""
        if not self._follower.is_known:
            say(f"{self._following.path}: {self._follower.fault()}")
            return UNUSABLE
        if self._tell(self._follower.final()):
            return self._end(FAILED, f"{self._following.until} came true")
        if self._following.until == "fail" and (not_judged := self._not_judged or self._follower.missing) is not None:
            return self._end(UNUSABLE, not_judged)
        return self._end(OK, reason)

    def _end(self, status: int, reason: str) -> int:
        loaded = self._follower.loaded()
        if loaded is not None:
            Status().report_file(loaded)
        say(f"{self._following.path}: {reason}.".replace("..", "."))
        return status


def _meets(event: Event, until: str | None) -> bool:
    if isinstance(event, Fired):
        return until in LEVELS and event.level >= LEVELS[until]
    if isinstance(event, Stopped):
        return until == "stopped"
    return until == "fail" and isinstance(event, Verdict) and event.passed is False


def _printer(following: Following, asked: Asked) -> Callable[[Event], None]:
    def print_line(event: Event) -> None:
        line = event.line()
        print(json.dumps(mask(line) if following.masked else line, allow_nan=False), flush=True)

    def print_words(event: Event) -> None:
        words = in_words(event, asked)
        write(safe(str(mask(words)) if following.masked else words))
        sys.stdout.flush()

    return print_line if following.as_json else print_words


def in_words(event: Event, asked: Asked) -> str:
    """What happened, on one line."""
    match event:
        case Fired():
            level, ladder = Level(event.level), asked.escalation
            length = (ladder.replan, ladder.explore, ladder.force_done)[level - 1]
            words = f"{event.run}  ladder: level {level} ({_LEVEL_WORDS[level]}), {length} similar calls in a row"
            return f"fired    {words}{place(event.line())}"
        case Stopped():
            return f"stopped  {event.run}  thrash: {_stop_in_words(event)}{place(event.line())}"
        case Verdict():
            words = f"{event.run}  {event.name}: {event.evidence}"
            return f"{WORDS[event.passed]:<9}{words}{place(event.line())}"
        case Restarted():
            return f"restart  {_RESTARTS[event.reason]}; it is read from its beginning"
    raise TypeError(event.word)


def _stop_in_words(event: Stopped) -> str:
    if event.kind == Kind.PING_PONG.word:
        return "two calls alternated twice, each with the same output"
    if event.kind == Kind.EMPTY_RETRY.word:
        return f"an identical call came back empty {event.count} time{'' if event.count == 1 else 's'} in a row"
    return f"an identical call was made {event.count} times"
