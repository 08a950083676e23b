"""The check that closes a CI run: browser tests that did not run are a failure, never a silence."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.installed import CHECKOUT

RAN = '<testcase classname="tests.browser.test_start" name="one"/>'
SKIPPED = '<testcase classname="tests.browser.test_start" name="two"><skipped/></testcase>'
OTHER = '<testcase classname="tests.test_browser_names" name="three"/>'


@pytest.mark.parametrize(
    ("cases", "complaint"),
    [
        pytest.param(RAN + OTHER, None, id="a browser test ran"),
        pytest.param(OTHER, "no browser test ran", id="none was there"),
        pytest.param("", "no browser test ran", id="no test at all"),
        pytest.param(RAN + SKIPPED, "1 browser tests were skipped: two", id="one was skipped"),
    ],
)
def test_browser_tests_ran(cases: str, complaint: str | None, tmp_path: Path) -> None:
    results = tmp_path / "tests.xml"
    results.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>", encoding="utf-8")
    check = runpy.run_path(str(CHECKOUT / ".ci" / "browser_tests_ran.py"))["main"]
    assert check(str(results)) == complaint
