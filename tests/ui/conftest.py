"""What the tests of the pages share."""

from __future__ import annotations

import pytest

from loopviz.ui import choice as choices
from loopviz.ui.choice import Choice


@pytest.fixture
def as_recorded(monkeypatch: pytest.MonkeyPatch) -> Choice:
    """A session, outside Streamlit, in which nothing was chosen."""
    choice = Choice()
    monkeypatch.setattr(choices, "current", lambda: choice)
    return choice
