"""`python -m benchmarks`: make the fixtures, measure, and print one table of ratios taken in one run."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path

from benchmarks.browser import item_g
from benchmarks.comparing import item_l
from benchmarks.detection import item_a, item_b, item_c
from benchmarks.fixture import long_run, write_results
from benchmarks.following import item_m
from benchmarks.formats import item_h, item_i
from benchmarks.memory import item_f
from benchmarks.rivals import item_d
from benchmarks.runs_page import item_j
from benchmarks.scaling import item_e
from benchmarks.sizes import FULL, QUICK, Sizes
from benchmarks.table import Row, render, seconds, summary
from benchmarks.timing import Yardstick
from benchmarks.tuning import item_k
from loopviz.readers import read_path

ITEMS = {
    "a": "read a long run and let every detector at it",
    "b": "change one setting of that run",
    "c": "change one setting of many runs",
    "d": "the same calls, given to detectors from PyPI",
    "e": "cost per call, from short runs to long ones",
    "f": "peak memory of reading",
    "g": "key press to painted page in Chromium",
    "h": "read a file of each format",
    "i": "peak memory of reading each format",
    "j": "the Runs page with very many runs in Chromium",
    "k": "open Tune on many runs, and change the candidate",
    "l": "align two long runs step by step",
    "m": "follow sessions that grow, short and long",
}


def main(arguments: Sequence[str]) -> None:
    """Measure what the command line asks for."""
    options = _parse(arguments)
    sizes = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory(prefix="loopviz-bench-") as folder:
        bench = _Bench(Path(folder), sizes)
        rows = [row for item in ITEMS if item in (options.items or ITEMS) for row in bench.measure(item)]
    json_s, megabytes = bench.yardstick.seconds, len(bench.yardstick.data) / 1e6
    print(f"{_machine()}. J, json.loads of the {megabytes:.0f} MB of one run, is {seconds(json_s)}.")
    if options.quick:
        print("Quick: small fixtures, one round. These figures only show that everything runs.")
    print(f"\n{render(rows, json_s)}\n\n{summary(rows, json_s)}")


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    items = "\n".join(f"  {item}  {what}" for item, what in ITEMS.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"Measures what loopviz costs, as ratios taken in one run.\n\n{items}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("items", nargs="*", type=_item, metavar="ITEM", help="only these; all by default")
    parser.add_argument("--quick", action="store_true", help="small fixtures and one round: does everything run?")
    return parser.parse_args(arguments)


def _item(letter: str) -> str:
    if letter not in ITEMS:
        raise argparse.ArgumentTypeError(f"there is no item {letter!r}; there are {', '.join(ITEMS)}")
    return letter


class _Bench:
    """The fixtures, made when an item first needs them, and J."""

    def __init__(self, folder: Path, sizes: Sizes) -> None:
        self.sizes = sizes
        self._folder = folder
        self._long_run = folder / "long-run.json"
        self._results = folder / "results.jsonl"
        self._long_run.write_bytes(long_run(sizes.calls))
        self.yardstick = Yardstick(self._long_run.read_bytes())
        for _ in range(sizes.rounds):
            self.yardstick.read_again()

    def measure(self, item: str) -> list[Row]:
        print(f"{item}: {ITEMS[item]} …", file=sys.stderr, flush=True)
        match item:
            case "a":
                return item_a(self.yardstick, self.sizes)
            case "b":
                return item_b(self.yardstick, self.sizes)
            case "c":
                return item_c(read_path(self.results()).trajectories, self.yardstick, self.sizes)
            case "d":
                return item_d(self.sizes)
            case "e":
                return item_e(self.sizes)
            case "f":
                return item_f(self._long_run, self.results(), self.sizes)
            case "g":
                return item_g(self.sizes)
            case "h":
                return item_h(self.sizes)
            case "i":
                return item_i(self._folder, self.sizes)
            case "j":
                return item_j(self.sizes)
            case "m":
                return item_m(self._folder, self.sizes)
            case "l":
                return item_l(self.yardstick, self.sizes)
            case _:
                return item_k(read_path(self.results()).trajectories, self.yardstick, self.sizes)

    def results(self) -> Path:
        """The results file."""
        if not self._results.exists():
            write_results(self._results, self.sizes.runs, self.sizes.steps)
        return self._results


def _machine() -> str:
    python, cores = platform.python_version(), os.cpu_count()
    return f"{date.today()}, Python {python}, numpy {version('numpy')}, {platform.machine()}, {cores} cores"


if __name__ == "__main__":
    main(sys.argv[1:])
