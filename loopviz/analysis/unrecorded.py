"""Where values that nobody recorded decide: what detectors would count together, were they taken the other way.

Taken as equal, such values make calls alike; taken as equal to nothing, they keep calls apart. Each detector compares
values of its own: the grader those of its way of "same", the guards arguments, and thrash outputs too where two calls
take turns.
"""

from __future__ import annotations

from functools import cached_property

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.steps import fingerprint
from loopviz.model import BoolArray, IntArray


class Unrecorded:
    """How calls of one run, alone in its set, compare once its unrecorded values are taken the other way."""

    def __init__(self, inspection: Inspection) -> None:
        self.equal = inspection.grader.unknown == "equal"
        """Whether they are taken as equal now."""
        self._grader = inspection.grader
        self._settings = inspection.finding.settings
        self._columns = inspection.grader.columns

    @cached_property
    def codes(self) -> IntArray:
        """The grader's fingerprints then, shape (n_steps,)."""
        match, bound = self._settings.match, self._settings.max_cycle_period
        return fingerprint(
            self._columns,
            self._grader.steps,
            match=match,
            any_empty=match == "observation" and bound > 1,
            unknown="distinct" if self.equal else "equal",
        )

    def parts_steps(self, step: int, later: int) -> bool:
        """Whether two steps that the grader takes as the same now would differ."""
        return self.equal and later < len(self.codes) and bool(self.codes[step] != self.codes[later])

    def parts_calls(self, *calls: int, outputs: bool) -> bool:
        """Whether calls that a guard takes as alike now, outputs compared or not, would not be."""
        found = self._columns.unknown_arguments[list(calls)].any()
        if outputs:
            found |= self._columns.unknown_observation[list(calls)].any()
        return self.equal and bool(found)

    def joins_arguments(self, before: IntArray, after: IntArray) -> BoolArray:
        """For each two calls, whether they have the same arguments then and not now, shape (n_pairs,)."""
        unknown = self._columns.unknown_arguments
        same: BoolArray = self._columns.arguments[before] == self._columns.arguments[after]
        return same & (unknown[before] | unknown[after]) & (not self.equal)
