"""The made-up corpus is the same each time, and each size holds the smaller ones."""

from __future__ import annotations

import csv
from pathlib import Path

from polyrag_cli.evaluation.bench.synthetic import (
    CHUNKS_PER_SET,
    ROWS,
    names_of,
    scale_questions,
    word,
    write_corpus,
)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_twice_is_the_same_and_larger_holds_smaller(tmp_path: Path) -> None:
    for name, sets in (("a", 2), ("b", 2), ("c", 3)):
        write_corpus(tmp_path / name, sets)
    first = contents(tmp_path / "a")
    assert contents(tmp_path / "b") == first
    larger = contents(tmp_path / "c")
    assert {name: larger[name] for name in first} == first
    assert len(first) == 2 * 5 and len(larger) == 3 * 5
    assert len(set(larger.values())) == len(larger)


def test_a_set_is_a_hundred_sections_and_a_table(tmp_path: Path) -> None:
    write_corpus(tmp_path, 1)
    files = contents(tmp_path)
    texts = [text.decode() for name, text in files.items() if name.endswith(".md")]
    assert sum(text.count("\n## ") for text in texts) == CHUNKS_PER_SET == 100
    assert max(len(section) for text in texts for section in text.split("\n## ")) < 1200
    (table,) = (text.decode() for name, text in files.items() if name.endswith(".csv"))
    rows = list(csv.reader(table.splitlines(), delimiter=";"))
    assert len(rows) == 1 + ROWS and {len(row) for row in rows} == {4}


def test_sets_share_names_with_the_set_before(tmp_path: Path) -> None:
    write_corpus(tmp_path, 2)
    second = " ".join(path.read_text() for path in (tmp_path / "set-00001").glob("*.md"))
    assert any(name in second for name in names_of(0)[:3])
    assert all(name in second for name in names_of(1))


def test_every_rank_has_its_own_word() -> None:
    assert len({word(rank) for rank in range(30_000)}) == 30_000


def test_questions_name_what_set_0_holds(tmp_path: Path) -> None:
    asked = scale_questions()
    assert [len(kind) for kind in (asked.text, asked.graph, asked.table)] == [4, 4, 4]
    assert len(set(asked.all)) == 12
    names = names_of(0)
    assert all(any(name in question for name in names) for question in asked.graph + asked.table)
    write_corpus(tmp_path, 1)
    (table,) = tmp_path.rglob("*.csv")
    labels = table.read_text().splitlines()[0].split(";")[2:]
    assert all(any(label in question for label in labels) for question in asked.table)
