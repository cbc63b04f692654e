"""How measurements look: latency, throughput, two runs side by side, growth with size."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from polyrag_cli.commands.output import print_wrapped
from polyrag_cli.commands.show_rows import plain_table
from polyrag_cli.display.charts import log_chart
from polyrag_cli.display.text import clip, counted, milliseconds
from polyrag_cli.evaluation.bench.bench import BenchReport
from polyrag_cli.evaluation.bench.csv_rate import CsvRate
from polyrag_cli.evaluation.bench.growth import growth_name
from polyrag_cli.evaluation.bench.saved_runs import ComparedRow, Comparison
from polyrag_cli.evaluation.bench.scale import ScaleReport

SHOWN_QUESTIONS = 3
_WIDE = 98
_STYLES = {"slower": "red", "faster": "green"}


def show_report(report: BenchReport, out: Console) -> None:
    """Prints what a run measured."""
    about = report.about
    facts = (counted(report.questions, "question"), counted(about.chunks, "chunk"), counted(about.tables, "table"))
    place = (about.embedder, f"Python {about.python}", counted(about.cores, "core"))
    out.print(Text(" · ".join((*facts, *place)), style="dim"), soft_wrap=True)
    table = _table(("kind", "name"), ("n", "p50 ms", "p95 ms", "p99 ms"))
    for row in report.rows:
        table.add_row(row.kind, row.name, str(row.n), *(f"{v:.2f}" for v in (row.p50_ms, row.p95_ms, row.p99_ms)))
    out.print(table)
    if report.throughput:
        table = _table(("clients at once",), ("questions/s", "p50 ms", "p95 ms"))
        for rate in report.throughput:
            table.add_row(str(rate.clients), *(f"{v:.2f}" for v in (rate.questions_per_s, rate.p50_ms, rate.p95_ms)))
        out.print()
        out.print(table)
    out.print()
    for name, text in _facts(report):
        out.print(Text(f"{name:<10}{text}"), soft_wrap=True)


def _facts(report: BenchReport) -> list[tuple[str, str]]:
    shares = [f"{share.route} {share.share:.0%} ({milliseconds(share.ms)})" for share in report.models]
    facts = [("in models", " · ".join(shares))] if shares else []
    facts.append(
        ("memory", f"{_megabytes(report.memory.rss_mb)} resident, {_megabytes(report.memory.peak_mb)} at most")
    )
    rate = report.ingest
    if rate is not None:
        what = (counted(rate.files, "file"), counted(rate.chunks, "chunk"), counted(rate.tables, "table"))
        speed = f"{rate.chunks_per_s:,.0f} chunks/s, {rate.windows_per_s:,.0f} windows/s"
        facts.append(
            ("ingest", f"{', '.join(what)} in {rate.seconds:.1f} s: {speed}, {_megabytes(rate.peak_mb)} at most")
        )
    if report.csv is not None:
        facts.append(("csv", _csv_said(report.csv)))
    return facts


def _csv_said(rate: CsvRate) -> str:
    others = [f"DuckDB alone {rate.duckdb_mb_per_s:,.0f} MB/s ({rate.of_duckdb:g}×)"]
    if rate.pandas_mb_per_s is not None:
        others.append(f"pandas {rate.pandas_mb_per_s:,.0f} MB/s ({rate.of_pandas:g}×)")
    own = f"{rate.mb:,.0f} MB, {rate.rows:,} rows: {rate.mb_per_s:,.0f} MB/s, {_megabytes(rate.peak_mb)} at most"
    return " · ".join((own, *others))


def _megabytes(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.0f} MB"


def show_comparison(comparison: Comparison, saved: Path, questions: int, out: Console) -> None:
    """Prints today's run of so many questions beside a saved one: ratios, above 1 for slower, with 95 % intervals."""
    out.print()
    out.print(
        Text(f"against {saved} · this machine {comparison.machine:.2f}× on a fixed loop", style="bold"), soft_wrap=True
    )
    for difference in comparison.differences:
        out.print(Text(f"  differs: {difference}", style="yellow"), soft_wrap=True)
    for line in asked_by_one(comparison):
        print_wrapped(out, line, style="yellow")
    for line in meaning(comparison, questions):
        print_wrapped(out, line, style="dim")
    # A narrow terminal does without the noise, which the verdict has in it, and without what the ratio says.
    wide = out.width >= _WIDE
    columns = ("before", "now", "ratio", "95 %", "noise") if wide else ("now", "ratio", "95 %")
    table = _table(("kind", "name"), columns)
    table.add_column("verdict", no_wrap=True)
    for row in comparison.rows:
        table.add_row(*_compared(row, wide))
    out.print(table)
    for name in comparison.only:
        out.print(Text(f"  not compared: {name}", style="dim"), soft_wrap=True)
    counts = {verdict: sum(row.verdict == verdict for row in comparison.rows) for verdict in ("slower", "faster")}
    rest = len(comparison.rows) - sum(counts.values())
    out.print(Text(f"{counts['slower']} slower, {counts['faster']} faster, {rest} within the noise"))


def meaning(comparison: Comparison, questions: int) -> list[str]:
    """What the ratios and their intervals are of, in a line each."""
    how = "medians of all questions together, now by before"
    if comparison.paired:
        how = f"each question's own, now by before, and the median of {questions}"
    return [
        f"ratio: {how}; above 1: slower",
        "95 %: where the ratio lies with 95 % confidence (bootstrap over samples)",
    ]


def asked_by_one(comparison: Comparison) -> list[str]:
    """The questions that one of the runs alone asked: how many, and the first of them."""
    found = []
    for where, questions in (("the saved run", comparison.only_before), ("this run", comparison.only_now)):
        if questions:
            named = ", ".join(f"“{clip(question, 40)}”" for question in questions[:SHOWN_QUESTIONS])
            more = len(questions) - SHOWN_QUESTIONS
            named += f", {more} more" if more > 0 else ""
            found.append(f"only in {where}: {counted(len(questions), 'question')}: {named}")
    return found


def _compared(row: ComparedRow, wide: bool) -> list[Text | str]:
    interval = "–" if row.low is None or row.high is None else f"{row.low:.2f}–{row.high:.2f}"
    verdict = "" if row.verdict == "same" else row.verdict
    figures = [f"{row.new:.2f}", f"{row.ratio:.2f}×", interval]
    if wide:
        figures = [f"{row.old:.2f}", *figures, f"{row.noise:.2f}"]
    return [row.kind, row.name, *figures, Text(verdict, style=_STYLES.get(verdict, "dim"))]


def show_scale(report: ScaleReport, out: Console) -> None:
    """Prints each part's cost by size, and how it grows."""
    points = report.points
    out.print(Text(f"synthetic corpus · embedder {report.embedder} · medians, warm", style="dim"), soft_wrap=True)
    table = _table(("part",), tuple(f"{point.chunks:,}" for point in points))
    table.add_column("exponent", justify="right")
    table.add_column("last step", justify="right")
    table.add_column("growth")
    for growth in report.growth:
        slopes = ("–" if value is None else f"{value:.2f}" for value in (growth.exponent, growth.last))
        table.add_row(growth.part, *(milliseconds(cost) for cost in growth.costs), *slopes, growth.name)
    for name, values in _sizes(report).items():
        table.add_row(Text(name, style="dim"), *(Text(value, style="dim") for value in values), "", "", "")
    out.print(table)
    linear = [growth.part for growth in report.growth if growth.name in ("linear", "superlinear")]
    if len(points) > 1:
        words = ", ".join(linear) or "none"
        out.print(Text(f"at least linear between the two largest sizes: {words}"), soft_wrap=True)


def _sizes(report: ScaleReport) -> dict[str, list[str]]:
    points = report.points
    return {
        "chunks/s": [f"{point.chunks / point.costs['ingest'] * 1000:,.0f}" for point in points],
        "peak memory": [_megabytes(point.peak_mb) for point in points],
        "windows": [f"{point.windows:,}" for point in points],
        "tables": [f"{point.tables:,}" for point in points],
        "names": [f"{point.names:,}" for point in points],
        "cached": [f"{point.cache_entries:,}" for point in points],
    }


def scale_chart(report: ScaleReport) -> str:
    """The SVG chart of a growth measure: chunks across, milliseconds upwards."""
    sizes = [float(point.chunks) for point in report.points]
    series = {
        f"{growth.part}{_slope(growth.last)}": list(zip(sizes, growth.costs, strict=True))
        for growth in sorted(report.growth, key=lambda growth: -growth.costs[-1])
    }
    return log_chart("Cost by size of the corpus", "chunks", "milliseconds", series)


def _slope(value: float | None) -> str:
    return "" if value is None else f"  {value:.2f} {growth_name(value)}"


def _table(left: tuple[str, ...], right: tuple[str, ...]) -> Table:
    table = plain_table()
    for name in left:
        table.add_column(name, no_wrap=True)
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table
