"""The words of the command line: sub-commands, their options and what each is for."""

from __future__ import annotations

import argparse
import math

from loopviz import __version__
from loopviz.following_cli import CONDITIONS, IDLE_S
from loopviz.readers import UnknownFormat, reader_named
from loopviz.readers.limits import SETTINGS as LIMIT_SETTINGS


def parser() -> argparse.ArgumentParser:
    """What reads the command line; `command` names the sub-command."""
    whole = argparse.ArgumentParser(
        prog="loopviz",
        description="Shows why an AI agent's run went round in circles, and helps to set the limits that catch it.",
        epilog="loopviz [PATH...] without a command opens the app, with no path on the bundled samples. "
        f"How much is read is bounded by environment variables: {'; '.join(map(str, LIMIT_SETTINGS))}.",
    )
    whole.add_argument("--version", action="version", version=f"loopviz {__version__}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
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
            help="write a run as HTML, Markdown, CSV, JSON or SVG, or many runs as a folder, a table or a summary",
            description="The ending of the file says what is written. .html: a page that opens from disk, with "
            "verdict, timeline, calls, settings. .svg: a plain picture. Both hold one run. .md: of one run a text for "
            "an issue or a pull request, of several a short summary for the page of a CI job. .csv and .json: the "
            "findings, a line or object for each run and grader. A folder gets a page a run and a list of them. What "
            "is there already is replaced; pages of an earlier report in that folder that are not written again are "
            "removed.",
            epilog="Exit status: 0 all was written, whatever the verdicts; 2 something could not be used, judged or "
            "written. Read what you hand on: masking goes by looks alone.",
        )
    )
    _add_follow(
        commands.add_parser(
            "follow",
            help="watch a run that is still being written",
            description="Prints a line when a level of the ladder fires, the thrash detector would stop the run, or a "
            "max-repeat verdict changes. Reads files of lines: sessions of Claude Code, Codex and Copilot, what "
            "`claude -p --output-format stream-json` and `codex exec --json` print, the plain form, and results of "
            "Vally. The run ends by the format's own end event (Codex: the end of a task, unless another has begun; "
            "sessions of Claude Code have none), or after some silence.",
            epilog="Exit status: 1 the condition came true; 0 the run ended without it; 2 something could not be used; "
            "130 ended by Ctrl-C.",
        )
    )
    return whole


def _add_app(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders to open; none: the bundled samples")
    parser.add_argument("--port", type=int, metavar="N", help="port to listen on (default: a free one from 8501)")
    parser.add_argument("--host", metavar="ADDRESS", help="address to listen on (default: this computer only)")
    parser.add_argument("--labels", metavar="FILE", help="keep labels in this file, which is made when it is needed")
    _add_read_as(parser)


def _add_grade(parser: argparse.ArgumentParser) -> None:
    _add_paths(parser)
    _add_settings(parser)
    parser.add_argument(
        "--format", choices=("text", "json", "junit"), default="text", help="how to print (default: text)"
    )
    parser.add_argument(
        "--json", dest="format", action="store_const", const="json", help="one JSON object a line: --format json"
    )
    parser.add_argument("--baseline", metavar="OLD", help="also print the runs on which this config says otherwise")
    parser.add_argument("--labels", metavar="FILE", help="also check the pinned stretches of this label file")


def _add_sweep(parser: argparse.ArgumentParser) -> None:
    _add_sweeping(parser, "one JSON object a run")


def _add_suggest(parser: argparse.ArgumentParser) -> None:
    said = parser.add_mutually_exclusive_group(required=True)
    said.add_argument("--labels", metavar="FILE", help="what people said of the runs")
    said.add_argument(
        "--outcomes", action="store_true", help="how the runs ended stands in for labels: badly for a loop"
    )
    _add_sweeping(parser, "one JSON object")


def _add_sweeping(parser: argparse.ArgumentParser, printed: str) -> None:
    _add_paths(parser)
    _add_tools(parser)
    parser.add_argument("--json", dest="as_json", action="store_true", help=printed)
    parser.add_argument("--no-mask", action="store_true", help="do not mask values that look like secrets")


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs=1, metavar="PATH", help="a file; - reads standard input")
    _add_read_as(parser)
    parser.add_argument("--call", type=int, metavar="N", help="also show this call, counted from 1")
    _add_settings(parser)


def _add_report(parser: argparse.ArgumentParser) -> None:
    _add_paths(parser)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE_OR_FOLDER",
        help="a file that ends in .html, .md, .csv, .json or .svg, or a folder",
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


def _add_follow(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="the file that is being written; it need not be there yet")
    _add_read_as(parser)
    parser.add_argument(
        "--until",
        type=_condition,
        metavar="CONDITION",
        help="end with 1 once this is true: level=1, level=2 or level=3 (a level of the ladder fires), stopped (thrash "
        "would stop the run), fail (a max-repeat grader fails)",
    )
    parser.add_argument(
        "--idle",
        type=_seconds,
        default=IDLE_S,
        metavar="SECONDS",
        help=f"silence after which the run counts as ended (default: {IDLE_S:g}; 0: read what is there)",
    )
    parser.add_argument("--json", dest="as_json", action="store_true", help="one JSON object a line")
    _add_settings(parser)


def _condition(words: str) -> str:
    if words not in CONDITIONS:
        raise argparse.ArgumentTypeError(f"{words!r} is no condition; there are {', '.join(CONDITIONS)}")
    return words


def _seconds(words: str) -> float:
    try:
        seconds = float(words)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{words!r} should be a number of seconds, 0 or more")
    return seconds


def _add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders; - reads standard input")
    _add_read_as(parser)


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
