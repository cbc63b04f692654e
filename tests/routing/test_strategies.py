import pytest

from polyrag_cli.routing.strategies import choose_strategy
from polyrag_cli.text.utterance import read


@pytest.mark.parametrize(
    ("text", "strategy"),
    [
        ("Is it true that drones have no sting?", "corrective"),
        ("Verifique se as abelhas dormem de noite", "corrective"),
        ("É verdade que o mel nunca estraga?", "corrective"),
        ("What does batch_id hold in the log?", "lexical"),
        ("Onde aparece o formulário AB-12 no manual?", "lexical"),
        ('Who said "never open it in the rain" first?', "lexical"),
        ("queen marking colours", "lexical"),
        ("Stimmt es, dass Bienen nachts schlafen?", "corrective"),
        ("¿Es cierto que las abejas duermen de noche?", "corrective"),
        ("Was ist der Unterschied zwischen Wachs und Propolis?", "multi_query"),
        ("¿Cuáles son las diferencias entre cera y propóleo?", "multi_query"),
        ("Welche Arten von Blumen mögen die Bienen?", "diverse"),
        ("Compare the two hives by their temper", "multi_query"),
        ("Quais as diferenças entre cera e própolis?", "multi_query"),
        ("Which types of frames are used in spring?", "diverse"),
        ("Que tipos de flores as abelhas preferem?", "diverse"),
        ("Why do bees leave the hive in May?", "hybrid"),
        ("O que significa enxamear para um apicultor?", "hybrid"),
        ("How does the keeper prepare a hive for winter?", "hybrid"),
        ("Quem cuida das colmeias durante as férias?", "hybrid"),
    ],
)
def test_each_rule(text: str, strategy: str) -> None:
    chosen, reason = choose_strategy(read(text), with_vectors=True)
    assert chosen == strategy
    assert reason


def test_without_vectors_words_alone_decide() -> None:
    text = "Why do bees leave the hive in May?"
    assert choose_strategy(read(text), with_vectors=False)[0] == "lexical"
    text = "Is it true that bees sleep?"
    assert choose_strategy(read(text), with_vectors=False)[0] == "corrective"
