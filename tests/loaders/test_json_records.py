from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.json_records import JSONLoader
from polyrag_cli.types import LoadedDocument


def loaded(folder: Path, content: Any) -> tuple[LoadedDocument, ...]:
    path = folder / "fleet.json"
    path.write_text(json.dumps(content, ensure_ascii=False))
    return JSONLoader().load(path)


RECORDS = [
    {"ship": "Ada", "tons": 1.234, "home": {"port": "Faro"}, "sold": False, "crew": ["Zoë", "Ian"], "code": "007"},
    {"ship": "Bea", "tons": 2, "home": {"port": "Sines", "pier": 3}, "sold": None, "built": "1999-05-01"},
]


def test_an_array_of_records_is_a_table_with_types(tmp_path: Path) -> None:
    (document,) = loaded(tmp_path, RECORDS)
    (table,) = document.tables
    assert table.name == "fleet"
    assert table.rows == (
        ("ship", "tons", "home.port", "sold", "crew", "code", "home.pier", "built"),
        ("Ada", "1.234", "Faro", "false", '["Zoë", "Ian"]', "007", "", ""),
        ("Bea", "2", "Sines", "", "", "", "3", "1999-05-01"),
    )
    assert table.types == (None, "number", None, "boolean", None, None, "integer", None)


def test_an_object_with_one_array_is_that_table(tmp_path: Path) -> None:
    (document,) = loaded(tmp_path, {"source": "Harbour office", "count": 2, "ships": RECORDS, "tags": ["a"]})
    (table,) = document.tables
    assert (table.name, table.heading, table.notes) == ("fleet", "ships", ("source: Harbour office",))


def test_an_object_with_several_arrays_is_several_tables(tmp_path: Path) -> None:
    (document,) = loaded(tmp_path, {"ships": RECORDS, "crew": [{"name": "Zoë"}]})
    assert [table.name for table in document.tables] == ["ships", "crew"]


@pytest.mark.parametrize("content", [{"name": "polyrag", "version": 1}, [], [1, 2], "text", [{"a": 1}, 2], {"a": {}}])
def test_other_json_holds_no_table(tmp_path: Path, content: Any) -> None:
    assert loaded(tmp_path, content) == ()


def test_what_is_no_json_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[\n{"a": 1},\n{"a": }\n]')
    with pytest.raises(LoadError, match=r"a\.json: not JSON \(line 3: "):
        JSONLoader().load(path)
    path.write_text("[" * 100_000)
    with pytest.raises(LoadError, match=r"a\.json: not JSON"):
        JSONLoader().load(path)
