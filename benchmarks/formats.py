"""Items h and i: what reading costs in each format, in the time of `json.loads` and in memory.

The runs are made up, and written in every format by what the tests of its reader write with.
"""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from random import Random

from benchmarks.memory import memory_row
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Unit, seconds
from benchmarks.timing import best_of
from loopviz.readers import read_bytes
from tests.readers.contract import FORMATS, Format
from tests.readers.stories import Call, Story, Turn

SEED = 21
AT_MOST = 3.0

TURNS = 50
"""Of each run, where a file holds several."""
_ARGUMENTS, _OUTPUT, _MESSAGE = 100, 600, 200
"""Characters of text in one of them, on average."""
_PARALLEL, _FAILED = 0.1, 0.05
"""Share of turns with several calls, and of calls that fail."""
_TOOLS = ("bash", "read_file", "edit", "grep", "run_tests")
_WORDS = (
    "the", "total", "of", "each", "service", "is", "wrong:", "file", "src/shop/rates.py", "line", "return", "None",
    'assert rate["eur"] == 3', "\n", "\n   ", "über", "0.75", "tests", "passed", "def", "read(self):", "in", "error",
)  # fmt: skip


def item_h(sizes: Sizes) -> list[Row]:
    """Read a file of each format."""
    return [_time_row(format, sizes) for format in FORMATS]


def item_i(folder: Path, sizes: Sizes) -> list[Row]:
    """Read a larger file of some formats, or of all, each in a fresh process."""
    return [_memory_row(format, folder / "file", sizes) for format in FORMATS[: sizes.formats_in_memory]]


def file_of(format: Format, size: int) -> bytes:
    """A file of about so many bytes: many runs, or a long one where the format keeps each in a file of its own."""
    run = story_of(0, TURNS)
    copies = max(1, round(size / len(format.write([run]))))
    if "several" in format.lacks:
        return format.write([story_of(0, TURNS * copies)])
    return format.write([story_of(number, TURNS) for number in range(copies)])


def _time_row(format: Format, sizes: Sizes) -> Row:
    data = file_of(format, sizes.format_bytes)
    json_s = read_s = inf
    for _ in range(sizes.rounds):
        json_s = min(json_s, best_of(1, lambda: _loads(data)))
        read_s = min(read_s, best_of(1, lambda: read_bytes(data, "file")))
    what = f"read {len(data) / 1e6:.1f} MB of {format.name}"
    spent = f"{seconds(read_s)} to {seconds(json_s)}"
    return Row(item="h", what=what, unit=Unit.LOADS, bound=AT_MOST, figure=read_s / json_s, seconds=spent)


def _loads(data: bytes) -> object:
    """What `json.loads` makes of a document, of indented ones in a row, or of every line of a file of lines."""
    lines = data.splitlines()
    if lines[0] == b"{":
        return json.loads(b"[%b]" % data.replace(b"\n}\n{", b"\n},\n{"))
    return json.loads(data) if len(lines) == 1 else [json.loads(line) for line in lines]


def _memory_row(format: Format, path: Path, sizes: Sizes) -> Row:
    path.write_bytes(file_of(format, sizes.memory_bytes))
    return memory_row("i", path, f"memory above idle to read a file of {format.name}")


def story_of(number: int, turns: int) -> Story:
    """A made-up run, the same for the same number."""
    random = Random(SEED + number)
    return Story(f"run-{number}", tuple(_turn(random, f"{number}-{turn}") for turn in range(turns)))


def _turn(random: Random, name: str) -> Turn:
    several = random.randint(2, 4) if random.random() < _PARALLEL else 1
    return Turn(tuple(_call(random, f"call_{name}_{place}") for place in range(several)), _text(random, _MESSAGE))


def _call(random: Random, name: str) -> Call:
    arguments = {"command": _text(random, _ARGUMENTS), "path": f"src/part_{random.randrange(1000)}.py", "limit": 80}
    return Call(name, random.choice(_TOOLS), arguments, _text(random, _OUTPUT), random.random() < _FAILED)


def _text(random: Random, length: int) -> str:
    n_words = random.randint(1, length // 3)
    return " ".join(random.choices(_WORDS, k=n_words)).strip() or "."
