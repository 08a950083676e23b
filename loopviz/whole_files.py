"""Files that are written as a whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from loopviz.replacing import replace_file


def write_whole(path: Path, text: str) -> None:
    """Write a file as a whole: whoever reads it meanwhile sees the old one, and a failure leaves that in place.

    Where a link stands, what it leads to is written.

    Raises:
        OSError: if it cannot be written; its file is the one that was asked for.
    """
    try:
        Path(os.path.realpath(path)).parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, lambda file: file.write(text.encode()), durable=False)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
