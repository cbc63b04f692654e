"""Names that a question gives for codes are found through a table that lists both."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.coded_names import with_codes
from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.question import take_apart
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Rows
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

BRANCHES = "code,branch,opened\nLDS,Leeds,2001\nPRT,Porto,2004\nGEN,Genoa,2009\nSPL,Split,2011\nOSL,Oslo,2015"
ROUTES = "route,origin,insured\n1,LDS,No\n2,LDS,full\n3,PRT,part\n4,GEN,No\n5,LDS,No\n6,OSL,full"
LETTERS = "letter,grade\na,LDS\nb,ZZZ\nc,QQQ"


def store(*tables: tuple[str, str]) -> tuple[MemoryStore, SchemaIndex]:
    made = MemoryStore([t for name, text in tables for t in typed_tables([raw(name, text, ",")], f"{name}.csv")])
    return made, SchemaIndex(made.schemas(None))


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("How many routes are from Leeds?", "3 (3 of 6 rows)"),
        ("How many routes from Genoa are there?", "1 (1 of 6 rows)"),
        # "No" is one of what a column of text says: its opposite by a prefix is that.
        ("How many routes from Leeds are uninsured?", "2 (2 of 6 rows)"),
    ],
)
def test_a_name_stands_for_its_code(question: str, line: str) -> None:
    made, index = store(("branches", BRANCHES), ("routes", ROUTES))
    assert line_of("en", question, index, made) == line


def test_without_a_list_nothing_is_answered() -> None:
    made, index = store(("letters", LETTERS), ("routes", ROUTES))
    assert outcome_of("en", "How many routes from Leeds are there?", index, made).chosen is None


def test_the_table_itself_stays_as_it_is() -> None:
    made, index = store(("branches", BRANCHES), ("letters", LETTERS), ("routes", ROUTES))

    def run(sql: str, table: str) -> Rows:
        return made.execute(None, sql, (table,))

    asked = take_apart(read("How many routes from Leeds are there?", "en"))
    branches, letters, routes = index.tables
    found = with_codes(asked, [branches, letters, routes], index, run)

    assert found[0] is branches  # holds the name
    assert found[1] is letters  # holds codes of which the list lacks most
    assert [ref.value for ref in found[2].cells.whole["leeds",]] == ["LDS"]
    assert ("leeds",) not in routes.cells.whole
