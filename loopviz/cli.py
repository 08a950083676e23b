"""The command line: parse, load, judge, print. Scripts depend on its words; see `loopviz --help`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from loopviz import config
from loopviz.analysis.lines import Question
from loopviz.following_cli import Following, follow
from loopviz.labelled import Labels
from loopviz.options import parser
from loopviz.printing import Beside, explain, grade
from loopviz.readers.limits import limits_given
from loopviz.refusals import SettingsError
from loopviz.report.export import Export
from loopviz.status import OK, UNUSABLE
from loopviz.sweeping import Asked, print_suggestion, print_sweep
from loopviz.tuning.files import LabelsError
from loopviz.writing import write_reports

__all__ = ["COMMANDS", "OK", "UNUSABLE", "main"]

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the result is the exit status: 0 all passed, 1 one failed, 2 something could not be used."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or (words[0] not in COMMANDS and words[0] not in ("-h", "--help", "--version")):
        words = ["app", *words]
    options = parser().parse_args(words)
    try:
        limits_given()
    except ValueError as error:
        print(f"loopviz: {error}", file=sys.stderr)
        return UNUSABLE
    try:
        status: int = COMMANDS[options.command](options)
    except BrokenPipeError:  # whoever read our output has stopped: not our error
        sys.stderr.close()
        return UNUSABLE
    return status


def _app(options: argparse.Namespace) -> int:
    from loopviz.ui import launch  # Streamlit takes a second to import, which the other commands need not wait for

    missing = [path for path in options.paths if not Path(path).exists()]
    if missing:
        print(f"loopviz: {missing[0]}: there is no such file or folder.", file=sys.stderr)
        return UNUSABLE
    launch.run(options.paths, options.port, options.host, options.read_as, options.labels)
    return OK


def _grade(options: argparse.Namespace) -> int:
    question = _question(options)
    if question is None:
        return UNUSABLE
    labels, old = _labels(options.labels), _read_config(options.baseline) if options.baseline else None
    if (options.labels and labels is None) or (options.baseline and old is None):
        return UNUSABLE
    baseline = Question(config=old, stimulus=options.stimulus, unknown=options.unknown) if old else None
    return grade(
        options.paths,
        question,
        options.format,
        masked=not options.no_mask,
        read_as=options.read_as,
        beside=Beside(baseline=baseline, labels=labels),
    )


def _sweep(options: argparse.Namespace) -> int:
    asked = _asked(options)
    return UNUSABLE if asked is None else print_sweep(asked)


def _suggest(options: argparse.Namespace) -> int:
    asked, labels = _asked(options), _labels(options.labels)
    if asked is None or (options.labels and labels is None):
        return UNUSABLE
    return print_suggestion(asked, labels)


def _asked(options: argparse.Namespace) -> Asked | None:
    """What `sweep` and `suggest` are asked, or None when a pattern is refused, which is said."""
    try:
        tools = config.read_overrides(tools=options.tool).tools
    except SettingsError as error:
        print(f"loopviz: {error}", file=sys.stderr)
        return None
    return Asked(
        paths=options.paths,
        tools=tools,
        unknown=options.unknown or "equal",
        as_json=options.as_json,
        masked=not options.no_mask,
        read_as=options.read_as,
    )


def _labels(path: str | None) -> Labels | None:
    """A label file; None where none is asked for, or it cannot be read, which is said."""
    if path is None:
        return None
    if not Path(path).exists():
        print(f"loopviz: {path}: there is no such label file.", file=sys.stderr)
        return None
    try:
        return Labels(Path(path))
    except LabelsError as error:
        print(f"loopviz: {error}", file=sys.stderr)
        return None


def _explain(options: argparse.Namespace) -> int:
    question = _question(options)
    if question is None:
        return UNUSABLE
    call = None if options.call is None else options.call - 1
    return explain(options.paths[0], question, call, masked=not options.no_mask, read_as=options.read_as)


def _report(options: argparse.Namespace) -> int:
    question = _question(options)
    if question is None:
        return UNUSABLE
    export = Export(date=date.today(), redact=options.redact, masked=not options.no_mask, note=options.note)
    return write_reports(options.paths, options.output, question, export, run=options.run, read_as=options.read_as)


def _follow(options: argparse.Namespace) -> int:
    question = _question(options)
    if question is None:
        return UNUSABLE
    return follow(
        Following(
            path=options.path,
            question=question,
            until=options.until,
            idle_s=options.idle,
            as_json=options.as_json,
            masked=not options.no_mask,
            read_as=options.read_as,
        )
    )


def _question(options: argparse.Namespace) -> Question | None:
    """What the options ask, or None when a setting or the config is refused, which is said."""
    try:
        overrides = config.read_overrides(
            max=_number(options.max),
            max_cycle_period=_number(options.max_cycle_period),
            match=options.match,
            tools=options.tool,
        )
    except SettingsError as error:
        print(f"loopviz: {error}", file=sys.stderr)
        return None
    chosen = _read_config(options.config) if options.config else None
    if options.config and chosen is None:
        return None
    return Question(config=chosen, overrides=overrides, stimulus=options.stimulus, unknown=options.unknown)


def _read_config(path: str) -> config.Config | None:
    """A config, or None when it is refused, which is said."""
    try:
        chosen = config.read_file(Path(path))
    except (SettingsError, config.ConfigError) as error:
        print(f"loopviz: {error}", file=sys.stderr)
        return None
    for note in chosen.notes:
        print(f"loopviz: note: {note}", file=sys.stderr)
    return chosen


def _number(text: str | None) -> int | float | str | None:
    """A number as JSON spells it, or the text itself, whose refusal then names it."""
    if text is None or not _JSON_NUMBER.fullmatch(text):
        return text
    number = float(text)
    return int(number) if number.is_integer() else number


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "app": _app,
    "grade": _grade,
    "explain": _explain,
    "report": _report,
    "sweep": _sweep,
    "suggest": _suggest,
    "follow": _follow,
}
