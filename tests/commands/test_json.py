"""`--json` prints one object for every command that prints data, with nothing else on stdout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import Finished

Run = Callable[..., Finished]
QUESTION = "Quem precisa autorizar a saída com vento forte?"


@pytest.fixture
def trace(polyrag: Run, small_data: Path) -> str:
    answered = polyrag("--data", small_data, "ask", "--json", "--no-cache", QUESTION)
    identity: str = answered.json["trace_id"]
    assert len(identity) == 16
    return identity


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["ask", QUESTION], {"question", "answer", "sources", "decision", "trace_id", "spans"}),
        (["ask", "--explain", QUESTION], {"question", "answer", "sources", "decision"}),
        (["search", "balsa"], {"query", "hits"}),
        (["route", QUESTION], {"question", "clauses", "config_hash", "generation", "took_ms"}),
        (["route", "--explain", QUESTION], {"question", "clauses"}),
        (["sql", "SELECT linha, receita FROM travessias"], {"columns", "rows", "sql", "truncated"}),
        (["corpus", "list"], {"files"}),
        (["corpus", "show", "regras.md"], {"document", "versions", "chunks"}),
        (["corpus", "tables"], {"tables"}),
        (["corpus", "graph", "Regra B1"], {"entity", "neighbours"}),
        (["trace", "list"], {"traces"}),
        (["doctor"], {"file", "data", "settings", "checks", "counts", "generation", "fingerprint"}),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else None,
)
def test_one_object(polyrag: Run, small_data: Path, arguments: list[str], keys: set[str]) -> None:
    done = polyrag("--data", small_data, *arguments, "--json")
    assert done.code == 0
    assert keys <= set(done.json)
    assert done.out.count("\n") == 1


def test_traces(polyrag: Run, small_data: Path, trace: str) -> None:
    shown = polyrag("--data", small_data, "trace", "show", trace, "--json").json
    assert (shown["trace_id"], shown["question"]) == (trace, QUESTION)
    replayed = polyrag("--data", small_data, "replay", trace, "--json").json
    assert (replayed["trace_id"], replayed["same"], replayed["differences"]) == (trace, True, [])
    exported = polyrag("--data", small_data, "trace", "export", trace).json
    spans = exported["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert spans[0]["name"] == "ask"
    listed = polyrag("--data", small_data, "trace", "list", "--limit", "1", "--json").json["traces"]
    assert [entry["trace_id"] for entry in listed] == [trace]
    assert "payload" not in listed[0]


def test_ingest_eval_and_bench(polyrag: Run, own_data: Path) -> None:
    Path("new.txt").write_text("A rope lies on the quay.")
    report = polyrag("--data", own_data, "ingest", "new.txt", "--json").json
    assert [(file["document"], file["status"]) for file in report["files"]] == [("new.txt", "added")]
    Path("set.yaml").write_text('- question: "Qual foi a receita total?"\n  route: relational\n  facts: ["8151"]\n')
    done = polyrag("--data", own_data, "eval", "--set", "set.yaml", "--json").json
    assert done["sets"]["set.yaml"]["overall"]["router"] == 1.0
    assert done["sets"]["set.yaml"]["counts"]["facts"] == 1
    kept = polyrag("--data", own_data, "trace", "list", "--json").json
    measured = polyrag("--data", own_data, "bench", "--rounds", "1", "--no-cold", "--clients", "0", "--json").json
    assert polyrag("--data", own_data, "trace", "list", "--json").json == kept
    assert {row["kind"] for row in measured["rows"]} == {"routing", "route", "span", "cache"}
    assert all(row["n"] > 0 and 0 < row["p50_ms"] <= row["p95_ms"] for row in measured["rows"])


def test_nothing_found_is_an_object_with_a_null_answer(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "ask", "--json", "Quem descobriu a penicilina?")
    assert (done.code, done.json["answer"]) == (1, None)


def test_text_that_json_must_escape(polyrag: Run, own_data: Path) -> None:
    Path("odd.txt").write_bytes('Tab\tquote" back\\slash, \u2028 separator and 🚢 ship.'.encode())
    assert polyrag("--data", own_data, "ingest", "odd.txt").code == 0
    hits = polyrag("--data", own_data, "search", "slash separator ship", "--json").json["hits"]
    assert hits[0]["text"] == 'Tab\tquote" back\\slash, \u2028 separator and 🚢 ship.'
