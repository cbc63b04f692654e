"""`trace`, `sql`, `route`, `bench` and `eval` as people read them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from polyrag_cli.commands.show_trace import trace_lines
from polyrag_cli.stores.activity import TraceRecord
from tests.command_line import Finished

Run = Callable[..., Finished]


def test_a_trace_is_listed_shown_and_exported(polyrag: Run, own_data: Path) -> None:
    started = time.time()
    polyrag("--data", own_data, "ask", "Como tudo começou?")
    polyrag("--data", own_data, "ask", "Quem descobriu a penicilina?")
    polyrag("--data", own_data, "ask", "Como tudo começou?")
    newest, second, third = polyrag("--data", own_data, "trace", "list", "--limit", "3").out.splitlines()
    assert "cached" in newest and "nothing" in second and third.endswith("Como tudo começou?")
    trace = third.split()[0]
    shown = polyrag("--data", own_data, "trace", "show", trace).out
    assert shown.startswith("Como tudo começou?\n")
    assert "winning anchor" in shown and "├ pipeline.router" in shown
    assert polyrag("--data", own_data, "trace", "export", trace, "-o", "trace.json") == Finished(0, "", "")
    spans = json.loads(Path("trace.json").read_text())["resourceSpans"][0]["scopeSpans"][0]["spans"]
    root = spans[0]
    assert root["name"] == "ask" and "parentSpanId" not in root
    for span in spans[1:]:
        assert span["parentSpanId"] in {other["spanId"] for other in spans}
        assert int(root["startTimeUnixNano"]) <= int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
    assert started - 1 < int(root["startTimeUnixNano"]) / 1e9 < time.time() + 1
    assert "can't be written" in polyrag("--data", own_data, "trace", "export", trace, "-o", "no/such.json").failed(2)


def test_a_cached_answers_trace_names_the_question_that_it_was_given_to(polyrag: Run, own_data: Path) -> None:
    asked, again = "Qual foi a receita total?", "qual foi a receita total"
    for question in (asked, asked, again):
        polyrag("--data", own_data, "ask", question)
    listed = [line.split() for line in polyrag("--data", own_data, "trace", "list", "--limit", "3").out.splitlines()]
    assert [words[4] == "cached" for words in listed] == [True, True, False]
    newest, second, first = (polyrag("--data", own_data, "trace", "show", words[0]).out for words in listed)
    stored = polyrag("--data", own_data, "trace", "show", listed[0][0], "--json").json
    assert f"  cached · asked before as “{asked}” (cosine {stored['matched_cosine']:.2f})\n" in newest
    assert f"  cached · asked before as “{asked}” (cosine 1.00)\n" in second
    assert "the decision below is that question's" in second
    assert "asked before" not in first


def trace_record(question: str, *routes: str, **fields: Any) -> TraceRecord:
    given = {"cached": False, "failed": False, "took_ms": 4.0} | fields
    return TraceRecord("0123456789abcdef", 0.0, question, routes or ("graph",), **given)


def test_a_list_of_traces_fits_a_terminal_and_is_whole_in_a_pipe() -> None:
    long = "Which rule governs " + "the boats " * 20
    traces = [
        trace_record(long, "relational", "vectorial", "graph", cached=True, took_ms=12_345.0),
        trace_record("Where?", failed=True),
    ]
    narrow = trace_lines(traces, 80)
    assert all(len(line) <= 80 for line in narrow) and narrow[0].endswith("…")
    assert narrow[1].split() == ["01234567", "4.0", "ms", "graph", "nothing", "Where?"]
    assert narrow[0].index("Which") == narrow[1].index("Where")
    assert trace_lines(traces, None)[0].endswith(long.strip())
    # Nothing is kept free for marks that no trace has.
    assert trace_lines([trace_record("Where?")], 80) == ["01234567  4.0 ms  graph  Where?"]
    assert trace_lines([], 80) == []


def test_an_ambiguous_beginning_is_refused(polyrag: Run, own_data: Path) -> None:
    for _ in range(17):
        polyrag("--data", own_data, "ask", "--no-cache", "oi")
    traces = [row["trace_id"] for row in polyrag("--data", own_data, "trace", "list", "--json").json["traces"]]
    first = [trace[0] for trace in traces]
    ambiguous = next(digit for digit in first if first.count(digit) > 1)
    assert "Several traces begin with" in polyrag("--data", own_data, "trace", "show", ambiguous).failed(2)


def test_rows_of_sql(polyrag: Run, small_data: Path) -> None:
    done = polyrag(
        "--data",
        small_data,
        "sql",
        "SELECT linha, SUM(receita) AS total, NULL AS none FROM travessias GROUP BY 1 ORDER BY 1",
    )
    assert (done.code, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines()]
    assert ["linha", "total", "none"] in rows
    assert ["Amieira", "2290.5", "·"] in rows
    cut = polyrag("--data", small_data, "sql", "--override", "answer.max_rows=2", "SELECT * FROM travessias")
    assert cut.err == "  note: only the first 2 rows; see --max-rows and answer.max_rows\n"


def test_route_in_a_line_and_in_full(polyrag: Run, small_data: Path) -> None:
    line = polyrag("--data", small_data, "route", "Qual foi a receita total?")
    assert line.out.startswith("relational ") and line.out.count("\n") == 1
    assert " · final margin " in line.out
    full = polyrag("--data", small_data, "route", "--explain", "Qual foi a receita total e como tudo começou?").out
    assert "clause 1:" in full and "clause 2:" in full
    for words in (
        "▸ relational",
        "winning anchor",
        "evidence",
        "tau_high 0.50",
        "stage ",
        "strategy ",
        "generation 1",
    ):
        assert words in full
    greeting = polyrag("--data", small_data, "route", "--explain", "oi").out
    assert "stage 1 · heuristic  →  direct" in greeting


def test_bench_measures_routes_spans_and_decisions(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "bench", "--rounds", "1", "--no-cold", "--clients", "0")
    assert (done.code, done.err) == (0, "")
    rows = {tuple(line.split()[:2]) for line in done.out.splitlines()}
    assert {("routing", "decision"), ("route", "relational"), ("span", "ask"), ("span", "pipeline.router")} <= rows


def test_eval_lists_what_went_wrong(polyrag: Run, small_data: Path) -> None:
    Path("set.jsonl").write_text(
        '{"question": "Qual foi a receita total?", "route": "relational", "facts": ["8151"]}\n'
        '{"question": "Como tudo começou?", "route": "graph", "relevant": ["canoa emprestada"]}\n'
        '{"question": "Quem descobriu a penicilina?", "answer": null}\n'
    )
    done = polyrag("--data", small_data, "eval", "--set", "set.jsonl", "--failures")
    assert (done.code, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines() if len(line.split()) > 2 and "·" not in line]
    cells = {row[0]: row[1] for row in rows}
    assert (cells["router"], cells["facts"], cells["declined"], cells["recall@5"]) == (
        "0.500",
        "1.000",
        "1.000",
        "1.000",
    )
    assert "  Como tudo começou?" in done.out and "router · routed vectorial" in done.out
    Path("bad.yaml").write_text("- question: a\n  rout: graph\n")
    message = polyrag("--data", small_data, "eval", "--set", "bad.yaml").failed(2)
    assert "item 1" in message and "'rout'" in message and "route" in message
