"""The fields that the results' JSON promises."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.engine import Engine
from tests.questions import FIGURE, RULE, STORY, plain


def names(text: str) -> list[str]:
    return text.split()


ASK = names(
    "question answer route routes strategy cached sql columns rows sources decision warnings trace_id took_ms spans"
)
HIT = names("document chunk_id heading page start end text score from")
ROUTE = names("question clauses config_hash generation took_ms")
CLAUSE = names("text route also stage scores margin final_margin tau_high tau_low delta_margin strategy reason")
SCORE = names("route score final_score anchor evidence terms")
SPAN = names("name parent start_ms ms attributes")
FILE = names("document status reason chunks routes tables warnings")


def holds(value: Mapping[str, Any], wanted: list[str]) -> None:
    assert [name for name in wanted if name not in value] == []


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
            assert exact(score["terms"]) == Decimal(str(score["final_score"]))
            if score["evidence"] is not None:
                assert exact(score["evidence"]["terms"]) == Decimal(str(score["evidence"]["score"]))


def exact(terms: list[dict[str, Any]]) -> Decimal:
    """The sum of terms, added as they stand in the JSON."""
    return sum((Decimal(str(term["value"])) for term in terms), Decimal(0))


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
