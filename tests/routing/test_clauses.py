import pytest

from polyrag_cli.routing.clauses import split
from polyrag_cli.text.utterance import read

COMPOUND = [
    ("Qual foi o total de mel e quem autoriza a venda?", ["Qual foi o total de mel", "quem autoriza a venda?"]),
    ("Qual foi o total? Quem autoriza?", ["Qual foi o total?", "Quem autoriza?"]),
    ("Qual foi a média; explique a regra de descarte", ["Qual foi a média;", "explique a regra de descarte"]),
    ("Quanto colhemos e também como o projeto começou?", ["Quanto colhemos", "como o projeto começou?"]),
    ("Quanto colhemos mas quem paga o frete?", ["Quanto colhemos", "quem paga o frete?"]),
    ("Em que ano foi fundada e em que cidade fica?", ["Em que ano foi fundada", "em que cidade fica?"]),
    ("What was the yield in May and who signs off refunds?", ["What was the yield in May", "who signs off refunds?"]),
    ("How many jars were sold as well as who packed them?", ["How many jars were sold", "who packed them?"]),
    ("Which hive grew most but which one has no queen?", ["Which hive grew most", "which one has no queen?"]),
    ("Tell me the total and explain the refund policy", ["Tell me the total", "explain the refund policy"]),
    ("Qual é o prazo, quem assina e quanto custou?", ["Qual é o prazo", "quem assina", "quanto custou?"]),
    ("売上はいくらですか？誰が承認しますか？", ["売上はいくらですか？", "誰が承認しますか？"]),
    ("Wie hoch war der Ertrag und wer prüft die Waage?", ["Wie hoch war der Ertrag", "wer prüft die Waage?"]),
    ("Nenne die Summe und erkläre die Regel für Rabatte", ["Nenne die Summe", "erkläre die Regel für Rabatte"]),
    ("¿Cuántos tarros hay y quién firma la venta?", ["¿Cuántos tarros hay", "quién firma la venta?"]),
    ("¿Quién firma la venta y cómo se paga el flete?", ["¿Quién firma la venta", "cómo se paga el flete?"]),
    ("Posso abrir a colmeia? Preciso de luvas?", ["Posso abrir a colmeia?", "Preciso de luvas?"]),
    # A quotation elsewhere hides no joint.
    ('Who wrote "a note" and who signed it?', ['Who wrote "a note"', "who signed it?"]),
    # A statement belongs to the question behind it, not to the one before.
    (
        "Qual foi o total de mel? A venda caiu e quem decide agora?",
        ["Qual foi o total de mel?", "A venda caiu e quem decide agora?"],
    ),
    # A comma joins where the sentence opens with a question, behind small words too.
    ("Em que ano foi fundada, quem assina a ata?", ["Em que ano foi fundada", "quem assina a ata?"]),
    ("Sobre as do sul, quanto custa e quem paga?", ["Sobre as do sul, quanto custa", "quem paga?"]),
    ("¿Cuál es el plazo, cuándo llega el inspector?", ["¿Cuál es el plazo", "cuándo llega el inspector?"]),
    ("¿Cuál es el plazo y qué regla se aplica?", ["¿Cuál es el plazo", "qué regla se aplica?"]),
    # The right part repeats the question of the left one, not a clause inside it.
    ("Quem sabe quem assina e quem paga?", ["Quem sabe quem assina", "quem paga?"]),
    # What says nothing of its own goes with the question before it, at the start with the one behind.
    ("Quem decide o preço? E aí? Quem paga o frete?", ["Quem decide o preço? E aí?", "Quem paga o frete?"]),
    (
        "E aí? E então? Quem decide o preço? Quem paga o frete?",
        ["E aí? E então? Quem decide o preço?", "Quem paga o frete?"],
    ),
]
WHOLE = [
    "Como agir quando o vizinho reclama e quando ele pergunta o prazo?",
    "What to say when a visitor complains and when he asks for a date?",
    "Explain what to do and when to call the warden",
    "O que fazer e quando ligar para o responsável?",
    "Quem autoriza a reforma e por quê?",
    "Quem autoriza a reforma? Por quê?",
    "Quanto colhemos em maio? E em junho?",
    "Quando o visitante pergunta, o que dizer?",
    "Qual a cidade em que vive e em que trabalha?",
    "Liste os potes e os preços",
    "Liste os potes e garrafas que vendemos",
    "Qual é o prazo, quando chega o fiscal?",
    "Quando chega o fiscal, quem assina a ata?",
    "O vizinho quer saber qual é o prazo, quem assina a ata?",
    "¿Cuál es el plazo, cuando llega el inspector?",
    "¿Cuál es el plazo y que regla se aplica?",
    "What is the total and list of members?",
    "¿Cuál es el total y la lista completa?",
    "What is the total of honey and list?",
    "Qual foi o total de mel? A venda caiu ontem.",
    "Qual é o prazo e",
    "Was tut man, wenn der Nachbar klagt, und wann er zu informieren ist?",
    "Wer entscheidet, welche Bücher gekauft werden?",
    "¿Qué hacer cuando el vecino reclama y cuando él pregunta el plazo?",
    "¿Qué dice la regla que firma el jefe y que vale desde mayo?",
    "What is the average price by city and state?",
    "The boiler broke. Who must be told?",
    "A venda caiu e quem decide agora?",
    'Who wrote "why? and what for?" on the wall?',
    "Qual foi o lucro e quanto ao prazo?",
    "?!...",
    "",
    "🐝🐝",
]


@pytest.mark.parametrize(("question", "expected"), COMPOUND)
def test_each_part_that_asks_becomes_a_clause(question: str, expected: list[str]) -> None:
    assert [clause.text for clause in split(read(question))] == expected


@pytest.mark.parametrize("question", WHOLE)
def test_a_question_that_asks_once_stays_whole(question: str) -> None:
    assert [clause.text for clause in split(read(question))] == [question]


@pytest.mark.parametrize("question", [q for q, _ in COMPOUND] + WHOLE + ["  Qual é o total ?  \n Quem paga ? "])
def test_offsets_point_at_the_clause(question: str) -> None:
    for clause in split(read(question)):
        assert question[clause.start : clause.end] == clause.text


def test_a_long_run_of_questions_gives_eight_clauses_and_loses_nothing() -> None:
    question = "Qual é o total da colmeia? " * 4000
    clauses = split(read(question))
    assert len(clauses) == 8
    assert clauses[-1].end == len(question.rstrip())
