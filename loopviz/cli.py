"""The command line: parse, load, judge, print. Scripts depend on its words; see `loopviz --help`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from loopviz import __version__, config
from loopviz.analysis.lines import Question
from loopviz.labelled import Labels
from loopviz.printing import OK, UNUSABLE, Beside, explain, grade
from loopviz.readers import UnknownFormat, reader_named
from loopviz.readers.limits import SETTINGS as LIMIT_SETTINGS
from loopviz.readers.limits import limits_given
from loopviz.refusals import SettingsError
from loopviz.report.export import Export
from loopviz.sweeping import Asked, print_suggestion, print_sweep
from loopviz.tuning.files import LabelsError
from loopviz.writing import write_reports

COMMANDS = ("app", "grade", "explain", "report", "sweep", "suggest")
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the result is the exit status: 0 all passed, 1 one failed, 2 something could not be used."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or (words[0] not in COMMANDS and words[0] not in ("-h", "--help", "--version")):
        words = ["app", *words]
    options = _parser().parse_args(words)
    try:
        limits_given()
    except ValueError as error:
        print(f"loopviz: {error}", file=sys.stderr)
        return UNUSABLE
    try:
        status: int = options.run_command(options)
    except BrokenPipeError:  # whoever read our output has stopped: not our error
        sys.stderr.close()
        return UNUSABLE
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="loopviz",
        description="Shows why an AI agent's run went round in circles, and helps to set the limits that catch it.",
        epilog="loopviz [PATH...] without a command opens the app, with no path on the bundled samples. "
        f"How much is read is bounded by environment variables: {'; '.join(map(str, LIMIT_SETTINGS))}.",
    )
    parser.add_argument("--version", action="version", version=f"loopviz {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_app(commands.add_parser("app", help="open the app"))
    _add_grade(
        commands.add_parser(
            "grade",
            help="judge trajectories without the app",
            epilog="Exit status: 0 all passed; 1 at least one failed; 2 something could not be used, which wins.",
        )
    )
    _add_sweep(commands.add_parser("sweep", help="count every run under every match mode and longest pattern"))
    _add_suggest(
        commands.add_parser(
            "suggest",
            help="find the settings that fit what people said of the runs",
            epilog="Exit status: 0, or 2 when something could not be used.",
        )
    )
    _add_explain(commands.add_parser("explain", help="say in the terminal how a verdict came about"))
    _add_report(
        commands.add_parser(
            "report",
            help="write a run as one HTML file, or many as a folder",
            description="Writes a page that opens from disk: verdict, timeline, calls, settings. Of several runs -o "
            "names a folder, which gets a page a run and a list of them. What is there already is replaced; pages of "
            "an earlier report in that folder that are not written again are removed.",
            epilog="Exit status: 0 all was written, whatever the verdicts; 2 something could not be used, judged or "
            "written. Read what you hand on: masking goes by looks alone.",
        )
    )
    return parser


def _add_app(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders to open; none: the bundled samples")
    parser.add_argument("--port", type=int, metavar="N", help="port to listen on (default: a free one from 8501)")
    parser.add_argument("--host", metavar="ADDRESS", help="address to listen on (default: this computer only)")
    parser.add_argument("--labels", metavar="FILE", help="keep labels in this file, which is made when it is needed")
    _add_read_as(parser)
    parser.set_defaults(run_command=_app)


def _add_grade(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders; - reads standard input")
    _add_read_as(parser)
    _add_settings(parser)
    parser.add_argument(
        "--format", choices=("text", "json", "junit"), default="text", help="how to print (default: text)"
    )
    parser.add_argument(
        "--json", dest="format", action="store_const", const="json", help="one JSON object a line: --format json"
    )
    parser.add_argument("--baseline", metavar="OLD", help="also print the runs on which this config says otherwise")
    parser.add_argument("--labels", metavar="FILE", help="also check the pinned stretches of this label file")
    parser.set_defaults(run_command=_grade)


def _add_sweep(parser: argparse.ArgumentParser) -> None:
    _add_sweeping(parser, "one JSON object a run")
    parser.set_defaults(run_command=_sweep)


def _add_suggest(parser: argparse.ArgumentParser) -> None:
    said = parser.add_mutually_exclusive_group(required=True)
    said.add_argument("--labels", metavar="FILE", help="what people said of the runs")
    said.add_argument(
        "--outcomes", action="store_true", help="how the runs ended stands in for labels: badly for a loop"
    )
    _add_sweeping(parser, "one JSON object")
    parser.set_defaults(run_command=_suggest)


def _add_sweeping(parser: argparse.ArgumentParser, printed: str) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders; - reads standard input")
    _add_read_as(parser)
    _add_tools(parser)
    parser.add_argument("--json", dest="as_json", action="store_true", help=printed)
    parser.add_argument("--no-mask", action="store_true", help="do not mask values that look like secrets")


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs=1, metavar="PATH", help="a file; - reads standard input")
    _add_read_as(parser)
    parser.add_argument("--call", type=int, metavar="N", help="also show this call, counted from 1")
    _add_settings(parser)
    parser.set_defaults(run_command=_explain)


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders; - reads standard input")
    _add_read_as(parser)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE_OR_FOLDER",
        help="a file that ends in .html for one run, else a folder",
    )
    parser.add_argument("--run", metavar="NAME", help="report this run alone")
    parser.add_argument("--note", default="", metavar="TEXT", help="words for the top of the page, as they are")
    parser.add_argument(
        "--redact",
        action="store_true",
        help="leave out arguments, outputs, prompts, messages, reasoning, errors, ids, paths, names of files and of "
        "runs, which are called by their digests (run-5f3a0c1e); names of stimuli, models, tools and graders stay",
    )
    _add_settings(parser)
    parser.set_defaults(run_command=_report)


def _add_read_as(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--read-as",
        type=_format,
        metavar="FORMAT",
        help="read every file as this format, whatever it looks like: a name of the README's table, such as atif",
    )


def _format(name: str) -> str:
    try:
        return reader_named(name).name
    except UnknownFormat as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="a Vally eval spec or a loopviz config")
    parser.add_argument("--max", metavar="N", help="allowed times in a row")
    parser.add_argument("--max-cycle-period", metavar="P", help="longest pattern, 1 to 10")
    parser.add_argument("--match", metavar="M", help="same when: observation, name-args or name")
    _add_tools(parser)
    parser.add_argument("--stimulus", metavar="NAME", help="stimulus of the eval spec, where a run does not say")
    parser.add_argument("--no-mask", action="store_true", help="do not mask values that look like secrets")


def _add_tools(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tool",
        action="append",
        default=[],
        metavar="RE",
        help="watch tools with this pattern in their name; repeatable",
    )
    parser.add_argument("--unknown", choices=("equal", "distinct"), help="what redacted or unrecorded values equal")


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
