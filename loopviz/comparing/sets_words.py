"""Two sets of runs in words: the headline, the lists of what changed, the shares, and the share over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from loopviz.comparing.figures import UNKNOWN, money, signed
from loopviz.comparing.sets import By, Fate, Paired, start_of
from loopviz.model import Trajectory
from loopviz.timeline.facts import spent
from loopviz.timeline.words import number

FIRST_ROWS = 12
"""Rows of a list at first."""
MOST_ROWS = 300
"""Rows when more are asked for."""
MOST_POINTS = 40
"""Sets in the line over time: the latest."""
LISTED = (Fate.NEWLY_FAILING, Fate.PASSING_AGAIN, Fate.STILL_FAILING, Fate.ONLY_B, Fate.ONLY_A, Fate.NOT_JUDGED)
"""The lists in their order; runs that pass in both are only counted."""
Data = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """What is found of every open run, by its place."""

    runs: Sequence[Trajectory]
    passed: Callable[[int], bool | None]
    occurrences: Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Tally:
    """How a set fares."""

    n_runs: int
    n_judged: int
    n_failing: int

    @property
    def share(self) -> float | None:
        """Failing ones of those judged; None where none is."""
        return self.n_failing / self.n_judged if self.n_judged else None


def tally(found: Verdicts, places: Sequence[int]) -> Tally:
    """Count a set."""
    verdicts = [found.passed(place) for place in places]
    return Tally(len(verdicts), sum(verdict is not None for verdict in verdicts), verdicts.count(False))


def set_name(value: str, by: By, others: Sequence[str] = ()) -> str:
    """A set on screen: of files the name, with as much of the folder as tells it from others."""
    if by != "file":
        return value
    parts = PurePath(value).parts
    for taken in range(1, len(parts) + 1):
        name = "/".join(parts[-taken:])
        if not any(other != value and f"/{other}".endswith(f"/{name}") for other in others):
            return name
    return value


def title(pairs: Sequence[Paired], noun: str, passed: Callable[[int], bool | None]) -> str:
    """The finding: `3 trials newly fail in B, 1 passes again; 2 that are only in B fail`.

    Args:
        pairs: What became of every run.
        noun: What one is called: `trial`.
        passed: The verdict on the run of a place.
    """
    return "; ".join([_of_both(pairs, noun, passed), *_beside(pairs, passed)])


def _of_both(pairs: Sequence[Paired], noun: str, passed: Callable[[int], bool | None]) -> str:
    """What became of those that both sets have."""
    counts = Counter(pair.fate for pair in pairs)
    if all(pair.a is None or pair.b is None for pair in pairs):
        return f"The two sets have no {noun} in common"
    newly, again, still = (counts[fate] for fate in LISTED[:3])
    told = [f"{_counted(newly, noun)} newly {_verb(newly, 'fail')} in B"] if newly else []
    if again:
        told.append(f"{number(again) if newly else _counted(again, noun)} {_verb(again, 'pass')} again")
    if told:
        return ", ".join(told)
    whole = not any(counts[fate] for fate in (Fate.NOT_JUDGED, Fate.ONLY_A, Fate.ONLY_B))
    if still:
        return f"{_counted(still, noun)} still {_verb(still, 'fail')} in B" + (", and nothing changed" if whole else "")
    if not counts[Fate.STILL_PASSING]:
        return f"No {noun} is judged in both sets"
    if _beside(pairs, passed):
        return f"No {noun} judged in both sets fails"
    judged = not any(pair.fate is Fate.NOT_JUDGED or passed(_place(pair)) is None for pair in pairs)
    return f"No {noun} fails in either set" if judged else f"No {noun} that is judged fails in either set"


def _beside(pairs: Sequence[Paired], passed: Callable[[int], bool | None]) -> list[str]:
    """What fails and has no verdict to be held against in the other set."""
    alone = [[pair for pair in pairs if pair.fate is fate] for fate in (Fate.ONLY_B, Fate.ONLY_A, Fate.NOT_JUDGED)]
    only_b, only_a = (sum(passed(_place(pair)) is False for pair in some) for some in alone[:2])
    after = sum(pair.b is not None and passed(pair.b) is False for pair in alone[2])
    before = sum(pair.a is not None and passed(pair.a) is False for pair in alone[2])
    told = {
        f"{number(only_b)} that {_be(only_b)} only in B {_verb(only_b, 'fail')}": only_b,
        f"{number(only_a)} that {_be(only_a)} only in A {_verb(only_a, 'fail')}": only_a,
        f"{number(after)} not judged in A {_verb(after, 'fail')} in B": after,
        f"{number(before)} that failed in A {_be(before)} not judged in B": before,
    }
    return [words for words, count in told.items() if count]


def _place(pair: Paired) -> int:
    """The run that a pair is told by: that of B where there is one."""
    place = pair.b if pair.b is not None else pair.a
    assert place is not None
    return place


def _be(count: int) -> str:
    return "is" if count == 1 else "are"


def line(pairs: Sequence[Paired], noun: str) -> str:
    """What became of all, in one line."""
    counts = Counter(pair.fate for pair in pairs)
    both = sum(counts[fate] for fate in Fate if fate not in (Fate.ONLY_A, Fate.ONLY_B))
    told = [f"{_counted(both, noun)} {_be(both)} in both sets"]
    told += [f"{number(counts[fate])} {fate.value}" for fate in Fate if counts[fate]]
    return f"{told[0]}: {', '.join(told[1:])}." if told[1:] else f"{told[0]}."


def _counted(count: int, noun: str) -> str:
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def _verb(count: int, verb: str) -> str:
    return f"{verb}{'es' if verb == 'pass' else 's'}" if count == 1 else verb


def show_groups(found: Verdicts, pairs: Sequence[Paired], by: By, open_list: str | None) -> list[Data]:
    """A list for each fate that somebody has to look at; `open_list` is shown in full length."""
    groups = []
    for fate in LISTED:
        own = sorted((pair for pair in pairs if pair.fate is fate), key=lambda pair: _weight(found, pair))
        if not own:
            continue
        first = len(own) if fate in LISTED[:3] else sum(_fails(found, pair) for pair in own)
        limit = MOST_ROWS if open_list == fate.name else min(first, FIRST_ROWS)
        more = {"label": f"Show all {number(len(own))}", "action": f"list={fate.name}"} if len(own) > limit else None
        if open_list == fate.name:
            more = None
        shown = own[:limit]
        left = len(own) - len(shown)
        words = f"{number(len(own))}" + (f", the first {number(limit)} shown" if left and limit == MOST_ROWS else "")
        groups.append(
            {
                "title": f"{fate.value[0].upper()}{fate.value[1:]}",
                "words": words,
                "rows": [_row(found, pair, by) for pair in shown],
                "more": more,
            }
        )
    return groups


def _weight(found: Verdicts, pair: Paired) -> tuple[bool, int, int]:
    """What fails first, then the most times in a row, then in the order of the runs."""
    place = _place(pair)
    return not _fails(found, pair), -found.occurrences(place), place


def _fails(found: Verdicts, pair: Paired) -> bool:
    return any(place is not None and found.passed(place) is False for place in (pair.a, pair.b))


def _row(found: Verdicts, pair: Paired, by: By) -> Data:
    run = found.runs[_place(pair)]
    name = run.stimulus or run.run
    trial = "" if run.trial is None else f", trial {number(run.trial + 1)}"
    parts = {"variant": None if run.variant == "main" else run.variant, "model": run.model}
    aside = " · ".join(value for key, value in parts.items() if key != by and value)
    both = pair.a is not None and pair.b is not None
    return {
        "name": f"{name}{trial}",
        "aside": aside,
        "a": None if pair.a is None else _cell(found, pair.a),
        "b": None if pair.b is None else _cell(found, pair.b),
        "compare": f"pair={pair.a}.{pair.b}" if both else "",
    }


def _cell(found: Verdicts, place: int) -> Data:
    passed = found.passed(place)
    words = (
        "– not judged" if passed is None else f"{'✓' if passed else '✗'} {number(found.occurrences(place))} in a row"
    )
    return {"words": words, "over": passed is False, "action": f"open={place}"}


def show_shares(found: Verdicts, a: Sequence[int], b: Sequence[int]) -> list[Data]:
    """Share and total of what fails, and what both sets took."""
    tallies = tally(found, a), tally(found, b)
    sums = [[spent(found.runs[place]) for place in places] for places in (a, b)]
    tokens = [_total([one[0] for one in side]) for side in sums]
    costs = [_total([one[1] for one in side]) for side in sums]
    rows: list[tuple[str, list[float | None], Callable[[float], str]]] = [
        ("Runs", [float(one.n_runs) for one in tallies], _whole),
        ("Judged", [float(one.n_judged) for one in tallies], _whole),
        ("Failing", [float(one.n_failing) for one in tallies], _whole),
        ("Share failing", [one.share for one in tallies], percent),
        ("Tokens", tokens, _whole),
        ("Recorded cost", costs, money),
    ]
    return [_figure(name, values, told) for name, values, told in rows if values != [None, None]]


def _total(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(sum(known)) if known else None


def _whole(value: float) -> str:
    return number(round(value))


def percent(share: float) -> str:
    """`12.5 %`."""
    return f"{100 * share:.1f} %"


def _figure(name: str, values: list[float | None], told: Callable[[float], str]) -> Data:
    a, b = values
    more = "" if a is None or b is None else signed(b - a, told)
    if name == "Share failing":
        more = more.replace(" %", " points")
    return {
        "name": name,
        "a": UNKNOWN if a is None else told(a),
        "b": UNKNOWN if b is None else told(b),
        "more": more,
        "strong": [False, False],
    }


def show_trend(found: Verdicts, sets: Mapping[str, Sequence[int]], a: str, b: str, by: By) -> Data | None:
    """The share that fails in each set, in the order of start; None where fewer than three have one."""
    timed = []
    for name, places in sets.items():
        start, share = start_of([found.runs[place] for place in places]), tally(found, places).share
        if start is not None and share is not None:
            timed.append((name, start, share, tally(found, places)))
    if len(timed) < 3:
        return None
    left_out = _left_out(len(sets) - len(timed), len(timed) - MOST_POINTS)
    timed = timed[-MOST_POINTS:]
    dates = [datetime.fromtimestamp(start, UTC) for _, start, _, _ in timed]
    days = [_day(date, year=len({date.year for date in dates}) > 1) for date in dates]
    top = max(0.05, max(share for _, _, share, _ in timed))
    points: list[Data] = [
        {
            "share": share,
            "letter": "A" if name == a else "B" if name == b else "",
            "label": days[place] if place in (0, len(timed) - 1) else "",
            "tip": f"{set_name(name, by, list(sets))}, {days[place]}: {number(count.n_failing)} of "
            f"{number(count.n_judged)} fail",
        }
        for place, (name, _, share, count) in enumerate(timed)
    ]
    return {
        "title": "Share failing, set by set",
        "note": f"In the order of their start, evenly spaced.{left_out}",
        "points": points,
        "top": top,
        "words": "; ".join(point["tip"] for point in points),
    }


def _left_out(untimed: int, earlier: int) -> str:
    words = f" Left out: {_counted(untimed, 'set')} without a time or a verdict." if untimed else ""
    return f"{words} {number(earlier)} earlier ones are not drawn." if earlier > 0 else words


def _day(date: datetime, *, year: bool) -> str:
    day = f"{date.day} {_MONTHS[date.month - 1]}"
    return f"{day} {date.year}" if year else day


_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # not those of the machine's language
