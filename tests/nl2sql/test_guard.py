from __future__ import annotations

import pytest

from polyrag_cli.errors import QueryRejected
from polyrag_cli.nl2sql.guard import UnknownValue, check
from tests.nl2sql.tables import MemoryStore, typed

SCHEMAS = MemoryStore(typed()).schemas(None)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(valor) FROM pedidos",
        "SELECT COUNT(*) FROM pedidos WHERE cidade = 'Natal'",
        "SELECT cidade, SUM(valor) AS s FROM pedidos GROUP BY cidade ORDER BY s DESC LIMIT 3",
        "SELECT cidade, COUNT(*) AS n FROM pedidos GROUP BY cidade QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC) <= 1",
    ],
)
def test_lets_pass(sql: str) -> None:
    assert check(sql, SCHEMAS).tables == ("pedidos",)
    assert check(sql, SCHEMAS).unknown == ()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM pedidos",
        "SELECT pedidos.* FROM pedidos",
        "SELECT 1",
        "SELECT 4, 'x' FROM pedidos",
        "SELECT SUM(preco) FROM pedidos",
        "SELECT SUM(valor) FROM vendas",
        "SELECT valor FROM pedidos; SELECT valor FROM pedidos",
        "SELECT valor FROM pedidos UNION SELECT 4",
        "SELECT valor FROM pedidos UNION SELECT * FROM staff",
        "WITH a AS (SELECT valor FROM pedidos) SELECT * FROM a",
        "(SELECT pedidos.* FROM pedidos)",
        "SELECT damerau_levenshtein(cidade, 'Natal') FROM pedidos",
        "DELETE FROM pedidos",
        "CREATE TABLE t AS SELECT valor FROM pedidos",
        "SELEC valor FRO pedidos",
        "",
    ],
)
def test_refuses(sql: str) -> None:
    with pytest.raises(QueryRejected):
        check(sql, SCHEMAS)


def test_a_value_that_no_row_holds_is_named_with_its_nearest() -> None:
    checked = check("SELECT SUM(valor) FROM pedidos WHERE cidade IN ('Natl', 'Olinda')", SCHEMAS)
    assert checked.unknown == (UnknownValue("cidade", "Natl", ("Natal",)),)


@pytest.mark.parametrize(
    "condition",
    [
        "WHERE 'Natl' = cidade",
        "WHERE p.cidade = 'Natl' OR p.cidade = 'Olinda'",
        "WHERE valor > (SELECT avg(valor) FROM pedidos WHERE cidade = 'Natl')",
        "GROUP BY ALL HAVING max(valor) FILTER (WHERE cidade IN ('Natl')) > 1",
    ],
)
def test_unknown_values_are_found_wherever_a_column_is_compared(condition: str) -> None:
    checked = check(f"SELECT sum(valor) FROM pedidos AS p {condition}", SCHEMAS)
    assert [(value.value, value.nearest) for value in checked.unknown] == [("Natl", ("Natal",))]


def test_a_derived_column_of_the_same_name_has_other_values() -> None:
    sql = "SELECT cidade FROM (SELECT upper(cidade) AS cidade FROM pedidos) AS p WHERE cidade = 'NATAL'"
    assert check(sql, SCHEMAS).unknown == ()
