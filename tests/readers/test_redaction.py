"""Redaction markers, and what only looks like one."""

from __future__ import annotations

import time

import pytest

from loopviz.model import Json
from loopviz.readers.redaction import is_redacted

REAL = [
    pytest.param(None, id="null"),
    pytest.param("", id="an empty text"),
    pytest.param({}, id="an empty object"),
    pytest.param([], id="an empty list"),
    pytest.param(0, id="a number"),
    pytest.param("*", id="a star"),
    pytest.param("**", id="two stars"),
    pytest.param("*** Begin Patch", id="stars before words"),
    pytest.param("redacted", id="the bare word"),
    pytest.param("[1, 2]", id="a list as a text"),
    pytest.param("[x]", id="another word in brackets"),
    pytest.param("<html>", id="a tag"),
    pytest.param("the token is [REDACTED]", id="a marker among words"),
    pytest.param("[REDACTED] and more", id="words behind a marker"),
    pytest.param({"path": "a.py", "token": "***"}, id="one member of two"),
    pytest.param({"token": "***", "n": 1}, id="a number beside a marker"),
    pytest.param({"token": "***", "n": {}}, id="an empty object beside a marker"),
    pytest.param(["***", ""], id="an empty text beside a marker"),
]
REDACTED = [
    pytest.param("[REDACTED]", id="in brackets"),
    pytest.param("<redacted>", id="as a tag"),
    pytest.param("***", id="three stars"),
    pytest.param("********", id="more stars"),
    pytest.param("***REDACTED***", id="between stars"),
    pytest.param("REDACTED", id="in capitals"),
    pytest.param("(hidden)", id="another word"),
    pytest.param("[Filtered]", id="yet another"),
    pytest.param("[REDACTED: api key]", id="with a reason"),
    pytest.param("[REDACTED]\n", id="with a line end"),
    pytest.param("••••••", id="dots"),
    pytest.param({"command": "[REDACTED]"}, id="the only member"),
    pytest.param({"a": {"b": ["***", "<redacted>"]}}, id="every leaf"),
]


@pytest.mark.parametrize("value", REAL)
def test_is_real(value: Json) -> None:
    assert not is_redacted(value)


@pytest.mark.parametrize("value", REDACTED)
def test_is_redacted(value: Json) -> None:
    assert is_redacted(value)


def test_looks_only_as_far_as_it_must() -> None:
    begin = time.process_time()
    assert not is_redacted(["x"] * 10_000_000)
    assert not is_redacted("[" * 10_000_000)
    assert time.process_time() - begin < 1
