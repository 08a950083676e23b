"""Spoil sound files of every format, thousands of times, and see whether readers keep their promises.

    python -m tests.readers.fuzz                             all formats, a minute
    python -m tests.readers.fuzz atif pi --seconds 600       some of them, longer
    python -m tests.readers.fuzz atif --only 7:1234          one case again, its file kept

A case is known by the seed and its number, so that it comes again. Each kind of fault is shown once.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from loopviz.model import Loaded
from loopviz.readers.loading import Unread, read_data
from tests.readers import promises
from tests.readers.contract import FORMATS, Format
from tests.readers.damage import Choose, harm, harm_packed, spoil
from tests.readers.stories import LOOPS, SHORT, STORIES, Story

SLOW_S, SLOW_S_PER_BYTE = 1.0, 50e-6
"""CPU time from which a case counts as a fault; a sound file takes a thousandth of it."""
_LONG = 10
"""One in so many cases spoils a longer file."""


@dataclass(frozen=True)
class Case:
    """A spoilt file."""

    format: str
    kind: str
    seed: int
    number: int
    data: bytes

    def run(self) -> None:
        """Read and check it.

        Raises:
            Exception: whatever goes wrong; `AssertionError` where a promise is not kept.
        """
        began = time.process_time()
        if self.kind == "packed":
            read_packed(self.data)
        else:
            promises.read(self.data, format=self.format, is_json=self.kind == "structure")
        spent = time.process_time() - began
        allowed = SLOW_S + SLOW_S_PER_BYTE * len(self.data)
        assert spent < allowed, f"{spent:.1f} s for {len(self.data):,} bytes"


def read_packed(data: bytes) -> list[Loaded | Unread]:
    """Read what may be a packed file, and check all that comes out of it."""
    found = list(read_data(data, "packed", named=True))
    assert found, "nothing is said about the file"
    for each in found:
        if isinstance(each, Unread):
            assert each.reason
            each.reason.encode()
        else:
            promises.judge(each.trajectories)
    return found


SPOIL: dict[str, Callable[[bytes, Choose], bytes]] = {"structure": spoil, "bytes": harm, "packed": harm_packed}
"""Kinds of cases."""


def make(format: Format, kind: str, seed: int, number: int) -> Case:
    """The case of this number."""
    random = Random(f"{format.name} {kind} {seed} {number}")
    data = format.write(_stories(format, random))
    return Case(format.name, kind, seed, number, SPOIL[kind](data, random.randrange))


def _stories(format: Format, random: Random) -> Sequence[Story]:
    if not random.randrange(_LONG):
        return [LOOPS]
    if "several" not in format.lacks and not random.randrange(2):
        return [SHORT.named("s1"), STORIES["several turns" if random.randrange(2) else "one call"].named("s2")]
    return [SHORT]


def cases(formats: Sequence[Format], kinds: Sequence[str], seed: int) -> Iterator[Case]:
    """Cases without end, each format and kind in turn."""
    number = 0
    while True:
        for format in formats:
            for kind in kinds:
                yield make(format, kind, seed, number)
        number += 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Spoil and read until the time is over.

    Returns:
        The exit status: 1 where anything was found.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    options.kind = options.kind or list(SPOIL)
    unknown = set(options.formats) - {format.name for format in FORMATS}
    if unknown:
        parser.error(f"no format is called {', '.join(sorted(unknown))}")
    formats = [format for format in FORMATS if not options.formats or format.name in options.formats]
    if options.only:
        seed, number = map(int, options.only.split(":"))
        found = [make(format, kind, seed, number) for format in formats for kind in options.kind]
        for case in found:
            _keep(case, options.keep)
            case.run()
        return 0
    faults: set[tuple[object, ...]] = set()
    n_cases, slowest, end = 0, (0.0, "none"), time.monotonic() + options.seconds
    for case in cases(formats, options.kind, options.seed):
        if time.monotonic() > end:
            break
        n_cases += 1
        began = time.process_time()
        try:
            case.run()
        except Exception as error:
            fault = _signature(error)
            if fault not in faults:
                faults.add(fault)
                print(f"{case.format}, {case.kind} {case.seed}:{case.number}, kept as {_keep(case, options.keep)}")
                traceback.print_exception(error, limit=-6, chain=False, file=sys.stdout)
        slowest = max(slowest, (time.process_time() - began, f"{case.format}, {case.kind} {case.number}"))
    print(f"{n_cases:,} files, {len(faults)} kinds of faults; the slowest took {slowest[0]:.2f} s: {slowest[1]}")
    return bool(faults)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.readers.fuzz", description=__doc__.split("\n\n")[0])
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help="formats to spoil; all where none is named")
    parser.add_argument("--seconds", type=float, default=60, help="how long (60)")
    parser.add_argument("--seed", type=int, default=0, help="another one gives other files (0)")
    parser.add_argument("--kind", action="append", choices=list(SPOIL), help="what is spoilt; all where not given")
    parser.add_argument("--only", metavar="SEED:NUMBER", help="one case again")
    parser.add_argument("--keep", type=Path, default=Path("fuzzed"), metavar="FOLDER", help="where files go (fuzzed)")
    return parser


def _keep(case: Case, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{case.format}-{case.kind}-{case.seed}-{case.number}"
    path.write_bytes(case.data)
    return path


def _signature(error: Exception) -> tuple[object, ...]:
    """What two errors of one kind share: their type and where they were raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return (type(error).__name__, *((frame.filename, frame.lineno) for frame in frames[-2:]))


if __name__ == "__main__":
    sys.exit(main())
