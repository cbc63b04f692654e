"""Questions about a small table of sales, in which a word for selling may name rows, money or a number of things."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polyrag_cli.nl2sql.evidence import table_evidence
from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from tests.nl2sql.answers import answered, line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

SALES = """
Data;Cliente;Produto;Quantidade;Valor total;Forma de pagamento
06/01/2025;Mercearia Flor;Farinha comum;12;480,00;pix
21/01/2025;Café Serrano;Açúcar mascavo;5;310,40;boleto
04/02/2025;Padaria Lírio;Farinha especial;25;3.112,70;boleto
18/02/2025;Mercearia Flor;Farinha especial;10;1.250,00;pix
07/03/2025;Padaria Lírio;Fermento seco;8;216,40;cartão
19/03/2025;Café Serrano;Farinha especial;30;1.599,90;pix
02/04/2025;Café Serrano;Fermento seco;3;81,15;boleto
11/04/2025;Padaria Lírio;Açúcar mascavo;5;310,40;cartão
""".strip()

STORE = MemoryStore(typed_tables([raw("vendas", SALES, ";")], "vendas.csv"))
INDEX = SchemaIndex(STORE.schemas(None))

LARGE = (
    "Café Serrano: Farinha especial, 19/03/2025, 1.599,90; Mercearia Flor: Farinha especial, 18/02/2025, 1.250,00; "
    "Padaria Lírio: Farinha especial, 04/02/2025, 3.112,70"
)

ANSWERED = [
    # a measure that is spelled wins
    ("pt", "Qual o valor médio das vendas no pix?", "1.109,97 (média de Valor total, 3 de 8 linhas)"),
    ("pt", "Qual o valor total das vendas?", "7.360,95 (soma de Valor total, 8 de 8 linhas)"),
    ("pt", "Qual é o valor total das vendas no boleto?", "3.504,25 (soma de Valor total, 3 de 8 linhas)"),
    ("pt", "Qual a quantidade total das vendas?", "98 (soma de Quantidade, 8 de 8 linhas)"),
    ("pt", "Quantas unidades foram vendidas em março?", "38 (soma de Quantidade, 2 de 8 linhas)"),
    # sales are rows
    ("pt", "Quantas vendas foram pagas com pix?", "3 (3 de 8 linhas)"),
    ("pt", "Quantas vendas houve em março?", "2 (2 de 8 linhas)"),
    ("en", "How many sales are there?", "8 (8 of 8 rows)"),
    ("en", "How many sales were paid with pix?", "3 (3 of 8 rows)"),
    ("pt", "Quantas compras fez a Padaria Lírio?", "3 (3 de 8 linhas)"),
    ("pt", "Quantos registros da Padaria Lírio há?", "3 (3 de 8 linhas)"),
    ("en", "How many records for Café Serrano are not in pix?", "2 (2 of 8 rows)"),
    ("pt", "Quantas vendas acima de 1000 reais?", "3 (3 de 8 linhas)"),
    (
        "pt",
        "Quantas vendas por mês?",
        "2025-01: 2; 2025-02: 2; 2025-03: 2; 2025-04: 2 (linhas contadas por mês)",
    ),
    ("pt", "Qual cliente teve mais vendas?", "Café Serrano: 3; Padaria Lírio: 3 (maior linhas contadas)"),
    # takings are the one amount
    ("en", "What share of the takings was paid in pix?", "45.24% (3,329.90 of 7,360.95, sum of Valor total)"),
    ("pt", "Que parte do faturamento foi paga com pix?", "45,24% (3.329,90 de 7.360,95, soma de Valor total)"),
    # rows are told apart by names and dates
    ("pt", "Liste as vendas com valor acima de 1000", LARGE),
    ("pt", "vendas acima de 1000 reais", LARGE),
    ("en", "Sales to Café Serrano in April", "Fermento seco: 2025-04-02, 81.15"),
    (
        "pt",
        "Qual foi a venda mais cara?",
        "Padaria Lírio: Farinha especial, 04/02/2025, 3.112,70 (maior Valor total)",
    ),
    ("pt", "Qual foi a última venda?", "Padaria Lírio: Açúcar mascavo, 11/04/2025 (maior Data)"),
    ("pt", "Qual a data da última venda?", "11/04/2025 (maior Data)"),
    # money answers "how much", and ranks
    ("pt", "Quanto vendemos em fevereiro?", "4.362,70 (soma de Valor total, 2 de 8 linhas)"),
    ("pt", "Quanto o Café Serrano pagou em abril?", "81,15 (soma de Valor total, 1 de 8 linhas)"),
    ("en", "What were the total sales in March?", "1,816.30 (sum of Valor total, 2 of 8 rows)"),
    ("pt", "Qual foi a maior venda?", "3.112,70 (maior Valor total, 8 de 8 linhas)"),
    ("pt", "Quem fez a maior compra?", "Padaria Lírio: 3.112,70 (maior Valor total)"),
    (
        "pt",
        "Valor total por mês",
        "2025-01: 790,40; 2025-02: 4.362,70; 2025-03: 1.816,30; 2025-04: 391,55 (soma de Valor total por mês)",
    ),
    ("pt", "Qual mês teve o maior valor total?", "2025-02: 4.362,70 (maior soma de Valor total)"),
    (
        "pt",
        "Qual a diferença de valor entre pix e boleto?",
        "174,35 (pix 3.329,90 contra boleto 3.504,25, soma de Valor total)",
    ),
    # a verb adds no column
    ("pt", "Quais clientes compraram farinha especial?", "Café Serrano; Mercearia Flor; Padaria Lírio"),
    ("pt", "Quantos produtos diferentes a Padaria Lírio comprou?", "3 (valores diferentes de Produto)"),
]


@pytest.mark.parametrize(("language", "question", "expected"), ANSWERED)
def test_answers(language: str, question: str, expected: str) -> None:
    assert line_of(language, question, INDEX, STORE) == expected


# A file that isn't called after sales.
SHEET = MemoryStore(typed_tables([raw("planilha", SALES, ";")], "planilha.csv"))


@pytest.mark.parametrize(
    "question",
    [
        "Quantas vendas houve em março?",
        "Liste as vendas com valor acima de 1000",
        "Qual foi a venda mais cara?",
        "Qual a data da última venda?",
    ],
)
def test_a_quantity_never_stands_for_rows_of_another_name(question: str) -> None:
    outcome = outcome_of("pt", question, SchemaIndex(SHEET.schemas(None)), SHEET)
    assert outcome.chosen is None or "quantidade" not in outcome.chosen.sql


def test_a_workbook_called_after_sales_names_their_rows() -> None:
    store = MemoryStore(typed_tables([raw("planilha", SALES, ";")], "vendas.xlsx"))
    schema = replace(store.schemas(None)[0], document="vendas.xlsx")
    chosen = answered("pt", "Quantas vendas houve em março?", SchemaIndex([schema]), store)
    assert chosen.rows.rows == ((2,),)
    assert chosen.sql.startswith("SELECT COUNT(*)")


def test_the_total_sold_may_be_money_or_things() -> None:
    sheet = SALES.replace("Valor total", "Valor")
    store = MemoryStore(typed_tables([raw("vendas", sheet, ";")], "vendas.csv"))
    outcome = outcome_of("pt", "Qual o total vendido em março?", SchemaIndex(store.schemas(None)), store)
    assert outcome.chosen is None
    assert {c.sql.partition(" FROM")[0] for c in outcome.alternatives[:2]} == {
        "SELECT SUM(quantidade)",
        "SELECT SUM(valor)",
    }


def test_no_column_of_prices_no_mean_price() -> None:
    outcome = outcome_of("pt", "Qual foi o preço médio?", INDEX, STORE)
    assert outcome.chosen is None
    assert outcome.reason == "no column or value explains “preço”"


AMOUNTS = """
Filial;Valor bruto;Valor líquido;Itens
Alecrim;100,00;90,00;4
Petrópolis;80,50;85,00;2
""".strip()


def test_two_columns_that_fit_alike_are_named() -> None:
    store = MemoryStore(typed_tables([raw("vendas", AMOUNTS, ";")], "vendas.csv"))
    outcome = outcome_of("pt", "Quanto vendemos?", SchemaIndex(store.schemas(None)), store)
    assert outcome.chosen is None
    assert {c.sql.partition(" FROM")[0] for c in outcome.alternatives[:2]} == {
        "SELECT SUM(valor_bruto)",
        "SELECT SUM(valor_liquido)",
    }


def test_words_of_a_spelled_header_are_evidence_although_they_may_be_operations() -> None:
    best = table_evidence(read("Valor total por mês", "pt"), INDEX)[0]
    assert (best.name, best.words, best.coverage) == ("valor_total", ("valor", "total", "mes"), 1.0)
