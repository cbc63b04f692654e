"""A turn of the conversation as styled lines: the question, the answer with its links, SQL and rows, sources, notes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.style import Style

from polyrag_cli.display.answers import MARK, cited, nothing_found, place, summary
from polyrag_cli.display.text import cell_text, clip, counted, printable
from polyrag_cli.tui.state import Turn
from polyrag_cli.tui.widgets.drawn import joined
from polyrag_cli.types import Answer, Cell, Hit

MAX_ROWS = 20
"""Rows of a SQL result that a turn shows."""

_WIDEST_CELL = 32
# Below this many cells a source shows its lines only, not its score.
_ROOMY = 44


def turn_content(turn: Turn, width: int, cursor: int | None = None, heading: str | None = None) -> Content:
    """A turn, for a width in cells.

    cursor: the place in `sources` that is marked. heading: stands in the place of the question.
    """
    lines = [_heading(turn, heading)]
    if turn.phase == "failed":
        lines.append(Content.styled(f"error: {printable(turn.error)}", "$text-error"))
    elif turn.answer is None:
        lines.append(Content.styled(_progress(turn), "$text-muted"))
    else:
        lines += [Content(""), *_answer(turn.answer)]
        support = [*_sql(turn.answer, width), *_sources(turn, width, cursor)]
        if turn.answer.path:
            support.append(Content.styled("  path  " + printable(" → ".join(turn.answer.path)), "$text-muted"))
        lines += [Content(""), *support] if support else []
        lines += [Content.styled(f"note: {printable(note)}", "$text-warning") for note in turn.answer.warnings]
        lines.append(Content.styled(summary(turn.answer), "$text-muted"))
    return joined(lines)


def sources(turn: Turn) -> list[tuple[int, Hit]]:
    """The passages that the turn's answer cites, or the closest one (numbered 0) when nothing answers."""
    if turn.answer is None:
        return []
    if turn.answer.answer is None:
        return [(0, turn.answer.closest)] if turn.answer.closest is not None else []
    return cited(turn.answer)


def route_label(turn: Turn) -> str:
    """What was asked for: the forced route and strategy, "auto" for the router's own choice."""
    return f"route {turn.route or 'auto'}" + (f" · strategy {turn.strategy}" if turn.strategy else "")


def _heading(turn: Turn, heading: str | None) -> Content:
    if heading is not None:
        return Content.styled(heading, "bold $text-accent")
    forced = f"   forced: {route_label(turn)}" if turn.route or turn.strategy else ""
    return Content.assemble(("› ", "$text-accent"), (printable(turn.question), "bold"), (forced, "$text-muted"))


def _progress(turn: Turn) -> str:
    running = [span.name for span in turn.spans if span.ms is None]
    return f"… {running[-1]}" if running else "…"


def _answer(answer: Answer) -> list[Content]:
    if answer.answer is None:
        return [Content(printable(nothing_found(answer)))]
    known = {n for n, _ in cited(answer)}
    text = printable(answer.answer)
    parts: list[str | Content] = []
    at = 0
    for mark in MARK.finditer(text):
        if int(mark[1]) in known:
            parts += [text[at : mark.start()], _link(mark[0], "open_source", int(mark[1]))]
            at = mark.end()
    return [Content.assemble(*parts, text[at:])]


def _link(text: str, action: str, *parameters: int | str) -> Content:
    return Content(text).stylize(Style.from_meta({"@click": (action, parameters)}))


def _sources(turn: Turn, width: int, cursor: int | None) -> list[Content]:
    found = sources(turn)
    if not found:
        return []
    roomy = width >= _ROOMY
    places = [clip(place(hit), max(12, width - (26 if roomy else 13))) for _, hit in found]
    widest = max(map(cell_len, places))
    lines = []
    for at, ((n, hit), where) in enumerate(zip(found, places, strict=True)):
        line = Content.assemble(
            ("▸ " if at == cursor else "  ", "$text-accent"),
            _link(f"[{n}]" if n else "[closest]", "open_source", n),
            (f" {set_cell_size(where, widest)}", "bold" if at == cursor else ""),
            (_where(turn.lines.get(n, ""), hit.score, roomy) if n else "", "$text-muted"),
        )
        lines.append(line)
    return lines


def _where(lines: str, score: float, roomy: bool) -> str:
    return f"  {lines}  {score:.2f}" if roomy else f" {lines.rpartition(' ')[2]}"


def _sql(answer: Answer, width: int) -> list[Content]:
    if not answer.sql:
        return []
    lines = [Content.styled("  " + printable(line), "$text-secondary") for line in answer.sql.split("\n")]
    files = dict.fromkeys(hit.document for hit in answer.sources if hit.source == "sql")
    lines += [Content.styled("  " + printable(name), "$text-muted") for name in files]
    if len(answer.rows) > 1 or len(answer.columns) > 1:
        lines += rows_lines(answer.columns, answer.rows, width - 2)
    return lines


def rows_lines(columns: Sequence[str], rows: Sequence[Sequence[Cell]], width: int) -> list[Content]:
    """A SQL result as aligned lines of at most `width` cells, two in; the rows beyond MAX_ROWS are counted."""
    shown = [[clip(cell_text(cell), _WIDEST_CELL) for cell in row] for row in rows[:MAX_ROWS]]
    names = [clip(name, _WIDEST_CELL) for name in columns]
    widths = [max(cell_len(text) for text in column) for column in zip(names, *shown, strict=True)]
    right = [any(isinstance(row[i], (int, float)) and not isinstance(row[i], bool) for row in rows[:MAX_ROWS])
             for i in range(len(columns))]  # fmt: skip

    def line(cells: list[str]) -> str:
        aligned = (
            " " * (w - cell_len(text)) + text if to_right else text + " " * (w - cell_len(text))
            for text, w, to_right in zip(cells, widths, right, strict=True)
        )
        text = "  ".join(aligned).rstrip()
        return text if cell_len(text) <= width else set_cell_size(text, max(1, width - 1)) + "…"

    lines = [Content.styled("  " + line(names), "bold"), *(Content("  " + line(row)) for row in shown)]
    if len(rows) > MAX_ROWS:
        lines.append(Content.styled(f"  … {counted(len(rows) - MAX_ROWS, 'more row')}", "$text-muted"))
    return lines
