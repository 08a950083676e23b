"""Taking a candidate home: what is said where nothing would change, and how a file is opened to be written."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.readers import read_path
from loopviz.tuning import files
from loopviz.tuning.labels import LOOP, label_of
from loopviz.ui import choice as choices
from loopviz.ui import launch
from tests.ui.vally_trials import trial, write

PATIENCE_S = 60
SPEC = """\
stimuli:
  - name: {name}
    graders:
      - type: max-repeat  # a first guess
        config:
          max: 3
"""


@pytest.fixture(autouse=True)
def _no_paths_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (launch.PATHS_VARIABLE, launch.LABELS_VARIABLE):
        monkeypatch.setenv(variable, "[]" if variable == launch.PATHS_VARIABLE else "")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    return write(folder / "results.jsonl", [trial("caaaaad", stimulus="s"), trial("abc", stimulus="t")])


def on_tune(*paths: Path, query: dict[str, str] | None = None, labels: Path | None = None) -> AppTest:
    launch.give_paths([str(path) for path in paths], labels=None if labels is None else str(labels))
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=PATIENCE_S)
    for name, value in (query or {}).items():
        app.query_params[name] = value
    app = app.run()
    app = app.switch_page("views/tune.py").run()
    assert not app.exception
    return app


def texts(app: AppTest) -> str:
    return "\n".join([*(each.value for each in app.text), *(each.value for each in app.code)])


FOUR = {"max": "4", "max_cycle_period": "1", "match": "observation"}


def spec_of(results: Path, name: str = "s") -> Path:
    spec = results.with_name("eval.yaml")
    spec.write_text(SPEC.format(name=name))
    return spec


def test_without_a_spec_the_page_says_how_to_open_one_to_be_written(results: Path) -> None:
    told = texts(on_tune(results))
    assert "So that this page can write it too, start loopviz with its path:" in told
    assert f"loopviz {results} eval.yaml" in told


def test_a_spec_that_cannot_be_used_is_told_with_its_reason(results: Path) -> None:
    spec = results.with_name("eval.yaml")
    spec.write_text("stimuli:\n  - name: s\n  - name: s\n")
    told = texts(on_tune(results, spec))
    assert "eval.yaml cannot be used as an eval spec: " in told


def test_where_no_stimulus_is_chosen_that_is_said_with_the_list_open(results: Path) -> None:
    app = on_tune(results, spec_of(results, name="another"), query=FOUR)
    assert "eval.yaml · choose below which of its stimuli to change" in texts(app)
    assert app.expander[-1].proto.expanded
    app.multiselect(key="home.stimuli").set_value(["another"]).run()
    assert "choose below" not in texts(app) and "Comments of the file stay as they are" in texts(app)


def test_only_where_the_settings_stand_there_nothing_is_to_change(results: Path) -> None:
    app = on_tune(results, spec_of(results), query={**FOUR, "max": "3"})
    assert "eval.yaml · nothing to change: these graders have these settings already" in texts(app)


def test_a_spec_that_came_by_upload_says_how_it_can_be_written(results: Path) -> None:
    launch.give_paths([str(results)])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=PATIENCE_S)
    app.query_params.update(FOUR)
    app = app.run().switch_page("views/runs.py").run()
    app.file_uploader(key="open.files").set_value([("eval.yaml", SPEC.format(name="s").encode(), "text/yaml")]).run()
    app = app.switch_page("views/tune.py").run()
    assert not app.exception
    assert "It came by upload, which does not tell where it lies." in texts(app)
    assert f"loopviz {results} path/to/eval.yaml" in texts(app)
    assert "Write file" not in [button.label for button in app.button]


def test_labels_that_lie_beside_the_runs_are_offered(results: Path) -> None:
    beside = results.with_name("labels.jsonl")
    label = label_of(read_path(results).trajectories[0], LOOP)
    files.change(beside, lambda book: book.put(label))
    app = on_tune(results)
    assert f"1 label found in {beside}." in texts(app)
    next(button for button in app.button if button.label == "Use them").click().run()
    assert f"1 label, kept in {beside}, one line a label." in texts(app)
    assert "found in" not in texts(app) and "1 label stood there and is in use." in texts(app)
    files.change(beside, lambda book: book.remove(label.key))
    app.run()
    assert "stood there" not in texts(app)


def test_folders_are_named_where_one_is_to_be_chosen(results: Path, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    more = write(tmp_path / "more" / "results.jsonl", [trial("ab", stimulus="u")])
    (choice,) = [one for one in on_tune(results, more).selectbox if one.key == "labels.folder"]
    assert choice.options == [str(results.parent), str(more.parent)]


def test_a_label_file_that_cannot_be_read_is_told_at_the_head(results: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_bytes(b"\xff")
    told = texts(on_tune(results, labels=labels))
    assert "cannot be read: it is not text in UTF-8. No label counts until it can be." in told
    assert f"Labels are kept in {labels}. It cannot be read now, so none of them counts." in told
    assert "0 labels, kept in" not in told


def test_the_address_has_the_candidate_while_runs_are_judged_as_recorded(results: Path) -> None:
    app = on_tune(results, query=FOUR)
    app.session_state[choices._KEY] = choices.Choice()
    app.run()
    assert any(field.value == 4 for field in app.number_input)
    assert dict(app.query_params)["max"] in ("4", ["4"])
