"""Hides what looks like a secret before anything leaves the app: on paper, in a report, in a terminal's log.

Masking goes by looks alone, so it may hide too much, and it cannot find every secret: read what you hand on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MASK = "[masked]"

_TOKENS = re.compile(
    r"""
      -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----.*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)   # a private key
    | \beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*                                                    # a JSON web token
    | \b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}                                  # model and payment services
    | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_\w{20,} | \bglpat-[\w-]{16,}             # code hosts
    | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b                                                        # cloud access keys
    | \bAIza[\w-]{30,} | \bxox[abeoprs]-[\w-]{10,} | \bhf_[A-Za-z0-9]{20,} | \bnpm_[A-Za-z0-9]{30,} | \bpypi-[\w-]{30,}
    """,
    re.VERBOSE | re.DOTALL,
)
_NAME = r"(?:api[-_]?key|access[-_]?key|secret|token|password|passwd|pwd|credentials?)"
_NAMED = re.compile(
    rf"""(?P<name>\b[\w-]{{0,64}}{_NAME}["']?\s*[:=]\s*["']?)(?P<value>(?!\[masked\])[^\s"',;&}}]{{6,}})""",
    re.IGNORECASE,
)
_BEARER = re.compile(r"(?P<name>\b(?:bearer|basic)\s+)(?P<value>[\w.~+/=-]{12,})", re.IGNORECASE)
_IN_URL = re.compile(
    r"(?P<name>\b[a-z][a-z0-9+.-]{0,31}://[^\s/:@]{0,256}:)(?P<value>[^\s/@]{1,256})(?=@)", re.IGNORECASE
)
_SECRET_NAME = re.compile(rf"{_NAME}$", re.IGNORECASE)


def mask_text(text: str) -> str:
    """The text with everything that looks like a secret replaced."""
    text = _TOKENS.sub(MASK, text)
    for pattern in (_IN_URL, _BEARER, _NAMED):
        text = pattern.sub(lambda found: f"{found['name']}{MASK}", text)
    return text


def mask(value: Any) -> Any:
    """A JSON value with every text in it masked; a text under a name such as `password` is hidden whole."""
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, Mapping):
        return {key: _mask_field(key, item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [mask(item) for item in value]
    return value


def _mask_field(name: str, value: Any) -> Any:
    if isinstance(value, str) and value and _SECRET_NAME.search(name):
        return MASK
    return mask(value)
