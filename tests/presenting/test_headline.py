from __future__ import annotations

from typing import Any

import pytest

from loopviz.analysis.inspection import Inspection
from loopviz.presenting.asides import asides
from loopviz.presenting.headline import bare, headline, headline_parts, unjudged_headline
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of

Calls = list[dict[str, Any]]


def ran_tests(n: int, **fields: Any) -> Calls:
    return [call("run_tests", {"path": "tests"}, "2 failing", **fields)] * n


def numbered(tool: str, n: int, *, args: str = "", out: str = "x") -> Calls:
    """Calls whose arguments or outputs are numbered where these hold braces."""
    return [call(tool, {"q": args.format(k)}, out.format(k)) for k in range(n)]


def say(calls: Calls, *, hide_texts: bool = False, **settings: Any) -> str:
    return headline(look(calls, **settings), hide_texts=hide_texts)


HALF_EMPTY = [call(tool, "a", "x" if tool == "a" else "", turn=k) for k in range(5) for tool in ("a", "b")]
REDACTED = [{**call(), "unknown_observation": True}] * 5
BETWEEN = [call("edit", "b", "b") if k % 2 else call("run_tests", "a", "2 failing") for k in range(7)]
ONE_TOOL = "The agent never got the same result from one tool twice in a row"


@pytest.mark.parametrize(
    ("calls", "settings", "sentence"),
    [
        pytest.param([], {}, "The agent called no tool in this run.", id="no calls"),
        pytest.param([call()], {}, f"{ONE_TOOL}.", id="one call"),
        pytest.param(numbered("bash", 5, out="{}"), {}, f"{ONE_TOOL}.", id="another output each time"),
        pytest.param(
            [call(out=""), call(out="x")], {}, f"{ONE_TOOL}, empty results aside.", id="an empty output is none"
        ),
        pytest.param(
            numbered("bash", 5, out="{}"),
            {"max_cycle_period": 2},
            "No step and no pattern of up to 2 steps came twice in a row with the same results.",
            id="longer patterns looked for",
        ),
        pytest.param(
            [call(out="a", turn=0), call(out="a", turn=0), call(out="b", turn=1)],
            {},
            "No step came twice in a row with the same results.",
            id="calls made at once count once, so nothing is said of each",
        ),
        pytest.param(
            [call("bash"), call("read")],
            {"tools": ("^read$",)},
            "The agent never got the same result from one watched tool twice in a row.",
            id="some tools are watched",
        ),
        pytest.param(
            [call("bash"), call("bash")],
            {"tools": ("^read$",)},
            "The agent used none of the tools that are watched here; its 2 calls were of others.",
            id="no tool is watched",
        ),
        pytest.param(
            HALF_EMPTY,
            {},
            "The agent made the same calls side by side 5 times in a row and got the same results each time.",
            id="one of two results is empty each time, and so the same",
        ),
        pytest.param(
            HALF_EMPTY,
            {"max_cycle_period": 3},
            "In every step some result came back empty, and with longer patterns such a step equals nothing.",
            id="half of the results are empty, longer patterns looked for",
        ),
        pytest.param(
            [call(tool, k, "x" if tool == "a" else "", turn=k) for k in range(5) for tool in ("a", "b")],
            {},
            "The agent made calls with the same tools side by side 5 times in a row and got the same results each "
            "time, though what it asked for was not always the same.",
            id="only what was asked for differs",
        ),
        pytest.param(
            [{**call(out=None), "unknown_observation": True}] * 3,
            {},
            "No result was recorded, so there was nothing to compare.",
            id="no result is recorded",
        ),
        pytest.param(
            [{**call(out=None), "unknown_observation": True}, call(out="")],
            {},
            "Every result came back empty or was not recorded, so there was nothing to compare.",
            id="some are empty, some not recorded",
        ),
        pytest.param(
            [call(out=""), call("bash", out="x")],
            {"tools": ("^bash$",), "max": 3},
            f"{ONE_TOOL}, empty results aside.",
            id="an empty one of the only tool",
        ),
        pytest.param(
            [call("read"), call("bash", out="")],
            {"tools": ("^bash$",)},
            "Every result of a watched tool came back empty, so there was nothing to compare.",
            id="every watched result is empty",
        ),
        pytest.param(
            REDACTED,
            {"unknown": "distinct"},
            "With results that were not recorded taken as different, the agent never got the same result from one tool "
            "twice in a row.",
            id="nothing twice, as far as is known",
        ),
        pytest.param(
            REDACTED,
            {"max": 9},
            "With results that were not recorded taken as the same, the agent got the same result from one tool at "
            "most 5 times in a row; 9 are allowed.",
            id="as often as allowed, as far as is known",
        ),
        pytest.param(
            BETWEEN,
            {"tools": ("^run_tests$",)},
            "The agent ran the same test 4 times in a row among the watched calls and got the same result each time.",
            id="calls that are not watched lie between",
        ),
        pytest.param(
            BETWEEN,
            {"tools": ("^run_tests$",), "max": 9},
            "The agent got the same result from one watched tool at most 4 times in a row among the watched calls; "
            "9 are allowed.",
            id="such calls between, as often as allowed",
        ),
        pytest.param(
            [call("edit", "b", "b"), *ran_tests(4)],
            {"tools": ("^run_tests$",)},
            "The agent ran the same test 4 times in a row and got the same result each time.",
            id="a call before it that is not watched",
        ),
        pytest.param(
            [call(turn=0), *(call(turn=k) for k in range(5))],
            {},
            "The agent made the same calls, at times several at once, 5 times in a row and got the same results each "
            "time.",
            id="several calls in some turns only",
        ),
        pytest.param(
            [call("поиск_test")] * 4,
            {},
            "The agent made the same call to `поиск_test` 4 times in a row and got the same result each time.",
            id="a name of which only a part is known",
        ),
        pytest.param(
            [call("x" * 5_000)] * 4,
            {},
            f"The agent made the same call to `{'x' * 59}…` 4 times in a row and got the same result each time.",
            id="a very long name",
        ),
        pytest.param(
            [call("live\u202e")] * 4,
            {},
            "The agent made the same call to `live\ufffd` 4 times in a row and got the same result each time.",
            id="a name that would turn the sentence round",
        ),
        pytest.param(
            [call(out="")] * 3,
            {},
            "Every result came back empty, so there was nothing to compare.",
            id="every result is empty",
        ),
        pytest.param(
            ran_tests(3),
            {},
            "The agent got the same result from one tool at most 3 times in a row; 3 are allowed.",
            id="as often as allowed",
        ),
        pytest.param(
            ran_tests(2),
            {"max": 2, "match": "name-args"},
            "The agent made the same request at most 2 times in a row; 2 are allowed.",
            id="as often as allowed, by request",
        ),
        pytest.param(
            [call(out="a"), call("read", out="b")] * 2,
            {"max_cycle_period": 2, "max": 2},
            "The agent repeated a pattern of 2 steps, with the same results, at most 2 times in a row; 2 are allowed.",
            id="a pattern as often as allowed",
        ),
        pytest.param(
            ran_tests(7),
            {},
            "The agent ran the same test 7 times in a row and got the same result each time.",
            id="a known tool, all the same",
        ),
        pytest.param(
            [call("lookup_order", {"id": 7}, "open")] * 4,
            {},
            "The agent made the same call to `lookup_order` 4 times in a row and got the same result each time.",
            id="an unknown tool by its own name",
        ),
        pytest.param(
            numbered("search", 4, args="{}"),
            {},
            "The agent ran a search 4 times in a row and got the same result each time, "
            "though what it asked for was not always the same.",
            id="requests differ where only results are compared",
        ),
        pytest.param(
            [{**call("search"), "unknown_arguments": True}] * 4,
            {},
            "The agent ran a search 4 times in a row and got the same result each time.",
            id="unrecorded requests are not said to be the same",
        ),
        pytest.param(
            [{**call("search"), "unknown_observation": True}] * 4,
            {"match": "name-args"},
            "The agent ran the same search 4 times in a row; not every result was recorded.",
            id="unrecorded results are not said to be the same",
        ),
        pytest.param(
            numbered("search", 4, out="{}"),
            {"match": "name-args"},
            "The agent ran the same search 4 times in a row and got another result each time.",
            id="another result each time",
        ),
        pytest.param(
            numbered("search", 3, out="{}") + numbered("search", 1, out="0"),
            {"match": "name-args"},
            "The agent ran the same search 4 times in a row and got results that were not all the same.",
            id="some results the same",
        ),
        pytest.param(
            [call("get_output", {}, "")] * 4,
            {"match": "name-args"},
            "The agent made the same call to `get_output` 4 times in a row and got nothing back.",
            id="nothing back",
        ),
        pytest.param(
            numbered("search", 4, args="{}", out="{}"),
            {"match": "name"},
            "The agent ran a search 4 times in a row; neither requests nor results were all the same.",
            id="only the tool is the same",
        ),
        pytest.param(
            [call("read", "a", "a"), call("edit", "b", "b"), call("run_tests", "c", "c")] * 4,
            {"max_cycle_period": 3},
            "The agent went through the same 3 steps 4 times in a row and got the same results each time.",
            id="a pattern, all the same",
        ),
        pytest.param(
            [each for k in range(4) for each in (call("read", k, "a"), call("edit", k, "b"))],
            {"max_cycle_period": 2},
            "The agent repeated a pattern of 2 steps 4 times in a row and got the same results each time, "
            "though what it asked for was not always the same.",
            id="a pattern with other requests",
        ),
        pytest.param(
            [call(tool, "a", tool, turn=k) for k in range(4) for tool in ("read", "bash")],
            {},
            "The agent made the same calls side by side 4 times in a row and got the same results each time.",
            id="several calls in one turn",
        ),
    ],
)
def test_headline(calls: Calls, settings: dict[str, Any], sentence: str) -> None:
    assert say(calls, **settings) == sentence


COMMAND = [call("bash", {"command": "npm test"}, "2 failing")] * 4


def test_a_short_command_is_told_unless_texts_are_hidden() -> None:
    assert say(COMMAND) == "The agent ran `npm test` 4 times in a row and got the same result each time."
    assert "ran the same command 4 times" in say(COMMAND, hide_texts=True)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("npm test -- --reporter dot --bail --grep money", id="long"),
        pytest.param("cd a\nls", id="several lines"),
        pytest.param("curl -u me:hunter2 example", id="with a secret"),
        pytest.param("echo `date`", id="with the sign that sets it apart"),
        pytest.param("", id="empty"),
    ],
)
def test_other_commands_stay_out_of_the_sentence(command: str) -> None:
    assert "ran the same command 4 times" in say([call("bash", {"command": command}, "x")] * 4)


def test_a_name_is_a_piece_of_its_own() -> None:
    found = look([call("<b>x</b>`", {}, "x")] * 4)
    names = [part["text"] for part in headline_parts(found, hide_texts=True) if part["kind"] == "code"]
    assert names == ["<b>x</b>`"]


def test_a_run_without_a_verdict_says_why_unless_texts_are_hidden() -> None:
    run = trajectory_of([], not_judged="The record of /home/me/x holds no trajectory.")
    assert unjudged_headline(run, hide_texts=False).endswith("/home/me/x holds no trajectory.")
    assert unjudged_headline(run, hide_texts=True) == "This run could not be judged."


def aside(found: Inspection) -> str:
    return " ".join(asides(found))


def test_what_is_not_known_and_not_watched_is_said_beside_it() -> None:
    assert aside(look(ran_tests(4))) == ""
    assert "Caution: 4 of 4 outputs" in aside(look([{**call(), "unknown_observation": True}] * 4))
    assert "1 of 2 calls are watched" in aside(look([call("bash"), call("read")], tools=("^read$",)))
    assert "1 of 2 steps came back empty" in aside(look([call(out=""), call()]))
    assert "In 5 of 5 steps some result came back empty" in aside(look(HALF_EMPTY, max_cycle_period=3))
    never = [{**call(out=None), "unknown_observation": True}] * 2
    assert "In 2 of 2 steps every result was not recorded" not in aside(look(never))
    assert "In 2 of 2 steps no result was recorded" in aside(look(never))


@pytest.mark.parametrize(
    ("calls", "settings", "said"),
    [
        pytest.param(
            [{**call(), "unknown_arguments": True}] * 5,
            {},
            "compare requests too, and 5 of 5 are redacted or were never recorded. They are taken as equal",
            id="requests",
        ),
        pytest.param(
            [{**call(), "unknown_arguments": True}] * 5,
            {"unknown": "distinct"},
            "taken as equal, the guards might have done more",
            id="requests, taken as different",
        ),
        pytest.param(
            [{**call("ab"[k % 2], k % 2, k % 2), "unknown_observation": True} for k in range(6)],
            {},
            "the stop guard, simulated, compared results too, and 6 of 6",
            id="results, where two calls take turns",
        ),
        pytest.param(
            [{**call(out=None), "unknown_observation": True}] * 5,
            {"thrash": {"empty_retry": 1}},
            "takes a result that is missing for an empty one, and 5 of 5",
            id="results that are missing",
        ),
    ],
)
def test_a_guard_that_compared_what_nobody_recorded_is_doubted(
    calls: Calls, settings: dict[str, Any], said: str
) -> None:
    assert said in aside(look(calls, **settings))


def test_a_title_keeps_the_signs_of_a_name() -> None:
    found = look([call("a`b`c")] * 4)
    assert "to a`b`c 4 times" in bare(headline_parts(found, hide_texts=True))
