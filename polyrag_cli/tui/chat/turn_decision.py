"""A turn's decision in styled lines: whether it came from the cache, what was forced, then the arithmetic."""

from __future__ import annotations

from textual.content import Content

from polyrag_cli.display.answers import cached_line
from polyrag_cli.tui.state import Turn
from polyrag_cli.tui.widgets.decision_panel import decision_lines


def turn_decision(turn: Turn | None, width: int) -> list[Content]:
    """A turn's decision, or what is awaited, for a width in cells."""
    if turn is None:
        return [Content.styled("Each question's decision is shown here: scores, margin, stage, spans.", "$text-muted")]
    lines = _cached(turn, width) + _forced(turn)
    if turn.decision is not None:
        return lines + decision_lines(turn.decision, width)
    return [*lines, Content.styled("no decision" if turn.phase == "failed" else "deciding …", "$text-muted")]


def decision_key(turn: Turn | None) -> tuple[object, ...]:
    """What `turn_decision` depends on: equal keys, equal lines."""
    if turn is None:
        return ()
    return (turn.number, turn.phase == "failed", turn.decision, turn.answer is not None and turn.answer.cached)


def _cached(turn: Turn, width: int) -> list[Content]:
    if turn.answer is None or not turn.answer.cached:
        return []
    text = cached_line(turn.answer, 2 * width)
    return [Content.styled(text, "bold $text-accent"), Content.styled("decided when that was asked:", "$text-muted")]


def _forced(turn: Turn) -> list[Content]:
    forced = [f"route {turn.route}"] * bool(turn.route) + [f"strategy {turn.strategy}"] * bool(turn.strategy)
    return [Content.styled(f"forced: {', '.join(forced)}", "bold")] if forced else []
