"""Seconds, taken so that they can be compared with each other.

What is measured here keeps one core busy, so it is timed in processor seconds of this process: on a machine that others
use too, a second on the wall would measure them as well, and a long piece of work more often than a short one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TypeVar

Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Do something once: its processor seconds, and what it gave."""
    before = time.process_time()
    result = work()
    return time.process_time() - before, result


def best_of(rounds: int, work: Callable[[], object]) -> float:
    """The least processor seconds of several rounds."""
    return min(timed(work)[0] for _ in range(rounds))


@dataclass(slots=True)
class Yardstick:
    """J: the seconds that `json.loads` takes for the bytes of the long run, the least found so far.

    The garbage collector stays as it is by default, for both sides of every ratio.
    """

    data: bytes
    seconds: float = inf

    def read_again(self) -> None:
        """Measure once more, between the rounds of what it is compared with."""
        self.seconds = min(self.seconds, best_of(1, lambda: json.loads(self.data)))
