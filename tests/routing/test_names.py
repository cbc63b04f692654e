import pytest

from polyrag_cli.routing.names import inner_names
from polyrag_cli.text.utterance import read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who repaired the clock of Wells Cathedral?", ["Wells", "Cathedral"]),
        ("Quem consertou o relógio de Évora em Março?", ["Évora"]),
        ("Who opens the gate on Mondays in April?", []),
        ("Clocks of the old tower", []),
        ("WHO REPAIRED THE CLOCK", []),
        ("What Is The Age Of Wells Cathedral", []),
        ("where is wells cathedral", []),
        ("Wo steht die Uhr mit der Glocke und wie ist der Turm", []),
        ("", []),
    ],
)
def test_names_inside_a_question(text: str, expected: list[str]) -> None:
    assert [word.text for word in inner_names(read(text))] == expected
