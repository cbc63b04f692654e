from __future__ import annotations

from polyrag_cli.nl2sql.deciding import decide, denotation, says_something
from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.outcomes import answer_question
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Rows
from tests.nl2sql.answers import answered, outcome_of
from tests.nl2sql.operators.staff import INDEX, STORE, entry, parsed
from tests.nl2sql.tables import MemoryStore, raw, schema_of


def run(sql: str, table: str) -> Rows:
    return STORE.execute(None, sql)


def test_rows_say_the_same_in_any_order_and_by_their_first_column() -> None:
    one, other = Rows(("a",), ((1,), (2.0,))), Rows(("a", "b"), ((2, "x"), (1.0, "y")))
    assert denotation(one) == denotation(other) != denotation(Rows(("a",), ((1,), (3,))))


def test_no_row_and_an_empty_cell_say_nothing() -> None:
    assert not says_something(Rows(("a",), ()))
    assert not says_something(Rows(("a",), ((None,),)))
    assert says_something(Rows(("a",), ((0,),)))


def test_readings_that_give_the_same_rows_are_one_answer() -> None:
    decision = decide(parsed("Who has the highest salary?"), [entry("staff")], None, run)
    found = [denotation(candidate.rows) for candidate in decision.candidates]
    assert found[0] == ("Goran Vale",) and len(set(found)) == len(found)
    assert 0 < decision.margin <= 1


def test_what_leads_too_little_or_is_too_unsure_is_declined() -> None:
    asked = read("Who has the highest salary?", "en")
    assert answer_question(asked, INDEX, None, run).chosen is not None
    unsure = answer_question(asked, INDEX, None, run, min_confidence=10)
    assert unsure.chosen is None and "below 10.00" in unsure.reason
    assert unsure.alternatives[0].rows.rows[0][0] == "Goran Vale"


def test_what_is_declined_says_why() -> None:
    assert outcome_of("en", "Who wrote the rules?", SchemaIndex([]), STORE).reason == "there are no tables"
    missing = outcome_of("en", "What is the salary of Zed Brown?", INDEX, STORE)
    assert missing.chosen is None and "“Brown”" in missing.reason
    assert outcome_of("en", "Why is the salary so low?", INDEX, STORE).reason.startswith("“why”")


def test_a_column_of_another_table_by_that_name_speaks_for_it_though_no_row_matches() -> None:
    rentals = "date,station,fare\n" + "\n".join(f"2023-05-{day:02},Pier {day % 4},{day}.40" for day in range(1, 20))
    staff = "name,hired,salary\n" + "\n".join(f"Ada {n},20{15 + n}-04-02,{n + 3}100" for n in range(8))
    given = {"rentals": rentals, "staff": staff}
    tables = [table for name, text in given.items() for table in typed_tables([raw(name, text, ",")], f"{name}.csv")]
    index, store = SchemaIndex([schema_of(table) for table in tables]), MemoryStore(tables)
    declined = outcome_of("en", "What was the total fare in 2019?", index, store)
    assert declined.chosen is None and declined.reason == "no row of rentals matches"
    assert answered("en", "What was the total salary in 2019?", index, store).rows.rows == ((7100,),)
