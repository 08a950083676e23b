"""Fields of a link that are not understood: each with what it holds and why, for one line above the page."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import get_args

from loopviz.report.markup import readable
from loopviz.settings import Unknown
from loopviz.ui import guard_links
from loopviz.ui.guard_links import RefusedField
from loopviz.ui.linking import PAGE
from loopviz.ui.runs_address import refused_fields
from loopviz.ui.zooming import FROM, TO

LONGEST_VALUE = 40
"""Characters of a value that are repeated."""
_WHOLE = r"[1-9]\d{0,5}"


def faults(params: Mapping[str, str], pages: Collection[str]) -> str:
    """The line; nothing where all is understood. Whether a run has such a grader or call is for its page to say.

    Args:
        params: The fields of the address.
        pages: The pages that a link may name.
    """
    found = list(_faults(params, pages))
    return f"Not used of this link: {'; '.join(map(_told, found))}." if found else ""


def _faults(params: Mapping[str, str], pages: Collection[str]) -> Iterator[RefusedField]:
    named = params.get(PAGE)
    if named is not None and named not in pages:
        yield RefusedField(PAGE, named, f"it must be one of {', '.join(pages)}")
    if "grader" in params and not re.fullmatch(_WHOLE, params["grader"], re.ASCII):
        yield RefusedField("grader", params["grader"], "it must be a number from 1 on")
    if "unknown" in params and params["unknown"] not in get_args(Unknown):
        yield RefusedField("unknown", params["unknown"], f"it must be {' or '.join(get_args(Unknown))}")
    yield from guard_links.from_fields(params)[1]
    yield from _zoom(params)
    yield from refused_fields(params)


def _zoom(params: Mapping[str, str]) -> Iterator[RefusedField]:
    if FROM not in params and TO not in params:
        return
    first, last = (params.get(name, "") for name in (FROM, TO))
    whole = all(re.fullmatch(r"[1-9]\d{0,14}", value, re.ASCII) for value in (first, last))
    if not (whole and int(first) <= int(last)):
        yield RefusedField(f"{FROM} and {TO}", f"{first} – {last}", "they must be two calls, the first one first")


def _told(fault: RefusedField) -> str:
    value = readable(fault.value)
    short = value if len(value) <= LONGEST_VALUE else f"{value[: LONGEST_VALUE - 1]}…"
    return f"{fault.name} “{short}” ({fault.why.rstrip('.')})"
