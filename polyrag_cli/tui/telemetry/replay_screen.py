"""A stored decision beside today's, and what has changed between them."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from polyrag_cli.display.text import clip, counted
from polyrag_cli.routing.replay import stamps
from polyrag_cli.tui.widgets.decision_panel import decision_lines
from polyrag_cli.tui.widgets.drawn import Drawn, joined
from polyrag_cli.tui.widgets.modal import Modal
from polyrag_cli.types import Replay, RouteDecision


class DecisionText(Drawn):
    """A decision under a heading. when: "then" or "today"."""

    def __init__(self, when: str, decision: RouteDecision) -> None:
        super().__init__()
        self._when = when
        self._decision = decision

    def draw(self, width: int) -> Content:
        """The decision's arithmetic for a width in cells."""
        made = f"generation {self._decision.generation} · configuration {self._decision.config_hash[:12]}"
        return joined(
            [Content.styled(f"{self._when}: {made}", "bold underline"), *decision_lines(self._decision, width)]
        )


class ReplayScreen(Modal[None]):
    """The verdict first, then both decisions side by side, then each difference."""

    DEFAULT_CSS = """
    ReplayScreen { align: center middle; }
    ReplayScreen > Vertical { width: 96%; height: 92%; border: round $primary; background: $surface; padding: 0 1; }
    ReplayScreen #verdict { text-style: bold; margin-bottom: 1; }
    ReplayScreen Horizontal { height: auto; }
    ReplayScreen DecisionText { width: 1fr; padding-right: 2; }
    ReplayScreen #differences { margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,r", "dismiss", "Close")]

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self._replay = replay

    def compose(self) -> ComposeResult:
        replay = self._replay
        with Vertical() as box:
            box.border_title = Content(f"replay of trace {clip(replay.trace_id, 16)}")
            box.border_subtitle = "escape closes"
            yield Static(Content(clip(replay.stored.question, 300)))
            yield Static(Content(verdict(replay)), id="verdict")
            with VerticalScroll():
                with Horizontal():
                    yield DecisionText("then", replay.stored)
                    yield DecisionText("today", replay.recomputed)
                yield Static(Content("\n".join(_difference_lines(replay))), id="differences")


def verdict(replay: Replay) -> str:
    """Whether the question is decided as it was."""
    made_under = stamps(replay.stored, replay.recomputed)
    if replay.same and made_under:
        return f"Same decision; {'; '.join(made_under)}."
    if replay.same:
        return "Same decision: every score, margin, stage and reason is what it was."
    return f"Decided differently today: {counted(len(replay.differences), 'difference')}."


def _difference_lines(replay: Replay) -> list[str]:
    if replay.same:
        return []
    found = (*stamps(replay.stored, replay.recomputed), *replay.differences)
    return ["what changed since", *(f"  {clip(difference, 300)}" for difference in found)]
