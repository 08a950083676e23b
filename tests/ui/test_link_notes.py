"""The note in a link: plain text, of bounded length, kept in the address as long as it is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.ui.link_notes import LONGEST, short_note

MAIN = Path(__file__).resolve().parents[2] / "loopviz" / "ui" / "main.py"


@pytest.mark.parametrize(
    ("words", "short"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("  look here \n", "look here", id="blanks round it"),
        pytest.param("x" * LONGEST, "x" * LONGEST, id="as long as it may be"),
        pytest.param("x" * 10_000, "x" * (LONGEST - 1) + "…", id="longer"),
    ],
)
def test_its_length(words: str, short: str) -> None:
    assert short_note(words) == short


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        pytest.param("runs", "Runs", id="another page"),
        pytest.param("tune", "Tune", id="a page below"),
        pytest.param("ducks", "Runs", id="no page"),
    ],
)
def test_it_goes_to_the_page_that_the_link_names(page: str, shown: str) -> None:
    app = AppTest.from_file(str(MAIN), default_timeout=60)
    for name, value in {"page": page, "note": "Look", "max": "4", "max_cycle_period": "2"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert app.session_state["link.note"].words == "Look"
    assert app.session_state["link.note"].page == shown.lower()
    assert app.session_state["choice"].own.max == 4
