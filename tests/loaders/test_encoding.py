"""Encodings are told apart; what no text holds is removed; binary content is refused."""

import random

import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.encoding import cleaned, decode, read_text

PORTUGUESE = "Relatório de produção: região Norte, março. Ação concluída; não há pendências.\n"
SAMPLES = [
    ("cp1251", "Отчёт о продажах за первый квартал года, северный регион. "),
    ("cp1253", "Έκθεση πωλήσεων για το πρώτο τρίμηνο του έτους. "),
    ("gb18030", "第一季度销售报告，北部地区增长明显。"),
    ("cp1250", "Zażółć gęślą jaźń. Sprawozdanie ze sprzedaży za pierwszy kwartał. "),
]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1", "cp850"]
)
def test_portuguese_in_any_encoding(encoding: str) -> None:
    decoded = decode(PORTUGUESE.encode(encoding), "a.txt")
    assert cleaned(decoded.text)[0] == PORTUGUESE
    assert decoded.warnings == ()


@pytest.mark.parametrize(("encoding", "text"), SAMPLES)
def test_other_scripts(encoding: str, text: str) -> None:
    assert decode((text * 5).encode(encoding), "a.txt").text == text * 5


def test_western_text_is_cp1252_every_time() -> None:
    assert {decode(PORTUGUESE.encode("cp1252") * n, "a.txt").encoding for n in range(1, 20)} == {"cp1252"}


def test_bytes_that_cp1252_lacks_are_latin1() -> None:
    assert decode(PORTUGUESE.encode("latin-1") + b"\x81", "a.txt").encoding == "latin-1"


def test_a_broken_byte_in_utf8_is_replaced_with_a_warning() -> None:
    decoded = decode(PORTUGUESE.encode() * 3 + b"\xff fim", "a.txt")
    assert decoded.encoding == "utf-8"
    assert decoded.text.endswith("\ufffd fim")
    assert decoded.warnings == ("1 place that can't be read as UTF-8 replaced.",)


def test_nul_surrogates_and_controls_are_removed_with_a_warning() -> None:
    text, warnings = cleaned("a\x00b\ud800c\x1b[31md\x00")
    assert text == "abc[31md"
    assert warnings == ("2 NUL characters removed.", "1 surrogate character removed.", "1 control character removed.")


def test_surrogate_pairs_become_their_character() -> None:
    assert cleaned("a\ud83d\ude00b") == ("a😀b", ())


def test_surrogates_written_as_utf8_bytes() -> None:
    assert cleaned(decode(b"ab \xed\xa0\x80 cd", "a.txt").text)[0] == "ab  cd"


def test_newlines_and_a_second_byte_order_mark() -> None:
    assert cleaned("\ufeffa\r\nb\rc\x85d\x0ce\n") == ("a\nb\nc\nd\ne\n", ())


@pytest.mark.parametrize(
    "content", [random.Random(1).randbytes(5000), b"PK\x03\x04rest", b"%PDF-1.7 x", b"\x00" * 500, b"\x89PNG\r\n\x1a\n"]
)
def test_binary_content_is_refused(content: bytes) -> None:
    with pytest.raises(LoadError, match=r"sales\.csv: binary file"):
        decode(content, "sales.csv")


def test_a_file_that_cannot_be_read(tmp_path) -> None:
    with pytest.raises(LoadError, match=r"gone\.txt: can't be read"):
        read_text(tmp_path / "gone.txt")
