"""Items f and i: the most memory that reading takes, in a process of its own that does nothing else.

`python -m benchmarks.memory FILE` is that process: it prints its memory before it reads, with everything imported, and
the most it held until it had read.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.sizes import Sizes
from benchmarks.table import Row, Unit

AT_MOST = 4.0
STATUS = Path("/proc/self/status")


def item_f(long_run: Path, results: Path, sizes: Sizes) -> list[Row]:
    """Read both fixtures, each in a fresh process."""
    return [
        memory_row("f", long_run, f"memory above idle to read one run of {sizes.calls:,} calls"),
        memory_row("f", results, f"memory above idle to read {sizes.runs:,} runs of {sizes.steps} steps"),
    ]


def memory_row(item: str, path: Path, what: str) -> Row:
    """Read a file in a fresh process."""
    size = path.stat().st_size
    if not STATUS.exists():
        return Row(item=item, what=f"{what}: needs {STATUS}, which Linux has", unit=Unit.FILE, bound=AT_MOST)
    command = [sys.executable, "-m", "benchmarks.memory", str(path)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    idle, peak = json.loads(done.stdout)
    megabytes = f"{(peak - idle) / 1e6:,.0f} MB for {size / 1e6:,.0f} MB"
    return Row(item=item, what=what, unit=Unit.FILE, bound=AT_MOST, figure=(peak - idle) / size, seconds=megabytes)


def held(field: str) -> int:
    """Bytes that this process holds: `VmRSS` now, `VmHWM` the most so far.

    Unlike `ru_maxrss` these begin anew with each program, so the benchmark's own memory is not in them.
    """
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(f"{field}:"))
    return 1024 * int(line.split()[1])


def main(path: str) -> None:
    """Read a file and print [idle bytes, peak bytes]."""
    # Everything that the app imports, so that only the file is left to pay for.
    import streamlit  # noqa: F401

    import loopviz.analysis.overview  # noqa: F401
    from loopviz.readers import read_path

    idle = held("VmRSS")
    loaded = read_path(path)
    peak = held("VmHWM")
    if not loaded.trajectories:
        raise SystemExit(f"No run was found in {path}.")
    print(json.dumps([idle, peak]))


if __name__ == "__main__":
    main(sys.argv[1])
