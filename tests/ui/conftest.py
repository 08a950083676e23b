"""What the tests of the pages share."""

from __future__ import annotations

import pytest

from loopviz.ui import choice as choices
from loopviz.ui import loading
from loopviz.ui.choice import Choice


@pytest.fixture
def as_recorded(monkeypatch: pytest.MonkeyPatch) -> Choice:
    """A session, outside Streamlit, in which nothing was chosen."""
    choice = Choice()
    monkeypatch.setattr(choices, "current", lambda: choice)
    return choice


@pytest.fixture(autouse=True)
def _no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes long to read, and a page that waits would not come back by itself here."""
    monkeypatch.setattr(loading, "PATIENCE_S", 60.0)
