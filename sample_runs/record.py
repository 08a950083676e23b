"""Record the sample runs: `python sample_runs/record.py`; with `--check`, only compare.

A small scripted agent really uses its tools on tiny made-up projects in a temporary folder; README.md tells more. It
needs a POSIX shell with the usual small programs, and nothing beyond the standard library.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from catalogue import NIGHTLY_FILE, index, readme
from recording import Recorded, record_nightly, record_sample
from stories.table import SAMPLES

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Write or compare; 1 when something differs."""
    parser = argparse.ArgumentParser(description="Record the sample runs with the scripted agent.")
    parser.add_argument("--check", action="store_true", help="write nothing; say which files would change")
    check = parser.parse_args().check
    files = record_all()
    return compare(files) if check else write(files)


def record_all() -> dict[str, str]:
    """Every recorded file, by its path in this folder."""
    recorded: dict[str, Recorded] = {}
    for number, sample in enumerate(SAMPLES):
        recorded[sample.file] = record_sample(sample, number)
    recorded[NIGHTLY_FILE] = record_nightly()
    texts = {file: one.text for file, one in recorded.items()}
    return {**texts, "index.json": index(SAMPLES, recorded), "README.md": readme(SAMPLES, recorded)}


def write(files: Mapping[str, str]) -> int:
    for file, text in files.items():
        (HERE / file).parent.mkdir(exist_ok=True)
        (HERE / file).write_text(text, encoding="utf-8", newline="\n")
        print(f"{len(text.encode()):>9,} bytes  {file}")
    return 0


def compare(files: Mapping[str, str]) -> int:
    differ = [file for file, text in files.items() if not _same(HERE / file, text)]
    for file in differ:
        print(f"{file} differs from what is recorded now", file=sys.stderr)
    return 1 if differ else 0


def _same(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


if __name__ == "__main__":
    sys.exit(main())
