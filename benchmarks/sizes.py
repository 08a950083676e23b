"""How much is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Sizes of the fixtures, and how often each figure is taken."""

    calls: int
    """Of the long run."""
    runs: int
    """In the results file."""
    steps: int
    """Of each of those runs."""
    rounds: int
    """The least of so many rounds counts."""
    scaling: tuple[int, ...]
    """Calls of the runs whose cost per call is compared."""
    rival_calls: int
    """Calls given to a detector whose cost grows faster than their number."""
    pages: tuple[int, ...]
    """Steps of the runs shown in the browser."""
    presses: int
    """Key presses in each round and app."""
    listed: tuple[int, int]
    """Runs on the Runs page, few and many."""
    format_bytes: int
    """Of the file of each format that is timed."""
    memory_bytes: int
    """Of one whose memory is measured."""
    formats_in_memory: int | None
    """How many formats have their memory measured; None for all."""
    followed: tuple[int, ...]
    """Calls of the sessions that are followed."""
    new_lines: int
    """By which each of them grows."""
    aligned: int
    """Steps of each of two runs that are aligned."""


FULL = Sizes(
    calls=100_000,
    runs=10_000,
    steps=50,
    rounds=3,
    scaling=(10_000, 100_000, 1_000_000),
    rival_calls=10_000,
    pages=(200, 2_000, 20_000, 100_000),
    presses=11,
    listed=(100, 100_000),
    format_bytes=8_000_000,
    memory_bytes=20_000_000,
    formats_in_memory=None,
    followed=(1_000, 10_000, 50_000),
    new_lines=1_200,
    aligned=20_000,
)
QUICK = Sizes(
    calls=10_000,
    runs=1_000,
    steps=50,
    rounds=1,
    scaling=(1_000, 10_000),
    rival_calls=2_000,
    pages=(200, 2_000),
    presses=5,
    listed=(100, 1_000),
    format_bytes=300_000,
    memory_bytes=2_000_000,
    formats_in_memory=2,
    followed=(100, 1_000),
    new_lines=80,
    aligned=2_000,
)
"""For a look at whether everything runs; its figures say little, since fixed costs weigh more on small inputs."""
