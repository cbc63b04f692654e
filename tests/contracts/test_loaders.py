"""What every registered loader must hold."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import openpyxl
import pyarrow
import pytest
from pyarrow import feather

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.base import Loader
from polyrag_cli.registry import LOADER_SUFFIXES, names, resolve
from polyrag_cli.types import LoadedDocument


def _text(content: str) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(content.encode())


def _workbook(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["pier", "boats"])  # type: ignore[union-attr]
    book.active.append(["Norte", 3])  # type: ignore[union-attr]
    book.save(path)


def _sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE piers (pier TEXT, boats INTEGER)")
        connection.execute("INSERT INTO piers VALUES ('Norte', 3)")


def _parquet(path: Path) -> None:
    duckdb.sql("SELECT 'Norte' AS pier, 3 AS boats").write_parquet(str(path))


def _feather(path: Path) -> None:
    feather.write_feather(pyarrow.table({"pier": ["Norte"], "boats": [3]}), str(path))


SAMPLES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "markdown": (".md", _text("# Cais\n\nO cais é antigo. 🚢\n\n| pier | boats |\n|---|---|\n| Norte | 3 |\n")),
    "html": (
        ".html",
        _text("<h1>Cais</h1><p>O cais é antigo. 🚢<table><tr><th>pier<th>boats<tr><td>Norte<td>3</table>"),
    ),
    "text": (".txt", _text("O cais é antigo. 🚢\n\nEle tem três píeres.\n")),
    "delimited": (".csv", _text("pier;boats\nNorte;3\nSul;4\n")),
    "spreadsheet": (".xlsx", _workbook),
    "database": (".sqlite", _sqlite),
    "parquet": (".parquet", _parquet),
    "arrow": (".feather", _feather),
    "json": (".json", _text('[{"pier": "Norte", "boats": 3}]')),
    "jsonl": (".jsonl", _text('{"id": 1, "title": "Cais", "text": "O cais é antigo. 🚢"}\n')),
}


@pytest.fixture(params=names("loader"))
def kind(request: pytest.FixtureRequest) -> str:
    """Each registered loader's name; one without a sample fails here."""
    assert request.param in SAMPLES, f"{request.param}: add a sample file"
    return str(request.param)


@pytest.fixture
def loader(kind: str) -> Loader:
    made: Loader = resolve("loader", kind)()
    return made


def written(kind: str, folder: Path) -> Path:
    suffix, write = SAMPLES[kind]
    path = folder / f"um arquivo{suffix}"
    write(path)
    return path


def test_the_name_and_a_suffix_lead_to_it(kind: str, loader: Loader) -> None:
    assert loader.name == kind and loader.version
    assert LOADER_SUFFIXES[SAMPLES[kind][0]] == kind


def test_blocks_and_tables_stand_where_they_say(kind: str, loader: Loader, tmp_path: Path) -> None:
    documents = loader.load(written(kind, tmp_path))
    assert documents and all(isinstance(document, LoadedDocument) for document in documents)
    for document in documents:
        assert document.text.strip() or document.tables
        assert "\r" not in document.text and "\x00" not in document.text
        ends = [0, *(block.end for block in document.blocks)]
        for before, block in zip(ends, document.blocks, strict=False):
            assert before <= block.start < block.end <= len(document.text)
            assert document.text[block.start : block.end].strip()
        for table in document.tables:
            assert 0 <= table.start <= table.end <= len(document.text)
            assert len({len(row) for row in table.rows}) == 1


def test_reading_twice_gives_the_same(kind: str, loader: Loader, tmp_path: Path) -> None:
    path = written(kind, tmp_path)
    assert loader.load(path) == resolve("loader", kind)().load(path)


def test_an_empty_file_has_no_documents(kind: str, loader: Loader, tmp_path: Path) -> None:
    path = tmp_path / f"empty{SAMPLES[kind][0]}"
    path.touch()
    assert loader.load(path) == ()


@pytest.mark.parametrize("content", [b"\x7fELF\x02\x01\x01\x00" + bytes(64), bytes(range(256)) * 8])
def test_what_is_no_such_file_is_refused_by_name(kind: str, loader: Loader, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / f"binary{SAMPLES[kind][0]}"
    path.write_bytes(content)
    with pytest.raises(LoadError, match="binary"):
        loader.load(path)


def test_a_missing_file_is_a_load_error(kind: str, loader: Loader, tmp_path: Path) -> None:
    with pytest.raises(LoadError):
        loader.load(tmp_path / f"gone{SAMPLES[kind][0]}")
