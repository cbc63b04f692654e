"""The public Python API: every method, with the field names that its JSON promises."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import polyrag_cli
from polyrag_cli.engine import MAX_QUESTION_CHARS, Engine, check_question
from polyrag_cli.errors import ConfigError, QueryRejected, StoreError, UsageError
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.types import Answer, Hit, as_json


def names(text: str) -> list[str]:
    return text.split()


ASK = names(
    "question answer route routes strategy cached sql columns rows sources decision warnings trace_id took_ms spans"
)
HIT = names("document chunk_id heading page start end text score from")
ROUTE = names("question clauses config_hash generation took_ms")
CLAUSE = names("text route also stage scores margin final_margin tau_high tau_low delta_margin strategy reason")
SCORE = names("route score final_score anchor evidence")
SPAN = names("name parent start_ms ms attributes")
FILE = names("document status reason chunks routes tables warnings")

FIGURE = "Qual foi a receita total?"
RULE = "Quem precisa autorizar a saída com vento forte?"
STORY = "Como tudo começou?"


def holds(value: Mapping[str, Any], wanted: list[str]) -> None:
    assert [name for name in wanted if name not in value] == []


def plain(result: Any) -> Any:
    """The result as JSON gives it, through a dump and back."""
    return json.loads(json.dumps(as_json(result), allow_nan=False))


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


# ---------------------------------------------------------------- JSON
def test_ask_has_the_promised_fields(engine: Engine) -> None:
    answer = plain(engine.ask(RULE))
    holds(answer, ASK)
    assert answer["question"] == RULE
    assert answer["sources"] and answer["spans"]
    for hit in answer["sources"]:
        holds(hit, HIT)
        assert "source" not in hit
    for span in answer["spans"]:
        holds(span, SPAN)
    decision_fields(answer["decision"])


def decision_fields(decision: Mapping[str, Any]) -> None:
    holds(decision, ROUTE)
    assert decision["clauses"]
    for clause in decision["clauses"]:
        holds(clause, CLAUSE)
        assert [s["final_score"] for s in clause["scores"]] == sorted(
            (s["final_score"] for s in clause["scores"]), reverse=True
        )
        for score in clause["scores"]:
            holds(score, SCORE)


@pytest.mark.parametrize("question", [FIGURE, RULE, STORY, f"{FIGURE[:-1]} e como tudo começou?"])
def test_route_has_the_promised_fields_and_is_the_decision_of_ask(engine: Engine, question: str) -> None:
    decision = plain(engine.route(question))
    decision_fields(decision)
    asked = plain(engine.ask(question, use_cache=False).decision)
    assert without_times(asked) == without_times(decision)


def without_times(decision: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in decision.items() if name not in ("took_ms", "timings")}


def test_search_has_the_promised_fields(engine: Engine) -> None:
    result = plain(engine.search("balsa", top_k=3))
    assert list(result) == ["query", "hits"]
    assert 0 < len(result["hits"]) <= 3
    for hit in result["hits"]:
        holds(hit, HIT)
        assert "source" not in hit


def test_ingest_has_the_promised_fields(small_folder: Path, own_engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "new.md").write_text("# New\n\n## Part\n\nA new text about ropes.\n\n|a|b|\n|-|-|\n|1|2|\n|3|4|\n")
    report = plain(own_engine.ingest([small_folder, tmp_path / "new.md"]))
    holds(report, ["files", "took_ms"])
    for file in report["files"]:
        holds(file, FILE)
    by_name = {file["document"]: file for file in report["files"]}
    assert by_name["new.md"]["status"] == "added"
    assert by_name["new.md"]["chunks"] == sum(by_name["new.md"]["routes"].values()) > 0
    (table,) = by_name["new.md"]["tables"]
    assert (sorted(table), table["rows"], table["columns"]) == (["columns", "name", "rows"], 2, 2)
    known = ("travessias.csv", "regras.md", "historia.md", "notices.jsonl", "notes.txt")
    assert {name: by_name[name]["status"] for name in known} == dict.fromkeys(known, "unchanged")
    assert len(by_name) == 6


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
    files = {file.document: file for file in engine.files()}
    assert sorted(files) == ["historia.md", "notes.txt", "notices.jsonl", "regras.md", "travessias.csv"]
    assert files["notices.jsonl"].chunks == 2 == sum(files["notices.jsonl"].routes.values())
    assert [table.name for table in files["travessias.csv"].tables] == ["travessias"]
    assert [stored.chunk.document for stored in engine.chunks("notices.jsonl")] == [
        "notices.jsonl#2",
        "notices.jsonl#n1",
    ]
    assert [stored.chunk.document for stored in engine.chunks("notices.jsonl#2")] == ["notices.jsonl#2"]
    assert engine.headings() == ["A enchente", "O começo", "Regra B1", "Regra B2"]
    assert "Regra B2" in {neighbour.name for neighbour in engine.neighbours("Regra B1")}


# ---------------------------------------------------------------- writing
def test_ingest_text_and_remove(own_engine: Engine) -> None:
    report = own_engine.ingest_text("The lantern on the pier is green.", document="pier", title="Pier")
    assert [(file.document, file.status) for file in report.files] == [("pier", "added")]
    assert own_engine.search("green lantern", top_k=1).hits[0].document == "pier"
    own_engine.remove("pier")
    assert "pier" not in {hit.document for hit in own_engine.search("green lantern").hits}
    with pytest.raises(UsageError, match="pier"):
        own_engine.remove("pier")


def test_a_dry_run_writes_nothing(tmp_path: Path, small_folder: Path, own_engine: Engine) -> None:
    data = tmp_path / "absent"
    with Engine.open(data_dir=data, overrides={"embedder.name": "hashing"}) as fresh:
        report = fresh.ingest([small_folder], dry_run=True)
        assert {file.status for file in report.files} == {"added"}
        assert sum(file.chunks for file in report.files) == 7
        assert not data.exists()
        with pytest.raises(StoreError):
            fresh.ask("balsa")
    before = own_engine.health()
    (tmp_path / "new.txt").write_text("New.")
    assert [file.status for file in own_engine.ingest([tmp_path / "new.txt"], dry_run=True).files] == ["added"]
    assert own_engine.health() == before


def test_without_a_corpus_reading_is_refused_and_creates_nothing(tmp_path: Path) -> None:
    with Engine.open(data_dir=tmp_path / "none", overrides={"embedder.name": "hashing"}) as fresh:
        refused: list[Callable[[], Any]] = [
            lambda: fresh.ask("balsa"),
            lambda: fresh.route("balsa"),
            lambda: fresh.search("balsa"),
            lambda: fresh.sql("SELECT 1"),
            lambda: fresh.document_text("a"),
            lambda: fresh.remove("a"),
            fresh.files,
        ]
        for read in refused:
            with pytest.raises(StoreError, match="Nothing is ingested"):
                read()
        assert fresh.health()["fingerprint"] == ""
    assert not (tmp_path / "none").exists()


def test_another_embedder_is_refused_until_reembedded(own_data: Path) -> None:
    with Engine.open(data_dir=own_data, overrides={"embedder.name": "none"}) as other:
        with pytest.raises(StoreError, match="polyrag ingest --reembed") as refused:
            other.ask("balsa")
        assert "hashing" in refused.value.message and "none" in refused.value.message
        other.ingest([], reembed=True)
        assert other.ask(RULE).answer is not None


def test_the_cache_may_be_deleted_under_an_open_engine(own_engine: Engine, own_data: Path) -> None:
    for derived in sorted((own_data / "cache").rglob("*"), reverse=True):
        derived.rmdir() if derived.is_dir() else derived.unlink()
    answer = own_engine.ask(RULE, use_cache=False)
    assert answer.answer is not None and not answer.warnings


def test_repair_rebuilds_what_is_derived_and_changes_no_content(own_engine: Engine, own_data: Path) -> None:
    before = own_engine.health()
    for derived in [path for path in (own_data / "cache").rglob("*") if path.is_file()]:
        # A new file under the old name: who has the old one mapped keeps it.
        derived.unlink()
        derived.write_bytes(b"damaged")
    own_engine.repair()
    assert own_engine.health() == before
    assert not [path for path in (own_data / "cache").glob("graph-*") if path.read_bytes() == b"damaged"]
    assert own_engine.ask(RULE, use_cache=False).answer is not None


def test_a_table_swept_under_a_question_is_read_again_on_a_fresh_snapshot(
    own_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, failures = own_engine.stores.relational.execute, [1, 1]

    def execute(*given: Any, **named: Any) -> Any:
        if failures:
            failures.pop()
            raise StaleSnapshot("The table file was replaced while it was read.")
        return real(*given, **named)

    monkeypatch.setattr(own_engine.stores.relational, "execute", execute)
    answer = own_engine.ask("Qual foi a receita total?", use_cache=False)
    assert (answer.routes, answer.warnings, failures) == (("relational",), (), [])
    assert answer.answer is not None and answer.answer.startswith("8.151")
    failures += [1, 1, 1]
    with pytest.raises(StaleSnapshot):
        own_engine.ask("Qual foi a receita total?", use_cache=False)


# ---------------------------------------------------------------- traces, replay, cache
def test_replay_agrees_until_config_or_corpus_change(own_data: Path, own_engine: Engine, tmp_path: Path) -> None:
    answer = own_engine.ask(RULE)
    replay = own_engine.replay(answer.trace_id[:8])
    assert (replay.same, replay.differences, replay.trace_id) == (True, (), answer.trace_id)
    assert plain(own_engine.stored_trace(answer.trace_id)) == plain(answer)
    with Engine.open(data_dir=own_data, overrides={"embedder.name": "hashing", "routing.evidence_min": 0.9}) as other:
        changed = other.replay(answer.trace_id)
    assert not changed.same
    assert any("configuration" in difference for difference in changed.differences)
    (tmp_path / "more.md").write_text("# Vento\n\nO vento forte exige autorização de quem precisa da saída.\n")
    own_engine.ingest([tmp_path / "more.md"])
    grown = own_engine.replay(answer.trace_id)
    assert "corpus changed: generation 1 → 2" in grown.differences
    with pytest.raises(UsageError, match="no trace 'ffffffff'"):
        own_engine.replay("ffffffff")


@pytest.mark.parametrize(
    "forced", [{"route": "graph"}, {"strategy": "lexical"}, {"route": "vectorial", "strategy": "dense"}]
)
def test_replay_of_a_forced_decision_forces_it_again(own_engine: Engine, forced: dict[str, str]) -> None:
    answer = own_engine.ask(RULE, **forced)  # type: ignore[arg-type]
    assert own_engine.replay(answer.trace_id).differences == ()


def test_the_cache_serves_a_repeat_until_its_document_changes(own_engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "lamp.md").write_text("# Lamp\n\nThe pier lamp is green.\n")
    own_engine.ingest([tmp_path / "lamp.md"])
    question = "Which colour is the pier lamp?"
    first = own_engine.ask(question)
    again = own_engine.ask(question)
    assert (first.cached, again.cached, again.answer) == (False, True, first.answer)
    assert not own_engine.ask(question, use_cache=False).cached
    (tmp_path / "lamp.md").write_text("# Lamp\n\nThe pier lamp is violet.\n")
    own_engine.ingest([tmp_path / "lamp.md"])
    fresh = own_engine.ask(question)
    assert not fresh.cached
    assert fresh.answer is not None and "violet" in fresh.answer


def test_cache_match_says_why(engine: Engine) -> None:
    same = engine.cache_match(FIGURE, FIGURE)
    other = engine.cache_match("Qual foi a receita total em 2023?", "Qual foi a receita total em 2024?")
    assert list(plain(same)) == ["hit", "cosine", "slots", "cached_slots", "reason"]
    assert (same.hit, round(same.cosine, 5)) == (True, 1.0)
    assert not other.hit
    assert other.reason != same.reason


def test_without_tracing_nothing_is_kept(own_data: Path) -> None:
    with Engine.open(
        data_dir=own_data, overrides={"embedder.name": "hashing", "tracing.enabled": False, "cache.enabled": False}
    ) as quiet:
        before = len(quiet.activity.list_traces(1000))
        answer = quiet.ask(RULE)
        assert (answer.trace_id, answer.spans) == ("", ())
        assert answer.answer is not None and answer.took_ms > 0
        assert len(quiet.activity.list_traces(1000)) == before


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
