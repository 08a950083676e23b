"""Redaction: a mark is planted in every text of a run, and searched for in everything that comes out."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from loopviz import cli
from loopviz.analysis.lines import Question
from loopviz.config import Config, Overrides
from loopviz.readers import read_bytes
from loopviz.report.export import Export
from loopviz.report.index import make_index
from loopviz.report.names import file_name
from loopviz.report.page import make_page
from loopviz.settings import Schemas, ThrashSettings
from tests.readers import claude_by_hand, copilot_by_hand, sweagent_by_hand
from tests.readers.contract import FORMATS, Format
from tests.readers.stories import Call, Turn, story
from tests.report.exporting import KINDS, every_export
from tests.report.planting import Path as Place
from tests.report.planting import Planter, name_of
from tests.report.recorded import DAY, FORMS, PLAIN, read, record, report, trajectory

REDACTED = Export(date=DAY, redact=True)
NAMES = {("model",), ("stimulus",), ("variant",)}
"""Where the names stand that stay; a name of a tool, a stimulus, a grader and of a model stays wherever it stands."""


GUARDED = Question(
    overrides=Overrides(max=2, match="name"),
    config=Config(
        thrash=ThrashSettings(
            scope="run",
            ignore_args=("qzmarknamexq", "qzmarkname0xq", "qzmarkname1xq"),
            schemas=Schemas({"view": {"properties": {"qzmarkschemaxq": {}}}}),
        )
    ),
)


def stays(place: Place) -> bool:
    """Whether a text is a name that a redacted report keeps."""
    in_stimulus = place[-2:] == ("stimulus", "name") or ("graders" in place and place[-1] == "name")
    in_grade = "gradeResult" in place and place[-1] in ("name", "configuredName")
    return place in NAMES or in_stimulus or in_grade or name_of(place) in ("toolName", "model", "tools")


class Marks:
    """A mark for each text, the same for the same."""

    def __init__(self) -> None:
        self._numbers = count(100)
        self.marks: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        mark = self.marks.setdefault(text, f"qzmark{next(self._numbers)}xq")
        return f"{text} {mark} " + "at length " * 40  # so that nothing is cut off before it

    def found_in(self, *outputs: str) -> set[str]:
        """The texts whose marks an output has."""
        return {text for text, mark in self.marks.items() if any(mark in output.lower() for output in outputs)}


def planted(form: str) -> tuple[dict[str, Any], Marks]:
    marks = Marks()
    document = Planter(marks, chosen=lambda place: not stays(place)).plant(FORMS[form]())
    return document, marks


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", FORMS)
def test_no_text_gets_into_a_redacted_export(form: str, kind: str) -> None:
    document, marks = planted(form)
    (run,) = read(document)
    for question in (Question(), Question(overrides=Overrides(max=99)), GUARDED):
        told = KINDS[kind](run, question, REDACTED)
        assert marks.found_in(told) == set() and "qzmark" not in told


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_without_a_verdict_tells_no_text_either(kind: str) -> None:
    document, marks = planted("a trial")
    document["trajectory"] = {"events": marks("nothing")}
    document["trajectory"]["stimulus"] = {"graders": [{"type": "max-repeat", "config": {"max": marks("ducks")}}]}
    (run,) = read(document)
    assert marks.found_in(KINDS[kind](run, Question(), REDACTED)) == set()


@pytest.mark.parametrize("form", FORMS)
def test_the_marks_would_be_found(form: str) -> None:
    """The same search over a report that is not redacted: what a person reads there is there."""
    document, marks = planted(form)
    shown = marks.found_in(report(document).html)
    assert shown >= {"npm test", "command", "2 failing: cart totals", "Look at it first.", "Make the cart add up."}
    assert shown >= {"No tokens are left.", "Older messages were compacted.", "I leave it at that.", "id-1"}


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        pytest.param(".md", {"2 failing: cart totals", "command", "id-1", "fix-cart-1"}, id="Markdown"),
        pytest.param(".json", {"npm test came again and again", "id-4", "fix-cart-1"}, id="JSON"),
        pytest.param(".csv", {"npm test came again and again", "id-4", "fix-cart-1"}, id="CSV"),
    ],
)
def test_the_marks_would_be_found_in_other_exports(kind: str, texts: set[str]) -> None:
    document, marks = planted("a trial")
    if kind == ".md":
        document = document["trajectory"]
    (run,) = read(document)
    assert marks.found_in(KINDS[kind](run, Question(), PLAIN)) >= texts


def test_a_command_is_quoted_where_texts_may_leave() -> None:
    for kind in (".svg", ".md", "page Present"):
        (run,) = read(trajectory())
        assert "npm test" in KINDS[kind](run, Question(), PLAIN), kind
        assert "npm test" not in KINDS[kind](run, Question(), REDACTED), kind


@pytest.mark.parametrize("form", FORMS)
def test_names_figures_and_places_stay(form: str) -> None:
    html = report(FORMS[form](), REDACTED).html
    for words in (
        "fix-cart",
        "model-b",
        "no-circles",
        "bash",
        "read_file",
        "5 times in a row; 3 are allowed",
        "turn 6",
    ):
        assert words in html


def test_a_redacted_report_still_says_what_is_the_same() -> None:
    assert "same arguments as call 2 · same output as call 2" in report(trajectory(), REDACTED).html


@pytest.mark.parametrize("ending", [".html", ".md", ".csv", ".json", ".svg"])
@pytest.mark.parametrize("form", FORMS)
def test_no_text_gets_out_of_the_command_as_a_file(
    form: str, ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    document, marks = planted(form)
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{marks('a file')[:20]}.json").write_text(json.dumps(document), "utf-8")
    (tmp_path / "strange.json").write_text(json.dumps({marks("strange"): 1}), "utf-8")
    assert cli.main(["report", str(tmp_path), "-o", f"{tmp_path}/out{ending}", "--redact"]) == cli.OK
    told = capsys.readouterr()
    assert marks.found_in((tmp_path / f"out{ending}").read_text("utf-8"), told.out, told.err) == set()


@pytest.mark.parametrize("form", FORMS)
def test_no_text_gets_out_of_the_command(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    document, marks = planted(form)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.json").write_text(json.dumps(document), "utf-8")
    (tmp_path / "runs" / "strange.json").write_text(json.dumps({marks("strange"): 1}), "utf-8")
    assert cli.main(["report", "runs", "-o", "out", "--redact"]) == cli.OK
    told = capsys.readouterr()
    written = {path.name: path.read_text("utf-8") for path in (tmp_path / "out").iterdir()}
    assert len(written) == 2
    assert marks.found_in(told.out, told.err, *written, *written.values()) == set()


STORY = story(
    Turn(
        tuple(
            Call(f"qzmarkid{k}xq", "bash", {f"qzmarkname{k}xq": "qzmarkvaluexq"}, "qzmarkoutputxq") for k in range(2)
        ),
        text="qzmarksaidxq",
    ),
    *(Call(f"qzmarkid{k}xq", "bash", {"qzmarknamexq": "qzmarkvaluexq"}, "qzmarkoutputxq") for k in range(2, 7)),
    name="qzmarkrunxq",
)
STORY = replace(STORY, prompt="qzmarkpromptxq", answer="qzmarkanswerxq")
FILE = "/home/qzmarkhomexq/qzmarkfilexq.json"


def of_format(format: Format, export: Export, question: Question) -> tuple[str, set[str]]:
    """Everything that comes out of a file of a format, and the names of stimuli in it."""
    single = replace(STORY, turns=tuple(Turn((call,), turn.text) for turn in STORY.turns for call in turn.calls))
    runs = read_bytes(format.write([single if "parallel" in format.lacks else STORY]), FILE).trajectories
    told = [text for run in runs for text in every_export(run, question, export).values()]
    return "\n".join(told), {run.stimulus or "" for run in runs}


@pytest.mark.parametrize("format", [pytest.param(format, id=format.name) for format in FORMATS])
def test_no_text_of_any_format_gets_into_a_redacted_export(format: Format) -> None:
    for question in (Question(overrides=Overrides(max=2)), GUARDED):
        told, stimuli = of_format(format, REDACTED, question)
        found = set(re.findall(r"qzmark\w*xq", told.lower()))
        assert found <= {name.lower() for name in stimuli}  # the name of a stimulus stays
        shown, _ = of_format(format, PLAIN, question)
        assert len(set(re.findall(r"qzmark\w*xq", shown))) >= (2 if "arguments" in format.lacks else 4)


def lines_of(*events: Any) -> bytes:
    return "".join(json.dumps(event) + "\n" for event in events).encode()


def copilot_agent() -> bytes:
    """A sub-agent that is known by the call that started it."""
    return lines_of(
        copilot_by_hand.event("session.start", sessionId="qzmarksessionxq", version=1),
        copilot_by_hand.start("qzmarkcallxq", "bash", {"a": 1}, parentToolCallId="qzmarkparentxq"),
        copilot_by_hand.complete("qzmarkcallxq", "qzmarkoutputxq", parentToolCallId="qzmarkparentxq"),
    )


def claude_agent() -> bytes:
    """A sub-agent of a session, with an id of its own."""
    data = claude_by_hand.write_sessions([STORY]).decode()
    told = [json.loads(line) for line in data.splitlines()]
    return lines_of(*({**line, "isSidechain": True, "agentId": "qzmarkagentxq"} for line in told))


def sweagent_actions() -> bytes:
    """Actions that begin with what is no name of a tool."""
    actions = (
        "/home/qzmarkadaxq/run.sh now",
        "print('qzmarkcodexq')",
        "HOST=qzmarkhostxq python a.py",
        "ls qzmarklsxq",
    )
    steps = [sweagent_by_hand.step(action, "qzmarkoutputxq", "qzmarksaidxq") for action in actions]
    return json.dumps(sweagent_by_hand.document(*steps)).encode()


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        pytest.param(copilot_agent(), "qzmarkparentxq", id="a sub-agent of Copilot"),
        pytest.param(claude_agent(), "qzmarkagentxq", id="a sub-agent of Claude"),
        pytest.param(sweagent_actions(), "qzmarkadaxq", id="actions of SWE-agent"),
    ],
)
def test_names_that_are_made_of_ids_files_and_commands_stay_out(data: bytes, shown: str) -> None:
    question = Question(overrides=Overrides(max=2))
    for run in read_bytes(data, FILE).trajectories:
        page = make_page(run, question, REDACTED)
        name = file_name(run, REDACTED)
        assert "qzmark" not in "".join(every_export(run, question, REDACTED).values()).lower()
        assert page.document.heading == f"run-{run.digest[:8]}" and name == f"run-{run.digest[:8]}.html"
    assert any(shown in make_page(run, question, PLAIN).html for run in read_bytes(data, FILE).trajectories)


def test_the_path_of_the_file_stays_out() -> None:
    assert "/home/ada" in report(trajectory()).html
    assert "/home/ada" not in report(trajectory(), REDACTED).html


def test_a_file_that_could_not_be_read_is_only_counted() -> None:
    index = make_index([], [("/home/ada/secret.json", "It holds ducks.")], REDACTED)
    assert "1 file could not be read" in index
    assert "ada" not in index and "ducks" not in index


@pytest.mark.parametrize("export", [pytest.param(PLAIN, id="as it is"), pytest.param(REDACTED, id="redacted")])
def test_what_a_refused_grader_holds_stays_out(export: Export) -> None:
    document = trajectory()
    document["stimulus"]["graders"] = [{"type": "max-repeat", "config": {"max": "as ducks fly"}}]
    page = report(document, export)
    assert page.document.passed is None
    assert ("ducks" in page.html) is not export.redact


def test_names_of_arguments_in_the_settings_stay_out() -> None:
    guards = Config(thrash=ThrashSettings(scope="run", ignore_args=("request_duck",)))
    question = Question(config=guards, overrides=Overrides(max=3))
    shown, hidden = (report(trajectory(), export, question).html for export in (PLAIN, REDACTED))
    assert "request_duck" in shown and "scope: run" in shown
    assert "request_duck" not in hidden and "scope: run" in hidden


def test_a_kind_of_event_that_only_the_file_knows_stays_out() -> None:
    document = trajectory()
    document["events"].insert(0, {"type": "ducks_were_fed", "data": {}})
    assert "ducks_were_fed" in report(document).html
    assert "ducks_were_fed" not in report(document, REDACTED).html


def test_the_fields_in_which_outputs_differ_are_not_named() -> None:
    """What ended a pattern is told by the names of fields, which are arguments and outputs like their values."""
    question = Question(overrides=Overrides(max=3))
    assert "request_id" in report(record(), PLAIN, question).html
    assert "request_id" not in report(record(), REDACTED, question).html
