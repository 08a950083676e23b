from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from loopviz.presenting import replay
from loopviz.presenting.replay import Told, ordinal, tell_replay
from loopviz.timeline.contract import decode
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import call
from tests.presenting.test_scene import quiet

LOOP = quiet(2) + [call("bash", {"command": "npm test"}, "2 failing\n\nexpected 3")] * 5 + quiet(2, 20)


def told(calls: list[dict[str, Any]], *, hide_texts: bool = False, **settings: Any) -> Told:
    return tell_replay(look(calls, **settings), hide_texts=hide_texts)


def text(data: Told, column: str, at: int) -> str:
    place = int(decode(data[column])[at])  # type: ignore[literal-required]
    return data["texts"][place] if place >= 0 else ""


def test_each_call_says_what_was_asked_and_what_came_back() -> None:
    data = told(LOOP)
    assert data["n_calls"] == 9
    assert data["tools"][int(decode(data["tool"])[3])] == "bash"
    assert (text(data, "asked", 3), text(data, "result", 3)) == ("npm test", "2 failing …")
    assert data["texts"].count("npm test") == 1


def test_it_counts_the_copies_and_tells_levels_and_the_stop() -> None:
    data = told(LOOP)
    copies = decode(data["copy"]).tolist()
    assert copies == [0, 0, 1, 2, 3, 4, 5, 0, 0]
    assert data["again"][5] == "the 5th time, the same result"
    assert decode(data["fires"]).tolist()[2:7] == [0, 0, 1, 0, 2]
    assert decode(data["level"]).tolist()[2:7] == [0, 0, 1, 1, 2]
    assert data["levels"][1] == "a warning guard would say: make a new plan"
    assert data["stop"] == (4, "a stop guard would have ended the run here, after call 5")


def test_hidden_texts_are_not_in_it() -> None:
    data = told(LOOP, hide_texts=True)
    assert data["texts"] == []
    assert data["note"] == "Texts are hidden."
    assert set(decode(data["asked"]).tolist()) == {-1}
    assert "bash" in data["tools"]


def test_names_and_texts_keep_to_one_line_in_their_own_direction() -> None:
    data = told([call("live\u202e", {"q": "a\u202eb"}, "c\u2066d"), call("x" * 500, "e", "f")])
    assert sorted(data["tools"]) == ["live\ufffd", "x" * 59 + "…"]
    assert data["texts"][:2] == ["a\ufffdb", "e"]
    assert not {"\u202e", "\u2066"} & set("".join(data["texts"]))


def test_secrets_are_masked_before_a_text_is_cut() -> None:
    data = told([call("bash", {"command": "x", "api_key": "abcdef123456"}, "token=abcdef1234567890")])
    assert not any("abcdef1234" in words for words in data["texts"])


@pytest.mark.parametrize(
    ("out", "words"),
    [
        pytest.param(None, "", id="none"),
        pytest.param("", "nothing", id="empty"),
        pytest.param("done", "done", id="short"),
        pytest.param("  --\n\n a\n b", "a …", id="the first line that says something"),
        pytest.param("x" * 90, "x" * 47 + "…", id="long"),
        pytest.param({"ok": True}, '{"ok": true}', id="an object"),
    ],
)
def test_results_are_told_in_one_short_line(out: Any, words: str) -> None:
    assert text(told([call(out=out)]), "result", 0) == words


def test_a_long_run_tells_the_texts_of_the_repeat_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MOST_TOLD", 10)
    data = told(quiet(30) + [call("x", 1, "same")] * 5 + quiet(30, 100))
    known = np.flatnonzero(decode(data["asked"]) >= 0).tolist()
    assert len(known) == 10
    assert set(range(30, 35)) <= set(known)
    assert data["note"] == "Texts are told of 10 of 65 calls, those of the repeat first."


@pytest.mark.parametrize(
    ("value", "words"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (112, "112th"), (121, "121st"), (1002, "1,002nd")],
)
def test_ordinal(value: int, words: str) -> None:
    assert ordinal(value) == words
