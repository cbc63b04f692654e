"""Questions made from the corpus itself."""

from __future__ import annotations

from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.bench.questions import own_questions


def test_questions_come_from_tables_and_headings_by_turns(engine: Engine) -> None:
    questions = own_questions(engine)
    assert questions == [
        "total passageiros Amieira",
        "A enchente?",
        "total receita Barca Velha",
        "O começo?",
        "Regra B1?",
        "Regra B2?",
    ]
    assert own_questions(engine, limit=2) == questions[:2]


def test_each_can_be_answered(engine: Engine) -> None:
    answers = {question: engine.ask(question, use_cache=False).answer for question in own_questions(engine)}
    assert [question for question, answer in answers.items() if answer is None] == []
    assert (answers["total passageiros Amieira"] or "").startswith("215")


def test_years_are_not_added_up_and_underscores_are_no_words(own_engine: Engine, tmp_path: object) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "frota_antiga.csv"
    file.write_text("barco;ano_compra;horas_uso\nA;1998;10\nB;2003;20\nC;2011;30\n")
    own_engine.ingest([file])
    assert [q for q in own_questions(own_engine) if "ano" in q] == []
    assert "total horas uso A" in own_questions(own_engine)
