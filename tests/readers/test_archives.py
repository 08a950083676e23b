"""Zip archives in memory: sound ones, ones that were cut off or spoilt, and ones that mean harm."""

from __future__ import annotations

import io
import struct
import sys
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.readers.archives import Member, is_archive, members, names
from loopviz.readers.limits import Limits

if sys.version_info >= (3, 14):
    import zipfile
else:
    from backports.zstd import zipfile

METHODS = [
    pytest.param(zipfile.ZIP_STORED, id="stored"),
    pytest.param(zipfile.ZIP_DEFLATED, id="deflate"),
    pytest.param(zipfile.ZIP_ZSTANDARD, id="Zstandard"),
]
FILES = {"a.txt": b"one", "empty": b"", "big/b.json": bytes(range(256)) * 20_000, "c": b"0" * 3_000_000}


class Pipe(io.RawIOBase):
    """Takes what is written and cannot go back, so that sizes follow behind each member."""

    def __init__(self) -> None:
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        self.data += bytes(data)  # type: ignore[call-overload]
        return len(bytes(data))  # type: ignore[call-overload]


def pack(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED, **options: bool) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in files.items():
            with archive.open(name, "w", **options) as member:
                member.write(data)
    return file.getvalue()


def unpack(data: bytes, limits: Limits | None = None) -> list[Member]:
    return list(members(data, lambda _: True, limits or Limits()))


def contents(data: bytes) -> dict[str, bytes]:
    return {member.name: member.data for member in unpack(data)}


@pytest.mark.parametrize("method", METHODS)
def test_members(method: int) -> None:
    data = pack(FILES, method)
    assert is_archive(data)
    assert names(data) == FILES.keys()
    assert contents(data) == FILES
    assert not any(member.fault for member in unpack(data))


@pytest.mark.parametrize("method", METHODS)
def test_sizes_in_64_bits(method: int) -> None:
    assert contents(pack(FILES, method, force_zip64=True)) == FILES


@pytest.mark.parametrize("method", METHODS[1:])
def test_sizes_that_follow_the_member(method: int) -> None:
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", method) as archive:
        for name, data in FILES.items():
            archive.writestr(name, data)
    assert contents(pipe.data) == FILES
    assert not any(member.fault for member in unpack(pipe.data))


def test_only_what_is_wanted_is_unpacked() -> None:
    assert [member.name for member in members(pack(FILES), lambda name: name == "c", Limits())] == ["c"]


@pytest.mark.parametrize("method", METHODS)
def test_an_archive_that_is_cut_off_gives_what_is_before(method: int) -> None:
    data = pack({"a": b"one" * 1000, "b": bytes(range(256)) * 5_000}, method)
    whole = contents(data)
    for cut in (len(data) * part // 10 for part in range(1, 10)):
        for member in unpack(data[:cut]):
            assert whole[member.name].startswith(member.data)
            assert member.is_cut == (member.data != whole[member.name])
            assert bool(member.fault) == member.is_cut


@pytest.mark.parametrize("method", METHODS)
def test_damage_is_noticed(method: int) -> None:
    data = pack({"a": bytes(range(256)) * 5_000, "b": b"two"}, method)
    spoilt = bytearray(data)
    middle = data.index(b"PK\x03\x04", 4) // 2
    spoilt[middle : middle + 8] = bytes(8)
    one, two = unpack(bytes(spoilt))
    assert "damaged" in one.fault
    assert (two.data, two.fault) == (b"two", "")


ODD = [
    pytest.param(6, struct.pack("<H", 1), "is encrypted", id="encrypted"),
    pytest.param(8, struct.pack("<H", 14), "method 14", id="another method"),
]


@pytest.mark.parametrize(("at", "value", "expected"), ODD)
def test_what_cannot_be_unpacked_is_said(at: int, value: bytes, expected: str) -> None:
    data = pack({"a": b"one"})
    (member,) = unpack(data[:at] + value + data[at + len(value) :])
    assert (member.data, expected in member.fault) == (b"", True)


@pytest.mark.parametrize("method", METHODS)
def test_unpacking_stops_at_the_limit(method: int) -> None:
    found = unpack(pack({"a": b"1" * 10, "bomb": bytes(1 << 24), "c": b"2"}, method), Limits(size=1 << 16))
    assert [member.name for member in found] == ["a", ""]
    assert found[-1].fault == (
        "The archive unpacks to more than 65,536 bytes; the rest is left out. "
        "Set the environment variable LOOPVIZ_MAX_UNPACKED to raise this limit."
    )


def test_members_beyond_the_limit_are_passed_over() -> None:
    found = unpack(pack({str(number): b"x" for number in range(20)}), Limits(members=5))
    assert [member.name for member in found] == ["0", "1", "2", "3", "4", ""]
    assert "more than 5 members" in found[-1].fault


def test_names_that_lead_out_are_only_names() -> None:
    assert set(contents(pack({"../../a": b"1", "/etc/passwd": b"2"}))) == {"../../a", "/etc/passwd"}


NONE = [b"", b"PK", b"PK\x03\x04", b"PK\x03\x04" + bytes(26), b"PK\x03\x04" + b"\xff" * 40, b"PK\x03\x04" * 20]


@pytest.mark.parametrize("data", NONE)
def test_bytes_that_are_no_archive(data: bytes) -> None:
    assert all(not member.data for member in unpack(data))


@given(data=st.data(), method=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_ZSTANDARD]))
def test_survives_any_damage(data: st.DataObject, method: int) -> None:
    sound = pack({"a": b"one" * 50, "b": bytes(range(256)), "c": b""}, method)
    at = data.draw(st.integers(0, len(sound)), label="at")
    length = data.draw(st.integers(0, 40), label="length")
    junk = data.draw(st.binary(max_size=12), label="junk")
    spoilt = sound[:at] + junk + sound[at + length :]
    assert sum(len(member.data) for member in unpack(spoilt, Limits(size=10_000))) <= 10_000
    names(spoilt)
