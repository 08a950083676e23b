"""Finding a browser for the browser tests, and fetching one: stand-ins on a path of their own, nothing is installed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser import chromium
from tests.browser.chromium import Machine, NoBrowser, ensure

WORKS = "#!/bin/sh\nexit 0\n"
BROKEN = "#!/bin/sh\necho 'install the snap' >&2\nexit 1\n"
INSTALLER = """#!{python}
import pathlib, sys
with open({log!r}, "a") as log:
    print({name!r}, *sys.argv[1:], file=log)
if {brings!r} and "install" in sys.argv:
    browser = pathlib.Path({brings!r})
    browser.parent.mkdir(parents=True, exist_ok=True)
    browser.write_text({works!r})
    browser.chmod(0o755)
sys.exit({status!r})
"""
APT = ["apt-get update", "apt-get install -y --no-install-recommends chromium"]
PLAYWRIGHT = ["python -m playwright install chromium"]
DEBIAN_ROOT = {"distribution": "debian", "root": True}


class Stage:
    """A machine that has only what a test puts on it."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.own = folder / "playwright" / "chrome"
        self._log = folder / "log"

    def add(self, name: str, text: str) -> Path:
        """Put a program on the search path."""
        program = self.programs / name
        program.write_text(text)
        program.chmod(0o755)
        return program

    def add_installer(self, name: str, brings: Path | None, status: object = 0) -> None:
        """A program that notes how it was called and, told to install, brings a browser; a text ends it with 1."""
        told = {"python": sys.executable, "log": str(self._log), "name": name, "brings": str(brings or "")}
        self.add(name, INSTALLER.format(**told, works=WORKS, status=status))

    def machine(self, **facts: Any) -> Machine:
        """The machine as `ensure` sees it."""
        python = str(self.programs / "python")
        return Machine(search_path=str(self.programs), playwright_own=self.own, python=python, **facts)

    def ran(self) -> list[str]:
        """The installers that ran, in order, with their arguments."""
        return self._log.read_text().splitlines() if self._log.exists() else []


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


@pytest.mark.parametrize("name", chromium.NAMES)
def test_a_browser_on_the_path_is_used(name: str, stage: Stage) -> None:
    program = stage.add(name, WORKS)
    stage.add_installer("apt-get", None)
    assert ensure(stage.machine(**DEBIAN_ROOT)) == program
    assert stage.ran() == []


def test_playwrights_own_browser_is_used(stage: Stage) -> None:
    stage.own.parent.mkdir()
    stage.own.write_text(WORKS)
    stage.own.chmod(0o755)
    assert ensure(stage.machine()) == stage.own
    assert stage.ran() == []


def test_a_browser_that_does_not_start_is_passed_over(stage: Stage) -> None:
    stage.add("chromium-browser", BROKEN)
    program = stage.add("google-chrome", WORKS)
    assert ensure(stage.machine()) == program


def test_the_override_wins(stage: Stage) -> None:
    stage.add("chromium", WORKS)
    program = stage.add("my-browser", WORKS)
    assert ensure(stage.machine(override=str(program))) == program


def test_an_override_that_does_not_start_is_an_error(stage: Stage) -> None:
    stage.add("chromium", WORKS)
    with pytest.raises(NoBrowser, match="LOOPVIZ_CHROMIUM names /no/such/browser, which does not start"):
        ensure(stage.machine(override="/no/such/browser"))


@pytest.mark.parametrize(
    ("facts", "ran"),
    [
        pytest.param(DEBIAN_ROOT, APT, id="root on Debian: Debian's package"),
        pytest.param({"distribution": "debian", "root": False}, PLAYWRIGHT, id="somebody on Debian: Playwright's own"),
        pytest.param({"distribution": "ubuntu", "root": True}, PLAYWRIGHT, id="root on Ubuntu: Playwright's own"),
        pytest.param({"distribution": "", "root": True}, PLAYWRIGHT, id="root elsewhere: Playwright's own"),
    ],
)
def test_a_missing_browser_is_fetched(facts: dict[str, Any], ran: list[str], stage: Stage) -> None:
    stage.add_installer("apt-get", stage.programs / "chromium")
    stage.add_installer("python", stage.own)
    assert ensure(stage.machine(**facts)) == (stage.programs / "chromium" if ran == APT else stage.own)
    assert stage.ran() == ran


def test_playwrights_own_browser_stands_in_when_debians_package_fails(stage: Stage) -> None:
    stage.add_installer("apt-get", None, status="no network")
    stage.add_installer("python", stage.own)
    assert ensure(stage.machine(**DEBIAN_ROOT)) == stage.own
    assert stage.ran() == [APT[0], *PLAYWRIGHT]


def test_no_browser_at_all_is_an_error_that_says_what_was_tried(stage: Stage) -> None:
    stage.add_installer("apt-get", None)
    stage.add_installer("python", None, status="no network")
    with pytest.raises(NoBrowser) as raised:
        ensure(stage.machine(**DEBIAN_ROOT))
    message = str(raised.value)
    assert "chromium: ended well, yet no Chromium starts" in message
    assert "playwright install chromium: ended with 1: no network" in message
    assert "Install Chromium or Chrome, or name one in LOOPVIZ_CHROMIUM." in message


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("PRETTY_NAME='x'\nID=debian\nID_LIKE=y\n", "debian", id="plain"),
        pytest.param('ID="ol"\n', "ol", id="quoted"),
        pytest.param("NAME=x\n", "", id="absent"),
        pytest.param(None, "", id="no such file"),
    ],
)
def test_the_distribution(text: str | None, name: str, tmp_path: Path) -> None:
    file = tmp_path / "os-release"
    if text is not None:
        file.write_text(text)
    assert chromium.distribution(file) == name
