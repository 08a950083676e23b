"""The story around the calls: messages, thoughts, errors, compactions, tokens and cost."""

from __future__ import annotations

import pytest

from loopviz.model import Json, Usage
from loopviz.readers.vally.story import LONGEST, money
from tests.readers.vally_by_hand import Event, call, document, end, event, only, read_events, start

TOLD = [
    pytest.param(event("user_message", content="go on"), "user", "go on", id="a user message"),
    pytest.param(event("assistant_message", content="so"), "assistant", "so", id="an answer"),
    pytest.param(event("assistant_message", content=""), "assistant", "", id="an empty answer"),
    pytest.param(
        event("assistant_message", content=[{"type": "text", "text": "a"}, {"type": "image"}, "b"]),
        "assistant",
        "a\n[image]\nb",
        id="an answer in parts",
    ),
    pytest.param(event("assistant_message", text="so"), "assistant", "so", id="a text instead of a content"),
    pytest.param(event("assistant_message", mood="fine"), "assistant", '{"mood": "fine"}', id="neither"),
    pytest.param(event("reasoning", content="hm"), "reasoning", "hm", id="a thought"),
    pytest.param(event("error", message="no"), "error", "no", id="an error"),
    pytest.param(
        event("error", type="Timeout", message="no", code=7), "error", "Timeout: no", id="an error with a type"
    ),
    pytest.param(event("error", code=7), "error", '{"code": 7}', id="an error without a message"),
    pytest.param(event("skill_activation", name="pdf"), "skill", "pdf", id="a skill"),
    pytest.param(event("skill_activation", name="pdf", path="a/b"), "skill", "pdf (a/b)", id="a skill with its path"),
    pytest.param(event("system", message="hello"), "system", "hello", id="a system event"),
    pytest.param(event("custom", name="mark", text="here"), "custom", "mark: here", id="a custom event"),
    pytest.param(event("custom", x=1), "custom", '{"x": 1}', id="a custom event without a text"),
    pytest.param(
        event("system", type="compaction", summary="short"),
        "compaction",
        "compaction: short",
        id="a compaction by its type",
    ),
    pytest.param(
        event("system", message="Context was compacted."),
        "compaction",
        "Context was compacted.",
        id="a compaction by its text",
    ),
    pytest.param(event("session.compaction_start"), "compaction", "{}", id="a compaction under another name"),
    pytest.param(event("system", type="truncation", message="cut"), "cut", "truncation: cut", id="a cut output"),
    pytest.param(
        event("assistant_message", content="I compacted it"),
        "assistant",
        "I compacted it",
        id="an answer that speaks of one",
    ),
    pytest.param(event("fancy_step", x=1), "fancy_step", '{"x": 1}', id="an unknown event"),
    pytest.param({"type": "user_message", "data": "go"}, "user", "go", id="data that is a text"),
    pytest.param({"type": "custom"}, "custom", "", id="no data"),
    pytest.param(event("assistant_message", content="a\ud800b"), "assistant", "a\ufffdb", id="a lone surrogate"),
    pytest.param(event("fancy_\ud800", x=1), "fancy_\ufffd", '{"x": 1}', id="a lone surrogate in the type"),
]


@pytest.mark.parametrize(("told", "kind", "text"), TOLD)
def test_tells_an_event(told: Event, kind: str, text: str) -> None:
    (only_one,) = read_events(told).events
    assert (only_one.kind, only_one.text) == (kind, text)
    only_one.text.encode()


def test_a_long_unknown_event_is_shortened() -> None:
    (told,) = read_events(event("fancy_step", x="y" * 10_000)).events
    assert len(told.text) == LONGEST + 1
    assert told.text.endswith("…")


def test_an_event_knows_its_time_and_place() -> None:
    data = document({"type": "user_message", "timestamp": "2026-06-18T12:00:00Z", "data": {"content": "go"}})
    (told,) = only(data).events
    assert told.time_s == 1_781_784_000
    assert told.place is not None
    assert data[told.place.offset : told.place.offset + told.place.length].startswith(b'{"type": "user_message"')
    assert told.place.line is None


def tokens(**data: Json) -> Event:
    return event("token_usage", **data)


USED = [
    pytest.param([], [], id="none"),
    pytest.param([tokens(inputTokens=-1, outputTokens=-1)], [(None, None)], id="unknown"),
    pytest.param([tokens(inputTokens="7", outputTokens=True)], [(None, None)], id="no numbers"),
    pytest.param([tokens(inputTokens=7, outputTokens=2.0)], [(7, 2)], id="numbers"),
    pytest.param(
        [start(), tokens(inputTokens=7), tokens(inputTokens=8)], [(7, None), (8, None)], id="two responses of one turn"
    ),
    pytest.param([start(), tokens(inputTokens=7), tokens(inputTokens=7)], [(7, None)], id="said twice in one turn"),
    pytest.param(
        [start(), tokens(inputTokens=7), start(), tokens(inputTokens=7)],
        [(7, None), (7, None)],
        id="the same in two turns",
    ),
    pytest.param([tokens(inputTokens=7), tokens(inputTokens=7)], [(7, None), (7, None)], id="the same in no turn"),
    pytest.param(
        [tokens(inputTokens=7, messageId="m"), start(), tokens(inputTokens=7, messageId="m")],
        [(7, None)],
        id="one response by its id",
    ),
]


@pytest.mark.parametrize(("events", "expected"), USED)
def test_counts_a_response_once(events: list[Event], expected: list[tuple[int | None, int | None]]) -> None:
    assert [(use.input_tokens, use.output_tokens) for use in read_events(*events).usage] == expected


def test_a_usage_record_is_kept_whole() -> None:
    record = tokens(
        inputTokens=7,
        outputTokens=2,
        cacheReadTokens=5,
        cacheWriteTokens=0,
        model="m-1",
        cost={"provider": "p", "unit": "USD", "amount": 0.25},
    )
    trajectory = read_events(start(), call("x"), record, end(), call("y"))
    assert trajectory.usage == (
        Usage(
            turn=0,
            call=0,
            input_tokens=7,
            output_tokens=2,
            cache_read_tokens=5,
            cache_write_tokens=0,
            cost=0.25,
            model="m-1",
        ),
    )
    assert trajectory.model == "m-1"


@pytest.mark.parametrize(
    ("events", "place"),
    [
        pytest.param([call("x"), tokens(inputTokens=1)], (-1, 1), id="no turn: before the record"),
        pytest.param([start(), tokens(inputTokens=1), call("x")], (0, 0), id="before the calls of its turn"),
        pytest.param([call("w"), start(), call("x"), tokens(inputTokens=1)], (0, 1), id="behind them"),
        pytest.param([start(), call("x"), start(), tokens(inputTokens=1)], (1, 1), id="a turn without a call"),
        pytest.param(
            [start(), start(agentId="w"), call("x"), call("y"), tokens(inputTokens=1, agentId="w")],
            (1, 0),
            id="an agent's turn that began before another's calls",
        ),
    ],
)
def test_knows_its_turn_and_the_calls_before_that_began(events: list[Event], place: tuple[int, int]) -> None:
    (use,) = read_events(*events).usage
    assert (use.turn, use.call) == place


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        pytest.param(None, None, id="none"),
        pytest.param(-1, None, id="unknown"),
        pytest.param("0.5", None, id="a text"),
        pytest.param({"provider": "p", "unit": "AIU", "amount": 5}, None, id="units of a provider"),
        pytest.param({"unit": "premium requests", "amount": 5}, None, id="requests"),
        pytest.param({"unit": "EUR", "amount": 5}, None, id="another currency"),
        pytest.param({"unit": "USD"}, None, id="no amount"),
        pytest.param(0.5, 0.5, id="a number"),
        pytest.param({"unit": "USD", "amount": 0.5}, 0.5, id="dollars by their code"),
        pytest.param({"unit": "dollars", "amount": 0.5}, 0.5, id="dollars by their name"),
        pytest.param({"amount": 0.5}, 0.5, id="no unit"),
    ],
)
def test_only_dollars_are_a_cost(cost: Json, expected: float | None) -> None:
    assert money(cost) == expected


@pytest.mark.parametrize(
    ("stamps", "times"),
    [
        pytest.param([], (None, None), id="no events"),
        pytest.param([None, None], (None, None), id="none"),
        pytest.param(["soon", {}, True], (None, None), id="none that can be read"),
        pytest.param([10, 20, None], (10, 20), id="none at the end"),
        pytest.param(["soon", 10, 20, "late"], (10, 20), id="unreadable ones at both ends"),
        pytest.param(["1970-01-01T00:00:10Z", "1970-01-01T00:00:20", "late"], (10, 20), id="texts, with a zone or not"),
    ],
)
def test_knows_the_first_and_the_last_time_that_can_be_read(
    stamps: list[Json], times: tuple[float | None, float | None]
) -> None:
    trajectory = read_events(*({**start(), "timestamp": stamp} for stamp in stamps))
    assert (trajectory.started_s, trajectory.last_event_s) == times


TOTALS = [
    pytest.param({}, (), None, None, id="none"),
    pytest.param({"tokenUsage": {"inputTokens": -1, "outputTokens": -1}}, (), None, None, id="unknown"),
    pytest.param({"tokenUsage": {"totalTokens": 50, "totalNanoAiu": 9}}, (), 50, None, id="a total, and no money"),
    pytest.param(
        {"tokenUsage": {"inputTokens": 7, "outputTokens": 2, "totalTokens": 99, "cost": {"unit": "USD", "amount": 1}}},
        (),
        9,
        1.0,
        id="input and output, and dollars",
    ),
    pytest.param(
        {"tokenUsage": {"totalTokens": 50, "cost": 2}},
        (tokens(inputTokens=7),),
        None,
        2.0,
        id="with a record per response: no total, unless of the cost",
    ),
    pytest.param(
        {"tokenUsage": {"totalTokens": 50, "cost": 2}},
        (tokens(inputTokens=7, cost=1),),
        None,
        None,
        id="with a cost per response",
    ),
]


@pytest.mark.parametrize(("metrics", "events", "total_tokens", "total_cost"), TOTALS)
def test_totals_stand_in_where_no_response_is_recorded(
    metrics: Json, events: tuple[Event, ...], total_tokens: int | None, total_cost: float | None
) -> None:
    trajectory = only(document(*events, metrics=metrics))
    assert (trajectory.total_tokens, trajectory.total_cost) == (total_tokens, total_cost)
