"""Many runs for people who never saw one: how often, how much in all after the stop points, where, and since when."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from loopviz.analysis.inspection import DEFAULT_GUARDS, GuardSettings
from loopviz.analysis.overview import FAIL, NOT_JUDGED, Graders, Overview
from loopviz.analysis.runset import RunSet, Tools
from loopviz.detectors.core.steps import Match, Unknown
from loopviz.model import IntArray, Trajectory
from loopviz.presenting.cost import Unit
from loopviz.presenting.names import seen
from loopviz.presenting.recorded import LEAST, money, recorded_after
from loopviz.presenting.stopping import StopPoint, first_stop
from loopviz.timeline.facts import duration
from loopviz.timeline.words import number

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # not those of the machine's language


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Runs that have something in common: a stimulus, a day, a file."""

    name: str
    n: int
    """Runs that were judged."""
    n_over: int
    """Of those, the ones over the limit."""

    @property
    def share(self) -> float:
        """Share over the limit, 0 to 1."""
        return self.n_over / self.n if self.n else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """The share over the limit as time goes on."""

    by: str
    """`day` or `file`."""
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetStory:
    """What is told of many runs."""

    n_runs: int
    n_judged: int
    n_over: int
    headline: str
    figure: str
    unit: Unit
    words: str
    """Goes on from the figure."""
    at_most: str
    ending: str
    how: tuple[str, ...]
    asides: tuple[str, ...]
    """What has to be known beside the headline."""
    stimuli: tuple[Group, ...]
    """Those with most runs over the limit first; empty where no run names its stimulus."""
    trend: Trend | None
    """None where nothing tells when the runs began, or all belong together."""
    trend_words: str
    n_over_elsewhere: int
    """Runs over the limit that name no stimulus."""


def tell_set(
    runs: RunSet,
    graders: Sequence[Graders],
    overview: Overview,
    guards: GuardSettings = DEFAULT_GUARDS,
    unknown: Unknown = "equal",
    *,
    hide_texts: bool,
) -> SetStory:
    """Tell many runs as one story.

    Args:
        runs: The runs.
        graders: Those of each run, in the order of the runs.
        overview: What `loopviz.analysis.overview.survey` found under the same settings.
        guards: Settings of the guards.
        unknown: Whether values that nobody recorded equal each other or nothing.
        hide_texts: Leave out names of files.
    """
    judged = [run for run in range(len(runs)) if overview.verdict[run] != NOT_JUDGED]
    over = {run for run in judged if overview.verdict[run] == FAIL}
    stops = _stops(runs, graders, overview, judged, guards, unknown)
    trajectories = runs.trajectories
    figure, unit, words = _figure(trajectories, stops)
    trend = _trend(trajectories, judged, over, hide_texts=hide_texts)
    return SetStory(
        n_runs=len(runs),
        n_judged=len(judged),
        n_over=len(over),
        headline=_headline(len(judged), len(over), _matches(graders, overview, over or judged)),
        figure=figure,
        unit=unit,
        words=words,
        at_most=_at_most(trajectories, stops, unit),
        ending=_ending(trajectories, stops),
        how=(*_how(len(runs), len(judged), stops, unit), *_watched(graders, overview, over)),
        asides=_doubt(runs, graders, overview, judged, unknown),
        stimuli=_stimuli(trajectories, judged, over),
        trend=trend,
        trend_words=_trend_words(trend, trajectories, judged),
        n_over_elsewhere=sum(not trajectories[run].stimulus for run in over),
    )


def _stops(
    runs: RunSet,
    graders: Sequence[Graders],
    overview: Overview,
    judged: Iterable[int],
    guards: GuardSettings,
    unknown: Unknown,
) -> dict[int, StopPoint]:
    """The stop points of the runs that have one."""
    filters: dict[Tools, list[int]] = defaultdict(list)
    for run in judged:
        filters[guards.tools or graders[run][int(overview.deciding[run])].settings.tools].append(run)
    stops: dict[int, StopPoint] = {}
    for tools, members in filters.items():
        ladder = runs.escalation(guards.escalation, tools, unknown)
        thrash = runs.thrash(guards.thrash, tools, unknown)
        for run in members:

            def over(run: int = run) -> int | None:
                return _over_at(runs, graders, overview, run, unknown)

            stop = first_stop(runs.trajectories[run], ladder, thrash, run, over)
            if stop is not None:
                stops[run] = stop
    return dict(sorted(stops.items()))


def _over_at(runs: RunSet, graders: Sequence[Graders], overview: Overview, run: int, unknown: Unknown) -> int | None:
    """The last call of the first step over the limit of the grader that decides."""
    if overview.verdict[run] != FAIL:
        return None
    settings = graders[run][int(overview.deciding[run])].settings
    grader = runs.max_repeat(settings.tools, unknown)
    failing = grader.judge(run, settings).first_failing_step
    return None if failing is None else grader.last_call(run, failing)


def _matches(graders: Sequence[Graders], overview: Overview, of: Iterable[int]) -> set[Match]:
    """What some runs are judged by as the same."""
    return {graders[run][int(overview.deciding[run])].settings.match for run in of}


_DID: dict[Match, str] = {
    "observation": "got the same results",
    "name-args": "made the same requests",
    "name": "used the same tools",
}


def _headline(n_judged: int, n_over: int, matches: set[Match]) -> str:
    if not n_judged:
        return "None of these runs could be judged."
    of = f"of {number(n_judged)} run{'' if n_judged == 1 else 's'}"
    who = f"{number(n_over)} {of}" if n_over else f"None {of}"
    did = _DID[next(iter(matches))] if len(matches) == 1 else "repeated something"
    return f"{who} {did} more often in a row than is allowed."


def _doubt(
    runs: RunSet, graders: Sequence[Graders], overview: Overview, judged: Iterable[int], unknown: Unknown
) -> tuple[str, ...]:
    """In how many runs values that nobody recorded decide."""
    if not (runs.columns.unknown_observation.any() or runs.columns.unknown_arguments.any()):
        return ()
    other: Unknown = "distinct" if unknown == "equal" else "equal"
    found: dict[tuple[Tools, Match, int], IntArray] = {}
    decided = 0
    for run in judged:
        settings = graders[run][int(overview.deciding[run])].settings
        key = (settings.tools, settings.match, settings.max_cycle_period)
        if key not in found:
            found[key] = runs.max_repeat(settings.tools, other).best(*key[1:]).occurrences
        decided += bool(found[key][run] <= settings.max) != bool(overview.occurrences[run] <= overview.limit[run])
    if not decided:
        return ()
    as_now, otherwise = ("equal", "different") if unknown == "equal" else ("different", "equal")
    who = "1 run" if decided == 1 else f"{number(decided)} runs"
    return (
        f"Caution: in {who} values decide that are redacted or were never recorded. They are taken as {as_now}; taken "
        f"as {otherwise}, the answer would be the other one.",
    )


def _figure(trajectories: Sequence[Trajectory], stops: dict[int, StopPoint]) -> tuple[str, Unit, str]:
    """(figure, unit, words): in the first unit of money, time and calls that every one of these runs records."""
    n_stops = len(stops)
    where = f"after the stop points of {number(n_stops)} run{'' if n_stops == 1 else 's'}."
    calls = sum(stop.after.calls for stop in stops.values())
    whole_calls = sum(len(trajectories[run].calls) for run in stops)
    known = [recorded_after(trajectories[run], stop) for run, stop in stops.items()]
    costs = [(one.cost, one.total) for one in known if one.cost is not None and one.total is not None]
    whole_cost = sum(total for _, total in costs)
    if stops and len(costs) == n_stops and whole_cost >= LEAST:
        of = " recorded for some of the responses" if any(one.partly for one in known) else ""
        return money(sum(cost for cost, _ in costs)), "money", f"of {money(whole_cost)}{of} was spent {where}"
    times = [one.seconds for one in known if one.seconds is not None]
    if stops and len(times) == n_stops:
        lasted = [trajectories[run].duration_s for run in stops]
        whole = sum(each for each in lasted if each is not None)
        of = f"of {duration(whole)} " if None not in lasted and whole >= sum(times) else ""
        return duration(sum(times)), "time", f"{of}went by {where}"
    if not stops:
        return "0", "calls", "calls came after a stop point: neither guard, simulated, would have stopped any of them."
    return number(calls), "calls", f"of {number(whole_calls)} calls came {where}"


def _at_most(trajectories: Sequence[Trajectory], stops: dict[int, StopPoint], unit: Unit) -> str:
    if not stops:
        return ""
    calls = sum(stop.after.calls for stop in stops.values())
    whole = sum(len(trajectories[run].calls) for run in stops)
    basis = {"money": ", at recorded cost", "time": "; not every run records what these calls cost"}.get(unit, "")
    return f"At most: {number(calls)} of their {number(whole)} calls{basis}."


def _ending(trajectories: Sequence[Trajectory], stops: dict[int, StopPoint]) -> str:
    outcomes = [trajectories[run].outcome for run in stops]
    if all(outcome is None for outcome in outcomes):
        return "" if not stops else "The files do not say whether they ended well."
    well, badly = outcomes.count(True), outcomes.count(False)
    silent = len(outcomes) - well - badly
    counts = ((badly, "badly"), (well, "well all the same"))
    ended = [f"{number(count)} of them ended {how}" for count, how in counts if count]
    said = ", ".join([*ended[:1], *(each.replace(" of them ended", "") for each in ended[1:])])
    return f"{said}; of {number(silent)} nothing is said." if silent else f"{said}."


def _how(n_runs: int, n_judged: int, stops: dict[int, StopPoint], unit: Unit) -> tuple[str, ...]:
    kinds = [stop.kind for stop in stops.values()]
    told = (
        ("thrash", "a stop guard would have ended"),
        ("ladder", "a warning guard would have told to stop"),
        ("limit", "no guard would have stopped, and that were over the limit"),
    )
    counts = [f"{number(kinds.count(kind))} that {words}" for kind, words in told if kind in kinds]
    left = n_runs - n_judged
    return (
        *((f"The stop points are those of {'; '.join(counts)}. Both guards are simulated.",) if stops else ()),
        *(
            ("The figure adds up what each of these runs records after its own stop point.",)
            if stops and unit != "calls"
            else ()
        ),
        *((f"{number(left)} of {number(n_runs)} runs could not be judged and are not counted.",) if left else ()),
    )


def _watched(graders: Sequence[Graders], overview: Overview, over: Iterable[int]) -> tuple[str, ...]:
    """What `in a row` means where the graders that decide watch some tools only."""
    some = any(graders[run][int(overview.deciding[run])].settings.tools for run in over)
    return ("Some of them watch certain tools only: there, in a row means among the watched calls.",) if some else ()


def _groups(keys: Iterable[tuple[Hashable, str]], judged: Sequence[int], over: set[int]) -> dict[Hashable, Group]:
    """Groups by key, in the order in which they come."""
    members: dict[Hashable, list[int]] = defaultdict(list)
    names: dict[Hashable, str] = {}
    for run, (key, name) in zip(judged, keys, strict=True):
        members[key].append(run)
        names[key] = seen(name)
    return {
        key: Group(name=names[key], n=len(runs), n_over=sum(run in over for run in runs))
        for key, runs in members.items()
    }


def _stimuli(trajectories: Sequence[Trajectory], judged: Sequence[int], over: set[int]) -> tuple[Group, ...]:
    named = [run for run in judged if trajectories[run].stimulus]
    groups = _groups(((trajectories[run].stimulus, str(trajectories[run].stimulus)) for run in named), named, over)
    return tuple(sorted(groups.values(), key=lambda group: (-group.n_over, -group.share, group.name)))


def _trend(
    trajectories: Sequence[Trajectory], judged: Sequence[int], over: set[int], *, hide_texts: bool
) -> Trend | None:
    began = [trajectories[run].started_s for run in judged]
    if began and None not in began:
        ordered = sorted(judged, key=lambda run: trajectories[run].started_s or 0.0)
        groups = _groups(_days([_day(trajectories[run].started_s or 0.0) for run in ordered]), ordered, over)
        if len(groups) > 1:
            return Trend(by="day", groups=tuple(groups.values()))
    files = list(dict.fromkeys(trajectories[run].source.name for run in judged))
    if not 1 < len(files) < len(judged):
        return None
    place = {name: f"file {number(at + 1)}" if hide_texts else _last(name) for at, name in enumerate(files)}
    keys = ((trajectories[run].source.name, place[trajectories[run].source.name]) for run in judged)
    return Trend(by="file", groups=tuple(_groups(keys, judged, over).values()))


def _day(seconds: float) -> date | None:
    """A day in UTC; None for a time that no calendar has."""
    try:
        return datetime.fromtimestamp(seconds, UTC).date()
    except (OverflowError, ValueError, OSError):
        return None


def _days(days: Sequence[date | None]) -> list[tuple[Hashable, str]]:
    """Days as `3 Nov`, with their year where there are several."""
    several = len({day.year for day in days if day}) > 1

    def name(day: date | None) -> str:
        if day is None:
            return "no date"
        return f"{day.day} {_MONTHS[day.month - 1]}{f' {day.year}' if several else ''}"

    return [(day, name(day)) for day in days]


def _last(name: str) -> str:
    """The end of a path, as far as it tells files apart for a person."""
    return "/".join(name.replace("\\", "/").split("/")[-2:])


def _trend_words(trend: Trend | None, trajectories: Sequence[Trajectory], judged: Sequence[int]) -> str:
    if trend is None:
        if len(judged) < 2:
            return ""
        began = [trajectories[run].started_s for run in judged]
        if None not in began:
            return "All of these runs began on one day."
        return "The files do not tell these runs apart by time."
    first, last = trend.groups[0], trend.groups[-1]
    at = "on" if trend.by == "day" else "in"
    return (
        f"Over the limit: {_of_runs(first)} {at} the first {trend.by}, {first.name}; "
        f"{_of_runs(last)} {at} the last, {last.name}."
    )


def _of_runs(group: Group) -> str:
    return f"{number(group.n_over)} of {number(group.n)} run{'' if group.n == 1 else 's'}"
