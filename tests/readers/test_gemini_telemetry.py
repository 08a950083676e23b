"""Telemetry of Gemini CLI: responses, calls whose results are unknown, what is left out."""

from __future__ import annotations

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import find_reader, gemini_telemetry, read_bytes
from tests.readers.gemini_telemetry_by_hand import dump, event, tool_call
from tests.readers.vally_by_hand import tools, turns


def load(*records: Json) -> Loaded:
    return read_bytes(dump(*records), "telemetry.log", format="gemini.telemetry")


def only(*records: Json) -> Trajectory:
    (trajectory,) = load(*records).trajectories
    assert not trajectory.problems
    return trajectory


def test_is_known() -> None:
    assert find_reader(dump({"resource": {}}, event("config"), tool_call())) is gemini_telemetry.READER


def test_calls_belong_to_the_response_before_them() -> None:
    trajectory = only(
        event("user_prompt", prompt="Go"), event("api_response"), tool_call(), tool_call(), event("api_response"),
        tool_call("cat", success=False),
    )  # fmt: skip
    assert (tools(trajectory), turns(trajectory), trajectory.n_turns) == (["ls", "ls", "cat"], [0, 0, 1], 2)
    assert trajectory.arguments_json(0) == b'{"path":"."}'
    assert (trajectory.run, trajectory.prompt) == ("s1", "Go")


def test_a_call_that_failed_and_results_that_nobody_wrote_down() -> None:
    trajectory = only(event("api_response"), tool_call(), tool_call(success=False))
    assert trajectory.calls.failed.tolist() == [False, True]
    assert trajectory.calls.unknown_observation.tolist() == [True, True]
    assert trajectory.calls.unknown_arguments.tolist() == [False, False]


def test_tokens_and_events() -> None:
    loaded = load(
        event("api_response", model="g", input_token_count=9, output_token_count=3, thoughts_token_count=2,
              cached_content_token_count=4),
        event("api_error", error_message="quota"),
        event("chat_compression"),
        event("loop_detected", loop_type="chanting_identical_sentences"),
        event("config"),
        {"descriptor": {}},
    )  # fmt: skip
    (trajectory,) = loaded.trajectories
    (use,) = trajectory.usage
    assert (use.input_tokens, use.output_tokens, use.cache_read_tokens, use.model) == (9, 5, 4, "g")
    assert [told.kind for told in trajectory.events] == ["error", "compaction", "system"]
    assert loaded.notes == ("1 event of another sort left out.", "1 record that is no event left out.")


def test_sessions_that_take_turns() -> None:
    loaded = load(event("user_prompt", prompt="1"), event("user_prompt", prompt="2", session="s2"))
    assert [run.run for run in loaded.trajectories] == ["s1", "s2"]


@pytest.mark.parametrize("attributes", [None, 5, [], {}, {"event.name": 5}, {"event.name": "other"}])
def test_records_that_are_no_events(attributes: Json) -> None:
    assert not load({"attributes": attributes}, {"a": 1}).trajectories
