"""Packing files for the tests, in every way that is read."""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
from collections.abc import Callable, Mapping
from functools import partial

if sys.version_info >= (3, 14):
    import zipfile

    from compression import zstd
else:
    from backports import zstd
    from backports.zstd import zipfile

from loopviz.readers.base import Beside
from loopviz.readers.beside import Tree

Files = Mapping[str, bytes]


def in_memory(files: Files | None, path: str = "") -> Beside:
    """Files that lie beside the one at `path`, or beside a file in no folder."""
    return Tree({name: partial(bytes, data) for name, data in (files or {}).items()}).beside(path)


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return file.getvalue()


def tarred(files: Files, format: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar archive."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


def tarred_special(files: Files, name: str, kind: bytes, target: str = "") -> bytes:
    """A tar archive that holds also a link or a device."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        special = tarfile.TarInfo(name)
        special.type, special.linkname = kind, target
        archive.addfile(special)
        for own, data in files.items():
            member = tarfile.TarInfo(own)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


ARCHIVES: Mapping[str, Callable[[Files], bytes]] = {
    "zip": zipped,
    "zip with Zstandard": lambda files: zipped(files, zipfile.ZIP_ZSTANDARD),
    "stored zip": lambda files: zipped(files, zipfile.ZIP_STORED),
    "tar": tarred,
    "tar.gz": lambda files: gzip.compress(tarred(files)),
    "tar.zst": lambda files: zstd.compress(tarred(files)),
    "GNU tar": lambda files: tarred(files, tarfile.GNU_FORMAT),
    "ustar": lambda files: tarred(files, tarfile.USTAR_FORMAT),
}
COMPRESSED: Mapping[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "gz in two members": lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:]),
    "zst": zstd.compress,
    "zst in two frames": lambda data: zstd.compress(data[:9]) + zstd.compress(data[9:]),
    "zst behind a frame to skip": lambda data: b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc" + zstd.compress(data),
}
