"""The first page when nothing was given: samples to start with, and the ways to open one's own runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from loopviz.analysis.inspection import inspect
from loopviz.analysis.overview import FAIL, NOT_JUDGED
from loopviz.patterns import PatternError
from loopviz.readers import READERS
from loopviz.samples import samples_folder
from loopviz.timeline.palette import Theme
from loopviz.timeline.strip import strip_svg
from loopviz.timeline.words import number
from loopviz.ui import choice as choices
from loopviz.ui.components.cards import cards
from loopviz.ui.first_start_strip import Window, strip_of
from loopviz.ui.graders import grader_shown
from loopviz.ui.library import Library
from loopviz.ui.runs_findings import run_title
from loopviz.ui.runs_judged import Opened, judge, runs_of_file
from loopviz.ui.runs_links import link, open_run
from loopviz.ui.runs_open import uploaders

LEGEND = (
    "Solid: over the limit. Tinted: counted, within it. Dashed letter: found, not counted. Dashed blank: empty output. "
    "Upright bar: first step over the limit. Lane below: seen before, or guard level. Faded side: the run is longer."
)
PURPOSE = "loopviz reads recorded agent runs and shows where a loop is, what repeats, and which setting would catch it."
PRIVACY = "The content decides what a file is, not its name. Files stay on this computer: nothing is sent anywhere."
TERMINAL = """\
loopviz results/                # a folder, searched
loopviz results.jsonl           # one file, many runs
loopviz grade results/ --max 3  # verdicts only, for CI"""
NAMES = {
    "vally.trajectory": "Vally trajectory",
    "vally.results": "Vally results.jsonl",
    "vally.outcome": "Vally outcome",
}
"""What to call the formats on screen; one without an entry shows under its own name."""
PART = "part"
"""Names the sample of many runs that is open, in the address and in the session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One entry of the samples' index."""

    file: str
    """Its path inside the folder of samples."""
    title: str
    lesson: str
    members: tuple[int, ...]
    """Its runs, as places in the library."""


def first_start(library: Library) -> None:
    """The whole page."""
    with st.container(key="runs-head"):
        st.title("Did the agent go in circles?", anchor=False)
        st.text(PURPOSE)
    samples = samples_of(library)
    with st.container(key="first-samples"):
        with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
            st.header("Start with a sample", anchor=False, width="content")
            with st.container(key="first-settings", width="content"):
                st.text(_shown_under(samples))
        action = cards(show_cards(library, samples), key="samples")
        st.caption(LEGEND)
    open_your_own()
    if action:
        _open(library, dict(parse_qsl(action)))


def samples_of(library: Library) -> tuple[Sample, ...]:
    """The samples in the order of their index."""
    folder = samples_folder()
    index = json.loads((folder / "index.json").read_text("utf-8"))
    places: dict[str, list[int]] = {}
    for place, trajectory in enumerate(library.trajectories):
        places.setdefault(trajectory.source.name, []).append(place)
    samples = [
        Sample(
            file=entry["file"],
            title=entry["title"],
            lesson=entry["lesson"],
            members=tuple(places.get(str(folder / entry["file"]), ())),
        )
        for entry in sorted(index["samples"], key=lambda entry: int(entry["order"]))
    ]
    return tuple(sample for sample in samples if sample.members)


def part_in_sight(library: Library) -> str | None:
    """The sample of many runs that is open instead of the cards: the one of the address, else the one opened last."""
    if not library.samples:
        return None
    if PART in st.query_params:
        st.session_state[PART] = st.query_params[PART]
    part: str | None = st.session_state.get(PART)
    return part if part and runs_of_part(library, part).members else None


def runs_of_part(library: Library, part: str) -> Opened:
    """The runs of a sample by its path inside the folder of samples."""
    return runs_of_file(library, str(samples_folder() / part))


def back_to_samples() -> None:
    """Show the cards again."""
    st.query_params.pop(PART, None)
    st.session_state.pop(PART, None)


def show_cards(library: Library, samples: Sequence[Sample]) -> list[dict[str, Any]]:
    """What the component of the cards draws, under the settings in force."""
    choice = choices.current()
    key = ("cards", choice.own, choice.guards, choice.unknown)
    made: list[dict[str, Any]] = library.runs.kept.get(
        key, lambda: [_card_of_one(library, s) if len(s.members) == 1 else _card_of_many(library, s) for s in samples]
    )
    links = [{"href": _address(library, sample)} for sample in samples]
    return [{**card, **link} for card, link in zip(made, links, strict=True)]


def _address(library: Library, sample: Sample) -> str:
    if len(sample.members) > 1:
        return "runs?" + urlencode({PART: sample.file})
    return link(library, sample.members[0])


def _shown_under(samples: Sequence[Sample]) -> str:
    words = f"{number(len(samples))} recordings, bundled."
    if choices.current().own is not None:
        return f"{words} Judged by your settings."
    return f"{words} Each is judged by the settings recorded in it, else by Vally's example, max 3."


def _card_of_one(library: Library, sample: Sample) -> dict[str, Any]:
    index = sample.members[0]
    trajectory, choice = library.trajectories[index], choices.current()
    shown = grader_shown(trajectory, library.spec, choice)
    card: dict[str, Any] = {"title": sample.title, "lesson": sample.lesson, "action": urlencode({"run": index})}
    try:
        found = inspect(library.alone(index), shown.settings, choice.guards, choice.unknown)
    except PatternError:
        return {**card, "badge": {"text": "– not judged", "look": "none"}, "figure": "", "strip": _pictures(Window())}
    passed = found.finding.passed
    return {
        **card,
        "badge": {"text": "✓ pass" if passed else "✗ FAIL", "look": "pass" if passed else "fail"},
        "figure": f"{number(found.finding.occurrences)} in a row, {number(shown.settings.max)} allowed",
        "strip": _pictures(strip_of(found)),
    }


def _pictures(window: Window) -> dict[str, Any]:
    themes: tuple[Theme, ...] = ("light", "dark")
    sides = [side for side, cut in (("left", window.cut_left), ("right", window.cut_right)) if cut]
    return {**{theme: strip_svg(window.cells, theme) for theme in themes}, "cut": sides, "alt": _alt(window)}


def _alt(window: Window) -> str:
    return "Steps: " + " ".join(cell.letter or ("empty" if cell.empty else "–") for cell in window.cells)


def _card_of_many(library: Library, sample: Sample) -> dict[str, Any]:
    opened = runs_of_part(library, sample.file)
    judged = judge(opened.runs, library.spec, choices.current())
    verdict = judged.overview.verdict.tolist()
    looks = {FAIL: "fail", NOT_JUDGED: "none"}
    words = {FAIL: "fails", NOT_JUDGED: "not judged"}
    failing = verdict.count(FAIL)
    return {
        "title": sample.title,
        "lesson": sample.lesson,
        "action": urlencode({PART: sample.file}),
        "badge": {"text": f"✗ {number(failing)} FAIL" if failing else "✓ pass", "look": "fail" if failing else "pass"},
        "figure": f"of {number(len(verdict))} trials",
        "marks": [
            {"look": looks.get(value, "pass"), "tip": f"{run_title(run)}: {words.get(value, 'passes')}"}
            for run, value in zip(judged.trajectories, verdict, strict=True)
        ],
    }


def _open(library: Library, fields: dict[str, str]) -> None:
    if PART in fields:
        st.session_state[PART] = fields[PART]
        st.rerun()
    open_run(library, int(fields["run"]))


def open_your_own() -> None:
    """The ways to open other files, and what can be read."""
    with st.container(key="first-own"):
        st.header("Open your own", anchor=False)
        files, terminal = st.columns(2, gap="medium")
        with files:
            uploaders()
            st.caption(PRIVACY)
        with terminal:
            with st.container(key="first-terminal"):
                st.text("From a terminal")
            st.code(TERMINAL, language=None, wrap_lines=True)
            st.caption("Without a path it opens this page.")
        _formats()


def _formats() -> None:
    """What is read, listed from the table of readers."""
    names = [NAMES.get(reader.name, reader.name) for reader in READERS]
    kinds = f"{number(len(names))} kinds" if len(names) > 1 else "1 kind"
    st.markdown(f"**Reads {kinds} of recording**")
    with st.container(horizontal=True, key="first-formats", gap="small"):
        for name in names:
            st.text(name, width="content")
