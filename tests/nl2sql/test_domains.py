"""Questions over six tables of several trades, most asked before the code could answer them, some across languages.

The figures were computed by statements written by hand.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.similarity import WordSimilarity
from polyrag_cli.providers.use_m3 import UseM3Embedder
from tests.nl2sql.answers import line_of, outcome_of, same
from tests.nl2sql.domains import domain_tables
from tests.nl2sql.tables import MemoryStore

STORE = MemoryStore(domain_tables())
INDEX = SchemaIndex(STORE.schemas(None))

# Each of the texts has to stand in the answer; a lone figure has to open it.
ANSWERED: list[tuple[str, str, tuple[str, ...]]] = [
    ("pt", "Quanto foi cobrado no total das consultas de cardiologia?", ("1.370",)),
    ("pt", "Quantas consultas foram canceladas?", ("2",)),
    ("pt", "quantas consultas em março", ("3",)),
    ("pt", "Qual a duração média das consultas de ortopedia?", ("40",)),
    ("pt", "Quantos pacientes diferentes a Dra. Vânia Reis atendeu?", ("3",)),
    (
        "pt",
        "Quais pacientes o Dr. Caio Mota atendeu?",
        (
            "Jonas Pinho",
            "Márcia Leal",
        ),
    ),
    ("pt", "Qual foi a consulta mais cara?", ("C-10",)),
    ("pt", "Quantas consultas particulares custaram mais de 300 reais?", ("2",)),
    (
        "pt",
        "Qual o valor total cobrado por especialidade?",
        (
            "cardiologia",
            "1.370",
            "ortopedia",
            "1.175",
            "pediatria",
            "821,50",
        ),
    ),
    ("pt", "Quem atendeu a Rute Amaral em maio?", ("Dra. Vânia Reis",)),
    ("pt", "Quem cobrou mais, a Dra. Vânia Reis ou o Dr. Nilo Serpa?", ("Dra. Vânia Reis",)),
    ("en", "How many appointments were cancelled?", ("2",)),
    ("en", "What was the total amount charged for cardiology?", ("1,370",)),
    ("en", "What is the average duration of the pediatrics appointments?", ("25",)),
    ("en", "How many rentals were made by members?", ("6",)),
    ("en", "What was the total fare at Harbour Gate?", ("29.20",)),
    ("en", "how many rentals in May", ("4",)),
    ("en", "Which station had the most rentals?", ("Harbour Gate",)),
    ("en", "What is the average distance of electric bikes?", ("5.88",)),
    (
        "en",
        "Top 3 rentals by distance",
        (
            "R111",
            "R109",
            "R103",
        ),
    ),
    ("en", "How many rentals lasted more than 40 minutes?", ("4",)),
    ("en", "Who paid more in total, members or casual riders?", ("casual",)),
    ("en", "How many cargo bikes were rented in June?", ("1",)),
    (
        "en",
        "List the stations",
        (
            "Harbour Gate",
            "Old Mill",
            "Rose Hill",
        ),
    ),
    ("pt", "Quantos aluguéis foram feitos na estação Rose Hill?", ("3",)),
    ("pt", "Qual a tarifa média dos aluguéis elétricos?", ("4,46",)),
    ("pt", "Qual estação somou a maior distância?", ("Harbour Gate",)),
    ("pt", "Quantos minutos de aluguel em maio?", ("141",)),
    ("pt", "Quantas sacas de café foram colhidas ao todo?", ("1.708",)),
    ("pt", "Qual município colheu mais soja?", ("Araxá",)),
    ("pt", "Qual a área total plantada com milho?", ("71,5",)),
    ("pt", "Quantos talhões são irrigados?", ("5",)),
    ("pt", "Quantos talhões não são irrigados em Ibiá?", ("2",)),
    ("pt", "Qual o preço médio da saca de café?", ("896,25",)),
    (
        "pt",
        "Quais talhões de Patrocínio são irrigados?",
        (
            "T6",
            "T8",
        ),
    ),
    ("pt", "Quantas sacas foram colhidas em março?", ("7.630",)),
    (
        "pt",
        "Quais os dois talhões com maior área?",
        (
            "T3",
            "T6",
        ),
    ),
    ("pt", "Quantos talhões têm mais de 20 hectares?", ("5",)),
    ("pt", "Quando foi colhido o talhão T5?", ("29/06/2022",)),
    ("pt", "Quantas sacas de soja Araxá colheu a mais que Ibiá?", ("2.230",)),
    ("en", "How many bags of coffee were harvested in total?", ("1,708",)),
    ("en", "Which municipality harvested the most corn?", ("Ibiá",)),
    ("en", "What is the average price of a bag of coffee?", ("896.25",)),
    ("en", "How many plots are irrigated?", ("5",)),
    (
        "pt",
        "Qual o total de sacas colhidas por cultura?",
        (
            "café",
            "1.708",
            "milho",
            "6.715",
            "soja",
            "6.560",
        ),
    ),
    (
        "pt",
        "Quantas consultas cada médico realizou?",
        (
            "Dr. Caio Mota",
            "4",
            "Dr. Nilo Serpa",
            "4",
            "Dra. Vânia Reis",
            "4",
        ),
    ),
    ("pt", "Qual a idade média dos pacientes do convênio Vitalis?", ("60,6",)),
    ("pt", "Quantos apartamentos há em Santos?", ("2",)),
    ("pt", "Qual o aluguel médio das casas?", ("5.033,33",)),
    ("pt", "Qual é o imóvel mais caro?", ("CA-3",)),
    ("pt", "Qual o imóvel com mais quartos?", ("CA-3",)),
    ("pt", "Quantos imóveis mobiliados existem em Bauru?", ("2",)),
    ("pt", "Quantos imóveis a Bia Rocha anunciou?", ("3",)),
    ("pt", "Quantos imóveis custam até 2000 reais?", ("3",)),
    (
        "pt",
        "Quais imóveis têm mais de 100 m2?",
        (
            "CA-1",
            "CA-2",
            "CA-3",
        ),
    ),
    ("pt", "Quantos imóveis foram anunciados em março?", ("3",)),
    ("pt", "Qual corretor tem mais imóveis?", ("Bia Rocha",)),
    (
        "pt",
        "Qual o aluguel médio por cidade?",
        (
            "Bauru",
            "3.575",
            "Santos",
            "2.587,50",
        ),
    ),
    ("pt", "Quem é o corretor da casa CA-2?", ("Ciro Neves",)),
    ("en", "How many houses are in Bauru?", ("2",)),
    ("en", "What is the average rent of the apartments?", ("2,112.50",)),
    ("en", "How many furnished properties are there?", ("4",)),
    ("en", "Which property has the most bedrooms?", ("CA-3",)),
    ("en", "How many bookings came from the website?", ("3",)),
    ("en", "How many nights did Hana Sato stay in total?", ("7",)),
    ("en", "How much did Liam Ford pay in total?", ("1,690",)),
    ("en", "Which guest paid the most?", ("Liam Ford",)),
    ("en", "What is the average rate per night of suites?", ("188.33",)),
    ("en", "How many bookings were cancelled?", ("1",)),
    ("en", "Which channel has the most bookings?", ("agency",)),
    ("en", "How many bookings were made in December 2023?", ("3",)),
    ("en", "How many different guests are there?", ("5",)),
    ("en", "List the guests from Japan", ("Hana Sato",)),
    (
        "en",
        "What is the total paid by channel?",
        (
            "agency",
            "1,360",
            "phone",
            "670",
            "website",
            "2,435",
        ),
    ),
    ("pt", "Quantas reservas foram canceladas?", ("1",)),
    ("pt", "Quanto pagou a Aisha Khan?", ("1.050",)),
    ("pt", "Qual hóspede pagou mais?", ("Liam Ford",)),
    ("pt", "Quantas noites o Liam Ford ficou?", ("9",)),
    ("pt", "Quantas reservas de suíte foram feitas?", ("3",)),
    ("pt", "Qual a média de nota em matemática?", ("7",)),
    ("pt", "Qual a nota média da turma 7B em história?", ("7,75",)),
    ("pt", "Quantas faltas o Davi Rey teve?", ("17",)),
    ("pt", "Qual aluno tem mais faltas?", ("Davi Rey",)),
    ("pt", "Qual a maior nota em história?", ("8",)),
    ("pt", "Quantos alunos tem a turma 7A?", ("2",)),
    ("pt", "Quem é o professor de história?", ("Profa. Lia",)),
    ("pt", "Qual foi a nota da Ana Melo em matemática no bimestre 2?", ("9,5",)),
    ("en", "What is the average grade in math?", ("7",)),
    ("en", "How many absences did Beto Luz have?", ("12",)),
    ("en", "Which student had the most absences?", ("Davi Rey",)),
]

# What the tables don't hold, or not of that year.
DECLINED: list[tuple[str, str]] = [
    ("pt", "Quantas consultas houve em 2021?"),
    ("pt", "Qual é o CRM da Dra. Vânia Reis?"),
    ("pt", "Quanto o Dr. Heitor Lobo cobrou no ano?"),
    ("pt", "Quantas cirurgias foram realizadas em março?"),
    ("en", "How many rentals started at Pine Street?"),
    ("en", "What was the total fare in 2019?"),
    ("en", "How many helmets were rented in June?"),
    ("en", "What is the phone number of the Old Mill station?"),
    ("pt", "Quantas sacas de trigo foram colhidas?"),
    ("pt", "Quantas sacas foram colhidas em 2020?"),
    ("pt", "Quem é o dono do talhão T5?"),
    ("pt", "Quantas sacas de café foram exportadas?"),
    ("en", "What was the profit of the coffee plots?"),
    ("pt", "Quantos imóveis foram vendidos?"),
    ("pt", "Quantos imóveis têm piscina?"),
    ("pt", "Qual o valor do condomínio do AP-1?"),
    ("pt", "Quantos imóveis há em Campinas?"),
    ("en", "How many bookings included breakfast?"),
    ("en", "What is the average age of the guests?"),
    ("en", "How many bookings were there in 2020?"),
    ("en", "How many guests complained?"),
    ("pt", "Qual aluno foi reprovado?"),
    ("pt", "Quantos alunos tiraram nota em física?"),
    ("pt", "Qual a nota da Ana Melo em geografia?"),
    ("pt", "Quem é o diretor da escola?"),
    ("pt", "Quantas consultas por telefone houve?"),
    ("pt", "Quanto custou o adubo do talhão T3?"),
    ("en", "How many tandem bikes were rented?"),
    ("en", "How many accidents happened at Old Mill?"),
    ("pt", "Quantas sacas o município de Uberaba colheu?"),
    ("en", "What was the total cost of repairs?"),
    ("pt", "Quantas bicicletas infantis foram alugadas?"),
    ("pt", "Qual o lucro da soja?"),
]


@pytest.fixture(scope="module")
def similar(model: Path) -> WordSimilarity:
    return WordSimilarity(UseM3Embedder(model, threads=1).embed)


@pytest.mark.parametrize(("language", "question", "expected"), ANSWERED)
def test_answers(language: str, question: str, expected: tuple[str, ...], similar: WordSimilarity) -> None:
    answer = line_of(language, question, INDEX, STORE, similar)
    assert all(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", answer) for text in expected), answer
    if len(expected) == 1 and re.fullmatch(r"[\d.,]+", expected[0]):
        assert answer.removeprefix("R$ ").startswith(expected[0])


@pytest.mark.parametrize(("language", "question"), DECLINED)
def test_declines(language: str, question: str, similar: WordSimilarity) -> None:
    outcome = outcome_of(language, question, INDEX, STORE, similar)
    assert outcome.chosen is None, outcome.chosen.sql
    assert outcome.reason


def test_meaning_is_needed_across_languages(similar: WordSimilarity) -> None:
    question = "How many bags of coffee were harvested in total?"
    assert outcome_of("en", question, INDEX, STORE).chosen is None
    assert outcome_of("en", question, INDEX, STORE, similar).chosen is not None


def test_the_outcome_does_not_depend_on_the_order_of_the_tables(similar: WordSimilarity) -> None:
    backwards = SchemaIndex(tuple(reversed(STORE.schemas(None))))
    for language, question, _ in ANSWERED[::9]:
        found = (outcome_of(language, question, index, STORE, similar) for index in (backwards, INDEX))
        assert same(*found), question
