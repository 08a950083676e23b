"""Histories of browser-use: what `AgentHistoryList.save_to_file` writes, a document a run.

A step is a turn, and its actions, several at once or in older versions a single one, are its calls. Result k of a step
belongs to its action k; actions behind the last result never ran. What an action gave back is its error, else what it
extracted, else what it says to remember; below it stands the address of the page that the action was made on, so that
a click here is not taken for one there. An error of a step without actions is told as such.

Tokens are the input tokens of each step, where they are recorded. The last result tells the outcome, by `success`.
Screenshots are left out, and so are tabs and the elements of pages. Neither a task nor an id stands in the file.

Files of this format were never seen.
"""

from __future__ import annotations

from itertools import zip_longest

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.fields import flag, member, text
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, is_list
from loopviz.readers.telling import ABSENT, Telling

Fields = dict[str, Json]

_THOUGHTS = ("thinking", "evaluation_previous_goal", "memory", "next_goal")


def sniff(head: Head) -> float:
    """How surely a file holds histories of browser-use."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    return 1.0 if is_list(record, "history") and "model_output" in first(record, "history") else 0.0


def read(file: Opened) -> Loaded:
    """Read the histories of a file."""
    reading = Reading(file)
    for document in reading.documents():
        run = reading.run(document, noun="step")
        for step in run.each(document, "history", time=("metadata", "step_start_time")):
            _tell_step(run, step)
    return reading.loaded()


READER = Reader(
    name="browser-use",
    sniff=sniff,
    read=read,
    title="Histories of browser-use",
    found="what `history.save_to_file` is told to write, by default `AgentHistory.json`",
)


def _tell_step(run: Telling, step: Fields) -> None:
    made, url = step.get("model_output"), text(member(step.get("state"), "url"))
    actions, results = _listed(member(made, "action")), _listed(step.get("result"))
    if text(member(step.get("state"), "screenshot")):
        run.leave_out("screenshot", "screenshots")
    if isinstance(made, dict):
        run.turn()
        run.say("reasoning", "\n".join((*_thoughts(made), *_thoughts(made.get("current_state")))))
        run.use(input=member(step.get("metadata"), "input_tokens"))
    for action, result in zip_longest(actions, results):
        if isinstance(action, dict):
            tool, arguments = _called(action)
            number = run.call(tool, arguments)
            if isinstance(result, dict):
                error = result.get("error")
                content = _with_address(_content(result), url)
                run.result(content, of=number, failed=error is not None, time=member(step, "metadata", "step_end_time"))
        elif isinstance(result, dict) and result.get("error") is not None:
            run.say("error", result["error"])
        if isinstance(result, dict) and result.get("is_done") is True:
            run.facts.outcome = flag(result.get("success"))
            run.facts.output = text(result.get("extracted_content"))


def _thoughts(state: Json) -> list[str]:
    return [thought for key in _THOUGHTS if (thought := text(state.get(key)))] if isinstance(state, dict) else []


def _called(action: Fields) -> tuple[Json, Json]:
    """An action's name and arguments; in some versions the names of all other actions stand beside it, as `null`."""
    for name, arguments in action.items():
        if isinstance(arguments, dict):
            return name, arguments
    given = ((name, arguments) for name, arguments in action.items() if arguments is not None)
    return next(given, (next(iter(action), None), ABSENT))


def _content(result: Fields) -> Json:
    for key in ("error", "extracted_content", "long_term_memory"):
        if result.get(key) is not None:
            return result[key]
    return None


def _with_address(content: Json, url: str | None) -> Json:
    return f"{content}\n[at {url}]" if isinstance(content, str) and content and url else content


def _listed(value: Json) -> list[Json]:
    """A list, or the single thing that older versions write in its place."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]
