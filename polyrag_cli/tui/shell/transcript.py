"""A conversation with its decisions as Markdown."""

from __future__ import annotations

import re

from polyrag_cli.display.answers import cited, nothing_found, place
from polyrag_cli.display.decisions import decision_line, embedded, flip_line, margin_comparison, stage_line, sum_line
from polyrag_cli.display.score_rows import score_rows, threshold
from polyrag_cli.display.text import cell_text, clip, milliseconds, printable
from polyrag_cli.tui.state import State, Turn
from polyrag_cli.types import Answer, Cell, ClauseDecision

MAX_ROWS = 20
"""Rows of a result that are written out; the rest is counted."""


def markdown(state: State) -> str:
    """The turns in their order, each with its answer, sources, SQL and the arithmetic of its decision."""
    return "# PolyRAG: a conversation\n" + "".join(f"\n{_turn(turn)}" for turn in state.turns)


def _turn(turn: Turn) -> str:
    forced = [f"{name} {value}" for name, value in (("route", turn.route), ("strategy", turn.strategy)) if value]
    parts = [f"## {_plain(clip(turn.question, 500))}"]
    if forced:
        parts.append(f"Forced: {', '.join(forced)}.")
    if turn.answer is not None:
        parts += _answer(turn.answer)
    elif turn.error:
        parts.append(f"Failed: {_plain(turn.error)}")
    else:
        parts.append("No answer yet.")
    if turn.decision is not None:
        parts.append("### Decision")
        parts += [_clause(clause) for clause in turn.decision.clauses]
        parts.append(f"Configuration {turn.decision.config_hash[:12]} · generation {turn.decision.generation}")
    return "\n\n".join(parts) + "\n"


def _answer(answer: Answer) -> list[str]:
    text = answer.answer if answer.answer is not None else nothing_found(answer)
    parts = ["\n".join(f"> {_plain(line)}" for line in text.splitlines())]
    sources = cited(answer)
    if sources:
        parts.append("\n".join(f"- [{n}] {_plain(place(hit))} · {hit.score:.2f}" for n, hit in sources))
    if answer.path:
        parts.append(f"Path: {_plain(' → '.join(answer.path))}")
    if answer.sql:
        parts.append(_fenced(answer.sql, "sql"))
    if answer.rows:
        parts.append(_table(answer.columns, answer.rows))
    parts += [f"Note: {_plain(warning)}" for warning in answer.warnings]
    if answer.cached:
        parts.append(f"From the cache: asked before as “{_plain(answer.matched_question or '')}”.")
    trace = f" · trace {answer.trace_id}" if answer.trace_id else ""
    parts.append(f"{milliseconds(answer.took_ms)}{trace}")
    return parts


def _clause(clause: ClauseDecision) -> str:
    lines = [f"**{_plain(decision_line(clause))}**", "", f"“{_plain(clip(clause.text, 300))}”"]
    if clause.scores:
        lines += ["", "| route | sum | winning anchor | evidence |", "|---|---|---|---|"]
        lines += [
            f"| {_cell(row.route)} | {sum_line(row)} | {_cell(row.anchor or '–')} | {_cell(row.evidence or '–')} |"
            for row in score_rows(clause)
        ]
    if embedded(clause):
        taus = f"tau_low {threshold(clause.tau_low)} · tau_high {threshold(clause.tau_high)}"
        lines += ["", f"margin {_plain(margin_comparison(clause))} · {taus}"]
    flip = flip_line(clause)
    if flip:
        lines += ["", _plain(f"To flip: {flip}")]
    lines += ["", _plain(stage_line(clause)), "", _plain(f"Strategy {clause.strategy}: {clause.reason}")]
    return "\n".join(lines)


def _table(columns: tuple[str, ...], rows: tuple[tuple[Cell, ...], ...]) -> str:
    lines = [_row(columns), "|" + "---|" * len(columns), *(_row(row) for row in rows[:MAX_ROWS])]
    rest = len(rows) - MAX_ROWS
    return "\n".join(lines) + (f"\n\n… and {rest:,} more rows" if rest > 0 else "")


def _row(cells: tuple[Cell, ...]) -> str:
    return "| " + " | ".join(_cell("" if cell is None else cell_text(cell)) for cell in cells) + " |"


def _cell(text: str) -> str:
    return _plain(clip(text, 200)).replace("|", "\\|")


def _fenced(text: str, language: str) -> str:
    """A code block whose fence is longer than any that the text holds."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{printable(text)}\n{fence}"


def _plain(text: str) -> str:
    """Text of a document so that a reader of Markdown loads and runs nothing: no HTML, pictures or links."""
    line = " ".join(printable(text).splitlines())
    return line.replace("<", "&lt;").replace("![", "!\\[").replace("](", "]\\(").replace("][", "]\\[")
