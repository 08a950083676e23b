"""Names of files that any system takes, made from names of runs, which may be anything."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from dataclasses import replace
from itertools import count

from loopviz.model import Trajectory
from loopviz.report.document import heading
from loopviz.report.export import Export, Masks
from loopviz.report.release import KEY_DIGITS, released_name

INDEX = "index.html"
LONGEST = 60
"""Characters of a run's name in a file's name."""
_OTHER = re.compile(r"[^a-z0-9]+")
_PAGE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*-(?:[0-9a-f]{8}|run)(?:-[0-9]+)?\.html")


def file_name(trajectory: Trajectory, export: Export, taken: Container[str] = (), *, ending: str = ".html") -> str:
    """`fix-failing-test-trial-4-a57bdd05.html`: the same for the same run, whatever else is in the folder.

    Runs that share a name differ in the digits of their digests, whatever order they come in. Only the same bytes in
    two places get one name, and then a number behind it.

    Args:
        trajectory: The run.
        export: Masks what looks like a secret here too, and leaves out the run's own name.
        taken: Names that are in use already.
        ending: How the name ends.
    """
    known_as = heading(replace(trajectory, run=released_name(trajectory, export)))
    key = trajectory.digest[:KEY_DIGITS] or "run"
    name = _plain(Masks(on=export.masked).text(known_as))
    stem = name if name.endswith(f"-{key}") else f"{name}-{key}"
    names = (f"{stem}{'' if k == 1 else f'-{k}'}{ending}" for k in count(1))
    return next(name for name in names if name not in taken)


def is_page_name(name: str) -> bool:
    """Whether a file has a name that `file_name` gives."""
    return _PAGE.fullmatch(name) is not None


def _plain(name: str) -> str:
    """Small letters, digits and hyphens: no system reads a path, an option or a device into them."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    return _OTHER.sub("-", ascii_only).strip("-")[:LONGEST].strip("-") or "run"
