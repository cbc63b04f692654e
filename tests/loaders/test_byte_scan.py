from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders import byte_scan
from polyrag_cli.loaders.byte_scan import ByteScan, scanned


@pytest.fixture(params=[1, 2, 3, 1 << 20])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked for may lie across blocks of any length."""
    monkeypatch.setattr(byte_scan, "_BLOCK", request.param)


def scan(tmp_path: Path, data: bytes, delimiter: str = ",") -> ByteScan:
    path = tmp_path / "a.csv"
    path.write_bytes(data)
    return scanned(path, delimiter)


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize(
    ("data", "lines", "empty"),
    [
        (b"", 0, False),
        (b"a,b\n1,2\n", 2, False),
        (b"a,b\r\n1,2", 2, False),
        (b"a,b\n1,2\n\n\n", 2, False),
        (b"a,b\r\n1,2\r\n\r\n", 2, False),
        (b"a,b\n\n1,2\n", 3, True),
        (b"a,b\r\n\r\n1,2\r\n", 3, True),
        (b"a\n\n\n\nb", 5, True),
    ],
)
def test_lines_are_counted_up_to_the_last_that_holds_anything(
    tmp_path: Path, data: bytes, lines: int, empty: bool
) -> None:
    found = scan(tmp_path, data)
    assert (found.lines, found.empty_lines) == (lines, empty)
    assert found.digest == hashlib.sha256(data).hexdigest()


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("text", ["a\x00b", "a\x1fb", "a\x7fb", "\x80", "x\x85y", "a\x9f"])
def test_characters_that_texts_lose_are_seen(tmp_path: Path, text: str) -> None:
    assert scan(tmp_path, f"é,à\n{text},1\n".encode()).controls


@pytest.mark.usefixtures("block")
def test_other_characters_are_none_of_these(tmp_path: Path) -> None:
    found = scan(tmp_path, "Äpfel, «ß»\t€ 5,ação\r\n日本,ª º\x0b\x0c\n".encode(), "\t")
    assert not found.controls
    assert not scan(tmp_path, "Äpfel,«ß»\t€ 5\r\n日本,ª º\n".encode(), "\t").odd_spaces


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("space", "\t\x0b\x0c\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000")
def test_every_kind_of_white_space_is_seen(tmp_path: Path, space: str) -> None:
    assert scan(tmp_path, f"a,b{space}c\n".encode()).odd_spaces


def test_a_file_that_is_gone_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"gone\.csv: can't be read"):
        scanned(tmp_path / "gone.csv", ",")
