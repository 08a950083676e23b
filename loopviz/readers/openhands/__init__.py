"""Runs of OpenHands: events of versions 0.x, in four serialisations, and events of its SDK, version 1."""

from __future__ import annotations

from loopviz.readers.base import Reader
from loopviz.readers.openhands import events, sdk

EVENTS = Reader(
    name="openhands",
    sniff=events.sniff,
    read=events.read,
    title="OpenHands 0.x: results of evaluations, exported trajectories, stored events",
    found="`output.jsonl` of an evaluation, `~/.openhands/sessions/<session>/events/<number>.json`",
)
SDK = Reader(
    name="openhands.sdk",
    sniff=sdk.sniff,
    read=sdk.read,
    title="OpenHands SDK, version 1: events",
    found="`~/.openhands/conversations/<id>/events/event-<number>-<id>.json`, or `output.jsonl` of a benchmark",
)

__all__ = ["EVENTS", "SDK"]
