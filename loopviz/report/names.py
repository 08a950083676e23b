"""Names of files that any system takes, made from names of runs, which may be anything."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from itertools import count

from loopviz.model import Trajectory
from loopviz.report.document import heading
from loopviz.report.export import Export, Masks

INDEX = "index.html"
LONGEST = 60
"""Characters of a run's name in a file's name."""
_DIGITS = 8
"""Hex digits of the run's digest behind it: runs that share a name differ there, whatever order they come in."""
_OTHER = re.compile(r"[^a-z0-9]+")


def file_name(trajectory: Trajectory, export: Export, taken: Container[str] = ()) -> str:
    """`fix-failing-test-trial-4-a57bdd05.html`: the same for the same run, whatever else is in the folder.

    Only the same bytes in two places get one name, and then a number behind it.

    Args:
        trajectory: The run.
        export: Masks what looks like a secret here too.
        taken: Names that are in use already.
    """
    stem = f"{_plain(Masks(on=export.masked).text(heading(trajectory)))}-{trajectory.digest[:_DIGITS] or 'run'}"
    names = (f"{stem}{'' if k == 1 else f'-{k}'}.html" for k in count(1))
    return next(name for name in names if name not in taken)


def _plain(name: str) -> str:
    """Small letters, digits and hyphens: no system reads a path, an option or a device into them."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    return _OTHER.sub("-", ascii_only).strip("-")[:LONGEST].strip("-") or "run"
