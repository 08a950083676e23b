"""Digests by which a file, or a run in it, is known again.

SHA-256, cut short: most processors have instructions of their own for it, so it takes half the time of BLAKE2, and all
that is read is digested twice, as a file and as its runs.
"""

from __future__ import annotations

from hashlib import sha256

_DIGITS = 32
"""128 bits: enough that no two files of anybody ever share them."""


class Digest:
    """Takes the bytes of something piece by piece."""

    def __init__(self, data: bytes | memoryview = b"") -> None:
        self._told = sha256(data, usedforsecurity=False)
        self.update = self._told.update

    def hex(self) -> str:
        """The digest of all that was taken so far."""
        return self._told.hexdigest()[:_DIGITS]

    def copy(self) -> Digest:
        """Another one that has taken the same."""
        other = Digest()
        other._told = self._told.copy()
        other.update = other._told.update
        return other
