"""What Microsoft's Vally writes: trajectories, results files and outcomes, each as one document or in lines.

All three hold the same things, so one reader reads them; the names tell a person what was found.
"""

from loopviz.readers.base import Reader
from loopviz.readers.vally import shapes
from loopviz.readers.vally.records import read

TRAJECTORY = Reader(name=shapes.TRAJECTORY, sniff=shapes.sniff_trajectory, read=read)
RESULTS = Reader(name=shapes.RESULTS, sniff=shapes.sniff_results, read=read)
OUTCOME = Reader(name=shapes.OUTCOME, sniff=shapes.sniff_outcome, read=read)
