"""Groups with more than so many rows."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of
from tests.nl2sql.operators.asked import answered
from tests.nl2sql.operators.staff import said
from tests.nl2sql.tables import MemoryStore, raw


def test_a_bound_on_how_many_rows_a_group_has() -> None:
    assert answered("towers", "Which cities have more than one tower?") == ["Leeds", "Porto"]
    assert answered("games", "Which opponent was in at least 2 games?") == ["Alba"]


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        (
            "en",
            "Average age by department",
            "Design: 31; Engineering: 38.67; Support: 38 (average of Age by Department)",
        ),
        (
            "pt",
            "Idade média por departamento",
            "Design: 31; Engineering: 38,67; Support: 38 (média de Age por Department)",
        ),
        ("en", "How many employees are in each office?", "Leeds: 5; Porto: 2 (rows counted by Office)"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("grouping", answer)


PAY = """
Nome;Setor;Admissão;Salário
Ana Reis;Vendas;16/03/2018;3.000,00
Bruno Dias;Vendas;22/06/2018;4.500,00
Clara Nunes;Caixa;29/12/2019;2.500,00
Davi Couto;Caixa;03/05/2021;2.000,00
""".strip()
PAY_STORE = MemoryStore(typed_tables([raw("funcionarios", PAY, ";")], "funcionarios.csv"))
PAY_INDEX = SchemaIndex(PAY_STORE.schemas(None))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # Pay is by the month; hiring dates say nothing of when it is paid, unless they are named.
        ("Quanto gastamos por mês em salários?", "12.000,00 ("),
        ("Qual é o salário médio por ano de admissão?", "2018: 3.750,00; 2019: 2.500,00; 2021: 2.000,00 ("),
        ("Quantos funcionários foram admitidos por ano?", "2018: 2; 2019: 1; 2021: 1 ("),
        # Each row is one of them: a mean is that of all, a sum its own.
        ("Qual é o salário médio por funcionário?", "3.000,00 ("),
        ("Qual o total de salário por nome?", "Ana Reis: 3.000,00; Bruno Dias: 4.500,00; "),
    ],
)
def test_groups_of_people(question: str, answer: str) -> None:
    assert line_of("pt", question, PAY_INDEX, PAY_STORE).startswith(answer)
