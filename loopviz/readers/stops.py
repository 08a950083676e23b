"""Why a model stopped, as the APIs of models call it: a response that was cut off at a limit is an event of its own."""

from __future__ import annotations

from loopviz.model import Json
from loopviz.readers.telling import Telling
from loopviz.readers.texts import is_text
from loopviz.readers.turns import MAIN_AGENT

_CUT = frozenset(("length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"))


def is_cut(reason: Json) -> bool:
    """Whether a response stopped because it might not grow longer."""
    return is_text(reason) and reason.lower() in _CUT


def tell_stop(run: Telling, reason: Json, *, agent: str = MAIN_AGENT) -> None:
    """Tell that a response was cut off, if that is why it stopped."""
    if is_cut(reason):
        run.say("cut", "The response was cut off at the limit of its length.", agent=agent)
