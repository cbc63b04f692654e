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
        "SELECT valor FROM pedidos UNION SELECT salary FROM staff",
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
