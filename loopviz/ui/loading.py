"""Reading in the background, so that the page can say how far it is, and so that a click ends it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import streamlit as st

from loopviz.readers.base import Stopped
from loopviz.timeline.words import number

PATIENCE_S = 1.0
"""Seconds of reading after which the page shows how far it is."""
EVERY_S = 0.4
"""Seconds between two looks at how far it is."""
MEGABYTE = 1_000_000

Result = TypeVar("Result")


class Meter:
    """How far the reading of some files is, for the threads that read and that look.

    Args:
        sizes: Bytes of each file, in the order in which they are read.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.total = sum(sizes)
        self.n_files = len(sizes)
        self.file = 0
        """Files that are read to their end, or passed."""
        self.name = ""
        """The file that is read now."""
        self.is_cut = False
        """Whether anything was left out since it was stopped."""
        self._sizes = sizes
        self._before = 0
        self._now = 0
        self._stop = threading.Event()

    def begin(self, name: str) -> None:
        """The next file is read now."""
        self.name = name

    def end(self) -> None:
        """The file that was begun is read."""
        self._before += self._sizes[self.file]
        self._now = 0
        self.file += 1

    def tell(self, _name: str, done: int, _total: int) -> None:
        """So many bytes of the file are read.

        Raises:
            Stopped: if somebody wants no more.
        """
        self._now = done
        if self.stopped:
            self.is_cut = True
            raise Stopped

    def stop(self) -> None:
        """Read no further."""
        self._stop.set()

    @property
    def stopped(self) -> bool:
        """Whether no more is wanted."""
        return self._stop.is_set()

    @property
    def done(self) -> int:
        """Bytes that are read."""
        return min(self.total, self._before + self._now)


class Loading(Generic[Result]):
    """Some files while they are read, and what they gave.

    Args:
        read: Reads them; it tells the meter, and returns what it has when the meter stops it.
    """

    def __init__(self, read: Callable[[Meter], Result], meter: Meter) -> None:
        self.meter = meter
        self._read = read
        self._result: list[Result] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="loopviz reads", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            self._result.append(self._read(self.meter))
        except BaseException as error:  # for whoever asks for the result
            self._error = error

    def is_done(self, patience_s: float = 0.0) -> bool:
        """Whether all is read, or it has failed or was stopped; waits so long for it."""
        self._thread.join(patience_s)
        return not self._thread.is_alive()

    @property
    def failed(self) -> bool:
        """Whether it ended without a result."""
        return self._error is not None

    def result(self) -> Result:
        """What the files gave, once it is done.

        Raises:
            Exception: whatever ended the reading.
        """
        if self._error is not None:
            raise self._error
        return self._result[0]


def awaited(loading: Loading[Result], title: str = "Reading the runs…") -> Result:
    """What the work gives; where that takes long, the page shows how far it is, and the script ends here."""
    if not loading.is_done(PATIENCE_S):
        with st.container(key="loading"):
            st.title(title, anchor=False)
            _progress(loading)
        st.stop()
    return loading.result()


@st.fragment(run_every=EVERY_S)
def _progress(loading: Loading[Any]) -> None:
    if loading.is_done():
        st.rerun()
    meter = loading.meter
    if not meter.n_files:
        st.text("What is found is kept: this is done once.")
        return
    st.progress(meter.done / max(1, meter.total), text=progress_in_words(meter))
    st.text(meter.name)
    st.button(
        "Stopping…" if meter.stopped else "Stop",
        key="loading.stop",
        on_click=meter.stop,
        disabled=meter.stopped,
        help="What is read so far stays open.",
    )


def progress_in_words(meter: Meter) -> str:
    """`12 of 340 MB, file 3 of 10`."""
    words = f"{number(meter.done // MEGABYTE)} of {number(-(-meter.total // MEGABYTE))} MB"
    return f"{words}, file {number(min(meter.file + 1, meter.n_files))} of {number(meter.n_files)}"
