"""Timeline and evidence of a short example: the scripts of Inspect, without what a short example has no use for."""

from __future__ import annotations

from typing import Any

import msgspec

from loopviz.timeline.contract import Payload
from loopviz.ui.components.clean import printable
from loopviz.ui.components.scripts import user

_TIMELINE = """
.loopviz .lv-legend, .loopviz .lv-status { display: none; }
.loopviz .lv-verdict { margin-bottom: 20px; }
.loopviz .lv-sentence { font-size: 18px; line-height: 32px; }
.loopviz .lv-sentence .lv-code { font-size: 16px; }
"""
_EVIDENCE = """
.look.evidence section[data-section] { border: 0; margin: 0; padding: 0; }
.look.evidence section[data-section] h2 { font-size: 15px; line-height: 22px; }
"""


def small_timeline(payload: Payload, *, key: str) -> str | None:
    """Draw a verdict and the lanes of a run, without legend, hints and status line.

    Returns:
        The `action` of the piece of the verdict that was clicked, once, right after the click; else None.
    """
    draw = user("timeline", variant="small_timeline", style=_TIMELINE)
    action: str | None = draw(key=key, data=msgspec.json.encode(payload), on_action_change=lambda: None).action
    return action


def small_evidence(data: dict[str, Any], *, key: str) -> None:
    """Draw some sections of what `loopviz.timeline.evidence.show_evidence` gives, without lines between them."""
    user("evidence", variant="small_evidence", style=_EVIDENCE)(key=key, data=printable(data))
