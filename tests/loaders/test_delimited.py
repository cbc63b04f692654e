"""Delimited files: dialect, quoting, encodings and damaged input."""

from pathlib import Path

import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders import delimited_rows
from polyrag_cli.loaders.delimited import DelimitedLoader
from polyrag_cli.loaders.delimited_rows import detect_dialect
from polyrag_cli.types import RawTable


def load(path: Path, content: str | bytes) -> RawTable:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (document,) = DelimitedLoader().load(path)
    assert document.blocks == ()
    (table,) = document.tables
    return table


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(delimiter: str) -> None:
    lines = ["name", "city", "amount"], ["Ana", "Évora", "10.5"], ["Rui", "Faro", "7.0"]
    assert detect_dialect("\n".join(delimiter.join(line) for line in lines)).delimiter == delimiter


def test_decimal_commas_do_not_make_commas_the_delimiter(tmp_path: Path) -> None:
    table = load(tmp_path / "a.csv", "produto;valor;taxa\ncabo;1,5;2,25\nplaca;20,75;3,5\n")
    assert table.rows == (("produto", "valor", "taxa"), ("cabo", "1,5", "2,25"), ("placa", "20,75", "3,5"))
    assert table.name == "a"


def test_quotes_hold_delimiters_newlines_and_doubled_quotes(tmp_path: Path) -> None:
    table = load(tmp_path / "a.csv", 'id,note\n1,"a, b"\n2,"two\nlines"\n3,"say ""hi"""\n')
    assert table.rows[1:] == (("1", "a, b"), ("2", "two\nlines"), ("3", 'say "hi"'))


def test_single_quotes_and_backslashes(tmp_path: Path) -> None:
    table = load(tmp_path / "a.csv", "id;note\n1;'a; b'\n2;'c; d'\n3;'e; f'\n")
    assert table.rows[1:] == (("1", "a; b"), ("2", "c; d"), ("3", "e; f"))
    table = load(tmp_path / "b.csv", 'id,note\n1,"say \\"hi\\", twice"\n2,"x"\n')
    assert table.rows[1] == ("1", 'say "hi", twice')


def test_declared_separator_wins(tmp_path: Path) -> None:
    assert load(tmp_path / "a.csv", "sep=;\na;b\n1;2\n").rows == (("a", "b"), ("1", "2"))


def test_a_single_column(tmp_path: Path) -> None:
    assert load(tmp_path / "a.csv", "name\nAna\nRui\n").rows == (("name",), ("Ana",), ("Rui",))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = "região;produção;situação\nNorte;12;não iniciada\nSão João;13;concluída\n"
    assert load(tmp_path / "a.csv", text.encode(encoding)).rows[0] == ("região", "produção", "situação")


def test_a_column_named_select_and_duplicate_headers_stay_as_they_are(tmp_path: Path) -> None:
    table = load(tmp_path / "a.csv", "select,from,from\n1,2,3\n4,5,6\n")
    assert table.has_header
    assert table.rows[0] == ("select", "from", "from")


def test_nul_bytes_and_ragged_rows_are_repaired_with_warnings(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b,c\n1,2\x00,3\n4,5\n6,7,8\n")
    (document,) = DelimitedLoader().load(path)
    assert document.tables[0].rows == (("a", "b", "c"), ("1", "2", "3"), ("4", "5", ""), ("6", "7", "8"))
    assert document.warnings == ("1 NUL character removed.", "1 row with too few cells filled up to 3.")


def test_nul_as_the_escape_of_a_quote(tmp_path: Path) -> None:
    table = load(tmp_path / "a.csv", b'a,b\n1,"say \x00"hi\x00", twice"\n2,x\n')
    assert table.rows[1] == ("1", 'say "hi", twice')


def test_no_header(tmp_path: Path) -> None:
    table = load(tmp_path / "a.csv", "2026-01-05,10\n2026-01-06,12\n")
    assert not table.has_header
    assert len(table.rows) == 2


def test_a_quote_that_is_never_closed_does_not_swallow_the_rest(tmp_path: Path) -> None:
    rows = "".join(f"{number},name {number}\n" for number in range(200))
    table = load(tmp_path / "a.csv", f'id,name\n0,"open\n{rows}')
    assert len(table.rows) == 202
    assert table.rows[-1] == ("199", "name 199")


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ('"2,oak,"tall, old",9', ('"2', "oak", "tall, old", "9")),
        ('2,""oak",tall,9', ("2", '"oak', "tall", "9")),
        ('2,oak,"tall" and old,9', ("2", "oak", '"tall" and old', "9")),
        ('2,oak,"so "tall" it is",9', ("2", "oak", 'so "tall" it is', "9")),
        ('2,oak,"5" wide",9', ("2", "oak", '5" wide', "9")),
        ('2,"5" oak"",tall,9', ("2", '5" oak"', "tall", "9")),
        ('2,oak,"tall"9', ("2", "oak", "tall", "9")),
        ('2;oak;"tall, old";9', ("2", "oak", "tall, old", "9")),
        ('2 oak "tall, old" 9', ("2", "oak", "tall, old", "9")),
    ],
)
def test_a_damaged_line_is_read_as_its_writer_meant_it(tmp_path: Path, line: str, cells: tuple[str, ...]) -> None:
    others = [f'{number},elm,"wide, young",{number}' for number in range(3, 9)]
    table = load(tmp_path / "a.csv", "\n".join(["no,tree,look,age", line, *others]))
    assert table.rows[1] == cells
    assert [row[0] for row in table.rows[2:]] == [str(number) for number in range(3, 9)]


def test_newlines_inside_a_cell_are_kept_as_they_are(tmp_path: Path) -> None:
    table = load(tmp_path / "a.csv", b'no,note\r\n1,"one\r\ntwo"\r\n2, b \r\n')
    assert table.rows[1:] == (("1", "one\r\ntwo"), ("2", " b "))


def test_a_backslash_before_a_closing_quote_may_be_no_escape(tmp_path: Path) -> None:
    table = load(tmp_path / "a.csv", 'name,path,mm\na,"c:\\new\\",3\nb,"c:\\old\\",4\nc,"d:\\",5\n')
    assert [row[1] for row in table.rows] == ["path", "c:\\new\\", "c:\\old\\", "d:\\"]


@pytest.mark.parametrize("delimiter", ["^", "~", ":", " "])
def test_rare_delimiters_are_found_where_they_cut_every_row_alike(tmp_path: Path, delimiter: str) -> None:
    lines = (("site", "depth", "flow"), ("A", "3", "7.5"), ("B", "4", "8.1"), ("C", "9", "2.2"), ("D", "1", "2.0"))
    assert load(tmp_path / "a.csv", "\n".join(map(delimiter.join, lines))).rows == lines


@pytest.mark.parametrize("cell", ["10:30:15", "2026-01-05 10:30", "oak tree", "Elm Road 12", "a:b"])
def test_spaces_and_colons_inside_a_single_column_cut_nothing(tmp_path: Path, cell: str) -> None:
    assert load(tmp_path / "a.csv", "\n".join(["what", *[cell] * 3, "ash"])).rows[1] == (cell,)
    assert load(tmp_path / "a.csv", "\n".join([cell] * 5)).rows[1] == (cell,)


def test_several_tables_of_a_file_are_named(tmp_path: Path) -> None:
    path = tmp_path / "farm.csv"
    path.write_text("Field,Yield\nEast,4\nWest,6\n\nAnimals\nKind,Count\nHen,2\nGoat,3\n")
    (document,) = DelimitedLoader().load(path)
    assert [(table.name, table.heading) for table in document.tables] == [("farm", ""), ("Animals", "Animals")]


def test_nothing_to_read(tmp_path: Path) -> None:
    for content in (b"", b"\n \n", b"\xef\xbb\xbf"):
        path = tmp_path / "a.csv"
        path.write_bytes(content)
        assert DelimitedLoader().load(path) == ()


def test_binary_content_named_csv(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    with pytest.raises(LoadError, match="binary file"):
        DelimitedLoader().load(path)


def test_an_endless_cell_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited_rows, "MAX_FIELD", 1000)
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1," + "x" * 2000 + "\n")
    with pytest.raises(LoadError, match=r"a\.csv: no table can be read"):
        DelimitedLoader().load(path)
