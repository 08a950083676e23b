"""Item e: what a call costs, in short runs and in long ones: reading, and every detector."""

from __future__ import annotations

from benchmarks.detection import read_and_judge
from benchmarks.fixture import long_run
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Unit
from benchmarks.timing import best_of

AT_MOST = 1.5


def item_e(sizes: Sizes) -> list[Row]:
    """Read and judge runs of several lengths."""
    microseconds = [1e6 * _seconds_per_call(n_calls, sizes) for n_calls in sizes.scaling]
    costs = ", ".join(f"{cost:.3g}" for cost in microseconds)
    lengths = ", ".join(f"{n_calls:,}" for n_calls in sizes.scaling)
    return [
        Row(
            item="e",
            what=f"read and judge runs of {lengths} calls: cost per call",
            unit=Unit.SPREAD,
            bound=AT_MOST,
            figure=max(microseconds) / min(microseconds),
            seconds=f"{costs} µs a call",
        )
    ]


def _seconds_per_call(n_calls: int, sizes: Sizes) -> float:
    data = long_run(n_calls)
    # A short run takes as long as a hiccup of the machine, so it gets more rounds; the longest gets two.
    rounds = max(2, min(20, sizes.rounds * max(sizes.scaling) // n_calls // 5)) if sizes.rounds > 1 else 1
    return best_of(rounds, lambda: read_and_judge(data)) / n_calls
