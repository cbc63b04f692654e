"""The public Python API: what is written and kept, with traces, replay and the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.nl2sql.stored_index import CommitTables
from polyrag_cli.stores.base import RelationalStore, Snapshot
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.stores.table_words import TableWordStore
from tests.questions import FIGURE, RULE, plain


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
    before = own_engine.corpus.health()
    (tmp_path / "new.txt").write_text("New.")
    assert [file.status for file in own_engine.ingest([tmp_path / "new.txt"], dry_run=True).files] == ["added"]
    assert own_engine.corpus.health() == before


def test_without_a_corpus_reading_is_refused_and_creates_nothing(tmp_path: Path) -> None:
    with Engine.open(data_dir=tmp_path / "none", overrides={"embedder.name": "hashing"}) as fresh:
        refused: list[Callable[[], Any]] = [
            lambda: fresh.ask("balsa"),
            lambda: fresh.route("balsa"),
            lambda: fresh.search("balsa"),
            lambda: fresh.sql("SELECT 1"),
            lambda: fresh.document_text("a"),
            lambda: fresh.remove("a"),
            fresh.corpus.files,
        ]
        for read in refused:
            with pytest.raises(StoreError, match="Nothing is ingested"):
                read()
        assert fresh.corpus.health()["fingerprint"] == ""
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
    before = own_engine.corpus.health()
    for derived in [path for path in (own_data / "cache").rglob("*") if path.is_file()]:
        # A new file under the old name: who has the old one mapped keeps it.
        derived.unlink()
        derived.write_bytes(b"damaged")
    own_engine.corpus.repair()
    assert own_engine.corpus.health() == before
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


def test_replay_agrees_until_config_or_corpus_change(own_data: Path, own_engine: Engine, tmp_path: Path) -> None:
    answer = own_engine.ask(RULE)
    replay = own_engine.replay(answer.trace_id[:8])
    assert (replay.same, replay.differences, replay.trace_id) == (True, (), answer.trace_id)
    assert plain(own_engine.traces.stored(answer.trace_id)) == plain(answer)
    with Engine.open(data_dir=own_data, overrides={"embedder.name": "hashing", "routing.evidence_min": 0.9}) as other:
        changed = other.replay(answer.trace_id)
    assert not changed.same and changed.differences
    assert changed.stored.config_hash != changed.recomputed.config_hash
    (tmp_path / "more.md").write_text("# Vento\n\nO vento forte exige autorização de quem precisa da saída.\n")
    own_engine.ingest([tmp_path / "more.md"])
    grown = own_engine.replay(answer.trace_id)
    assert (grown.stored.generation, grown.recomputed.generation) == (1, 2)
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
    assert list(plain(same)) == ["hit", "cosine", "slots", "cached_slots", "reason", "checks"]
    assert (same.hit, round(same.cosine, 5)) == (True, 1.0)
    assert not other.hit
    assert other.reason != same.reason


def test_without_tracing_nothing_is_kept(own_data: Path) -> None:
    with Engine.open(
        data_dir=own_data, overrides={"embedder.name": "hashing", "tracing.enabled": False, "cache.enabled": False}
    ) as quiet:
        before = len(quiet.traces.list(1000))
        answer = quiet.ask(RULE)
        assert (answer.trace_id, answer.spans) == ("", ())
        assert answer.answer is not None and answer.took_ms > 0
        assert len(quiet.traces.list(1000)) == before


def test_router_and_answerer_read_one_index_of_the_tables(small_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    build = CommitTables.__init__

    def counted(
        tables: CommitTables, relational: RelationalStore, words: TableWordStore | None, snapshot: Snapshot
    ) -> None:
        build(tables, relational, words, snapshot)
        made.append(len(tables.names))

    monkeypatch.setattr(CommitTables, "__init__", counted)
    with Engine.open(data_dir=small_data, overrides={"embedder.name": "hashing"}) as engine:
        for _ in range(2):
            assert engine.ask(FIGURE, use_cache=False).sql
    assert len(made) == 1 and made[0] > 0
