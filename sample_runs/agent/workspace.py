"""A throw-away folder with a small project in it, the commands that run there, and the jobs that run beside them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

NEUTRAL_ROOT = "/workspace"
"""How recorded texts name the folder, wherever it really was."""
COMMAND_TIMEOUT_S = 60


class Workspace:
    """A folder that is gone afterwards; use it in a `with` block."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="sample-run-")
        self.root = Path(self._folder.name).resolve() / "workspace"
        self._programs = self.root.parent / "bin"
        self._programs.mkdir()
        (self._programs / "python3").symlink_to(sys.executable)
        self.jobs: dict[str, Job] = {}
        for path, text in files.items():
            self.write(path, text)

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for job in self.jobs.values():
            job.stop()
        self._folder.cleanup()

    def inside(self, path: str) -> Path:
        """The file that the agent means by `path`; a path that leaves the workspace is refused."""
        found = (self.root / path).resolve()
        if not found.is_relative_to(self.root):
            raise PermissionError(f"{path} is outside the workspace")
        return found

    def write(self, path: str, text: str) -> None:
        target = self.inside(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")

    def run(self, command: list[str], now: str) -> tuple[int, str]:
        """Run a command in the workspace.

        Args:
            command: Program and arguments; `python3` is the Python that records.
            now: The scripted time, which programs of the sample projects print in place of the real one.
        Returns:
            Exit status and everything it printed, with the real folder's name replaced by a neutral one.
        """
        done = subprocess.run(
            command,
            cwd=self.root,
            env=self.environment(now),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=COMMAND_TIMEOUT_S,
            check=False,
        )
        return done.returncode, self.neutral(done.stdout.decode("utf-8", "replace"))

    def start_job(self, name: str, command: list[str], now: str) -> None:
        self.jobs[name] = Job(command, self.root, self.environment(now))

    def environment(self, now: str) -> dict[str, str]:
        """The few variables that commands see: nothing of the recording machine but where its programs are."""
        return {
            "PATH": os.pathsep.join([str(self._programs), os.environ.get("PATH", os.defpath)]),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "SCRIPTED_NOW": now,
        }

    def neutral(self, text: str) -> str:
        return text.replace(str(self.root), NEUTRAL_ROOT)


class Job:
    """A background process that works one beat at a time, so that nothing depends on how fast the machine is.

    It reads a line for every beat and answers with a line once the beat's work is done.
    """

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def beat(self) -> None:
        """Let it work for one beat and wait until it has."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write("beat\n")
        self._process.stdin.flush()
        if not self._process.stdout.readline():
            raise RuntimeError(f"background job ended early with status {self._process.wait()}")

    def stop(self) -> None:
        """Close its input, which ends it, and wait for it; safe to call twice."""
        if self._process.poll() is None:
            self._process.communicate(timeout=COMMAND_TIMEOUT_S)
