"""Which result answers which call, while both still come: what `loopviz.readers.pairing` says of all there is so far.

A result that names its call, by id or because the file holds both together, is given out at once, whatever the number
of calls. Where one names none, all results of the run are given out anew each time, since one that comes later may
decide otherwise over any before it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from loopviz.readers.pairing import NO_CALL, NO_RESULT, pair
from loopviz.readers.rows import CallRows, ResultRows


class Pairs:
    """The results of the calls of one run."""

    def __init__(self) -> None:
        self._answers: list[int] = []
        """For each call the number of its result, or `NO_RESULT`."""
        self._ids: list[str] = []
        """Of the calls."""
        self._results: list[tuple[str, int]] = []
        """The id that each result names, and the call that it is known to answer."""
        self._calls_of: dict[str, list[int]] = {}
        self._results_of: dict[str, list[int]] = {}
        self._given: dict[int, list[int]] = {}
        """The results that are known to answer a call."""
        self._n_nameless = 0
        """Results that name no call."""
        self._anew: list[int] = []
        """For each call the number of its result, where some results name no call."""
        self._changed = 0

    def cut(self, n_calls: int, n_results: int) -> None:
        """Forget the calls and results beyond so many."""
        while len(self._results) > n_results:
            self._take_back_result()
        while len(self._ids) > n_calls:
            self._take_back_call()

    def extend(self, calls: CallRows, results: ResultRows) -> tuple[Sequence[int], int]:
        """Take in what is new.

        Returns:
            For each call the number of its result, and the first call whose result is another than it was before the
            last `cut`.
        """
        for call in range(len(self._ids), len(calls.ids)):
            self._add_call(calls.ids[call])
        for result in range(len(self._results), len(results.ids)):
            self._add_result(results.ids[result], results.answers[result])
        if self._n_nameless:
            was, (self._anew, _) = self._anew, pair(calls.side(), results.side())
            pairs = zip(was, self._anew, strict=False)
            return self._anew, next((call for call, (old, new) in enumerate(pairs) if old != new), len(was))
        changed, self._changed = min(self._changed, len(self._answers)), len(self._answers)
        return self._answers, changed

    def _add_call(self, call_id: str) -> None:
        call = len(self._ids)
        self._ids.append(call_id)
        self._answers.append(NO_RESULT)
        if call_id:
            bearers = self._calls_of.setdefault(call_id, [])
            bearers.append(call)
            for bearer in bearers[-2:]:  # the last of an id takes all results that are left over
                self._settle(bearer)

    def _add_result(self, call_id: str, answers: int) -> None:
        result = len(self._results)
        self._results.append((call_id, answers))
        if answers != NO_CALL:
            self._given.setdefault(answers, []).append(result)
            self._settle(answers)
        elif call_id:
            self._results_of.setdefault(call_id, []).append(result)
            self._settle_one_of(call_id, len(self._results_of[call_id]) - 1)
        else:
            self._n_nameless += 1

    def _take_back_result(self) -> None:
        call_id, answers = self._results.pop()
        if answers != NO_CALL:
            self._given[answers].pop()
            self._settle(answers)
        elif call_id:
            self._results_of[call_id].pop()
            self._settle_one_of(call_id, len(self._results_of[call_id]))
        else:
            self._n_nameless -= 1

    def _take_back_call(self) -> None:
        call_id = self._ids.pop()
        del self._answers[len(self._ids) :]
        if call_id:
            bearers = self._calls_of[call_id]
            bearers.pop()
            if bearers:
                self._settle(bearers[-1])

    def _settle_one_of(self, call_id: str, place: int) -> None:
        """Settle the call that takes the result at a place among those of its id."""
        bearers = self._calls_of.get(call_id)
        if bearers:
            self._settle(bearers[min(place, len(bearers) - 1)])

    def _settle(self, call: int) -> None:
        answer = self._answer(call)
        if self._answers[call] != answer:
            self._answers[call] = answer
            self._changed = min(self._changed, call)

    def _answer(self, call: int) -> int:
        results = self._results_of.get(self._ids[call])
        if results:
            bearers = self._calls_of[self._ids[call]]
            if call == bearers[-1] and len(results) >= len(bearers):
                return results[-1]
            place = bisect_left(bearers, call)
            if place < len(results):
                return results[place]
        given = self._given.get(call)
        return given[-1] if given else NO_RESULT
