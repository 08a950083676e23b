"""The table of single-run samples, in the order in which a newcomer should meet them."""

from __future__ import annotations

from stories import harmless, hidden_loops, long_run, plain_loops
from stories.sample import Sample

SAMPLES: tuple[Sample, ...] = tuple(
    sorted(
        (*plain_loops.SAMPLES, *hidden_loops.SAMPLES, *harmless.SAMPLES, *long_run.SAMPLES),
        key=lambda sample: sample.file,
    )
)
