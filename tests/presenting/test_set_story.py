from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from loopviz.analysis.overview import NamedGrader, survey
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import Unknown
from loopviz.model import Trajectory, Usage
from loopviz.presenting.set_picture import joined, set_picture
from loopviz.presenting.sets import Group, SetStory, tell_set
from loopviz.settings import MaxRepeatSettings
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import SOURCE, trajectory_of

DAY = 86_400.0


def run(times: int, *, file: str = "a.jsonl", **fields: Any) -> Trajectory:
    """A run that does one thing so many times in a row, a turn each."""
    calls = [call(turn=k) for k in range(times)]
    return trajectory_of(calls, source=replace(SOURCE, name=file), **fields)


def paid(n: int) -> tuple[Usage, ...]:
    return tuple(Usage(turn=k, call=k, cost=0.5) for k in range(n))


def tell(*runs: Trajectory, hide_texts: bool = False, unknown: Unknown = "equal", **settings: Any) -> SetStory:
    together = RunSet(runs)
    graders = [(NamedGrader("max-repeat", MaxRepeatSettings(**{"max": 3, **settings})),)] * len(runs)
    overview = survey(together, graders, unknown=unknown)
    return tell_set(together, graders, overview, unknown=unknown, hide_texts=hide_texts)


def test_it_says_how_often_and_how_much_in_all() -> None:
    story = tell(run(1), run(2), run(5, usage=paid(5), outcome=False), run(6, usage=paid(6), outcome=True))
    assert story.headline == "2 of 4 runs got the same results more often in a row than is allowed."
    assert (story.figure, story.words) == ("$2.50", "of $5.50 was spent after the stop points of 2 runs.")
    assert story.at_most == "At most: 5 of their 11 calls, at recorded cost."
    assert story.ending == "1 of them ended badly, 1 well all the same."
    assert "2 that a stop guard would have ended" in story.how[0]


def test_one_that_records_no_cost_makes_it_calls() -> None:
    story = tell(run(5, usage=paid(5)), run(6))
    assert (story.figure, story.words) == ("5", "of 11 calls came after the stop points of 2 runs.")


@pytest.mark.parametrize(
    ("runs", "headline"),
    [
        pytest.param([], "None of these runs could be judged.", id="no run"),
        pytest.param([run(1, not_judged="no")], "None of these runs could be judged.", id="none judged"),
        pytest.param([run(1)], "None of 1 run got the same results more often in a row than is allowed.", id="one"),
    ],
)
def test_little_to_tell(runs: list[Trajectory], headline: str) -> None:
    story = tell(*runs)
    assert story.headline == headline
    assert story.figure == "0"
    ElementTree.fromstring(set_picture(story, width=358, theme="light"))


def test_runs_that_were_not_judged_are_counted_beside_it() -> None:
    assert "1 of 2 runs could not be judged and are not counted." in tell(run(5), run(1, not_judged="no")).how


def test_stimuli_with_most_runs_over_the_limit_come_first() -> None:
    story = tell(run(1, stimulus="calm"), run(5, stimulus="half"), run(1, stimulus="half"), run(5, stimulus="bad"))
    assert [(group.name, group.n_over, group.n) for group in story.stimuli] == [
        ("bad", 1, 1),
        ("half", 1, 2),
        ("calm", 0, 1),
    ]


def test_the_trend_goes_by_day_where_every_run_says_when_it_began() -> None:
    story = tell(*(run(times, started_s=day * DAY) for times, day in ((5, 1), (1, 0), (5, 1), (1, 1))))
    assert story.trend is not None
    assert (story.trend.by, [(group.name, group.n_over) for group in story.trend.groups]) == (
        "day",
        [("1 Jan", 0), ("2 Jan", 2)],
    )
    assert story.trend_words == "Over the limit: 0 of 1 run on the first day, 1 Jan; 2 of 3 runs on the last, 2 Jan."


def test_days_of_several_years_have_their_year() -> None:
    story = tell(run(1, started_s=0.0), run(1, started_s=400 * DAY))
    assert story.trend is not None
    assert [group.name for group in story.trend.groups] == ["1 Jan 1970", "5 Feb 1971"]


def test_else_by_file_whose_names_can_be_hidden() -> None:
    runs = [
        run(5, file="/home/me/nights/old.jsonl"),
        run(1, file="/home/me/nights/old.jsonl"),
        run(1, file="new.jsonl"),
    ]
    story, hidden = tell(*runs), tell(*runs, hide_texts=True)
    assert story.trend is not None
    assert hidden.trend is not None
    assert [group.name for group in story.trend.groups] == ["nights/old.jsonl", "new.jsonl"]
    assert [group.name for group in hidden.trend.groups] == ["file 1", "file 2"]
    assert "old" not in repr(hidden)


def test_runs_of_one_file_without_dates_have_no_trend() -> None:
    story = tell(run(1), run(5))
    assert story.trend is None
    assert story.trend_words == "The files do not tell these runs apart by time."


def test_the_picture_shows_what_is_over_the_limit() -> None:
    story = tell(*(run(times, stimulus="<b>", started_s=day * DAY) for times, day in ((5, 1), (1, 0), (5, 1))))
    svg = set_picture(story, width=1120, theme="light")
    shown = ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert {"<b>", "2 of 3", "2 of 2", "0 of 1", "2 Jan"} <= set(shown)


def test_columns_beyond_the_width_are_put_together() -> None:
    groups = tuple(Group(name=str(k), n=2, n_over=k % 2) for k in range(100))
    few = joined(groups, 30)
    assert len(few) <= 30
    assert (sum(group.n for group in few), sum(group.n_over for group in few)) == (200, 50)


@pytest.mark.parametrize(
    ("settings", "did"),
    [
        pytest.param({}, "got the same results", id="results"),
        pytest.param({"match": "name-args"}, "made the same requests", id="requests"),
        pytest.param({"match": "name"}, "used the same tools", id="tools"),
    ],
)
def test_the_headline_says_what_was_the_same(settings: dict[str, Any], did: str) -> None:
    assert tell(run(5), **settings).headline == f"1 of 1 run {did} more often in a row than is allowed."


def test_the_headline_of_graders_that_differ_says_less() -> None:
    together = RunSet([run(5), run(5)])
    kinds = (MaxRepeatSettings(max=3), MaxRepeatSettings(max=3, match="name"))
    graders = [(NamedGrader("max-repeat", one),) for one in kinds]
    story = tell_set(together, graders, survey(together, graders), hide_texts=False)
    assert story.headline == "2 of 2 runs repeated something more often in a row than is allowed."


def test_values_that_nobody_recorded_are_told_where_they_decide() -> None:
    lost = trajectory_of([{**call(turn=k), "unknown_observation": True} for k in range(5)])
    assert tell(run(5)).asides == ()
    (aside,) = tell(run(5), lost, lost).asides
    assert aside.startswith("Caution: in 2 runs values decide that are redacted or were never recorded.")
    (aside,) = tell(lost, unknown="distinct").asides
    assert "taken as different; taken as equal" in aside
    assert tell(lost, max=9).asides == ()


def test_in_a_row_is_among_watched_calls_where_a_grader_watches_some() -> None:
    assert "among the watched calls" in " ".join(tell(run(5), tools=("^bash$",)).how)
    assert "among the watched calls" not in " ".join(tell(run(5)).how)


def test_costs_that_say_nothing_are_not_the_figure() -> None:
    free = tuple(Usage(turn=k, call=k, cost=0.0) for k in range(5))
    assert tell(run(5, usage=free)).figure == "2"
    some = tell(run(5, usage=(*paid(4), Usage(turn=4, call=4))))
    assert (some.figure, some.words[:52]) == ("$0.50", "of $2.00 recorded for some of the responses was spen")
    first = tell(run(5, usage=paid(3), total_cost=None))
    assert (first.figure, first.unit) == ("2", "calls")


@pytest.mark.parametrize(
    ("outcomes", "ending"),
    [
        pytest.param((True,), "1 of them ended well all the same.", id="well"),
        pytest.param((False, False), "2 of them ended badly.", id="badly"),
        pytest.param(
            (True, False, None), "1 of them ended badly, 1 well all the same; of 1 nothing is said.", id="all"
        ),
    ],
)
def test_how_they_ended(outcomes: tuple[bool | None, ...], ending: str) -> None:
    assert tell(*(run(5, outcome=outcome) for outcome in outcomes)).ending == ending


def test_runs_without_a_stimulus_are_told_beside_the_bars() -> None:
    picture = set_picture(tell(run(5, stimulus="a"), run(1, stimulus="b"), run(5)), width=720, theme="light")
    assert "none in the other stimulus, 1 in runs without a stimulus" in picture


def test_columns_of_several_days_say_so() -> None:
    runs = [run(5, started_s=k * DAY) for k in range(70)]
    picture = set_picture(tell(*runs), width=720, theme="light")
    assert "by day, up to 2 days in each column" in picture
    assert "1 Jan – 2 Jan" in picture


def test_runs_of_one_day_are_said_to_be() -> None:
    assert tell(run(5, started_s=10.0), run(5, started_s=20.0)).trend_words == "All of these runs began on one day."
