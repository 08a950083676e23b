"""The cards of the first page, held against the index of the samples."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.readers import read_path
from loopviz.samples import samples_folder
from loopviz.settings import MaxRepeatSettings
from loopviz.ui import choice as choices
from loopviz.ui.choice import Choice
from loopviz.ui.first_start import samples_of, show_cards
from loopviz.ui.library import Library

INDEX = sorted(json.loads((samples_folder() / "index.json").read_text("utf-8"))["samples"], key=lambda s: s["order"])


@pytest.fixture(scope="module")
def library() -> Library:
    """The bundled samples, as the app opens them."""
    return Library([read_path(samples_folder() / entry["file"]) for entry in INDEX], [], [], {}, samples=True)


@pytest.fixture
def cards(library: Library, as_recorded: Choice) -> list[dict[str, Any]]:
    return show_cards(library, samples_of(library))


def test_every_sample_has_a_card_the_first_one_failing(cards: list[dict[str, Any]]) -> None:
    assert [card["title"] for card in cards] == [entry["title"] for entry in INDEX]
    assert [card["lesson"] for card in cards] == [entry["lesson"] for entry in INDEX]
    assert cards[0]["badge"] == {"text": "✗ FAIL", "look": "fail"}


@pytest.mark.parametrize("entry", [e for e in INDEX if e["run"]], ids=lambda entry: entry["run"])
def test_a_card_says_what_the_index_expects(entry: dict[str, Any], cards: list[dict[str, Any]]) -> None:
    card, expected = cards[INDEX.index(entry)], entry["expected"][0]
    assert card["badge"]["text"] == ("✓ pass" if expected["passed"] else "✗ FAIL")
    allowed = expected["settings"]["max"]
    assert card["figure"] == f"{expected['occurrences']} in a row, {allowed} allowed"


def test_a_sample_of_many_runs_counts_them(cards: list[dict[str, Any]]) -> None:
    entry, card = next((e, c) for e, c in zip(INDEX, cards, strict=True) if not e["run"])
    runs = {e["run"]: True for e in entry["expected"]}
    failing = {e["run"] for e in entry["expected"] if not e["passed"]}
    lost = len(card["marks"]) - len(runs)
    assert card["badge"] == {"text": f"✗ {len(failing)} FAIL", "look": "fail"}
    looks = [mark["look"] for mark in card["marks"]]
    assert (looks.count("fail"), looks.count("none")) == (len(failing), lost)
    assert card["href"] == "runs?part=nightly%2Fresults.jsonl"


def test_a_choice_of_settings_judges_the_cards_too(
    library: Library, as_recorded: Choice, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Choice(own=MaxRepeatSettings(max=7))
    monkeypatch.setattr(choices, "current", lambda: own)
    assert show_cards(library, samples_of(library))[0]["badge"]["text"] == "✓ pass"
