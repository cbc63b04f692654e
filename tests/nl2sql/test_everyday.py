"""Questions in the words that people use at work; every figure is worked out by hand."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import answered, line_of, outcome_of
from tests.nl2sql.domains import domain_tables
from tests.nl2sql.tables import MemoryStore, raw

TOOLS = """
patrimonio;ferramenta;oficina;preco_cheio;preco_socio
F1;Furadeira de bancada;Norte;900;810
F2;Furadeira portátil;Norte;350;300
F3;Serra circular;Sul;700;640
F4;Lanterna sem pilha;Sul;80;70
F5;Lanterna sem pilha;Norte;85;75
F6;Furadeira portátil;Sul;360;310
""".strip()

COMPLAINTS = """
reclamacao;data;loja;motivo;prioridade;resolvida;pessoas_ouvidas
R1;2024-01-10;Centro;fila;alta;sim;3
R2;2024-02-11;Centro;troca;média;não;2
R3;2024-05-12;Porto;fila;média;não;4
R4;2024-08-13;Porto;preço;baixa;sim;1
R5;2024-11-14;Centro;fila;baixa;não;5
""".strip()

STORE = MemoryStore(
    [
        *domain_tables(),
        *typed_tables([raw("ferramentas", TOOLS, ";")], "ferramentas.csv"),
        *typed_tables([raw("reclamacoes", COMPLAINTS, ";")], "reclamacoes.csv"),
    ]
)
INDEX = SchemaIndex(STORE.schemas(None))

ANSWERED = [
    # parts of the year
    ("pt", "Quanto cobramos pelas consultas no segundo trimestre?", "1.370,50 ("),
    ("en", "What was the total fare in Q2?", "54.15 ("),
    ("en", "How many rentals in the first half of the year?", "10 ("),
    ("pt", "Quantas reclamações houve no 2º semestre de 2024?", "2 ("),
    # "we"
    ("pt", "Quantas sacas colhemos em março?", "7.630 ("),
    ("pt", "Em que mês colhemos mais sacas?", "2022-03: 7.630 ("),
    # a bound on sums beside a verb and a filler
    ("pt", "Quais municípios colheram mais de 5000 sacas ao longo do ano?", "Patrocínio: 5.515 ("),
    # nouns that values share, and values with a negation
    ("pt", "Quantas furadeiras temos no Norte?", "2 (2 de 6 linhas)"),
    ("pt", "Quantas lanternas sem pilha existem?", "2 (2 de 6 linhas)"),
    # a lack
    ("pt", "Quantas reclamações continuam abertas?", "3 ("),
    ("en", "How many complaints are still open?", "3 ("),
    ("pt", "Quantas reclamações ainda não foram resolvidas?", "3 ("),
    ("pt", "Quantas vezes teve reclamação de fila?", "3 ("),
    # by whom is no group; a mean by row is one figure
    ("pt", "Quantas pessoas foram ouvidas por reclamações de fila?", "12 ("),
    ("en", "average minutes per rental", "35.83 ("),
    # a value that is written like an operation
    ("pt", "Quantas pessoas foram ouvidas nas reclamações de prioridade média?", "6 (soma"),
    ("pt", "Qual a média de pessoas ouvidas nas reclamações de prioridade média?", "3 (média"),
    ("pt", "Qual foi a primeira reclamação do ano?", "R1: 10/01/2024 ("),
    # yes or no
    ("pt", "Tem furadeira no Sul?", "Sim (1 linha)"),
    ("pt", "O Caio Mota atendeu o Davi Couto?", "Não (0 linhas)"),
    # the time alone, rows alone, kinds alone
    ("en", "When was the first rental at Rose Hill?", "2024-05-01 ("),
    ("pt", "Reclamações da loja Porto", "R3; R4"),
    ("pt", "Quais motivos de reclamação existem?", "fila; preço; troca"),
    # adjectives of extent
    ("en", "What was the longest rental in minutes at Rose Hill?", "R107: 38 ("),
    ("pt", "Qual a especialidade mais demorada em média?", "cardiologia: 40 min; ortopedia: 40 min ("),
]

DECLINED = [
    ("pt", "A loja Porto está aberta em maio?"),
    ("pt", "Tem saca de café?"),
    ("pt", "Quantos funcionários temos?"),
    ("pt", "Quantas furadeiras sem fio temos?"),
    ("pt", "Quanto custa uma saca colhida?"),
    ("pt", "Qual a pessoa ouvida mais velha?"),
    ("pt", "Qual o faturamento do quinto trimestre?"),
    ("pt", "Quantas lanternas com pilha existem?"),
    ("pt", "Qual a diferença entre o primeiro e o segundo semestre?"),
]


@pytest.mark.parametrize(("language", "question", "expected"), ANSWERED)
def test_answers(language: str, question: str, expected: str) -> None:
    assert line_of(language, question, INDEX, STORE).removeprefix("R$ ").startswith(expected)


@pytest.mark.parametrize(("language", "question"), DECLINED)
def test_declines(language: str, question: str) -> None:
    outcome = outcome_of(language, question, INDEX, STORE)
    assert outcome.chosen is None, outcome.chosen.sql


def test_counts_have_a_name() -> None:
    assert answered("pt", "Quantas reclamações houve?", INDEX, STORE).rows.columns == ("count",)
