"""Logs of Inspect, the evaluation tool of the UK AI Security Institute: a `.json` document or an `.eval` archive.

Each sample, in each of its epochs, is a run; `loopviz.readers.inspect_ai.samples` says how it is read. A log without
samples, as `--log-samples` can leave it, holds none.
"""

from __future__ import annotations

from dataclasses import replace

from loopviz.model import Loaded, Problem
from loopviz.readers.archives import is_archive
from loopviz.readers.base import Archive, Head, Opened, Reader
from loopviz.readers.inspect_ai.archive import knows, unpack
from loopviz.readers.inspect_ai.log import Log
from loopviz.readers.inspect_ai.samples import read_sample
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, inside, is_list

UNPACKING = 8
"""The unpacking takes one part in so many of the time that an archive takes."""


def sniff(head: Head) -> float:
    """How surely a file holds a log of Inspect."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    run = inside(record, "eval")
    if "task" not in run or not run.keys() & {"run_id", "created", "model", "task_id"}:
        return 0.0
    return 1.0 if record.keys() & {"status", "version", "plan"} or is_list(record, "samples") else 0.8


def read(file: Opened) -> Loaded:
    """Read the samples of a log."""
    problems: tuple[Problem, ...] = ()
    if is_archive(file.data):
        file, problems = _unpacked(file)
    reading = Reading(file)
    for problem in problems:
        reading.problems.add(problem.where, problem.message)
    for document in reading.documents():
        _read_log(reading, document)
    return reading.loaded()


def _unpacked(file: Opened) -> tuple[Opened, tuple[Problem, ...]]:
    """An archive as the document that it stands for, which still tells how much of the archive is done."""
    advance, packed = file.advance, len(file.data)
    unpacking = packed // UNPACKING
    unpacked = unpack(file.data, file.limits, lambda done: advance(done // UNPACKING))
    size = max(1, len(unpacked.text))
    opened = replace(
        file, data=unpacked.text, advance=lambda done: advance(unpacking + done * (packed - unpacking) // size)
    )
    return opened, unpacked.problems


def _read_log(reading: Reading, document: Node) -> None:
    log = Log.of(document)
    for sample in reading.each(document, "samples", noun="sample"):
        read_sample(reading, sample, log)
    if not document.has_list("samples"):
        message = "This log has no list of samples, so there are no runs in it."
        reading.problems.add(document.where("record"), message)


READER = Reader(
    name="inspect",
    sniff=sniff,
    read=read,
    title="Inspect logs, `.json` and `.eval`",
    found="`logs/<time>_<task>_<id>.eval`",
    archive=Archive(knows=knows, unpack=lambda data, limits: unpack(data, limits).text),
)
