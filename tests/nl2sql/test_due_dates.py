"""Tables with several dates, of which a verb or a noun says one. Every figure is worked out by hand."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

INVOICES = """
Fatura;Cliente;Emissão;Vencimento;Valor;Situação
F-01;Amora;10/12/2024;09/01/2025;120,00;Paga
F-02;Bravo;05/01/2025;04/02/2025;80,50;Pendente
F-03;Amora;20/01/2025;19/02/2025;310,00;Pendente
F-04;Cedro;25/02/2025;27/03/2025;45,25;Paga
F-05;Bravo;02/03/2025;01/04/2025;99,90;Pendente
""".strip()

STORE = MemoryStore(typed_tables([raw("faturas", INVOICES, ";")], "faturas.csv"))
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("pt", "Quantas faturas vencem em fevereiro de 2025?", "2 (2 de 5 linhas)"),
        ("pt", "Quantas faturas vencem depois de 01/03/2025?", "2 (2 de 5 linhas)"),
        ("pt", "Quantas faturas foram emitidas em janeiro de 2025?", "2 (2 de 5 linhas)"),
        ("en", "Which invoices are due in February 2025?", "F-02; F-03"),
        ("es", "¿Cuántas facturas vencen en febrero de 2025?", "2 (2 de 5 filas)"),
    ],
)
def test_the_date_that_is_named(language: str, question: str, answer: str) -> None:
    assert line_of(language, question, INDEX, STORE) == answer


@pytest.mark.parametrize(
    ("language", "question"), [("en", "Which invoices are overdue?"), ("pt", "Quais faturas estão vencidas?")]
)
def test_being_overdue_is_no_date(language: str, question: str) -> None:
    assert outcome_of(language, question, INDEX, STORE).chosen is None
