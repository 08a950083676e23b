"""Item j: the Runs page with very many runs, against the same page with a few.

Both are open in one Chromium, and get their clicks in turn, as for item g; a figure is the middle one of its round, the
ratio is that of the best round. Each click paints a whole table again: what was loaded before is not measured.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.browser import NotPossible, chromium_open, painted_ms, serve, settled_page
from benchmarks.fixture import write_results
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Unit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AT_MOST = 1.5
CALLS = 10
"""Of each run."""
LOAD_MS = 3_600_000
"""How long the many runs may take until they are read and judged the first time, which is no part of the figures."""
TABLE = ".scroll table"
CAPTION = ".st-key-runs-below [data-testid='stCaptionContainer']"

Act = Callable[["Page"], float]


@dataclass(frozen=True, slots=True)
class _Action:
    """Something done on both pages, and what it is called in the table."""

    what: str
    many: Act
    few: Act
    """What it is held against: the same, or what paints as many rows where there is but one page of them."""


def item_j(sizes: Sizes) -> list[Row]:
    """Go to the page, sort it, filter it, turn to its next rows."""
    few, many = sizes.listed
    try:
        with (
            chromium_open() as browser,
            tempfile.TemporaryDirectory() as folder,
            _both_pages(browser, Path(folder), sizes.listed) as (few_page, many_page),
        ):
            rounds = [_round(few_page, many_page, sizes.presses) for _ in range(sizes.rounds)]
    except NotPossible as error:
        return [_row(action.what, few, many, f": {error}") for action in ACTIONS]
    return [_best(action.what, few, many, [one[action.what] for one in rounds]) for action in ACTIONS]


def _row(what: str, few: int, many: int, why_not: str = "", figure: float | None = None, seconds: str = "") -> Row:
    what = f"Runs page with {many:,} runs of {CALLS} calls against {few:,}: {what}{why_not}"
    return Row(item="j", what=what, unit=Unit.FEW, bound=AT_MOST, figure=figure, seconds=seconds)


def _best(what: str, few: int, many: int, rounds: Sequence[tuple[float, float]]) -> Row:
    """The row of the best of several rounds: middle milliseconds with many runs, and with few."""
    ours, theirs = min(rounds, key=lambda figures: figures[0] / figures[1])
    return _row(what, few, many, "", ours / theirs, f"{ours:.0f} ms to {theirs:.0f} ms")


@contextmanager
def _both_pages(browser: Browser, folder: Path, listed: Sequence[int]) -> Iterator[tuple[Page, Page]]:
    """The page with few runs and the one with many, both read and judged."""
    with ExitStack() as opened:
        urls = []
        for n_runs in listed:
            path = folder / f"{n_runs}.jsonl"
            write_results(path, n_runs, CALLS)
            urls.append(opened.enter_context(serve(folder, path)))
        few, many = [opened.enter_context(settled_page(browser, f"{url}/runs", LOAD_MS, TABLE)) for url in urls]
        yield few, many


def _round(few: Page, many: Page, times: int) -> dict[str, tuple[float, float]]:
    """(middle milliseconds with many runs, and with few) of each action; the first time only warms up."""
    figures: dict[str, tuple[float, float]] = {}
    for action in ACTIONS:
        pairs = [(action.many(many), action.few(few)) for _ in range(times + 1)][1:]
        figures[action.what] = (median(ours for ours, _ in pairs), median(theirs for _, theirs in pairs))
    return figures


def _go_there(page: Page) -> float:
    page.get_by_role("link", name="Help", exact=True).click()
    page.get_by_role("heading", level=1, name="Help").wait_for()
    return painted_ms(page, page.get_by_role("link", name="Runs", exact=True), CAPTION)


def _sort(page: Page) -> float:
    return painted_ms(page, page.locator("button[data-sort=name]"), TABLE)


def _filter(page: Page) -> float:
    pills = page.locator(".st-key-runs-filter button")
    painted_ms(page, pills.filter(has_text="fail").first, TABLE)
    return painted_ms(page, pills.filter(has_text="all").first, TABLE)


def _turn(page: Page) -> float:
    return painted_ms(page, page.get_by_role("button", name="Next →"), TABLE)


ACTIONS = (
    _Action("go to it", _go_there, _go_there),
    _Action("sort it", _sort, _sort),
    _Action("filter it", _filter, _filter),
    _Action("turn to the next rows", _turn, _sort),
)
