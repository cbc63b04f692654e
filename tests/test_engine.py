"""The public Python API: what is read of a corpus, and who may use an engine at once."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import polyrag_cli
from polyrag_cli.engine import Engine, check_question
from polyrag_cli.engine.deciding import MAX_QUESTION_CHARS
from polyrag_cli.errors import ConfigError, QueryRejected, UsageError
from polyrag_cli.types import Answer, Hit
from tests.questions import FIGURE, RULE, STORY


def quoted_from(engine: Engine, hits: tuple[Hit, ...]) -> int:
    """Asserts that each passage and each quote of it stands where it says; how many passages there are."""
    for hit in hits:
        text = engine.document_text(hit.document)
        assert text[hit.start : hit.end] == hit.text
        # A figure cites its table, not a span.
        assert (hit.text == "") is (hit.source == "sql")
        for start, end in hit.quotes:
            assert hit.start <= start < end <= hit.end
    return len(hits)


# ---------------------------------------------------------------- reading
def test_a_figure_comes_with_its_sql_and_rows(engine: Engine) -> None:
    answer = engine.ask("Qual foi a receita total da linha Barca Velha?", use_cache=False)
    assert answer.routes == ("relational",)
    assert answer.rows == ((pytest.approx(4518.0),),)
    assert answer.answer is not None and answer.answer.startswith("4.518")
    assert answer.sql is not None
    rows = engine.sql(answer.sql)
    assert (rows.columns, rows.rows) == (answer.columns, answer.rows)


@pytest.mark.parametrize("question", [FIGURE, RULE, STORY, "umbrellas left on board"])
def test_passages_stand_where_they_say(engine: Engine, question: str) -> None:
    quoted_from(engine, engine.ask(question, use_cache=False).sources)
    assert quoted_from(engine, engine.search(question).hits) > 0


def test_passages_of_the_demo_stand_where_they_say(demo: Engine) -> None:
    found = 0
    for question in ("Quem decide sobre o cancelamento?", "Como foi a turnê?", "What does the Bristol exchange teach?"):
        answer = demo.ask(question, use_cache=False)
        assert answer.answer is not None
        found += quoted_from(demo, answer.sources) + quoted_from(demo, demo.search(question).hits)
    assert found > 10


def test_nothing_found_is_no_answer_but_names_the_closest(engine: Engine) -> None:
    answer = engine.ask("Quem descobriu a penicilina?")
    assert answer.answer is None
    assert answer.sql is None
    assert answer.closest is not None
    quoted_from(engine, (answer.closest,))


def test_greeting_and_arithmetic_need_no_store(engine: Engine) -> None:
    answer = engine.ask("2 + 2 * 3")
    assert (answer.route, answer.sources, answer.decision.clauses[0].stage) == ("direct", (), 1)
    assert answer.answer is not None and answer.answer.endswith("= 8")


def test_forced_route_and_strategy_are_obeyed(engine: Engine) -> None:
    answer = engine.ask("balsa", route="vectorial", strategy="lexical")
    assert (answer.route, answer.strategy, answer.decision.clauses[0].stage) == ("vectorial", "lexical", 0)
    assert all(hit.source == "lexical" for hit in answer.sources) and answer.sources
    with pytest.raises(UsageError, match="'fast' is no route"):
        engine.ask("balsa", route="fast")
    with pytest.raises(ConfigError, match="'psychic' is no strategy"):
        engine.search("balsa", strategy="psychic")


@pytest.mark.parametrize("question", ["", " \n\t", "?!… ¿", "\x00\x07", "\ud800"])
def test_a_question_without_words_is_refused(engine: Engine, question: str) -> None:
    for asked in (engine.ask, engine.route, engine.search):
        with pytest.raises(QueryRejected, match="holds no words"):
            asked(question)


def test_questions_are_cleaned_and_bounded() -> None:
    assert check_question(" a\x00b\u00a0\ud800c\n") == "a b  c"
    assert check_question("می\u200cخواهم") == "می\u200cخواهم"
    assert len(check_question("a" * MAX_QUESTION_CHARS)) == MAX_QUESTION_CHARS
    with pytest.raises(QueryRejected, match="longer than 200,000"):
        check_question("a" * (MAX_QUESTION_CHARS + 1))


def test_document_text_and_table_as_text(engine: Engine) -> None:
    assert engine.document_text("notices.jsonl#n1").endswith("The last ferry leaves Foz at nine in winter.")
    cells = engine.table_as_text("travessias")
    assert cells[0] == ["linha", "mes", "passageiros", "receita"]
    assert cells[1] == ["Amieira", "janeiro", "120", "1.310,50"]
    assert len(cells) == 7
    with pytest.raises(UsageError, match=r"'nothing\.md'"):
        engine.document_text("nothing.md")
    with pytest.raises(UsageError, match="'nothing'"):
        engine.table_as_text("nothing")


@pytest.mark.parametrize(
    "statement",
    ["", "DELETE FROM travessias", "SELECT 1; SELECT 2", "SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM nope"],
)
def test_sql_runs_one_select_over_known_tables(engine: Engine, statement: str) -> None:
    assert engine.sql('SELECT SUM(passageiros) AS "all" FROM travessias').rows == ((769,),)
    with pytest.raises(QueryRejected):
        engine.sql(statement)


def test_corpus_is_shown_by_file_and_document(engine: Engine) -> None:
    files = {file.document: file for file in engine.corpus.files()}
    assert sorted(files) == ["historia.md", "notes.txt", "notices.jsonl", "regras.md", "travessias.csv"]
    assert files["notices.jsonl"].chunks == 2 == sum(files["notices.jsonl"].routes.values())
    assert [table.name for table in files["travessias.csv"].tables] == ["travessias"]
    assert [stored.chunk.document for stored in engine.corpus.chunks("notices.jsonl")] == [
        "notices.jsonl#2",
        "notices.jsonl#n1",
    ]
    assert [stored.chunk.document for stored in engine.corpus.chunks("notices.jsonl#2")] == ["notices.jsonl#2"]
    assert engine.corpus.headings() == ["A enchente", "O começo", "Regra B1", "Regra B2"]
    assert "Regra B2" in {neighbour.name for neighbour in engine.corpus.neighbours("Regra B1")}


# ---------------------------------------------------------------- threads, package
def test_no_thread_outlives_a_statement(engine: Engine) -> None:
    # A thread that is still ending while the interpreter shuts down aborts the process.
    before = set(threading.enumerate())
    for _ in range(50):
        engine.sql("SELECT 1 AS one")
        assert set(threading.enumerate()) <= before


def test_threads_share_an_engine(own_engine: Engine) -> None:
    expected = {q: own_engine.ask(q, use_cache=False).answer for q in (FIGURE, RULE, STORY)}
    wrong: list[Any] = []

    def ask(question: str) -> None:
        try:
            for _ in range(4):
                answer: Answer = own_engine.ask(question, use_cache=False)
                if answer.answer != expected[question] or answer.spans[0].name != "ask":
                    wrong.append(answer)
        except Exception as error:  # noqa: BLE001 - a thread's failure must reach the test
            wrong.append(error)

    threads = [threading.Thread(target=ask, args=(question,)) for question in expected for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_package_offers_engine_and_settings() -> None:
    assert polyrag_cli.Engine is Engine
    assert polyrag_cli.Settings.__name__ == "Settings"
    assert set(polyrag_cli.__all__) == {"Engine", "Settings", "__version__"}
    with pytest.raises(AttributeError):
        polyrag_cli.Motor  # type: ignore[attr-defined]  # noqa: B018


def test_a_question_whose_words_tell_no_language_is_answered_in_the_corpus_language(demo: Engine) -> None:
    answer = demo.ask("receita bruta Teatro Coreto", use_cache=False)
    assert answer.answer is not None
    assert answer.answer.startswith("299.669,96 (soma")
    assert [(hit.document, hit.source) for hit in answer.sources] == [("bilheteria_2024.csv", "sql")]
