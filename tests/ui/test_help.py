"""The Help page driven without a browser: what stands on it, and what its examples answer."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from loopviz import cli
from loopviz.settings import EscalationSettings, LoopOutcomeSettings, MaxRepeatSettings, ThrashSettings
from loopviz.ui import launch
from loopviz.ui.help_docs import rules
from loopviz.ui.help_terminal import COMMANDS
from loopviz.ui.help_words import LANES, PAGES, TERMS

PATIENCE_S = 60


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=PATIENCE_S).run()
    app.switch_page("views/help.py").run()
    assert not app.exception
    return app


def markup(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def proto(app: AppTest, key: str) -> Any:
    """What the component of that key was sent; None where it is not on the page."""
    return next((part.proto for part in app.get("bidi_component") if part.proto.id.endswith(f"-{key}")), None)


def drawn(app: AppTest, key: str) -> Any:
    """The picture of that key."""
    return json.loads(proto(app, key).bytes)


def sentence(app: AppTest, key: str) -> str:
    return "".join(part["text"] for part in drawn(app, key)["verdict"]["sentence"])


def texts(app: AppTest) -> list[str]:
    return [text.value for text in app.text]


def test_every_word_rule_and_setting_stands_there(page: AppTest) -> None:
    shown = markup(page)
    for _, items in TERMS:
        assert all(f"id='{term.anchor}'" in shown for term in items)
    for _, items in rules():
        assert all(f"id='{rule.anchor}'" in shown for rule in items)
    for model in (MaxRepeatSettings, LoopOutcomeSettings, EscalationSettings, ThrashSettings):
        assert all(f"<br><code>{name}</code>" in shown for name in model.model_fields)
    assert all(f"<dt>{name}</dt>" in shown for name, _ in (*LANES, *PAGES))


def test_the_contents_lead_to_the_sections(page: AppTest) -> None:
    links = re.findall(r"href='#([\w-]+)' target='_self'>([^<]+)</a></li>", markup(page))
    assert links == [(header.proto.anchor, header.value) for header in page.header]
    assert len(links) == 10


def test_the_lanes_are_those_of_the_picture(page: AppTest) -> None:
    assert [row["name"] for row in drawn(page, "help-picture")["tools"]][-1] == "update_plan"
    assert sentence(page, "help-picture").endswith("gave the same outputs 4 times in a row; 3 are allowed.")


def test_a_typed_line_is_judged(page: AppTest) -> None:
    page.text_input(key="help.repeat.text").set_value("A B A B A B").run()
    assert sentence(page, "help-repeat-picture").startswith("At most 1 in a row; 3 are allowed.")
    assert proto(page, "help-repeat-cycles") is None
    page.number_input(key="help.repeat.max_cycle_period").set_value(2).run()
    page.number_input(key="help.repeat.max").set_value(2).run()
    assert "3 times in a row; 2 are allowed." in sentence(page, "help-repeat-picture")
    assert len(json.loads(proto(page, "help-repeat-cycles").json)["cycles"]["rows"]) == 1


def test_a_case_brings_its_line_and_its_settings(page: AppTest) -> None:
    page.selectbox(key="help.thrash.case").set_value("The same, with the id left out").run()
    assert page.text_input(key="help.thrash.text").value == "Ap Aq Ar As"
    assert page.text_input(key="help.thrash.ignore_args").value == "id"
    assert sentence(page, "help-thrash-picture") == "Stops at call 3: 3 identical calls in a row."
    page.text_input(key="help.thrash.ignore_args").set_value("").run()
    assert sentence(page, "help-thrash-picture") == "At most 1 identical; the run is stopped at 3."


def test_commands_are_compared(page: AppTest) -> None:
    page.text_area(key="help.ladder.text").set_value("make a b c d\nmake a b c e").run()
    assert [row["score"] for row in json.loads(proto(page, "help-ladder-lines").json)] == ["", "0.67"]
    page.number_input(key="help.ladder.similarity").set_value(0.6).run()
    page.number_input(key="help.ladder.replan").set_value(2).run()
    assert sentence(page, "help-ladder-picture") == "Replan at call 2."


def test_retries_are_counted(page: AppTest) -> None:
    assert sentence(page, "help-outcome-picture") == "3 retries in a row; 2 are allowed."
    page.number_input(key="help.outcome.max_acceptable_retries").set_value(3).run()
    assert drawn(page, "help-outcome-picture")["verdict"]["passed"] is True


@pytest.mark.parametrize(
    ("widget", "key", "value", "why"),
    [
        pytest.param(
            "text_input", "help.repeat.text", "A **b**", "This means nothing here: **b**.", id="a strange sign"
        ),
        pytest.param(
            "number_input",
            "help.ladder.explore",
            3,
            "Not used: explore is 3; it must be above replan, which is 3.",
            id="levels out of order",
        ),
        pytest.param(
            "text_input",
            "help.repeat.text",
            "A " * 150,
            "This line is too long: it has 300 signs, and at most 200 are read.",
            id="a line too long",
        ),
        pytest.param(
            "text_area",
            "help.ladder.text",
            "x" * 3_000,
            "These lines are too long: 3,000 signs, and at most 2,000 are read.",
            id="commands too long",
        ),
        pytest.param(
            "number_input", "help.repeat.max", 0, "Not used: max is 0; it must be a whole number of at least 1.", id="0"
        ),
        pytest.param("text_input", "help.thrash.finish_tools", "(", None, id="a pattern that does not compile"),
    ],
)
def test_what_cannot_be_used_is_said(page: AppTest, widget: str, key: str, value: Any, why: str | None) -> None:
    getattr(page, widget)(key=key).set_value(value).run()
    assert not page.exception
    said = texts(page)
    assert len(said) == 1 and (said == [why] or (why is None and said[0].startswith("Not used: finish_tools")))


def test_the_commands_are_those_there_are(page: AppTest) -> None:
    named = re.findall(r"^loopviz (\w+) ", COMMANDS, re.MULTILINE)
    assert named == [command for command in cli.COMMANDS if command != "app"]
    assert COMMANDS in [code.value for code in page.code]


def test_the_pages_are_those_of_the_navigation(page: AppTest) -> None:
    script = launch.SCRIPT.read_text("utf-8")
    titles = re.findall(r'st\.Page\(.*?title="(\w+)"', script)
    assert [name for name, _ in PAGES] == titles
