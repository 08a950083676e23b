"""What Microsoft's Vally writes: trajectories, results files and outcomes, each as one document or in lines.

All three hold the same things, so one reader reads them; the names tell a person what was found.
"""

from loopviz.readers.base import Reader
from loopviz.readers.vally import shapes
from loopviz.readers.vally.records import read

TRAJECTORY = Reader(
    name=shapes.TRAJECTORY,
    sniff=shapes.sniff_trajectory,
    read=read,
    title="Vally trajectories",
    found="what a run of Vally or an executor of one's own writes",
)
RESULTS = Reader(
    name=shapes.RESULTS,
    sniff=shapes.sniff_results,
    read=read,
    title="Vally results",
    found="`results.jsonl` in the output folder of `vally eval`",
)
OUTCOME = Reader(
    name=shapes.OUTCOME,
    sniff=shapes.sniff_outcome,
    read=read,
    title="Vally outcomes (the older EvalOutcome)",
    found="written by early versions of `vally eval`",
)
