"""A column whose label says little is meant by what notes beside the table define it as."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.stores.records import TypedTable
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw, schema_of

CREWS = "port,crew_size,all,deck,galley\nOslo,900,0.61,0.44,0.76\nSplit,1200,0.87,0.86,0.88\nGenoa,300,0.07,0.20,0.05"
NOTES = """
Header|Definition
port|Port of call
crew_size|Number of sailors whose ships lie at that port
all|Percentage of the total crew of sailors that sleeps at the port
deck|Percentage of deck sailors who sleep at the port
galley|Percentage of galley sailors who sleep at the port
""".strip()


class Folder(MemoryStore):
    def __init__(self, folder: str) -> None:
        crews = typed_tables([raw("crews", CREWS, ",")], "crews.csv")
        notes = typed_tables([raw("notes", NOTES, "|")], "notes.md")
        super().__init__([*crews, *notes])
        self._schemas = tuple(self._in(folder, table) for table in [*crews, *notes])

    def _in(self, folder: str, table: TypedTable) -> object:
        return schema_of(table, f"ships/{table.name}.csv" if table.name == "crews" else f"{folder}/{table.name}.md")


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Which port has the smallest share of its sailors sleeping there?", "Genoa: 0.07 (lowest all)"),
        ("Which port has the highest percentage of sailors who sleep there?", "Split: 0.87 (highest all)"),
    ],
)
def test_a_definition_names_its_column(question: str, line: str) -> None:
    store = Folder("ships")
    assert line_of("en", question, SchemaIndex(store.schemas(None)), store) == line


def test_what_a_label_says_must_be_asked() -> None:
    store = Folder("ships")
    index = SchemaIndex(store.schemas(None))
    # The share of deck hands is no share of all sailors.
    line = line_of("en", "Which port has the smallest share of its deck sailors sleeping there?", index, store)
    assert line == "Genoa: 0.20 (lowest deck)"


def test_notes_elsewhere_define_nothing() -> None:
    store = Folder("trains")
    question = "Which port has the smallest share of its sailors sleeping there?"
    assert outcome_of("en", question, SchemaIndex(store.schemas(None)), store).chosen is None
