"""Where the three answers part: the first call at which one detector speaks and another does not, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopviz.analysis.causes import Cause, Causes
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.voices import Detector, Voices
from loopviz.model import IntArray

MOST = 3
"""Partings that are told: the first, and later ones in which others speak, for other causes."""
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, kw_only=True)
class Parting:
    """A stretch of calls in which not all say the same; calls count from 0."""

    call: int
    """The first call at which they part: one speaks here, and another does not."""
    first: int
    last: int
    """What is counted around it, by whichever of them counts most."""
    spoke: tuple[Detector, ...]
    """Those that speak at this call."""
    others: tuple[Detector, ...]
    """Those that stay silent, or speak later; without thrash where it has stopped the run before."""
    causes: tuple[Cause, ...]
    """Why, each once; none where nothing on the list explains it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Episodes:
    """Stretches of the three that touch, taken together: arrays have shape (n_episodes,)."""

    first: IntArray
    last: IntArray
    earliest: IntArray
    """The call at which each detector speaks first, _NEVER where it is silent: shape (3, n_episodes)."""

    @property
    def call(self) -> IntArray:
        """The first call at which anyone speaks."""
        call: IntArray = self.earliest.min(axis=0)
        return call


def find_partings(inspection: Inspection, voices: Voices) -> tuple[Parting, ...]:
    """Find the first stretch in which they part, and up to two later ones where others speak for other causes."""
    if not voices:
        return ()
    episodes = _gather(voices)
    spoke = episodes.earliest == episodes.call
    behind = ~spoke
    if Detector.THRASH in voices:
        behind[Detector.THRASH] &= int(voices[Detector.THRASH].call[0]) >= episodes.call
    kind = np.where(behind.any(axis=0), spoke.T @ [1, 2, 4], 0)
    _, first = np.unique(kind, return_index=True)
    causes = Causes(inspection)
    found: list[Parting] = []
    for place in sorted(first[kind[first] > 0].tolist())[:MOST]:
        call, speakers, others = int(episodes.call[place]), _chosen(spoke[:, place]), _chosen(behind[:, place])
        why = _causes(causes, voices, call, speakers, others)
        told = {cause for parting in found for cause in parting.causes}
        if not found or not set(why) <= told:
            found.append(
                Parting(
                    call=call,
                    first=int(episodes.first[place]),
                    last=int(episodes.last[place]),
                    spoke=speakers,
                    others=others,
                    causes=why,
                )
            )
    return tuple(found)


def _gather(voices: Voices) -> _Episodes:
    who = np.concatenate([np.full(len(voice.first), int(detector)) for detector, voice in voices.items()])
    first, last, call = (
        np.concatenate([getattr(voice, name) for voice in voices.values()]) for name in ("first", "last", "call")
    )
    order = np.argsort(first, kind="stable")
    reaches = np.maximum.accumulate(last[order])
    begins = np.append(True, first[order][1:] > reaches[:-1])
    starts = np.flatnonzero(begins)
    earliest = np.full((len(Detector), len(starts)), _NEVER)
    np.minimum.at(earliest, (who[order], np.cumsum(begins) - 1), call[order])
    return _Episodes(first[order][starts], reaches[np.append(starts[1:], len(order)) - 1], earliest)


def _chosen(flags: np.ndarray) -> tuple[Detector, ...]:
    return tuple(Detector(place) for place in np.flatnonzero(flags).tolist())


def _causes(
    causes: Causes, voices: Voices, call: int, speakers: tuple[Detector, ...], others: tuple[Detector, ...]
) -> tuple[Cause, ...]:
    found: dict[Cause, None] = {}
    for other in others:
        spoke = max(speakers)  # thrash before the ladder: what is identical is similar too
        place = int(np.flatnonzero(voices[spoke].call == call)[0])
        cause = causes.why(other, spoke, voices[spoke], place)
        if cause is not None:
            found[cause] = None
    return tuple(found)
