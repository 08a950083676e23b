"""The package built and installed as `pip install .` does it, in an environment and a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
BUILD_S = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """An environment that holds loopviz from its wheel, and an empty folder to call it from."""

    wheel: Path
    programs: Path
    """The folder of `loopviz` and `python`."""
    elsewhere: Path

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Call a program of the environment from elsewhere and wait for its end."""
        return _call([str(self.programs / program), *arguments], self.elsewhere)


def build_wheel(folder: Path) -> Path:
    """The wheel of this checkout, by pip's usual isolated build."""
    _must([sys.executable, "-m", "pip", "wheel", str(CHECKOUT), "--no-deps", "--wheel-dir", str(folder)], folder)
    (wheel,) = folder.glob("loopviz-*.whl")
    return wheel


def install(folder: Path) -> Installed:
    """Build the wheel and install it into a new environment inside `folder`.

    The environment borrows the packages loopviz depends on from the one that runs the tests, which saves minutes.
    """
    wheel = build_wheel(_make(folder / "dist"))
    environment = folder / "environment"
    venv.create(environment, symlinks=os.name != "nt")
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    python = str(programs / "python")
    _must([sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", str(wheel)], folder)
    own = _must([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder)
    borrowed = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    Path(own.strip(), "borrowed.pth").write_text("\n".join(borrowed), encoding="utf-8")
    return Installed(wheel=wheel, programs=programs, elsewhere=_make(folder / "elsewhere"))


def _make(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _call(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return subprocess.run(
        command, cwd=folder, env=clean, capture_output=True, text=True, timeout=BUILD_S, stdin=subprocess.DEVNULL
    )


def _must(command: list[str], folder: Path) -> str:
    done = _call(command, folder)
    assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout
