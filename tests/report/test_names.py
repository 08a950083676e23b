"""Names of files: safe on every system, stable, and different for different runs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.report.names import LONGEST, file_name
from tests.report.recorded import PLAIN, read, trajectory


def name_of(run: str, digest: str = "a57bdd05b15d", **options: object) -> str:
    (recorded,) = read({**trajectory(1), "stimulus": {}})
    return file_name(replace(recorded, run=run, digest=digest), PLAIN, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("run", "name"),
    [
        pytest.param("fix-failing-test", "fix-failing-test-a57bdd05.html", id="as it is"),
        pytest.param("Fix The Cart!", "fix-the-cart-a57bdd05.html", id="capitals, spaces and signs"),
        pytest.param("../../etc/passwd", "etc-passwd-a57bdd05.html", id="a path"),
        pytest.param("-rf", "rf-a57bdd05.html", id="an option"),
        pytest.param("CON", "con-a57bdd05.html", id="a device of Windows"),
        pytest.param("naïve café", "naive-cafe-a57bdd05.html", id="accents"),
        pytest.param("任务", "run-a57bdd05.html", id="nothing that is left"),
        pytest.param("x" * 200, f"{'x' * LONGEST}-a57bdd05.html", id="very long"),
    ],
)
def test_names(run: str, name: str) -> None:
    assert name_of(run) == name


@given(st.text(min_size=1))
def test_every_name_is_plain(run: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*\.html", name_of(run))


def test_runs_that_share_a_name_differ_by_their_digest() -> None:
    assert name_of("a", "1" * 32) != name_of("a", "2" * 32)


def test_the_same_bytes_twice_are_numbered() -> None:
    first = name_of("a")
    assert name_of("a", taken={first}) == "a-a57bdd05-2.html"


def test_a_run_without_a_digest_has_a_name() -> None:
    assert name_of("a", "") == "a-run.html"
