"""The package as `pip install .` makes it: all that is needed travels, and it works from any folder."""

from __future__ import annotations

import json
import re
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.browser import server
from tests.installed import CHECKOUT, Installed
from tests.test_layers import MODULES, imports_of

IN_README = re.compile(r"^python3 -m venv .*$", re.MULTILINE)


def files_below(folder: Path) -> set[str]:
    """Names of all files in a folder of the checkout, as paths from there, caches left out."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if "__pycache__" not in path.parts}


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def normal(distribution: str) -> str:
    """The name of a distribution as registries compare it, without version or extras."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", distribution, maxsplit=1)[0]).lower()


def test_every_import_is_a_declared_dependency() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {normal(name) for name in project["dependencies"]}
    imported = {name.partition(".")[0] for path in MODULES for name in imports_of(path)}
    owners = packages_distributions()
    # `compression` came to Python in 3.14; until then a dependency stands in for it.
    foreign = imported - set(sys.stdlib_module_names) - {"loopviz", "compression"}
    assert {name for name in foreign if not {normal(owner) for owner in owners.get(name, [])} & declared} == set()


def test_the_readme_has_one_line_to_open_the_app_and_one_to_test() -> None:
    opening, testing = IN_README.findall((CHECKOUT / "README.md").read_text(encoding="utf-8"))
    assert opening.endswith(" && .venv/bin/pip install . && .venv/bin/loopviz")
    assert testing.endswith(" && .venv/bin/python -m pytest")


@pytest.mark.slow
def test_code_pages_assets_and_samples_travel(installed: Installed) -> None:
    names = names_in(installed.wheel)
    package = {f"loopviz/{name}" for name in files_below(CHECKOUT / "loopviz")}
    samples = {f"loopviz/sample_runs/{name}" for name in files_below(CHECKOUT / "sample_runs")}
    assert package | samples == {name for name in names if name.startswith("loopviz/")}
    assert {Path(name).suffix for name in names} >= {".py", ".js", ".json", ".typed"}


@pytest.mark.slow
def test_nothing_else_travels(installed: Installed) -> None:
    (information,) = {name.partition("/")[0] for name in names_in(installed.wheel)} - {"loopviz"}
    assert information.endswith(".dist-info")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [pytest.param(["loopviz"], id="loopviz"), pytest.param(["python", "-m", "loopviz"], id="python -m loopviz")],
)
def test_help_from_another_folder(command: list[str], installed: Installed) -> None:
    done = installed.run(*command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "grade" in done.stdout


@pytest.mark.slow
def test_grade_on_an_installed_sample(installed: Installed) -> None:
    located = installed.run("python", "-c", "from loopviz.samples import samples_folder; print(samples_folder())")
    folder = Path(located.stdout.strip())
    assert installed.programs.parent in folder.parents
    sample = folder / json.loads((folder / "index.json").read_text(encoding="utf-8"))["default"]
    done = installed.run("loopviz", "grade", str(sample), "--max", "1000000", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(verdict["grader"], verdict["passed"]) for verdict in verdicts] == [("max-repeat", True)]


@pytest.mark.slow
def test_the_app_starts_from_another_folder(installed: Installed, tmp_path: Path) -> None:
    command = [str(installed.programs / "loopviz"), "--port", "0"]
    with server.serving(command, folder=installed.elsewhere, log=tmp_path / "log") as url:
        assert url.startswith("http://127.0.0.1:")
