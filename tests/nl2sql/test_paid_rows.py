"""How many rows were paid is told by a column that says so, and by nothing else."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

BOOKINGS = "Booking,Guest,Nights,Amount\nB1,Ana Luz,2,100\nB2,Bo Sand,1,80\nB3,Cy Lunt,4,300"
INVOICES = "Invoice,Region,Status,Total\nI1,North,paid,10\nI2,South,open,20\nI3,North,paid,30"


def ask(name: str, text: str, language: str, question: str) -> str | None:
    store = MemoryStore(typed_tables([raw(name, text, ",")], f"{name}.csv"))
    index = SchemaIndex(store.schemas(None))
    if outcome_of(language, question, index, store).chosen is None:
        return None
    return line_of(language, question, index, store)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "How many bookings were paid?"),
        ("pt", "Quantos bookings foram pagos?"),
        ("es", "¿Cuántos bookings fueron pagados?"),
        ("de", "Wie viele Bookings wurden bezahlt?"),
    ],
)
def test_an_amount_says_nothing_of_its_payment(language: str, question: str) -> None:
    assert ask("bookings", BOOKINGS, language, question) is None


def test_a_status_says_so() -> None:
    assert ask("invoices", INVOICES, "en", "How many invoices were paid?") == "2 (2 of 3 rows)"


def test_what_was_paid_more_than_is_bounded() -> None:
    assert ask("bookings", BOOKINGS, "en", "How many guests paid more than 90?") == "2 (2 of 3 rows)"
