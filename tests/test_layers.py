"""Imports point one way: the table says which part of loopviz stands on which, and every import is held to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "loopviz"

LAYERS = (
    ("model",),
    ("base",),
    ("detectors.core", "readers"),
    ("detectors",),
    ("analysis",),
    ("tuning", "specedit"),
    ("timeline",),
    ("comparing", "presenting", "following"),
    ("report",),
    ("ui",),
    ("cli",),
)
"""Lowest first. A part uses itself and the parts of lower layers; parts of one layer never meet."""

SINGLE_MODULES = {
    "base": (
        "canonical",
        "config",
        "evalspec",
        "masking",
        "pattern_pool",
        "pattern_worker",
        "patterns",
        "refusals",
        "replacing",
        "samples",
        "setting_checks",
        "settings",
        "terminal",
        "yaml12",
    ),
    "cli": (
        "cli",
        "explaining",
        "following_cli",
        "junit",
        "labelled",
        "options",
        "printing",
        "report_folder",
        "report_runs",
        "status",
        "sweeping",
        "verdict_words",
        "whole_files",
        "writing",
    ),
}
"""Parts that are no folders: what settings are written and checked with, and the command line."""

USE_READERS = ("readers", "following", "ui", "cli")
UNSTEADY = {
    "datetime",
    "io",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "subprocess",
    "tempfile",
    "time",
    "urllib",
}
"""Modules that would let a detector's answer depend on more than its input."""

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name not in ("__init__.py", "__main__.py"))


def name_of(path: Path) -> str:
    """The dotted name below `loopviz`: `detectors.core.steps`."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def part_of(module: str) -> str | None:
    """The part that a module belongs to; None for one that the tables do not know."""
    top = module.partition(".")[0]
    folders = sorted((part for layer in LAYERS for part in layer), key=len, reverse=True)
    by_folder = (part for part in folders if module == part or module.startswith(f"{part}."))
    by_name = (part for part, modules in SINGLE_MODULES.items() if top in modules)
    return next(by_name, None) or next(by_folder, None)


def allowed(importer: str, imported: str) -> bool:
    """Whether the table lets a module use another, both by their names below `loopviz`."""
    above, below = part_of(importer), part_of(imported)
    if above is None or below is None or (below == "readers" and above not in USE_READERS):
        return False
    return above == below or _height(below) < _height(above)


def _height(part: str) -> int:
    return next(height for height, layer in enumerate(LAYERS) if part in layer)


def imports_of(path: Path) -> Iterator[str]:
    """Every module that a file imports anywhere, `from loopviz import patterns` told as `loopviz.patterns`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name} imports by a relative name"
            assert node.module
            yield from (_as_module(node.module, alias.name) for alias in node.names)


def _as_module(module: str, name: str) -> str:
    place = PACKAGE.parent.joinpath(*module.split("."), name)
    return f"{module}.{name}" if place.is_dir() or place.with_suffix(".py").is_file() else module


def inside(path: Path) -> list[str]:
    """The modules of loopviz that a file imports, by their names below it."""
    return [name.removeprefix("loopviz.") for name in imports_of(path) if name.startswith("loopviz.")]


@pytest.mark.parametrize(
    ("importer", "imported", "fine"),
    [
        pytest.param("detectors.thrash", "model", True, id="a detector uses the model"),
        pytest.param("detectors.thrash", "detectors.core.steps", True, id="a detector uses the core"),
        pytest.param("ui.views.runs", "readers.vally", True, id="a page uses a reader"),
        pytest.param("cli", "ui.launch", True, id="the command opens the app"),
        pytest.param("patterns", "pattern_pool", True, id="inside the base"),
        pytest.param("model", "settings", False, id="the model uses nothing"),
        pytest.param("detectors.core.steps", "detectors.thrash", False, id="the core uses no detector"),
        pytest.param("detectors.thrash", "readers.vally", False, id="a detector uses no reader"),
        pytest.param("readers.vally", "detectors.core.steps", False, id="a reader uses no detector"),
        pytest.param("analysis.runset", "readers.vally", False, id="analysis reads no file"),
        pytest.param("analysis.runset", "timeline.picture", False, id="analysis draws nothing"),
        pytest.param("ui.views.runs", "cli", False, id="the app does not call the command"),
    ],
)
def test_the_rule(importer: str, imported: str, fine: bool) -> None:
    assert allowed(importer, imported) == fine


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    assert part_of(name_of(path)), f"{name_of(path)} has no place yet: add it to SINGLE_MODULES or LAYERS"
    assert [name for name in inside(path) if not allowed(name_of(path), name)] == []


@pytest.mark.parametrize("path", [path for path in MODULES if part_of(name_of(path)) != "ui"], ids=name_of)
def test_only_the_ui_imports_streamlit(path: Path) -> None:
    assert [name for name in imports_of(path) if name.partition(".")[0] in ("streamlit", "plotly")] == []


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path).startswith("detectors.")], ids=name_of)
def test_a_detector_sees_only_its_input(path: Path) -> None:
    assert {name.partition(".")[0] for name in imports_of(path)} & UNSTEADY == set()
