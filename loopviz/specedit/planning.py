"""Planning an edit of an eval spec: only the lines of what changed are other lines afterwards.

The text is changed where the values stand, never written anew. Whatever is in doubt is refused. And what comes out is
read again before anybody sees it: it must say what the old spec said, but for the settings that were to change.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from loopviz import yaml12
from loopviz.evalspec import MAX_REPEAT, read_grader
from loopviz.specedit.adding import add_graders
from loopviz.specedit.by_hand import about_changes, about_file, name_of
from loopviz.specedit.candidate import name_problem
from loopviz.specedit.changes import Change
from loopviz.specedit.checking import decoded, fault, with_settings
from loopviz.specedit.edits import Edit
from loopviz.specedit.refusing import EditRefused, Obstacle
from loopviz.specedit.settings_in_place import change_settings
from loopviz.specedit.source import Source, read
from loopviz.specedit.spelling import Manner, manner_of
from loopviz.specedit.splices import Splice, as_blocks
from loopviz.specedit.spots import Blocked, Spot


def plan_edit(content: bytes, changes: Sequence[Change]) -> Edit:
    """Plan an edit of an eval spec.

    Args:
        content: The file.
        changes: What to change; no two are for one grader.
    Raises:
        EditRefused: naming everything that stands in the way; then nothing can be edited.
        ValueError: for two changes of one grader.
    """
    _require_distinct(changes)
    planned = _planned(content, tuple(changes))
    if isinstance(planned, Edit):
        return planned
    raise EditRefused(planned)


@lru_cache(maxsize=8)
def _planned(content: bytes, changes: tuple[Change, ...]) -> Edit | tuple[Obstacle, ...]:
    """The edit, or all that stands in its way; a page asks for the same one again whatever happens on it."""
    try:
        return _plan(content, changes)
    except EditRefused as refused:
        return refused.obstacles


def _plan(content: bytes, changes: Sequence[Change]) -> Edit:
    try:
        source = _read(content)
        stimuli = _stimuli(source)
    except Blocked as blocked:
        raise EditRefused([about_file(blocked, changes)]) from None
    splices = _by_stimulus(stimuli, changes)
    edit = Edit(
        before=content,
        blocks=as_blocks(source, [splice for some in splices.values() for splice in some]),
        changes=tuple(changes),
        stimuli=tuple(name for name, some in splices.items() if some),
        stimuli_in_all=len(stimuli.value),
    )
    if wrong := fault(source.value, edit.after, changes):
        raise EditRefused([about_file(_undone(source, wrong), changes)])
    return edit


def _require_distinct(changes: Sequence[Change]) -> None:
    places = [(change.stimulus, change.grader) for change in changes if change.grader is not None]
    if len(set(places)) < len(places):
        raise ValueError("two changes are for one grader")


def _read(content: bytes) -> Source:
    try:
        return read(decoded(content))
    except UnicodeDecodeError as error:
        raise Blocked(f"byte {error.start:,} is not UTF-8 text") from None
    except yaml12.YamlError as error:
        raise Blocked(f"it is not YAML as Vally reads it: {error.problem}", line=error.line) from None


def _stimuli(source: Source) -> Spot:
    """The list of stimuli.

    Raises:
        Blocked: when there is none that can be changed from inside.
    """
    if source.root is None or not isinstance(source.value, dict) or "stimuli" not in source.value:
        raise Blocked("it is no eval spec: it has no stimuli", remedy="Choose an eval spec, such as eval.yaml.")
    root = Spot(source, source.root, source.value)
    root.require(dict)
    stimuli = root.entry("stimuli")
    assert stimuli is not None
    stimuli.require(list)
    if not stimuli.value:
        raise stimuli.blocked("it has no entries")
    return stimuli


def _by_stimulus(stimuli: Spot, changes: Sequence[Change]) -> dict[str, list[Splice]]:
    """What to do to the text, under the name of each stimulus that is asked for.

    Raises:
        EditRefused: naming every change that cannot be made.
    """
    splices: dict[str, list[Splice]] = {}
    obstacles: list[Obstacle] = []
    manner = manner_of(stimuli)
    for together in _in_order(changes):
        try:
            splices.setdefault(name_of(stimuli, together[0]), []).extend(_splices(stimuli, together, manner))
        except Blocked as blocked:
            obstacles.append(about_changes(stimuli, together, blocked))
    if obstacles:
        raise EditRefused(obstacles)
    return splices


def _undone(source: Source, wrong: str) -> Blocked:
    """Why an edit comes out wrong that nothing stood in the way of."""
    if source.ends_in_block:
        reason = "it ends in a block of text without a line break, and the text would gain one"
        return Blocked(reason, line=source.line(len(source.text)) + 1, remedy="End the file with a line break first.")
    return Blocked(f"it cannot be changed where it stands: then {wrong}")


def _in_order(changes: Sequence[Change]) -> list[list[Change]]:
    """The changes that are made together: each by itself, then all that is added to a stimulus."""
    added: dict[int, list[Change]] = {}
    for change in changes:
        if change.grader is None:
            added.setdefault(change.stimulus, []).append(change)
    return [[change] for change in changes if change.grader is not None] + list(added.values())


def _splices(stimuli: Spot, together: Sequence[Change], manner: Manner) -> list[Splice]:
    first = together[0]
    if not 0 <= first.stimulus < len(stimuli.value):
        raise Blocked(f"there is no stimulus {first.stimulus + 1}: the file has {len(stimuli.value)}")
    stimulus = stimuli.item(first.stimulus)
    stimulus.require(dict)
    if first.grader is None:
        _require_names(stimulus, together)
        return list(add_graders(stimulus, [(change.name, change.settings) for change in together], manner))
    return list(change_settings(_grader(stimulus, first), first.settings, manner))


def _grader(stimulus: Spot, change: Change) -> Spot:
    """The grader to change.

    Raises:
        Blocked: when there is none, or it would be refused with its new settings too.
    """
    graders = stimulus.entry("graders")
    if graders is None or not isinstance(graders.value, list) or not 0 <= (change.grader or 0) < len(graders.value):
        raise stimulus.blocked("there is no such grader in the file")
    graders.require(list)
    grader = graders.item(change.grader or 0)
    grader.require(dict)
    if grader.value.get("type") != MAX_REPEAT:
        raise grader.blocked(f"it is of type {grader.value.get('type')!r}, not {MAX_REPEAT}")
    config = grader.value.get("config") or {}
    if standing := grader.entry("config"):
        standing.require_unmerged()
    if isinstance(config, dict):
        changed = read_grader(MAX_REPEAT, with_settings(config, change.settings), where="")
        if changed.error:
            blocked = grader.blocked(f"it would still be refused: {str(changed.error).rstrip('.')}")
            blocked.remedy = "Mend that first, or paste the YAML that is given."
            raise blocked
    return grader


def _require_names(stimulus: Spot, added: Sequence[Change]) -> None:
    """Refuse names that Vally would refuse, or that a grader of the stimulus has."""
    standing = stimulus.value.get("graders")
    taken = [str(one.get("name")) for one in standing if isinstance(one, dict)] if isinstance(standing, list) else []
    for change in added:
        if change.name is not None:
            if problem := name_problem(change.name, taken):
                raise stimulus.blocked(problem.rstrip("."))
            taken.append(change.name)
