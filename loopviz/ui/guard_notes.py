"""What stands beside the controls of the guards: how far each could move and change nothing in the run on screen."""

from __future__ import annotations

from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.patterns import PatternError
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.slack import tell_slack
from loopviz.ui.choice import Choice


def guard_notes(runs: RunSet, settings: MaxRepeatSettings, choice: Choice) -> dict[str, str]:
    """A sentence for each control that has one, of a run that is alone in its set; none where it cannot be judged."""
    if runs.trajectories[0].not_judged is not None:
        return {}
    try:
        return tell_slack(runs, inspect(runs, settings, choice.guards, choice.unknown))
    except PatternError:
        return {}
