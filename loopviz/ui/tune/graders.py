"""The list of graders with the verdict of each and of all together, and what to mind about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from loopviz.specedit import name_problem
from loopviz.timeline.words import number
from loopviz.tuning.graders import warnings, watched_tools
from loopviz.tuning.words import setting_words
from loopviz.ui.tune.state import Tuned
from loopviz.ui.tune.watching import tools_in_words


def show_graders(tuned: Tuned) -> dict[str, Any]:
    """What the script draws."""
    columns = tuned.opened.runs.columns
    tools = sorted(columns.tools)
    rows = [
        {
            "name": entry.name,
            "settings": setting_words(entry.settings.model_copy(update={"tools": None})),
            "tools": tools_in_words(watched_tools(entry.settings, tools), len(tools)),
            "patterns": " ".join(entry.settings.tools or ()),
            "fails": f"{number(int(tuned.fail_under([(entry, swept)]).sum()))} of {number(int(tuned.counts.sum()))}",
            "on": entry.on,
            "locked": entry.on and len(tuned.in_force) == 1,
            "chosen": place == tuned.chosen,
            "at": place,
        }
        for place, (entry, swept) in enumerate(zip(tuned.entries, tuned.sweeps, strict=True))
    ]
    together = f"{number(int(tuned.candidate_fails.sum()))} of {number(int(tuned.counts.sum()))}"
    return {
        "title": "Graders of the candidate",
        "summary": _summary(tuned),
        "open": len(rows) > 1,
        "caption": "A run passes when every grader that is on passes it. The chosen one is on the controls above.",
        "rows": rows,
        "together": together if len(rows) > 1 else "",
        "warnings": [*_refused_names(tuned), *warnings(tuned.entries, tools)],
    }


def _summary(tuned: Tuned) -> str:
    if len(tuned.entries) == 1:
        return f"{tuned.entries[0].name} alone; more can be added, each for its tools"
    return f"{len(tuned.entries):,}, of which {len(tuned.in_force):,} on"


def _refused_names(tuned: Tuned) -> Iterator[str]:
    """Why Vally would not take a name, but for names that are given twice, which are told with the rest."""
    return filter(None, (name_problem(entry.name) for entry in tuned.entries))
