"""A file that is followed: found, told by its content, read as it grows, and begun anew where it is another one.

Whatever is new is read, and nothing twice, but for this:

- A file's format is told by its first 64 kB, as when it is opened, or by as much more as its first line takes. While
  there is less, a look is taken at all of it each time, and where it turns out to be of another format it is begun
  anew.
- A session of Claude Code may repeat a line; then the first one is read again from the file.
- A run with results that name no call has all its results given out anew at each look.
- A verdict on a run with redacted values is put into words, where it changes, after a look at the whole run.
- What a page draws is made of the whole run.
"""

from __future__ import annotations

from typing import Protocol

from loopviz.following.asking import Asked
from loopviz.following.beginning import Beginning, Unusable
from loopviz.following.events import Event, Restarted
from loopviz.following.session import Session
from loopviz.following.tail import Changed, Line, Tail
from loopviz.following.trials import Trials
from loopviz.model import Loaded
from loopviz.patterns import PatternError
from loopviz.readers import HEAD, READERS, UnknownFormat, find_reader, reader_named
from loopviz.readers.base import Advance, Reader, collecting_paused, ignore
from loopviz.readers.describing import describe
from loopviz.readers.encoding import as_text
from loopviz.readers.jsontext import SAMPLE, is_lines
from loopviz.readers.limits import LIMITS, Limits
from loopviz.readers.scanning import BLANK
from loopviz.readers.vally import OUTCOME, RESULTS, TRAJECTORY

EVERY_S = 0.5
"""Seconds between two looks at a file, so that a new line is told well within two."""

_TRIALS = (TRAJECTORY, RESULTS, OUTCOME)


class Growing(Protocol):
    """What is known of a file so far."""

    @property
    def ended(self) -> bool:
        """Whether the file says that what it records has ended."""

    @property
    def missing(self) -> str | None:
        """Why a run is judged by no grader."""

    def take(self, line: Line) -> None:
        """Take the next line of the file."""

    def news(self, *, finally_: bool = False) -> list[Event]:
        """What happened since it was last asked."""

    def loaded(self) -> Loaded:
        """The file so far, as its reader would give it."""


def can_follow(reader: Reader) -> bool:
    """Whether files of a format can be followed."""
    return reader.lines is not None or reader in _TRIALS


class Follower:
    """Follows one file."""

    def __init__(
        self,
        path: str,
        asked: Asked,
        *,
        read_as: str | None = None,
        limits: Limits = LIMITS,
        advance: Advance = ignore,
    ) -> None:
        """`advance` is told from time to time how many bytes are read; it may raise `Stopped`, which ends it all."""
        self.path = path
        self.version = 0
        """It grows whenever lines were taken, or the file was begun anew."""
        self._advance = advance
        self._asked = asked
        self._limits = limits
        self._chosen = None if read_as is None else _followed(reader_named(read_as))
        self._tail = Tail(path)
        self._reader: Reader | None = None
        self._growing: Growing | None = None
        self._beginning = Beginning(path, limits)
        """By which the format is told."""
        self._is_sure = False
        """Whether the format stays whatever comes."""

    @property
    def is_known(self) -> bool:
        """Whether its format is known by now."""
        return self._growing is not None

    @property
    def bytes_read(self) -> int:
        """How many bytes of it were looked at; it stays while nothing comes."""
        return max(self._tail.size, self._beginning.looked_at, self._beginning.half)

    @property
    def is_gone(self) -> bool:
        """Whether there is no such file now, though it was there before."""
        return self._growing is not None and self._tail.is_gone

    @property
    def ended(self) -> bool:
        """Whether the file says that what it records has ended."""
        return self._growing is not None and self._growing.ended

    @property
    def missing(self) -> str | None:
        """Why a run is judged by no grader; None where every run is."""
        return None if self._growing is None else self._growing.missing

    @property
    def is_never_judged(self) -> bool:
        """Whether nothing judges any run of the file, whatever comes."""
        is_by_run = self._asked.minds_prompt or self._reader in _TRIALS
        return self.missing is not None and not is_by_run

    def poll(self) -> list[Event]:
        """What happened since the last look at the file; nothing where nothing is new.

        Raises:
            Unusable: if it cannot be followed.
        """
        events: list[Event] = []
        try:
            try:
                events += self._read()
            except Changed as changed:
                events.append(Restarted(reason=changed.reason))
                self._begin()
                self.version += 1
                events += self._read()
        except Changed:  # twice in a row: the next look will find it as it is then
            self._begin()
        except OSError as error:
            raise Unusable(f"The file cannot be read: {error.strerror or error}.") from error
        except PatternError as error:
            raise Unusable(str(error)) from error
        return events

    def final(self) -> list[Event]:
        """What is to be said at the end, when nothing more is waited for: verdicts in their last words."""
        return [] if self._growing is None else self._growing.news(finally_=True)

    def loaded(self) -> Loaded | None:
        """The file so far, as its reader would give it; None while its format is not known."""
        return None if self._growing is None else self._growing.loaded()

    def fault(self) -> str:
        """Why nothing was read, at the end."""
        try:
            if self._beginning.size() is None:
                return "There is no such file."
            with open(self.path, "rb") as file:
                data = file.read(HEAD)
        except Unusable as error:
            return str(error)
        except OSError as error:
            return f"The file cannot be read: {error.strerror or error}."
        if (half := self._beginning.half) and data.lstrip(BLANK).startswith(b"{"):
            return f"Its first line has not ended: {half:,} bytes without the end of a line, and no whole object."
        return describe(data) if data.strip() else "There is nothing in this file."

    def _begin(self) -> None:
        self._tail.begin()
        self._growing = self._reader = None
        self._beginning.begin()
        self._is_sure = False

    def _read(self) -> list[Event]:
        if not self._is_sure:
            self._tell_format()
        if self._growing is None:
            return []
        told = self._tail.size
        is_new = False
        with collecting_paused():
            for line in self._tail.read():
                self._growing.take(line)
                is_new = True
                if self._tail.size != told:
                    told = self._tail.size
                    self._advance(told)
        self._beginning.bound(self._tail.size)
        self.version += is_new
        return self._growing.news() if is_new else []

    def _tell_format(self) -> None:
        """Look at the beginning of the file, as long as what comes might show it to be of another format."""
        data = self._beginning.look(may_shrink=self._growing is None)
        if data is None:
            return
        self._tail.check()  # what is another file now is no other format of the same
        try:
            reader = self._chosen or find_reader(data)
        except UnknownFormat:
            return
        self._is_sure = len(data) >= HEAD and (self._beginning.n_lines >= SAMPLE or self._is_known_by(data[:HEAD]))
        if not can_follow(reader) or not is_lines(as_text(data)):
            raise Unusable(_not_followed(reader))
        if reader is not self._reader:
            self._tail.begin()
            self._reader = reader
            self._growing = (
                Trials(reader, self._tail, self._asked)
                if reader in _TRIALS
                else Session(reader, self._tail, self._asked)
            )

    def _is_known_by(self, head: bytes) -> bool:
        """Whether the beginning of a file tells its format, so that nothing behind it matters."""
        try:
            return self._chosen is not None or find_reader(head) is not None
        except UnknownFormat:
            return False


def _followed(reader: Reader) -> Reader:
    if not can_follow(reader):
        raise Unusable(_not_followed(reader))
    return reader


def _not_followed(reader: Reader) -> str:
    names = ", ".join(each.name for each in READERS if can_follow(each))
    return (
        f"It holds {reader.title} as one document, or in lines that cannot be followed; `loopviz grade` reads it as it "
        f"stands. What can be followed are files of lines of these formats: {names}."
    )
