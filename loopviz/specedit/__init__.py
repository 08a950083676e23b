"""Vally's eval spec, edited in place: new settings go in, and every other byte stays.

`match` finds the graders that candidates take the place of, `plan_edit` plans the edit or refuses it, `unified_diff`
shows it, `write` writes it, and `candidate_yaml` is for those who paste it by hand.
"""

from loopviz.specedit.candidate import candidate_yaml, name_problem, slug
from loopviz.specedit.changes import Change, Grader, Matched, match
from loopviz.specedit.difference import unified_diff
from loopviz.specedit.edits import Edit
from loopviz.specedit.planning import plan_edit
from loopviz.specedit.refusing import EditRefused, Obstacle, WriteRefused
from loopviz.specedit.writing import write

__all__ = [
    "Change",
    "Edit",
    "EditRefused",
    "Grader",
    "Matched",
    "Obstacle",
    "WriteRefused",
    "candidate_yaml",
    "match",
    "name_problem",
    "plan_edit",
    "slug",
    "unified_diff",
    "write",
]
