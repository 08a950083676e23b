"""A Chromium for the browser tests: the one that is there, else one that is fetched.

Nothing here gives up quietly: without a browser that starts, `ensure` raises with what was tried and what to do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

OVERRIDE = "LOOPVIZ_CHROMIUM"
"""Environment variable that names the browser to use."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START_S = 60
INSTALL_S = 1200


class NoBrowser(Exception):
    """No Chromium was found and none could be fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What the choice of a browser depends on."""

    search_path: str
    """Folders of programs, as in PATH."""
    playwright_own: Path
    """Where Playwright keeps its Chromium, whether or not it is there."""
    override: str | None = None
    distribution: str = ""
    """The ID of /etc/os-release, for example `debian`."""
    root: bool = False
    python: str = sys.executable
    """The interpreter that has Playwright."""

    @classmethod
    def here(cls, playwright_own: Path) -> Machine:
        """This machine."""
        return cls(
            search_path=os.environ.get("PATH", ""),
            playwright_own=playwright_own,
            override=os.environ.get(OVERRIDE),
            distribution=distribution(Path("/etc/os-release")),
            root=is_root(),
        )


def ensure(machine: Machine) -> Path:
    """A Chromium that starts, fetched first if need be.

    Raises:
        NoBrowser: the message says what was tried, how it failed and what to do.
    """
    if machine.override:
        return _named_by_override(machine.override)
    tried: list[str] = []
    for attempt in (None, *_installers(machine)):
        if attempt:
            tried.append(_run(attempt, machine))
        found = find(machine)
        if found:
            return found
    raise NoBrowser(
        "The browser tests need Chromium. None was found, and these did not bring one that starts:\n"
        + "\n".join(tried)
        + f"\nInstall Chromium or Chrome, or name one in {OVERRIDE}."
    )


def find(machine: Machine) -> Path | None:
    """The first Chromium on the machine that starts: on the search path, then Playwright's own."""
    on_path = (shutil.which(name, path=machine.search_path) for name in NAMES)
    candidates = [*(Path(program) for program in on_path if program), machine.playwright_own]
    return next((program for program in candidates if starts(program)), None)


def starts(program: Path) -> bool:
    """Whether the program can be run; Ubuntu's `chromium-browser` may be a script that only says to install it."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=START_S, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def is_root() -> bool:
    """Whether this process may install packages, and Chromium therefore needs `--no-sandbox`."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def distribution(os_release: Path) -> str:
    """The ID of a Linux distribution; the empty text where there is none."""
    try:
        lines = os_release.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line[3:].strip("\"'") for line in lines if line.startswith("ID=")), "")


def _named_by_override(program: str) -> Path:
    if not starts(Path(program)):
        raise NoBrowser(f"{OVERRIDE} names {program}, which does not start. Name a Chromium or Chrome, or unset it.")
    return Path(program)


def _installers(machine: Machine) -> list[list[list[str]]]:
    """What could bring a browser, best first; each a list of commands."""
    own = [[machine.python, "-m", "playwright", "install", "chromium"]]
    apt_get = shutil.which("apt-get", path=machine.search_path)
    if machine.root and machine.distribution == "debian" and apt_get:
        return [[[apt_get, "update"], [apt_get, "install", "-y", "--no-install-recommends", "chromium"]], own]
    return [own]


def _run(commands: list[list[str]], machine: Machine) -> str:
    """Run commands until one fails.

    Returns:
        One line on how it went.
    """
    environment = {**os.environ, "PATH": machine.search_path, "DEBIAN_FRONTEND": "noninteractive"}
    for command in commands:
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=INSTALL_S, stdin=subprocess.DEVNULL, env=environment
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"- {' '.join(command)}: {error}"
        if done.returncode:
            return f"- {' '.join(command)}: ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-500:]}"
    return f"- {' '.join(commands[-1])}: ended well, yet no Chromium starts; system libraries may be missing"
