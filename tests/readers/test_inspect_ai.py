"""Logs of Inspect: what is odd about samples, sub-agents, scores and archives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import UnknownFormat, as_read, is_hopeless, read_bytes, read_path, watching
from loopviz.readers.base import Stopped
from loopviz.readers.limits import Limits
from loopviz.readers.loading import read_file, read_record, stamp
from tests.readers.inspect_ai_by_hand import (
    DEFLATED,
    STORED,
    TIME,
    ZSTANDARD,
    archive,
    call,
    document,
    model,
    sample,
    span,
    tool,
    user,
)
from tests.readers.stories import NOTHING, found

REAL = Path(__file__).resolve().parents[3] / "shared" / "real" / "inspect"
real = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not beside the checkout")


def load(value: Json) -> Loaded:
    return read_bytes(json.dumps(value).encode(), "log.json", format="inspect")


def runs(*events: Json, **fields: Any) -> tuple[Trajectory, ...]:
    return load(document(sample(*events, **fields))).trajectories


def read(*events: Json, **fields: Any) -> Trajectory:
    (trajectory,) = runs(*events, **fields)
    return trajectory


def calls(trajectory: Trajectory, *fields: str) -> list[Any]:
    told = [tuple(one[field] for field in fields) for one in found(trajectory)]
    return [fields_of[0] for fields_of in told] if len(fields) == 1 else told


def told(trajectory: Trajectory) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in trajectory.events]


LS = call("bash", {"cmd": "ls"})
RAN = tool("bash", {"cmd": "ls"}, "a")
ERROR = {"type": "timeout", "message": "Too slow."}

SHAPES = [
    pytest.param([model("", LS), RAN], [("bash", '{"cmd":"ls"}', "a", False)], id="a call"),
    pytest.param([model("", LS)], [("bash", '{"cmd":"ls"}', None, False)], id="asked for and never answered"),
    pytest.param([model("", LS), tool("bash", {"cmd": "ls"}, NOTHING)], [("bash", '{"cmd":"ls"}', None, False)],
                 id="still running"),
    pytest.param([model("", LS), tool("bash", {}, "", error=ERROR)], [("bash", "{}", "Too slow.", True)],
                 id="an error and nothing else"),
    pytest.param([model("", LS), tool("bash", {}, "b", error=ERROR)], [("bash", "{}", "b", True)],
                 id="an error and a result"),
    pytest.param([model("", LS), tool("bash", {}, "b", failed=True)], [("bash", "{}", "b", True)], id="a hard error"),
    pytest.param([RAN], [("bash", '{"cmd":"ls"}', "a", False)], id="a tool that no model asked for"),
    pytest.param([model("", LS), tool("bash", {}, [{"type": "text", "text": "a"}])], [("bash", "{}", "a", False)],
                 id="a result in blocks"),
    pytest.param([model("", LS), tool("bash", {}, "")], [("bash", "{}", "", False)], id="an empty result"),
    pytest.param([RAN, 3, None, {}, {"event": ["tool"]}, span(["x"], "s"), model(output={"choices": [3]})],
                 [("bash", '{"cmd":"ls"}', "a", False)], id="events that are none"),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected"), SHAPES)
def test_calls(events: list[Json], expected: list[Json]) -> None:
    assert calls(read(*events), "tool", "arguments", "observation", "failed") == expected


MESSAGES = [
    user("Do it."),
    {"role": "assistant", "content": "Both.", "tool_calls": [LS, call("pwd", {}, "d")]},
    {"role": "tool", "tool_call_id": "d", "function": "pwd", "content": "", "error": ERROR},
    {"role": "tool", "tool_call_id": "c", "function": "bash", "content": "a"},
    {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "done"}]},
]


@pytest.mark.parametrize("events", [[], [{"event": "state"}]], ids=["none", "none of a model or a tool"])
def test_messages_are_read_where_events_tell_nothing(events: list[Json]) -> None:
    trajectory = read(*events, messages=MESSAGES)
    assert calls(trajectory, "tool", "observation", "failed") == [("bash", "a", False), ("pwd", "Too slow.", True)]
    assert trajectory.calls.turn.tolist() == [0, 0]
    assert told(trajectory)[-2:] == [("reasoning", "hm"), ("assistant", "done")]


def test_events_are_the_truth_where_messages_lack_early_calls() -> None:
    trajectory = read(model("", LS), RAN, model("", LS), RAN, messages=[user("Summary.")])
    assert len(trajectory.calls) == 2


def test_parallel_calls_are_one_turn_and_a_failed_request_is_none() -> None:
    failed = {"event": "model", "timestamp": TIME, "model": "m", "error": "Overloaded", "output": {"choices": []}}
    trajectory = read(model("", LS, call("pwd", {}, "d")), tool("pwd", {}, "/", "d"), RAN, failed, model("", LS), RAN)
    assert trajectory.calls.turn.tolist() == [0, 0, 1]
    assert trajectory.n_turns == 2
    assert ("error", "Overloaded") in told(trajectory)


def test_calls_that_could_not_be_parsed_never_ran() -> None:
    trajectory = read(
        model("", call("x", {}, "a", parse_error="bad"), call("y", {}, "b"), call("z", {}, "c")),
        tool("x", {}, "", "a", error={"type": "parsing", "message": "bad"}),
        tool("y", {}, "", "b", error={"type": "parsing", "message": "no such tool"}),
        tool("z", {}, "1", "c"),
    )
    assert trajectory.calls.executed.tolist() == [False, False, True]


def test_long_texts_are_put_in_from_the_attachments() -> None:
    attachments = {"abc": "a long text", "def": "a long command"}
    trajectory = read(
        model("", LS, input=[user("attachment://abc")]),
        tool("bash", {"cmd": ["attachment://def"]}, "attachment://abc"),
        model("attachment://gone"),
        attachments=attachments,
    )
    assert calls(trajectory, "arguments", "observation") == [('{"cmd":["a long command"]}', "a long text")]
    assert told(trajectory) == [("user", "a long text"), ("assistant", "attachment://gone")]


def test_each_message_that_models_were_given_is_told_once() -> None:
    one, two, three = (user(text, number) for text, number in (("One.", "1"), ("Two.", "2"), ("Three.", "3")))
    pool = [one, {"role": "assistant", "content": "x"}, two, three]
    whole = read(model("a", input=[one]), model("b", input=[one, two]), model("c", input=[one, two, three]))
    pooled = read(
        *(model(text, input_refs=refs) for text, refs in (("a", [[0, 1]]), ("b", [[0, 3]]), ("c", [[0, 2], [2, 4]]))),
        message_pool=pool,
    )
    odd = read(*(model(text, input_refs=[3, [1], [None, 2], [-1, 9], [7, 9]]) for text in "abc"), message_pool=pool)
    assert told(whole) == told(pooled)
    assert [text for _, text in told(whole)] == ["One.", "a", "Two.", "b", "Three.", "c"]
    assert [text for _, text in told(odd)] == ["a", "b", "c"]


def test_tokens() -> None:
    usage = {"input_tokens": 3, "output_tokens": 2, "input_tokens_cache_read": 5, "input_tokens_cache_write": 7}
    trajectory = read(model("a", output={"usage": usage}), model("b"), model_usage={"m": {"total_tokens": 99}})
    (used,) = trajectory.usage
    assert (used.input_tokens, used.output_tokens, used.cache_read_tokens, used.cache_write_tokens) == (15, 2, 5, 7)
    assert trajectory.total_tokens is None
    assert read(model("a"), model_usage={"m": {"total_tokens": 99}, "n": 3}).total_tokens == 99


def test_a_sub_agent_is_a_run_of_its_own() -> None:
    main, sub = runs(
        span("agent", "main", "solver"),
        model("", call("ask", {"q": 1}), span_id="main"),
        span("tool", "t", "main", "ask"),
        span("agent", "a", "t", "helper"),
        model("", call("bash", {"cmd": "ls"}, "c"), span_id="a"),
        tool("bash", {"cmd": "ls"}, "inner", span_id="a"),
        model("inside", span_id="a"),
        tool("ask", {"q": 1}, "outer", span_id="main"),
        model("outside", span_id="main"),
    )
    assert calls(main, "tool", "observation") == [("ask", "outer")]
    assert calls(sub, "tool", "observation") == [("bash", "inner")]
    assert (main.run, sub.run, main.n_turns, sub.n_turns) == ("s1", "s1/helper", 2, 2)


def test_a_sub_agent_in_the_events_of_a_tool_as_old_logs_have_it() -> None:
    inner = [model("", LS), RAN, {"event": "tool", "events": [3]}]
    main, sub = runs(model("", call("ask", {})), tool("ask", {}, "outer", events=inner), model("done"))
    assert calls(main, "observation") == ["outer"]
    assert calls(sub, "observation") == ["a", None]
    assert sub.run == "s1/ask"


def test_events_of_tools_that_no_model_takes_part_in_are_no_agent() -> None:
    assert len(runs(model("", LS), {**RAN, "events": [{"event": "info", "data": "x"}]})) == 1


def test_a_note_from_inside_a_tool_is_the_main_agents() -> None:
    note = {"event": "info", "data": "Note.", "span_id": "t"}
    (trajectory,) = runs(model("", LS), span("tool", "t"), note, RAN)
    assert told(trajectory) == [("info", "Note.")]


def test_what_scorers_do_is_left_out() -> None:
    spans = runs(model("a"), span("scorers", "s"), span("scorer", "t", "s"), model("graded", span_id="t"), model("b"))
    step = {"event": "step", "type": "scorer", "name": "x"}
    steps = runs(model("a"), {**step, "action": "begin"}, model("graded"), {**step, "action": "end"}, model("b"))
    for (trajectory,) in (spans, steps):
        assert [text for _, text in told(trajectory)] == ["a", "b"]


def test_the_rest_of_the_story() -> None:
    trajectory = read(
        model("a"),
        {"event": "compaction", "tokens_before": 1000, "tokens_after": 10},
        {"event": "compaction"},
        {"event": "sample_limit", "type": "message", "message": "Exceeded."},
        {"event": "error", "error": {"message": "Broken."}},
        {"event": "info", "data": "Note."},
    )
    assert told(trajectory)[1:] == [
        ("compaction", "The context was compacted from 1,000 to 10 tokens."),
        ("compaction", "The context was compacted."),
        ("limit", "Exceeded."),
        ("error", "Broken."),
        ("info", "Note."),
    ]


SCORES = [
    pytest.param({}, None, id="none"),
    pytest.param({"m": {"value": "C"}}, True, id="correct"),
    pytest.param({"m": {"value": "I"}}, False, id="incorrect"),
    pytest.param({"m": {"value": "N"}}, False, id="no answer"),
    pytest.param({"m": {"value": "P"}}, None, id="partly"),
    pytest.param({"m": {"value": 1}}, True, id="one"),
    pytest.param({"m": {"value": 0.0}}, False, id="nought"),
    pytest.param({"m": {"value": 0.7}}, None, id="between"),
    pytest.param({"m": {"value": True}}, True, id="true"),
    pytest.param({"m": {"value": {"a": 1}}}, None, id="several figures"),
    pytest.param({"m": {"value": "C"}, "n": {"value": 1}}, True, id="two that pass"),
    pytest.param({"m": {"value": "C"}, "n": {"value": 0}}, False, id="one that fails"),
    pytest.param({"m": {"value": "C"}, "n": {"value": 0.5}}, None, id="one that says neither"),
    pytest.param({"m": 3}, None, id="a score that is a number"),
    pytest.param([1], None, id="a list"),
]


@pytest.mark.parametrize(("scores", "outcome"), SCORES)
def test_outcomes(scores: Json, outcome: bool | None) -> None:
    assert read(model("a"), scores=scores).outcome is outcome


def test_what_is_known_of_the_run() -> None:
    fields = {
        "limit": {"type": "time", "limit": 5},
        "error": {"message": "Broken."},
        "output": {"completion": "42"},
        "total_time": 2.5,
        "scores": {"match": {"value": "C", "explanation": "Right."}},
    }
    trajectory = read(model("a"), **fields)
    assert (trajectory.run, trajectory.stimulus, trajectory.trial, trajectory.eval_name) == ("s1", "s1", 0, "t")
    assert (trajectory.model, trajectory.end_reason, trajectory.error) == ("p/m", "limit: time", "Broken.")
    assert (trajectory.output, trajectory.duration_s) == ("42", 2.5)
    assert trajectory.grade is not None
    assert (trajectory.grade.name, trajectory.grade.score, trajectory.grade.evidence) == ("match", 1.0, "Right.")


def test_epochs_of_a_sample_are_runs_of_one_stimulus() -> None:
    log = document(sample(model("a"), id=7), sample(model("a"), id=7, epoch=2), config={"epochs": 2})
    loaded = load(log)
    assert [(run.run, run.stimulus, run.trial, run.trials) for run in loaded.trajectories] == [
        ("7_epoch_1", "7", 0, 2),
        ("7_epoch_2", "7", 1, 2),
    ]


def test_a_log_without_samples_says_so() -> None:
    loaded = load({"version": 2, "status": "success", "eval": {"task": "t", "run_id": "r"}, "samples": None})
    assert loaded.trajectories == ()
    assert [problem.message for problem in loaded.problems] == [
        "This log has no list of samples, so there are no runs in it."
    ]


LOG = document(sample(model("", LS), RAN), sample(model("b"), id="ü", messages=[user("x")]))


@pytest.mark.parametrize("method", [STORED, DEFLATED, ZSTANDARD], ids=["stored", "deflate", "Zstandard"])
def test_an_archive_gives_what_the_document_gives(method: int) -> None:
    from_document, from_archive = load(LOG), read_bytes(archive(LOG, method), "log.eval")
    assert from_archive.source.format == "inspect"
    assert not from_archive.problems
    for one, other in zip(from_document.trajectories, from_archive.trajectories, strict=True):
        assert (one.run, one.eval_name, one.model) == (other.run, other.eval_name, other.model)
        assert (found(one), told(one)) == (found(other), told(other))


def test_an_archive_without_a_header_is_a_log_that_is_being_written() -> None:
    loaded = read_bytes(archive(LOG, header=""), "log.eval")
    assert [run.eval_name for run in loaded.trajectories] == ["t", "t"]


def test_an_archive_that_is_cut_off_gives_the_samples_before() -> None:
    data = archive(document(*(sample(model("", LS), RAN, id=str(number)) for number in range(5))), STORED)
    middle = data.index(b"samples/3_epoch_1.json") + 400
    loaded = read_bytes(data[:middle], "log.eval")
    assert [run.run for run in loaded.trajectories] == ["0", "1", "2", "3"]
    assert [len(run.calls) for run in loaded.trajectories][:3] == [1, 1, 1]
    assert any("cut off" in problem.message for problem in loaded.problems)


def test_samples_beyond_the_limit_are_left_out() -> None:
    data = archive(document(*(sample(model("x" * 1000), id=str(number)) for number in range(5))))
    loaded = read_bytes(data, "log.eval", limits=Limits(size=4_000))
    assert 0 < len(loaded.trajectories) < 5
    assert "unpacks to more than 4,000 bytes" in loaded.problems[0].message


@pytest.mark.parametrize("n_samples", [1, 40])
def test_an_archive_tells_how_far_it_is_from_its_beginning_to_its_end(n_samples: int) -> None:
    text = "".join(map(str, range(200_000)))  # several pieces, even where there is only one sample
    data = archive(document(*(sample(model(text[::n_samples]), id=str(n)) for n in range(n_samples))))
    steps: list[int] = []
    read_bytes(data, "log.eval", advance=steps.append)
    assert steps == sorted(steps)
    assert steps[-1] == len(data)
    assert len({step for step in steps if step < len(data) // 8}) >= 2


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_an_archive_can_be_stopped_while_it_is_unpacked_or_read(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "STRIDE", 1)
    data = archive(document(*(sample(model("x" * 1000), id=str(number)) for number in range(100))))
    told: list[int] = []

    def stop(done: int) -> None:
        told.append(done)
        if done > share * len(data):
            raise Stopped

    loaded = read_bytes(data, "log.eval", advance=stop)
    assert len(loaded.trajectories) in ((1,) if share < 0.1 else range(40, 60))
    assert "Reading was stopped here" in loaded.problems[-1].message
    assert sum(done > share * len(data) for done in told) <= 2


def test_other_archives_are_no_logs() -> None:
    other = archive(document(), header="word/document.xml").replace(b"_journal/start.json", b"_journal/other.json")
    assert is_hopeless(other)
    with pytest.raises(UnknownFormat, match="looks like a zip archive"):
        read_bytes(other, "a.docx")


def test_an_archive_in_a_folder_is_read_and_its_records_are_found(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    path.write_bytes(archive(LOG))
    (loaded,) = read_file(str(path), named=False)
    assert isinstance(loaded, Loaded)
    columns = loaded.trajectories[0].calls
    place = {"offset": int(columns.offset[0]), "length": int(columns.length[0])}
    assert json.loads(read_record(str(path), stamp(str(path)), **place) or "") == RAN
    assert json.loads(as_read(path.read_bytes()))["samples"] == LOG["samples"]


@real
def test_a_real_archive_of_calls() -> None:
    (trajectory,) = read_path(REAL / "inspect_ai__log_message_deduplication.eval").trajectories
    assert calls(trajectory, "tool", "arguments") == [("bash", '{"cmd":"ls"}')] * 5
    assert set(calls(trajectory, "observation")) == {
        "bin\nboot\ndev\netc\nhome\nlib\nlib64\nmedia\nmnt\nopt\nproc\nroot\nrun\nsbin\nsrv\nsys\ntmp\nusr\nvar\n"
    }
    assert calls(trajectory, "id") == [f"hardcoded_{number}" for number in range(5)]
    assert (trajectory.n_turns, trajectory.outcome, trajectory.duration_s) == (6, False, 0.457)
    assert told(trajectory)[0] == ("user", "Guess the number")
    assert trajectory.output == "done"


@real
def test_a_real_archive_of_answers() -> None:
    loaded = read_path(REAL / "inspect_ai__2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval")
    assert [run.run for run in loaded.trajectories] == ["9", "6", "10", "5", "8", "4", "7", "3", "1", "2"]
    assert [run.run for run in loaded.trajectories if not run.outcome] == ["7", "3"]
    used = [used for run in loaded.trajectories for used in run.usage]
    assert (sum(one.input_tokens or 0 for one in used), sum(one.output_tokens or 0 for one in used)) == (620, 20)
    assert [kind for kind, _ in told(loaded.trajectories[0])] == ["system", "user", "assistant"]


@real
def test_a_real_document() -> None:
    loaded = read_path(REAL / "inspect_ai__log_tool_call_error.json")
    (trajectory,) = loaded.trajectories
    # Its eleven results answer calls that the fixture lacks.
    assert (len(trajectory.calls), trajectory.run, trajectory.stimulus) == (0, "1_epoch_4", "1")
    assert trajectory.problems[0].where == "sample 1, message 1"


def test_what_was_cut_is_told() -> None:
    answer = {"message": {"role": "assistant", "content": "I"}, "stop_reason": "max_tokens"}
    trajectory = read(
        model(output={"choices": [answer]}), RAN | {"truncated": [20_000, 1_000]}, RAN | {"truncated": []}
    )
    assert told(trajectory) == [
        ("assistant", "I"),
        ("cut", "The response was cut off at the limit of its length."),
        ("cut", "A result was cut from 20,000 to 1,000 bytes."),
        ("cut", "A result was cut."),
    ]
