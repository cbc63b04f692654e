from __future__ import annotations

from polyrag_cli.nl2sql.cells import CellWords, ValueRef
from polyrag_cli.nl2sql.lexicon import every_language
from polyrag_cli.text.stem import all_stems

CELLS = CellWords(
    [(0, "Refletor de palco"), (1, "remota"), (1, "infantil"), (2, "não entregue"), (2, "norte"), (3, "a b " * 8)],
    every_language(),
)


def asked(*words: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(word, all_stems(word)) for word in words]


def test_whole_cells_with_and_without_function_words() -> None:
    assert CELLS.whole["refletor", "de", "palco"] == [ValueRef(0, "Refletor de palco")]
    assert CELLS.whole["refletor", "palco"] == [ValueRef(0, "Refletor de palco")]
    assert CELLS.starts["refletor"] == 3


def test_names_of_the_compass_in_both_languages() -> None:
    assert CELLS.whole["north",] == [ValueRef(2, "norte")]


def test_inflections() -> None:
    assert CELLS.inflected(asked("remotos")) == [ValueRef(1, "remota")]
    assert CELLS.inflected(asked("infantis")) == [ValueRef(1, "infantil")]
    assert CELLS.inflected(asked("refletores", "palcos")) == [ValueRef(0, "Refletor de palco")]
    assert CELLS.inflected(asked("removidos")) == []
    assert CELLS.inflected([]) == []


def test_a_cell_that_denies_is_met_only_whole() -> None:
    assert CELLS.whole["nao", "entregue"] == [ValueRef(2, "não entregue")]
    assert CELLS.inflected(asked("entregues")) == []
    assert "entregue" not in CELLS.parts


def test_prose_is_no_name() -> None:
    assert all(ref.position != 3 for ref in CELLS.words)
