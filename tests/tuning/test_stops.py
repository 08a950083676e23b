"""What a wrong stop would cost."""

from __future__ import annotations

import numpy as np

from loopviz.model import Usage
from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.stops import cost_of
from tests.tuning.sets_by_hand import run_of, set_of

PAID = run_of("aaaaab", usage=(Usage(call=5, turn=-1, input_tokens=10, output_tokens=5, cost=0.5),))


def test_what_comes_after_the_first_detectable_call_is_summed() -> None:
    runs = set_of(PAID, "bbbbc")
    cost = cost_of(runs, np.array([0, 1]), lambda _: [MaxRepeatSettings(max=3)], n_well=7)
    assert (cost.call.tolist(), cost.calls) == ([3, 3], 2 + 1)
    assert (cost.tokens, cost.cost, cost.n_with_tokens, cost.n_with_cost, cost.n_well) == (15, 0.5, 1, 1, 7)


def test_the_grader_that_can_tell_first_stops_the_run() -> None:
    strict, loose = MaxRepeatSettings(max=1), MaxRepeatSettings(max=3)
    assert cost_of(set_of("aaaaab"), np.array([0]), lambda _: [loose, strict], n_well=1).call.tolist() == [1]


def test_what_no_run_records_is_not_known() -> None:
    cost = cost_of(set_of("aaaa"), np.array([0]), lambda _: [MaxRepeatSettings(max=2)], n_well=1)
    assert (cost.tokens, cost.cost) == (None, None)
