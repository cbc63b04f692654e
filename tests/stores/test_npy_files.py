"""A damaged NumPy file is none, whatever its damage makes of the header."""

import struct
from pathlib import Path

import numpy as np
import pytest

from polyrag_cli.stores.npy_files import mapped


def _with_header(header: str, body: bytes = bytes(64)) -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body


def _described(descr: str = "'<f4'", shape: str = "(4, 4)") -> str:
    return f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n"


def test_an_array_is_mapped(tmp_path: Path) -> None:
    array = np.arange(16, dtype="<f4").reshape(4, 4)
    np.save(tmp_path / "a.npy", array)
    found = mapped(tmp_path / "a.npy", "<f4", axes=2)
    assert isinstance(found, np.memmap)
    assert np.array_equal(found, array)
    assert mapped(tmp_path / "none.npy", "<f4", axes=2) is None
    assert mapped(tmp_path, "<f4", axes=2) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        b"PK\x03\x04 the beginning of an archive",
        b"\x80\x04N.",
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
        _with_header("(" * 9000),
        _with_header("\0" * 64),
        _with_header(_described(shape="(99999999999999999999999999, 4)")),
        _with_header(_described(shape="(99999999999, 4)")),
        _with_header(_described(shape="(-1, 4)")),
        _with_header(_described(shape="(16,)")),
        _with_header(_described(descr="'>f4'")),
        _with_header(_described(descr="'O'")),
        _with_header(_described(descr="[" * 3000 + "]" * 3000)),
        _with_header(_described(), bytes(63)),
    ],
    ids=range(15),
)
def test_anything_else_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.npy").write_bytes(content)
    assert mapped(tmp_path / "a.npy", "<f4", axes=2) is None
