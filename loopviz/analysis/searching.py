"""Finding words in a run, or in many: in arguments, outputs, messages, reasoning, prompts, answers and errors.

A value is looked at once, however many calls share it. Words are found case aside; a pattern is an ECMAScript
expression as everywhere else, and is stopped when it takes too long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loopviz.analysis.matching import Finder, Query, finder_of, flat, readable
from loopviz.analysis.runset import RunSet
from loopviz.model import BoolArray, Codebook, IntArray, Trajectory
from loopviz.patterns import Span

TOOL, CALL_ID, ARGUMENTS, OUTPUT, PROMPT, ANSWER, ERROR = range(-7, 0)
"""What a hit stands in, where it is not an event."""
OF_THE_RUN = -1
"""The call of a hit that belongs to none: in the prompt, the final answer, or what came after the last call."""
BEFORE, AFTER, LONGEST_HIT = 48, 120, 160
"""Characters of an excerpt around the hit, and of the hit itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A hit with what stands around it, on one line."""

    field: str
    """The argument, or the member of an output, that holds it; empty where there are none."""
    before: str
    hit: str
    after: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Hits:
    """The texts of a run that hold what was looked for, in the order of the story; arrays of shape (n_hits,)."""

    trajectory: Trajectory
    query: Query
    call: IntArray
    """The call that each belongs to, a message to the one it stands before; `OF_THE_RUN` for those of the whole run."""
    source: IntArray
    """Place in the run's events, or `TOOL` to `ERROR`."""

    def __len__(self) -> int:
        return len(self.call)

    @cached_property
    def calls(self) -> IntArray:
        """The calls with a hit, ascending, each once."""
        calls: IntArray = np.unique(self.call[self.call != OF_THE_RUN])
        return calls


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunHits:
    """What was found in each of many runs; arrays of shape (n_runs,)."""

    count: IntArray
    """Texts that hold it."""
    first_call: IntArray
    """The first call with a hit; -1 where no call has one."""


def search_run(trajectory: Trajectory, query: Query) -> Hits:
    """Look into every text of one run.

    Raises:
        PatternError: if the pattern is refused, or runs too long.
    """
    return next(_search([trajectory], query))


def search_runs(runs: RunSet, query: Query) -> RunHits:
    """Look into every text of every run.

    Raises:
        PatternError: if the pattern is refused, or runs too long.
    """
    hits: RunHits = runs.kept.get(("inside", query), lambda: _count(runs, query))
    return hits


def search_names(runs: RunSet, query: Query) -> BoolArray:
    """Which runs have it in their name, stimulus, model, variant, evaluation or file, or in a tool or call id.

    Raises:
        PatternError: if the pattern is refused, or runs too long.
    """
    finder = finder_of(query)
    names, owner = runs.kept.get("names", lambda: flat([_names(t) for t in runs.trajectories]))
    found = np.zeros(len(runs), dtype=np.bool_)
    found[owner[finder.texts(names)]] = True
    columns = runs.columns
    tools = finder.texts(columns.tools)
    if tools.any():
        so_far = np.concatenate([[0], np.cumsum(tools[columns.tool])])
        found |= np.diff(so_far[columns.starts]) > 0
    return found


def excerpts(hits: Hits, places: Sequence[int]) -> list[Excerpt]:
    """The hits at these places among all, as a person reads them; of several in one text the first.

    Raises:
        PatternError: if the pattern runs too long this time.
    """
    candidates = [_texts_of(hits, place) for place in places]
    texts, owner = flat([[text for _, text in texts] for texts in candidates])
    spans = finder_of(hits.query).spans(texts)
    found: list[Excerpt] = []
    for number, texts_here in enumerate(candidates):
        here = zip(texts_here, spans[np.searchsorted(owner, number) :], strict=False)
        found.append(next((_excerpt(*text, span) for text, span in here if span), _NOTHING))
    return found


def _texts_of(hits: Hits, place: int) -> list[tuple[str, str]]:
    """(field, text) of everything in which a hit may stand."""
    trajectory, source, call = hits.trajectory, int(hits.source[place]), int(hits.call[place])
    if source == ARGUMENTS:
        return list(readable(trajectory.arguments_json(call) or b"null"))
    if source == OUTPUT:
        return list(readable(trajectory.observation_json(call) or b"null"))
    if source == TOOL:
        return [("", trajectory.tool(call))]
    if source == CALL_ID:
        return [("", trajectory.calls.ids[call] or "")]
    whole = {PROMPT: trajectory.prompt, ANSWER: trajectory.output, ERROR: trajectory.error}
    return [("", whole[source] or "" if source < 0 else trajectory.events[source].text)]


def _excerpt(field: str, text: str, span: Span) -> Excerpt:
    start, stop = span
    end = min(stop, start + LONGEST_HIT)
    from_ = max(0, start - BEFORE)
    return Excerpt(
        field=field,
        before=("…" if from_ else "") + _one_line(text[from_:start]),
        hit=_one_line(text[start:end]) + ("…" if end < stop else ""),
        after="" if end < stop else _one_line(text[stop : stop + AFTER]) + ("…" if stop + AFTER < len(text) else ""),
    )


_NOTHING = Excerpt(field="", before="", hit="", after="")


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _search(trajectories: Sequence[Trajectory], query: Query) -> Iterator[Hits]:
    """The hits of each run, in their order."""
    finder = finder_of(query)
    books = {id(t.codebook): t.codebook for t in trajectories}
    values = {
        name: _values(book, finder, [t for t in trajectories if t.codebook is book]) for name, book in books.items()
    }
    tools = {name: finder.texts(book.tools) for name, book in books.items()}
    stories = [_story(trajectory) for trajectory in trajectories]
    texts, owner = flat([[text for _, text in story] for story in stories])
    found = np.split(finder.texts(texts), np.searchsorted(owner, np.arange(1, len(stories))))
    for trajectory, story, told in zip(trajectories, stories, found, strict=True):
        book = id(trajectory.codebook)
        yield _hits(trajectory, query, values[book], tools[book], [story[at] for at in np.flatnonzero(told)])


def _values(book: Codebook, finder: Finder, sharing: Sequence[Trajectory]) -> BoolArray:
    """Which values hold it, of those that some run uses; a place more at the end, for a value that is missing."""
    used = np.unique(np.concatenate([column for t in sharing for column in (t.calls.arguments, t.calls.observation)]))
    used = used[used >= 0]
    found = np.zeros(len(book.values) + 1, dtype=np.bool_)
    found[used] = finder.values([book.values[index] for index in used.tolist()])
    return found


Told = tuple[tuple[int, int], str]
"""((source, call), text)."""


def _story(trajectory: Trajectory) -> list[Told]:
    """Every text of a run that is no value of a call."""
    n_calls = len(trajectory.calls)
    whole = ((PROMPT, trajectory.prompt), (ANSWER, trajectory.output), (ERROR, trajectory.error))
    told: list[Told] = [((source, OF_THE_RUN), text) for source, text in whole if text]
    told += [((CALL_ID, call), name) for call, name in enumerate(trajectory.calls.ids) if name]
    told += [
        ((place, event.call if event.call < n_calls else OF_THE_RUN), event.text)
        for place, event in enumerate(trajectory.events)
        if event.text
    ]
    return told


def _hits(trajectory: Trajectory, query: Query, values: BoolArray, tools: BoolArray, told: Sequence[Told]) -> Hits:
    calls = trajectory.calls
    holding = (
        (TOOL, np.flatnonzero(tools[calls.tool])),
        (ARGUMENTS, np.flatnonzero(values[calls.arguments])),
        (OUTPUT, np.flatnonzero(values[calls.observation])),
    )
    call = np.concatenate([*(found for _, found in holding), [where for (_, where), _ in told]]).astype(np.int64)
    source = np.concatenate(
        [*(np.full(len(found), name) for name, found in holding), [place for (place, _), _ in told]]
    ).astype(np.int64)
    # A message stands before its call; of the whole run the prompt comes first, and what ended it last.
    last = (call == OF_THE_RUN) & (source != PROMPT)
    order = np.lexsort((source, source < 0, call, last))
    return Hits(trajectory=trajectory, query=query, call=call[order], source=source[order])


def _count(runs: RunSet, query: Query) -> RunHits:
    found = [(len(hits), int(hits.calls[0]) if len(hits.calls) else -1) for hits in _search(runs.trajectories, query)]
    columns = np.array(found, dtype=np.int64).reshape(-1, 2)
    return RunHits(count=columns[:, 0], first_call=columns[:, 1])


def _names(trajectory: Trajectory) -> list[str]:
    parts = (
        trajectory.run,
        trajectory.stimulus,
        trajectory.model,
        trajectory.variant,
        trajectory.eval_name,
        trajectory.source.name,
        *trajectory.calls.ids,
    )
    return [part for part in parts if part]
