import pytest

from polyrag_cli.routing.heuristics import aggregate_word, is_arithmetic, is_greeting, is_identifier, quoted_strings
from polyrag_cli.text.utterance import read
from polyrag_cli.text.words import words


@pytest.mark.parametrize(
    "text",
    [
        "Olá",
        "bom dia!",
        "oi, tudo bem?",
        "Muito obrigada!",
        "Hello there",
        "thanks a lot",
        "How are you?",
        "hola",
        "Guten Morgen!",
        "Vielen Dank",
        "Muchas gracias",
        "Buenos días",
    ],
)
def test_greetings(text: str) -> None:
    assert is_greeting(text)


@pytest.mark.parametrize("text", ["Como vai o projeto?", "e", "mais", "", "Hello, who signs the lease?", "olá " * 60])
def test_not_greetings(text: str) -> None:
    assert not is_greeting(text)


@pytest.mark.parametrize(
    "text",
    ["2+2", "2 + 2 =", "quanto é 15% de 200?", "What is 12 * (3 + 4)?", "how much is 5 times 7", "10/2",
     "quanto é 3,5 x 2", "7% of 30", "-5 + 3", "calcule 9 dividido por 3",
     "Was ist 7 mal 6?", "wie viel ist 9 geteilt durch 3", "¿cuánto es 5 por 3?"],
)  # fmt: skip
def test_arithmetic(text: str) -> None:
    assert is_arithmetic(text)


@pytest.mark.parametrize(
    "text",
    ["10-12-2024", "2023-2024", "2023 - 2024", "12/2024", "15 de 2024", "Qual o total de 5 de maio", "42", "", "a+b",
     "how much is 5 times the price", "1+" * 5000],
)  # fmt: skip
def test_not_arithmetic(text: str) -> None:
    assert not is_arithmetic(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("AB-12", True), ("batch_id", True), ("H2", True), ("x9k4", True), ("3rd", False), ("5kg", False),
     ("1990s", False), ("12.5", False), ("well-kept", False), ("honey", False)],
)  # fmt: skip
def test_identifiers(text: str, expected: bool) -> None:
    assert [is_identifier(word) for word in words(text)] == [expected]


def test_quoted_strings() -> None:
    assert quoted_strings(read('Who wrote "the bees" and «o mel»?')) == ('"the bees"', "«o mel»")
    assert quoted_strings(read("It's the keeper's hive")) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Qual foi a MÉDIA de potes?", "MÉDIA"), ("How much did we pay?", "how much"), ("Who signs?", ""),
     ("Quais as maiores colmeias?", "maiores"),
     ("I want a fund with minimal risk", ""), ("Wie hoch ist die Summe der Mieten?", "Summe")],
)  # fmt: skip
def test_aggregate_word(text: str, expected: str) -> None:
    assert aggregate_word(read(text)) == expected
