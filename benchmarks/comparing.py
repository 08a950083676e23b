"""Item l: what aligning two long runs step by step costs, and what the worst of them cost.

The first row takes two runs as they were read, columns and fingerprints included; the others take codes alone, one a
step, whose order is as hard as it can be: nothing to set aside at the ends, and every step of one side in the other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

import numpy as np

from benchmarks.fixture import SEED, long_run
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Unit
from benchmarks.timing import Yardstick, timed
from loopviz.analysis.runset import RunSet
from loopviz.comparing.aligning import align
from loopviz.comparing.common_steps import common_steps
from loopviz.model import IntArray
from loopviz.readers import read_bytes

BOUND_S = 1.0
FEW_TOOLS = 4
FEW_TIMES = 7
"""How often each step comes where it comes so seldom that its places are not kept as a row of the table."""
Pair = tuple[IntArray, IntArray]


def item_l(yardstick: Yardstick, sizes: Sizes) -> list[Row]:
    """Align runs of every shape."""
    n = sizes.aligned
    work: dict[str, Callable[[], object]] = {f"two runs of {n:,} steps, from their calls on": _two_runs(n)}
    work |= {f"{n:,} steps a side, {what}": partial(common_steps, *pair) for what, pair in worst_cases(n).items()}
    best = dict.fromkeys(work, inf)
    for _ in range(sizes.rounds):
        yardstick.read_again()
        for what, do in work.items():
            best[what] = min(best[what], timed(do)[0])
    return [_row(what, spent, yardstick.seconds) for what, spent in best.items()]


def _two_runs(n: int) -> Callable[[], object]:
    """The alignment of two runs that go different ways with the same tools."""
    whole = read_bytes(long_run(n, parallel=False), "a.json").trajectories[0]
    other = read_bytes(long_run(n, parallel=False, seed=SEED + 7), "b.json").trajectories[0]
    return lambda: align(RunSet([whole, other]), "name-args")


def worst_cases(n: int) -> dict[str, Pair]:
    """Codes of two runs, by what is hard about them."""
    rng = np.random.default_rng(SEED)
    steps = np.arange(n)
    seldom = n // FEW_TIMES
    return {
        "all alike": (np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)),
        "all different": (steps, steps + n),
        f"random from {FEW_TOOLS} tools": (rng.integers(0, FEW_TOOLS, n), rng.integers(0, FEW_TOOLS, n)),
        f"random, each some {FEW_TIMES} times": (rng.integers(0, seldom, n), rng.integers(0, seldom, n)),
        "reversed": (steps, steps[::-1].copy()),
    }


def _row(what: str, spent: float, json_s: float) -> Row:
    ratio = f"{spent / json_s:.2f} J" if spent >= json_s / 2 else f"J/{json_s / max(spent, 1e-9):.1f}"
    return Row(item="l", what=f"align {what}", unit=Unit.SECONDS, bound=BOUND_S, figure=spent, seconds=ratio)
