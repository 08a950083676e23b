"""Two hundred made-up trials to tune on, with the eval spec that they ran under: loops, honest waiting, plain work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.ui.vally_trials import trial, write

LOOPING = ("rebook-flight", "fix-lint", "cancel-booking", "refund-order")
WAITING = ("poll-deployment", "batch-import")
PLAIN = ("port-to-async", "restore-backup")
STIMULI = (*LOOPING, *WAITING, *PLAIN)
MODELS = ("small-3", "medium-3", "large-3", "huge-3", "tiny-3")
TRIALS = 5
TOOLS = "search read_page edit_file run_tests get_status list_rows open_tab write_note"

SPEC = """\
# The nightly eval.
name: nightly
scoring:
  threshold: 0.7
stimuli:
"""
STIMULUS = """\
  - name: {name}
    prompt: "Do {name}."
    graders:
      - type: max-repeat     # no silly retries
        name: no-loops
        config:
          max: 3
      - type: completed
"""


def folder_of_runs(folder: Path) -> Path:
    """Write the results and their eval spec into a folder."""
    folder.mkdir(exist_ok=True)
    write(folder / "results.jsonl", records())
    (folder / "eval.yaml").write_text(SPEC + "".join(STIMULUS.format(name=name) for name in STIMULI), "utf-8")
    return folder


def records() -> Iterator[dict[str, Any]]:
    """The trials: each stimulus five times with each of five models."""
    for place, stimulus in enumerate(STIMULI):
        for model_place, model in enumerate(MODELS):
            for number in range(TRIALS):
                yield _record(stimulus, model, number, place + 3 * model_place + 7 * number)


def _record(stimulus: str, model: str, number: int, lot: int) -> dict[str, Any]:
    loops, waits = stimulus in LOOPING and lot % 4 == 0, stimulus in WAITING and lot % 2 == 0
    steps = "adcbeahgbf"[: 5 + lot % 5]
    if loops:
        steps += "abc" * (5 + lot % 4)
    elif waits:
        steps += "e" * (4 + lot % 5)
    elif lot % 5 == 0:
        steps += "ab" * (1 + lot % 3)
    steps += "dh"[: lot % 3]
    record = trial(
        steps,
        stimulus=stimulus,
        number=number,
        model=model,
        score=0.3 if loops or lot % 11 == 0 else 0.9,
        tokens=6_000 + 311 * lot,
        cost=0.05 + 0.01 * (lot % 7),
        duration_s=60 + lot,
        tools=TOOLS,
    )
    trajectory = record["trajectory"]
    trajectory["id"] = f"{stimulus}-{model}-{number}"
    trajectory["stimulus"]["graders"] = [{"type": "max-repeat", "name": "no-loops", "config": {"max": 3}}]
    record["itemId"] = f"nightly::{trajectory['id']}"
    for event in trajectory["events"]:
        _with_clock(event["data"], keeps_arguments=loops)
    return record


def _with_clock(data: dict[str, Any], *, keeps_arguments: bool) -> None:
    """In a loop the arguments recur and outputs hold the time; elsewhere it is the other way round."""
    arguments = data.get("arguments")
    if arguments is not None and keeps_arguments:
        del arguments["n"]
    elif "result" in data and keeps_arguments:
        data["result"] += f"at {data['toolCallId']}"
