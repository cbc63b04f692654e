"""How an answer's rows are drawn: in the terminal, or as an SVG file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rich.console import Console
from rich.text import Text

from polyrag_cli.commands.output import check_writable, console, write_file
from polyrag_cli.display.series import MOST_BARS, Figures, Series, bar_rows, extremes, is_line, series_of, sparkline
from polyrag_cli.display.series_svg import series_svg
from polyrag_cli.errors import UsageError
from polyrag_cli.text.numbers import format_number
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Answer

_INDENT = 2
_SUFFIX = ".svg"


def check_chart(file: Path | None, as_json: bool) -> None:
    """Raises UsageError for a chart that has no place to go: asked before the question, not after it."""
    if file is None and as_json:
        raise UsageError("--chart draws in a terminal, and --json prints one object.", "Name a file: -o chart.svg.")
    if file is not None:
        if file.suffix.lower() != _SUFFIX:
            raise UsageError(f"{file}: a chart is written as SVG.", f"Name a file that ends in {_SUFFIX}.")
        check_writable(file)


def show_chart(answer: Answer, file: Path | None) -> None:
    """Draws an answer's rows on stdout, or into a file. Raises UsageError when they are no series."""
    if answer.answer is None:
        return
    series = series_of(answer.columns, answer.rows)
    if isinstance(series, str):
        raise UsageError(f"no chart: {series}.")
    figures = partial(format_number, language=read(answer.question).language)
    if file is not None:
        write_file(file, series_svg(series, answer.question, figures))
        console(stderr=True).print(Text(f"  chart: {file}"), soft_wrap=True)
        return
    out = console()
    out.print()
    _draw(series, out, figures)


def _draw(series: Series, out: Console, figures: Figures) -> None:
    margin = " " * _INDENT
    out.print(Text(f"{margin}{series.name} · {series.label}", style="dim"), soft_wrap=True)
    if is_line(series):
        blocks, each = sparkline(series, out.width - _INDENT)
        out.print(Text(margin).append(blocks, style="cyan"), soft_wrap=True)
        told = f"   each block the mean of {each}" if each > 1 else ""
        out.print(Text(f"{margin}{extremes(series, figures)}{told}", style="dim"), soft_wrap=True)
        return
    for row in bar_rows(series, out.width - _INDENT, figures):
        line = Text(f"{margin}{row.label}  ").append(row.bar, style="cyan").append(f"  {row.figure}")
        out.print(line, soft_wrap=True)
    if len(series.points) > MOST_BARS:
        out.print(Text(f"{margin}… {len(series.points) - MOST_BARS} more rows", style="dim"))
