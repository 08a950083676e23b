"""Whether an edited spec says what it should: everything as before, but for the settings that were to change."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from loopviz import yaml12
from loopviz.evalspec import read_eval_spec
from loopviz.model import Json
from loopviz.settings import MaxRepeatSettings, describe, dump
from loopviz.specedit.candidate import entry
from loopviz.specedit.changes import Change, Grader
from loopviz.specedit.settings_in_place import meaning
from loopviz.specedit.source import BOM


def fault(before: Json, after: bytes, changes: Sequence[Change]) -> str | None:
    """What is wrong with an edited spec, as a clause; None where it judges as it should.

    Args:
        before: The spec as it was, decoded.
        after: The spec as it is.
        changes: What was to change.
    """
    try:
        new = yaml12.load(decoded(after))
    except (yaml12.YamlError, UnicodeDecodeError) as error:
        return f"it can no longer be read: {error}"
    if _told(new) != _told(edited(before, changes)):
        return "something else in it has changed too"
    return _misjudging(new, _places(before, changes))


def decoded(content: bytes) -> str:
    """The text of a spec, without its byte order mark."""
    return content.decode().removeprefix(BOM)


def edited(spec: Json, changes: Sequence[Change]) -> Json:
    """A decoded spec with changes made to it."""
    spec = json.loads(_told(spec))
    for change in changes:
        stimulus = spec["stimuli"][change.stimulus]
        if change.grader is None:
            added = entry(Grader(settings=change.settings, name=change.name))
            stimulus["graders"] = [*(stimulus.get("graders") or []), added]
        else:
            grader = stimulus["graders"][change.grader]
            grader["config"] = with_settings(grader.get("config") or {}, change.settings)
    return spec


def with_settings(config: Mapping[str, Json], settings: MaxRepeatSettings) -> dict[str, Json]:
    """A decoded config that comes to other settings; what comes to the same stays as it is written."""
    changed, wanted = dict(config), dump(settings)
    for name, field in describe(MaxRepeatSettings).items():
        standing = meaning(name, config[name]) if name in config else field.default
        if standing == getattr(settings, name):
            continue
        changed.pop(name, None)
        if name in wanted:
            changed[name] = wanted[name]
    return changed


def _told(spec: Json) -> str:
    """A decoded spec as text, the order of keys left out."""
    return json.dumps(spec, sort_keys=True)


def _places(spec: Json, changes: Sequence[Change]) -> list[tuple[Change, int]]:
    """Each change with the place of its grader in the edited spec."""
    at_end: dict[int, int] = {}
    places = []
    for change in changes:
        place = change.grader
        if place is None:
            standing = spec["stimuli"][change.stimulus].get("graders") or []
            place = at_end.setdefault(change.stimulus, len(standing))
            at_end[change.stimulus] += 1
        places.append((change, place))
    return places


def _misjudging(spec: Any, places: Sequence[tuple[Change, int]]) -> str | None:
    stimuli = read_eval_spec(spec).stimuli
    for change, place in places:
        grader = next((one for one in stimuli[change.stimulus].graders if one.index == place), None)
        if grader is None or grader.settings != change.settings:
            return f"grader {place + 1} of stimulus {change.stimulus + 1} does not judge by the new settings"
    return None
