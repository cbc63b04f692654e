"""JSON Lines: files of documents, tables, and lines that are neither."""

from pathlib import Path

import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.jsonl import JSONLLoader


def load(tmp_path: Path, content: str):
    path = tmp_path / "a.jsonl"
    path.write_text(content, encoding="utf-8")
    return JSONLLoader().load(path)


def test_records_with_text_are_documents(tmp_path: Path) -> None:
    documents = load(
        tmp_path, '{"id": 7, "title": "A  b", "text": "One.\\r\\n\\r\\nTwo."}\n\n{"text": "x"}\n{"id":"k","text":" "}'
    )
    assert [(item.key, item.title, item.text) for item in documents] == [("7", "A b", "One.\n\nTwo."), ("3", "", "x")]
    assert [documents[0].text[block.start : block.end] for block in documents[0].blocks] == ["One.", "Two."]


def test_ids_that_repeat_are_told_apart(tmp_path: Path) -> None:
    documents = load(tmp_path, "\n".join('{"id": "a", "text": "x"}' for _ in range(3)))
    assert [item.key for item in documents] == ["a", "a~2", "a~3"]
    assert documents[1].warnings == ("The id a stands in 2 lines.",)


def test_other_records_are_a_table_with_flattened_keys(tmp_path: Path) -> None:
    (document,) = load(tmp_path, '{"a": 1.50, "b": {"c": true, "d": {"e": null}}}\n{"f": [1, "x"], "a": "y"}')
    (table,) = document.tables
    assert document.blocks == ()
    assert table.name == "a"
    assert table.rows == (("a", "b.c", "b.d.e", "f"), ("1.5", "true", "", ""), ("y", "", "", '[1, "x"]'))


def test_one_record_without_text_makes_it_a_table(tmp_path: Path) -> None:
    (document,) = load(tmp_path, '{"text": "x"}\n{"text": 3}')
    assert document.tables[0].rows == (("text",), ("x",), ("3",))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ('{"a": ', "line 2: not JSON"),
        ("[1]", "line 2: not a JSON object"),
        ("[" * 100_000, "line 2: not JSON"),
        ('{"a": ' + "9" * 5000 + "}", "line 2: not JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, bad: str, message: str) -> None:
    with pytest.raises(LoadError, match=message):
        load(tmp_path, f'{{"a": 1}}\n{bad}\n')


def test_surrogates_line_separators_and_nothing(tmp_path: Path) -> None:
    (document,) = load(tmp_path, '{"text": "a\\ud800\u2028b \\ud83d\\ude00"}')
    assert document.text == "a\u2028b 😀"
    assert document.warnings == ("1 surrogate character removed.",)
    assert load(tmp_path, "\n") == ()
