"""What a session has open: as it was read, until it asks for it to be read again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.ui import launch, opening, shelf
from loopviz.ui.disk_watch import compare
from tests.ui.vally_trials import trial, write

CHAT = (
    '[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
    '"function":{"name":"bash","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"ok"}]'
)


def script() -> None:
    """A page that says what is open, and reads it again when it is asked to."""
    import streamlit as st

    from loopviz.ui.opening import add_uploads, open_library, read_again, read_as

    st.button("again", key="again", on_click=read_again)
    st.button("add", key="add", on_click=lambda: add_uploads([("chat.json", st.session_state["chat"])]))
    chosen = st.text_input("as", key="as")
    if chosen:
        name, format = chosen.split("=")
        keys = {file.path.rpartition("/")[2]: file.key for file in st.session_state["opened"].loading.result().files}
        read_as(keys[name], format)
    library = open_library()
    for loaded in library.loaded:
        name = loaded.source.name.rpartition("/")[2]
        st.text(f"{name} {loaded.source.format} {len(loaded.trajectories)}")
    for unread in library.unread:
        st.caption(f"{unread.path.rpartition('/')[2]}: {unread.reason}")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that were read, in order."""
    names: list[str] = []
    work = shelf._read
    monkeypatch.setattr(
        shelf, "_read", lambda file, *rest: names.append(file.path.rpartition("/")[2]) or work(file, *rest)
    )
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")
    monkeypatch.setenv(launch.READ_AS_VARIABLE, "")
    return names


def opened(*paths: Path, read_as: str | None = None) -> AppTest:
    launch.give_paths([str(path) for path in paths], read_as)
    app = AppTest.from_function(script, default_timeout=60)
    app.session_state["chat"] = CHAT.encode()
    return app.run()


def said(app: Any) -> list[str]:
    assert not app.exception
    return [text.value for text in app.text]


def runs(folder: Path, **counts: int) -> Path:
    for name, count in counts.items():
        write(folder / f"{name}.jsonl", [trial("ab", stimulus=name, number=number) for number in range(count)])
    return folder


def test_a_changed_file_is_read_when_it_is_asked_for(tmp_path: Path, read: list[str]) -> None:
    app = opened(runs(tmp_path, a=1, b=1))
    before = ["a.jsonl vally.results 1", "b.jsonl vally.results 1"]
    assert said(app) == before
    runs(tmp_path, b=2, c=1)
    assert said(app.run()) == before
    assert said(app.button(key="again").click().run()) == [
        before[0],
        "b.jsonl vally.results 2",
        "c.jsonl vally.results 1",
    ]
    assert read == ["a.jsonl", "b.jsonl", "b.jsonl", "c.jsonl"]
    os.remove(tmp_path / "a.jsonl")
    assert said(app.run())[0] == before[0]
    assert len(said(app.button(key="again").click().run())) == 2


def test_another_session_opens_what_is_there_now(tmp_path: Path, read: list[str]) -> None:
    first = opened(runs(tmp_path, a=1))
    runs(tmp_path, a=2)
    assert said(opened(tmp_path)) == ["a.jsonl vally.results 2"]
    assert said(first.run()) == ["a.jsonl vally.results 1"]


def test_files_that_stayed_are_not_read_again_however_many_there_are(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf.LastUsed, "keep", lambda *_: None)
    app = opened(runs(tmp_path, **dict.fromkeys("abcdef", 1)))
    runs(tmp_path, c=2)
    app.button(key="again").click().run()
    assert read == [f"{name}.jsonl" for name in "abcdefc"]
    assert said(app.button(key="add").click().run())[-1] == "chat.json openai.chat 1"
    assert read[7:] == ["chat.json"]


def test_a_person_chooses_the_reader(tmp_path: Path, read: list[str]) -> None:
    (tmp_path / "chat.json").write_text(CHAT)
    app = opened(tmp_path / "chat.json")
    assert said(app) == ["chat.json openai.chat 1"]
    app.text_input(key="as").set_value("chat.json=langchain").run()
    assert said(app) == ["chat.json langchain 1"]
    app.text_input(key="as").set_value("chat.json=atif").run()
    assert said(app) == []
    (reason,) = [caption.value for caption in app.caption]
    assert reason.startswith("chat.json: This is no recorded run of the format atif, which was chosen for it.")
    assert reason.endswith("It looks like openai.chat.")
    app.text_input(key="as").set_value(f"chat.json={opening.AUTOMATIC}").run()
    assert said(app) == ["chat.json openai.chat 1"]
    assert read == ["chat.json"] * 3  # what was read before is still known


def test_the_command_line_chooses_for_its_paths_and_the_page_goes_before_it(tmp_path: Path, read: list[str]) -> None:
    (tmp_path / "a.json").write_text(CHAT)
    app = opened(tmp_path / "a.json", read_as="langchain")
    assert said(app) == ["a.json langchain 1"]
    assert said(app.button(key="add").click().run()) == ["a.json langchain 1", "chat.json openai.chat 1"]
    app.text_input(key="as").set_value("a.json=").run()
    assert said(app) == ["a.json openai.chat 1", "chat.json openai.chat 1"]


def test_a_file_that_labels_are_kept_in_since_is_not_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, results = str(tmp_path / "labels.jsonl"), str(tmp_path / "results.jsonl")
    before = {labels: (1, 10), results: (1, 10)}
    monkeypatch.setenv(launch.LABELS_VARIABLE, labels)
    assert not compare(before, opening._but_labels({labels: (2, 20), results: (1, 10)}, before))
    assert compare(before, opening._but_labels({labels: (2, 20)}, before)).gone == (results,)
