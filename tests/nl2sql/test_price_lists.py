"""What single things cost, weigh, measure and last, asked of lists of them; every figure stands in a cell."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

FEES = """
Item,Season,Price
Mast storage,Winter,48.00
Dinghy berth,Summer,120.50
Wetsuit hire,Summer,12.50
""".strip()

SERVICES = """
Serviço;Duração (min);Preço (R$)
Corte masculino;30;45,00
Barba;20;30,00
Hidratação;45;70,00
""".strip()

PARCELS = """
Parcel,Weight (kg),Depth (cm),Distance (km)
Crate A1,12.5,40,320
Tube D4,1.9,10,85
""".strip()


STORE = MemoryStore(
    [
        *typed_tables([raw("fees", FEES, ",")], "fees.csv"),
        *typed_tables([raw("servicos", SERVICES, ";")], "servicos.csv"),
        *typed_tables([raw("parcels", PARCELS, ",")], "parcels.csv"),
    ]
)
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("language", "question", "line"),
    [
        ("en", "How much does mast storage cost?", "48.00 (Price)"),
        ("en", "How much is the mast storage?", "48.00 (Price)"),
        ("en", "What does mast storage cost?", "48.00 (Price)"),
        ("en", "How much do I pay for a dinghy berth?", "120.50 (Price)"),
        ("en", "What is the fee for wetsuit hire?", "12.50 (Price)"),
        ("pt", "Quanto custa a barba?", "R$ 30,00 (Preço)"),
        ("pt", "Quanto é a hidratação?", "R$ 70,00 (Preço)"),
        ("es", "¿Cuánto cuesta mast storage?", "48,00 (Price)"),
        ("de", "Wie viel kostet mast storage?", "48,00 (Price)"),
        ("pt", "Quantos minutos dura a hidratação?", "45 min (Duração)"),
        ("pt", "Quanto tempo demora o corte masculino?", "30 min (Duração)"),
        ("en", "How deep is tube D4?", "10 cm (Depth)"),
        ("en", "How far does crate A1 travel?", "320 km (Distance)"),
        ("en", "How many kilos does tube D4 weigh?", "1.9 kg (Weight)"),
        ("de", "Wie tief ist Tube D4?", "10 cm (Depth)"),
        ("pt", "Qual é a profundidade do Tube D4?", "10 cm (Depth)"),
    ],
)
def test_a_plain_value_of_one_thing_is_stated(language: str, question: str, line: str) -> None:
    assert line_of(language, question, INDEX, STORE) == line


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "How much mast storage did we sell?"),
        ("en", "How much does mast storage weigh?"),
        ("en", "How much did we take for mast storage?"),
        ("en", "How much does a hammock cost?"),
        ("en", "How much water is in the mast storage?"),
        ("pt", "Quanto faturou a barba?"),
        ("pt", "Quanto custa a manicure?"),
    ],
)
def test_a_price_answers_nothing_else(language: str, question: str) -> None:
    assert outcome_of(language, question, INDEX, STORE).chosen is None


def test_no_date_answers_how_much() -> None:
    guides = "Guide,Joined,Team\nAna Ruiz,2019-04-02,North\nBo Sand,2021-06-11,South\nCleo Hart,2017-01-20,North"
    store = MemoryStore(typed_tables([raw("guides", guides, ",")], "guides.csv"))
    index = SchemaIndex(store.schemas(None))

    assert outcome_of("en", "How much does Ana Ruiz cost per day?", index, store).chosen is None


def test_no_price_stands_for_what_was_taken() -> None:
    sales = """
Date,Product,Unit price,Amount
2024-01-05,Plum tart,18.00,36.00
2024-02-06,Almond cake,22.50,45.00
2024-03-07,Plum tart,18.00,18.00
""".strip()
    store = MemoryStore(typed_tables([raw("sales", sales, ",")], "sales.csv"))
    index = SchemaIndex(store.schemas(None))

    question = "How much did we take for plum tart no later than 30 June 2024?"

    # Declined, though a sum of the amounts would be right: never a sum of the unit prices.
    assert outcome_of("en", question, index, store).chosen is None
