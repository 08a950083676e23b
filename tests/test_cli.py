"""The command line as a contract: its words, its lines and its exit status."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from loopviz import cli

LINE_KEYS = (
    "source run format grader name passed score evidence metadata recorded at problems".split()
)  # in the order that people read them
MAX_REPEAT_KEYS = (
    "max max_cycle_period match tools occurrences period start stop first_failing_step steps watched_calls empty_steps "
    "occurrences_without_empty occurrences_counting_empty pattern pattern_preview cycles"
).split()


def events(*calls: tuple[str, Any, Any], same_turn: bool = False) -> list[dict[str, Any]]:
    """(tool, arguments, output) for each call, a turn each."""
    told: list[dict[str, Any]] = []
    for number, (tool, arguments, output) in enumerate(calls):
        data = {"toolName": tool, "toolCallId": f"call_{number + 1}", "arguments": arguments}
        told += [
            {"type": "turn_start", "data": {"turnId": str(number)}},
            {"type": "tool_call", "data": data},
            {"type": "tool_result", "data": {"toolCallId": f"call_{number + 1}", "success": True, "result": output}},
            {"type": "turn_end", "data": {"turnId": str(number)}},
        ]
    return told


def trajectory(n_same: int, *, run: str = "t1", graders: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """A run in which one call gives one output some times in a row."""
    calls = [("read", {"path": "a"}, "text"), *[("bash", {"command": "make"}, "error")] * n_same]
    stimulus: dict[str, Any] = {"name": "fix", "prompt": "Fix it."}
    return {"id": run, "stimulus": {**stimulus, "graders": graders or []}, "events": events(*calls)}


GRADED = [{"type": "max-repeat", "config": {"max": 3}}]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command: its status, its output, what it said beside, and its output as JSON lines."""

    def run(*words: str | Path) -> SimpleNamespace:
        status = cli.main([str(word) for word in words])
        told = capsys.readouterr()
        lines = [json.loads(line) for line in told.out.splitlines()] if "--json" in words else []
        return SimpleNamespace(status=status, out=told.out, err=told.err, lines=lines)

    return run


@pytest.fixture
def save(tmp_path: Path) -> Any:
    """Write a file and give its path."""

    def write(content: Any, name: str = "run.json") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("n_same", "options", "status"),
    [
        pytest.param(3, [], 0, id="passes by the recorded grader"),
        pytest.param(4, [], 1, id="fails by the recorded grader"),
        pytest.param(4, ["--max", "4"], 0, id="passes with --max"),
        pytest.param(3, ["--max", "2"], 1, id="fails with --max"),
        pytest.param(4, ["--tool", "^read$"], 0, id="passes when other tools are watched"),
        pytest.param(4, ["--match", "name"], 1, id="a match mode changes the recorded grader"),
        pytest.param(4, ["--max", "0"], 2, id="a refused number"),
        pytest.param(4, ["--max", "4.0"], 0, id="a whole number with a point"),
        pytest.param(4, ["--max", "1e300"], 0, id="a number beyond all counts"),
        pytest.param(4, ["--max", "99999999999999999999"], 0, id="the same with all its digits"),
        pytest.param(4, ["--max", "many"], 2, id="no number"),
        pytest.param(4, ["--max", "1_000"], 2, id="a number as Python spells it"),
        pytest.param(4, ["--max", " 9"], 2, id="a number behind a blank"),
        pytest.param(4, ["--max", "09"], 2, id="a number behind a zero"),
        pytest.param(4, ["--max", "\u0669"], 2, id="an Arabic digit"),
        pytest.param(4, ["--max", "inf"], 2, id="infinity"),
        pytest.param(4, ["--max", "9" * 5_000], 2, id="a number that is infinite to the grader"),
        pytest.param(4, ["--max-cycle-period", "11"], 2, id="a refused period"),
        pytest.param(4, ["--match", "args"], 2, id="a refused match mode"),
        pytest.param(4, ["--tool", "("], 2, id="a refused pattern"),
    ],
)
def test_exit_status(n_same: int, options: list[str], status: int, say: Any, save: Any) -> None:
    assert say("grade", save(trajectory(n_same, graders=GRADED)), *options).status == status


def test_a_refused_option_names_itself_the_value_and_the_rule(say: Any, save: Any) -> None:
    told = say("grade", save(trajectory(1)), "--max", "0")
    assert told.err == "loopviz: --max is 0; it must be a whole number of at least 1.\n"
    assert told.out == ""


def test_a_json_line_has_the_keys_of_the_contract_in_their_order(say: Any, save: Any) -> None:
    path = save(trajectory(5, graders=GRADED))
    (line,) = say("grade", path, "--json").lines
    assert list(line) == LINE_KEYS
    assert list(line["metadata"]) == MAX_REPEAT_KEYS
    assert (line["source"], line["run"], line["format"]) == (str(path), "t1", "vally.trajectory")
    assert (line["grader"], line["name"], line["passed"], line["score"]) == ("max-repeat", "max-repeat", False, 0)
    assert line["evidence"] == "bash gave the same output 5 times in a row; 3 are allowed."
    assert line["recorded"] is None
    offset = path.read_bytes().index(b'{"type": "tool_call", "data": {"toolName": "bash", "toolCallId": "call_5"')
    assert line["at"] == {"turn": 5, "call": 5, "call_id": "call_5", "line": None, "offset": offset}
    assert line["metadata"]["cycles"] == [
        {"start": 1, "stop": 6, "period": 1, "occurrences": 5, "pattern": ["bash"], "ended_by": "end"}
    ]


def test_every_configured_detector_gets_a_line(say: Any, save: Any) -> None:
    config = save("max_repeat: {max: 3}\nescalation: {}\nthrash: {n: 3}\n", "loopviz.yaml")
    told = say("grade", save(trajectory(8)), "--config", config, "--json")
    assert [line["grader"] for line in told.lines] == ["max-repeat", "escalation", "thrash"]
    _, ladder, thrash = told.lines
    assert ladder["metadata"] == {
        "level": 3,
        "longest_stretch": 8,
        "fired": [{"level": 1, "call": 3}, {"level": 2, "call": 5}, {"level": 3, "call": 8}],
        "after_stop": {"calls": 1, "tokens": None, "cost": None, "seconds": None},
    }
    assert ladder["at"]["call"] == 9
    assert (thrash["passed"], thrash["metadata"]["kind"], thrash["metadata"]["call"]) == (False, "identical", 3)
    assert thrash["metadata"]["after_stop"]["calls"] == 5
    assert "bash" in thrash["metadata"]["key"]


def test_tool_is_the_filter_of_the_guards_too(say: Any, save: Any) -> None:
    config = save("thrash: {n: 3}\n", "loopviz.yaml")
    path = save(trajectory(8))
    assert say("grade", path, "--config", config).status == 1
    assert say("grade", path, "--config", config, "--tool", "^read$").status == 0


def test_a_run_without_graders_is_unusable_and_the_others_are_judged(say: Any, save: Any, tmp_path: Path) -> None:
    save(trajectory(1, run="bare"), "runs/a.json")
    save(trajectory(1, run="graded", graders=GRADED), "runs/b.json")
    told = say("grade", tmp_path / "runs", "--json")
    assert told.status == 2
    assert [(line["run"], line["passed"]) for line in told.lines] == [("bare", None), ("graded", True)]
    assert "give --max or --config" in told.lines[0]["evidence"]
    assert (told.lines[0]["metadata"], told.lines[0]["at"], told.lines[0]["score"]) == (None, None, None)


def test_a_run_that_is_not_judged_still_gets_each_line(say: Any, save: Any) -> None:
    config = save("max_repeat: {max: 3}\nescalation: {}\nthrash: {}\n", "loopviz.yaml")
    record = {"type": "trial-result", "itemId": "item-1", "stimulus": "fix", "status": "error", "trajectory": None}
    told = say("grade", save(json.dumps(record) + "\n", "results.jsonl"), "--config", config, "--json")
    assert told.status == 2
    assert [(line["run"], line["grader"], line["passed"], line["metadata"]) for line in told.lines] == [
        ("item-1", grader, None, None) for grader in ("max-repeat", "escalation", "thrash")
    ]


def test_a_named_path_that_cannot_be_read_is_an_error_and_a_strange_file_in_a_folder_is_not(
    say: Any, save: Any, tmp_path: Path
) -> None:
    save(trajectory(1, graders=GRADED), "runs/run.json")
    strange = save("not a run", "runs/notes.txt")
    told = say("grade", tmp_path / "runs")
    assert (told.status, "note: passed over 1" in told.err) == (0, True)
    assert say("grade", strange).status == 2
    missing = say("grade", tmp_path / "runs", tmp_path / "missing.json")
    assert missing.status == 2
    assert "There is no such file or folder." in missing.err
    assert "1 passed" in missing.out


def test_an_eval_spec_judges_by_stimulus_and_says_what_it_lacks(say: Any, save: Any) -> None:
    spec = save(
        "stimuli:\n- name: fix\n  prompt: x\n  graders:\n"
        "  - {type: max-repeat, name: strict, config: {max: 1}}\n"
        "  - {type: max-repeat, name: loose, config: {max: 9}}\n",
        "eval.yaml",
    )
    told = say("grade", save(trajectory(3)), "--config", spec, "--json")
    assert [(line["name"], line["passed"]) for line in told.lines] == [("strict", False), ("loose", True)]
    other = trajectory(3)
    other["stimulus"]["name"] = "other"
    lacking = say("grade", save(other, "other.json"), "--config", spec)
    assert (lacking.status, "the eval spec has no stimulus 'other'" in lacking.out) == (2, True)


def test_standard_input_is_read(say: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.dumps(trajectory(4, graders=GRADED)).encode()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    assert say("grade", "-", "--json").lines[0]["metadata"]["occurrences"] == 4


def test_junit_has_a_case_for_each_verdict(say: Any, save: Any) -> None:
    told = say("grade", save(trajectory(4, graders=GRADED)), "--format", "junit")
    root = ElementTree.fromstring(told.out)
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("1", "1", "0")
    case = root.find("testsuite/testcase")
    assert case is not None
    assert (case.get("classname"), case.get("name")) == ("t1", "max-repeat")
    failure = case.find("failure")
    assert failure is not None
    assert "4 times in a row" in str(failure.get("message"))


def test_secrets_in_a_key_are_masked_unless_asked(say: Any, save: Any) -> None:
    secret = "ghp_" + "a" * 36
    run = trajectory(0)
    run["events"] = events(*[("bash", {"command": f"push {secret}"}, "x")] * 4)
    path, config = save(run), save("thrash: {}\n", "loopviz.yaml")
    assert secret not in say("grade", path, "--config", config, "--json").out
    assert secret in say("grade", path, "--config", config, "--json", "--no-mask").out


def test_odd_names_do_not_break_the_printing(say: Any, save: Any) -> None:
    run = trajectory(0, run="\ud800 \u202e \x07", graders=GRADED)
    run["events"] = events(*[("\ud83d", {}, "x")] * 4)
    path = save(json.dumps(run))
    for options in (["--json"], [], ["--format", "junit"]):
        assert say("grade", path, *options).status == 1
    assert say("explain", path).status == 1


def test_explain_tells_verdict_way_and_steps(say: Any, save: Any) -> None:
    told = say("explain", save(trajectory(4, graders=GRADED)), "--call", "5")
    assert told.status == 1
    for words in (
        "FAIL. `bash` gave the same output 4 times in a row; 3 are allowed.",
        "Would pass with: 4 allowed",
        "5 counted steps",
        "a, copy 4 of 4   <- over the limit",
        "Call 5 · bash",
        "command: make",
    ):
        assert words in told.out


def test_explain_tells_what_the_guards_would_have_done(say: Any, save: Any) -> None:
    config = save("thrash: {n: 3}\n", "loopviz.yaml")
    told = say("explain", save(trajectory(4)), "--config", config)
    assert told.status == 1
    assert "thrash: FAIL. An identical call was made 3 times." in told.out


def test_a_secret_over_several_lines_is_masked_as_a_whole(say: Any, save: Any) -> None:
    run = trajectory(0, graders=GRADED)
    run["events"] = events(("read", {}, "-----BEGIN RSA PRIVATE KEY-----\nMIIEow1\n-----END RSA PRIVATE KEY-----"))
    assert "MIIEow1" not in say("explain", save(run), "--call", "1").out


def test_a_name_cannot_forge_a_line_or_reach_the_terminal(say: Any, save: Any) -> None:
    told = say("grade", save(trajectory(1, run="x\nPASS forged", graders=GRADED)))
    assert told.out.count("\n") == 2
    run = trajectory(0, graders=GRADED)
    run["events"] = events(("\x1b[2J", {}, "x"))
    assert "\x1b" not in say("grade", save(run)).out


def test_patterns_that_match_every_tool_are_noted(say: Any, save: Any) -> None:
    assert "matches every tool" in say("grade", save(trajectory(1, graders=GRADED)), "--tool", ".*").err


def test_values_that_were_never_recorded_are_a_caution(say: Any, save: Any) -> None:
    run = trajectory(0, graders=GRADED)
    run["events"] = events(*[("bash", {}, "[REDACTED]")] * 3)
    assert "taken as different it would be 1 in a row" in say("grade", save(run)).out


def test_many_tool_filters_are_told_in_the_order_of_the_runs(say: Any, save: Any, tmp_path: Path) -> None:
    lines = []
    for number in range(20):
        config = {"max": 3, "tools": [f"bash|{number % 9}"]}
        run = trajectory(number % 5, run=f"r{number}", graders=[{"type": "max-repeat", "config": config}])
        lines.append(json.dumps(run))
    told = say("grade", save("\n".join(lines), "runs.jsonl"), "--json")
    assert [line["run"] for line in told.lines] == [f"r{number}" for number in range(20)]
    assert [line["metadata"]["occurrences"] for line in told.lines] == [number % 5 for number in range(20)]


def test_explain_refuses_a_call_that_is_not_there(say: Any, save: Any) -> None:
    told = say("explain", save(trajectory(4, graders=GRADED)), "--call", "99")
    assert (told.status, "numbered from 1 to 5" in told.err) == (2, True)


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    told = capsys.readouterr().out
    assert ended.value.code == 0
    assert all(command in told for command in cli.COMMANDS)


@pytest.mark.parametrize("masked", [pytest.param(True, id="masked"), pytest.param(False, id="as it is")])
def test_explain_masks_by_the_names_of_fields(masked: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = {"password": "one\nhunter2", "credentials": {"user": "hunter3"}, "token": {"value": "hunter4"}}
    told = [
        {"type": "tool_call", "data": {"toolName": "a", "toolCallId": f"{k}", "arguments": arguments}} for k in "ab"
    ]
    document = {"id": "r", "stimulus": {"graders": [{"type": "max-repeat", "config": {"max": 3}}]}, "events": told}
    (tmp_path / "a.json").write_text(json.dumps(document), "utf-8")
    cli.main(["explain", str(tmp_path / "a.json"), "--call", "2", *([] if masked else ["--no-mask"])])
    assert ("hunter" in capsys.readouterr().out) is not masked


CHAT = [
    {"role": "user", "content": "go"},
    {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "bash", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "a", "content": "ok"},
]


@pytest.mark.parametrize(
    ("words", "status", "format"),
    [
        pytest.param([], 0, "openai.chat", id="by itself"),
        pytest.param(["--read-as", "openai.chat"], 0, "openai.chat", id="as what it is"),
        pytest.param(["--read-as", "langchain"], 0, "langchain", id="as another format that makes sense of it"),
        pytest.param(["--read-as", "atif"], 2, None, id="as one that does not"),
    ],
)
def test_a_person_chooses_the_reader(words: list[str], status: int, format: str | None, say: Any, save: Any) -> None:
    told = say("grade", save(CHAT, "chat.json"), "--max", "3", "--json", *words)
    assert told.status == status
    assert [line["format"] for line in told.lines] == ([format] if format else [])
    if not format:
        assert "no recorded run of the format atif, which was chosen for it." in told.err
        assert "It looks like openai.chat." in told.err


def test_a_folder_in_which_the_chosen_reader_finds_some_runs(say: Any, save: Any, tmp_path: Path) -> None:
    save(CHAT, "runs/chat.json")
    save("not a run", "runs/notes.txt")
    told = say("grade", tmp_path / "runs", "--max", "3", "--read-as", "openai.chat")
    assert (told.status, "note: passed over 1" in told.err) == (0, True)


@pytest.mark.parametrize("command", [["app"], ["grade"], ["explain"], ["report", "-o", "x.html"]], ids=" ".join)
def test_a_reader_that_is_not_there_is_refused(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([*command, "run.json", "--read-as", "atiff"])
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert "No reader is called 'atiff'; there are vally.trajectory, vally.results," in told


def test_explain_and_report_read_as_they_are_told(say: Any, save: Any, tmp_path: Path) -> None:
    path = save(CHAT, "chat.json")
    assert "call" in say("explain", path, "--max", "3", "--read-as", "langchain").out
    assert say("report", path, "--max", "3", "--read-as", "langchain", "-o", tmp_path / "x.html").status == 0
    assert say("report", path, "--max", "3", "--read-as", "atif", "-o", tmp_path / "y.html").status == 2


def test_the_app_is_told_how_to_read(save: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from loopviz.ui import launch

    given: list[Any] = []
    monkeypatch.setattr(launch, "run", lambda *words: given.append(words))
    path = str(save(CHAT, "chat.json"))
    assert cli.main([path, "--read-as", "langchain"]) == 0
    assert given[0][0] == [path]
    assert "langchain" in given[0]
