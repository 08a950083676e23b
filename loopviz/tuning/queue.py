"""What is worth labelling: runs on which settings disagree, and a random share of the others.

Labels on runs where settings disagree tell settings apart; only the random share can show what all of them miss.

Decided:

- A random share: one in four of what is offered for a label is drawn from all runs alike, by a shuffle that depends on
  the runs' digests alone, so that everybody who has the same runs is offered the same ones, in the same order.
- What is offered first: the runs that flip, then those on which settings are most nearly split, half for, half against.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from hashlib import blake2b
from itertools import count

import numpy as np

from loopviz.model import Trajectory
from loopviz.tuning.sweep import Sweep

RANDOM_EVERY = 4
LIMITS = range(1, 11)
"""Values of `max` that people choose among, whose verdicts are held against each other."""


def worth_labelling(
    trajectories: Sequence[Trajectory], swept: Sweep, done: Collection[int], first: Sequence[int] = ()
) -> Iterator[tuple[int, bool]]:
    """The runs to label, most telling first, each with whether it was drawn at random.

    Args:
        trajectories: All runs.
        swept: What every setting says of them.
        done: Runs that are labelled.
        first: Runs that go before all others, such as those that flip.
    """
    split = _split(swept)
    drawn = sorted(np.flatnonzero(swept.counts).tolist(), key=lambda run: _lot(trajectories[run]))
    flips = [run for run in first if swept.counts[run]]
    telling = [*flips, *sorted((run for run in drawn if split[run]), key=lambda run: -split[run])]
    offered = set(done)
    sources = {False: iter(telling), True: iter(drawn)}
    for place in count(1):
        is_random = place % RANDOM_EVERY == 0
        run = next((run for run in sources[is_random] if run not in offered), None)
        if run is None and not is_random:
            is_random = True
            run = next((run for run in sources[True] if run not in offered), None)
        if run is None:
            return
        offered.add(run)
        yield run, is_random


def _split(swept: Sweep) -> np.ndarray:
    """How nearly settings are split on each run, 0 to 0.5, shape (n_runs,)."""
    limits = np.array(LIMITS)
    fails = (swept.occurrences[..., None] > limits).mean(axis=(0, 1, 3))
    split: np.ndarray = np.where(swept.counts, np.minimum(fails, 1 - fails), 0)
    return split


def _lot(trajectory: Trajectory) -> bytes:
    return blake2b(trajectory.digest.encode(), digest_size=8, person=b"loopviz").digest()
