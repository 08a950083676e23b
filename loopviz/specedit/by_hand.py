"""What to say of a change that cannot be made in place, and the YAML to paste instead."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from loopviz import yaml12
from loopviz.evalspec import MAX_REPEAT, read_stimulus
from loopviz.model import Json
from loopviz.specedit.candidate import entry
from loopviz.specedit.changes import Change, Grader
from loopviz.specedit.refusing import BY_HAND, Obstacle
from loopviz.specedit.source import MERGE
from loopviz.specedit.spelling import plain_settings
from loopviz.specedit.spots import Blocked, Spot


def about_file(blocked: Blocked, changes: Sequence[Change]) -> Obstacle:
    """What keeps the whole file from being edited."""
    return _obstacle(blocked, "the file", _snippet(map(_new_entry, changes)))


def about_changes(stimuli: Spot, together: Sequence[Change], blocked: Blocked) -> Obstacle:
    """What keeps changes of one stimulus from being made: of one grader, or some that are added."""
    first = together[0]
    standing = _standing(stimuli.value, first)
    entries = [_new_entry(change) if standing is None else {**standing, **_config(change)} for change in together]
    name = name_of(stimuli, first)
    where = name if name == _numbered(first) else f"stimulus {name!r}"
    place = "" if first.grader is None else f", grader {first.grader + 1}"
    return _obstacle(
        blocked, f"{where}{place}", _snippet(entries, in_flow=_in_flow(stimuli, first)), stimulus=first.stimulus
    )


def name_of(stimuli: Spot, change: Change) -> str:
    """The name of the stimulus of a change; its place, where it has none."""
    there = 0 <= change.stimulus < len(stimuli.value)
    name = read_stimulus(stimuli.value[change.stimulus]).name if there else None
    return _numbered(change) if name is None else name


def _numbered(change: Change) -> str:
    return f"stimulus {change.stimulus + 1}"


def _obstacle(blocked: Blocked, where: str, snippet: str, *, stimulus: int | None = None) -> Obstacle:
    return Obstacle(
        where=where,
        reason=blocked.reason,
        line=blocked.line,
        key=blocked.key,
        remedy=blocked.remedy or BY_HAND,
        snippet=snippet,
        stimulus=stimulus,
    )


def _standing(stimuli: Sequence[Json], change: Change) -> dict[str, Json] | None:
    """The max-repeat grader as it stands, where there is one."""
    try:
        grader = stimuli[change.stimulus]["graders"][change.grader]
    except (IndexError, KeyError, TypeError):
        return None
    grader = _unmerged(grader) if isinstance(grader, dict) else {}
    return grader if grader.get("type") == MAX_REPEAT else None


def _unmerged(mapping: dict[str, Json]) -> dict[str, Json]:
    """A mapping with what its merge key takes over written out; its own values go first."""
    if MERGE not in mapping:
        return mapping
    merged = mapping[MERGE]
    parts = [part for part in (merged if isinstance(merged, list) else [merged]) if isinstance(part, dict)]
    whole = {name: value for part in reversed(parts) for name, value in part.items()}
    return whole | {name: value for name, value in mapping.items() if name != MERGE}


def _in_flow(stimuli: Spot, change: Change) -> bool:
    """Whether the graders of a stimulus stand in brackets or braces, where lines of YAML cannot be pasted."""
    if not 0 <= change.stimulus < len(stimuli.value):
        return False
    stimulus = stimuli.item(change.stimulus)
    graders = stimulus.entry("graders") if stimulus.node.kind == "mapping" else None
    return stimulus.node.flow or (graders is not None and graders.node.flow)


def _new_entry(change: Change) -> dict[str, Json]:
    return entry(Grader(settings=change.settings, name=change.name))


def _config(change: Change) -> dict[str, Json]:
    return {"config": plain_settings(change.settings)}


def _snippet(entries: Iterable[dict[str, Json]], *, in_flow: bool = False) -> str:
    """Graders to paste: each once, as lines, or as JSON, which is YAML too, for a list in brackets."""
    told = {json.dumps(one): one for one in entries}
    return ",\n".join(told) + "\n" if in_flow else yaml12.dump(list(told.values()))
