"""One stored trace: question, answer, decision, waterfall and attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from polyrag_cli.display.answers import cited, nothing_found, place, summary
from polyrag_cli.display.text import clip
from polyrag_cli.tui.widgets.decision_panel import decision_lines, source_notes
from polyrag_cli.tui.widgets.drawn import Drawn, joined
from polyrag_cli.tui.widgets.modal import Modal
from polyrag_cli.tui.widgets.waterfall import MAX_SPANS, span_lines
from polyrag_cli.types import Answer, SpanRecord

_MAX_TEXT = 600


class TraceText(Drawn):
    """A trace as text for the width that there is."""

    def __init__(self, answer: Answer | None) -> None:
        super().__init__()
        self.answer = answer

    def draw(self, width: int) -> Content:
        """Question, answer, decision, spans and attributes, one below the other."""
        answer = self.answer
        if answer is None:
            return Content.styled("No trace is chosen.", "$text-muted")
        return joined(
            [
                Content.styled(clip(answer.question, _MAX_TEXT), "bold"),
                *map(Content, _answer_lines(answer)),
                _head("decision"),
                *decision_lines(answer.decision, width),
                _head("spans"),
                *span_lines(answer.spans[:MAX_SPANS], width),
                Content(""),
                *source_notes(answer.decision, width),
                _head("attributes"),
                *map(Content, _attribute_lines(answer.spans[:MAX_SPANS])),
            ]
        )


class TraceDetail(VerticalScroll):
    """A trace that scrolls."""

    DEFAULT_CSS = """
    TraceDetail { padding: 0 1; }
    """

    def __init__(self, answer: Answer | None = None) -> None:
        super().__init__()
        self._first = answer

    def compose(self) -> ComposeResult:
        yield TraceText(self._first)

    @property
    def answer(self) -> Answer | None:
        """The trace that is shown."""
        return self.query_one(TraceText).answer

    def show(self, answer: Answer | None) -> None:
        """Draws another trace, from its beginning."""
        text = self.query_one(TraceText)
        if answer != text.answer:
            text.answer = answer
            text.redraw()
            self.scroll_home(animate=False)


class TraceScreen(Modal[None]):
    """A trace over the whole screen. replay: has it decided again."""

    DEFAULT_CSS = """
    TraceScreen { align: center middle; }
    TraceScreen TraceDetail { width: 96%; height: 94%; border: round $primary; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss", "Close"),
        Binding("r", "replay", "Replay"),
    ]

    def __init__(self, answer: Answer, replay: Callable[[], None]) -> None:
        super().__init__()
        self._answer = answer
        self._replay = replay

    def compose(self) -> ComposeResult:
        detail = TraceDetail(self._answer)
        detail.border_title = Content(f"trace {clip(self._answer.trace_id, 16)}")
        detail.border_subtitle = "r replays · escape closes"
        yield detail

    def action_replay(self) -> None:
        """Has the decision made again."""
        self._replay()


def _head(name: str) -> Content:
    return Content.assemble("\n", (name, "$text-muted underline"))


def _answer_lines(answer: Answer) -> Iterator[str]:
    yield clip(answer.answer or nothing_found(answer), _MAX_TEXT)
    for number, hit in cited(answer):
        yield f"[{number}] {clip(place(hit), 100)}  {hit.score:.2f}"
    if answer.sql:
        yield clip(answer.sql, _MAX_TEXT)
    for warning in answer.warnings:
        yield f"note: {clip(warning, 200)}"
    yield clip(summary(answer), _MAX_TEXT)


def _attribute_lines(spans: tuple[SpanRecord, ...]) -> Iterator[str]:
    for span in spans:
        if span.attributes or span.error:
            failed = f"  failed: {clip(span.error, 200)}" if span.error else ""
            yield f"{span.name}  {_pairs(span.attributes)}{failed}"


def _pairs(attributes: Mapping[str, Any]) -> str:
    return " · ".join(f"{key} {clip(str(value), 120)}" for key, value in sorted(attributes.items()))
