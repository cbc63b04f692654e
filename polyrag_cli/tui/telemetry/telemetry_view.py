"""The telemetry view: stored traces, whoever asked, with filters, latency by route, details and replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Resize
from textual.message import Message
from textual.widget import Widget
from textual.widgets import DataTable, Input, Static

from polyrag_cli.tui.telemetry.latency_panel import Latency, LatencyPanel, latencies
from polyrag_cli.tui.telemetry.replay_screen import ReplayScreen
from polyrag_cli.tui.telemetry.trace_detail import TraceDetail, TraceScreen
from polyrag_cli.tui.telemetry.trace_filter import Filter, FilterItem, FilterLine
from polyrag_cli.tui.telemetry.trace_table import TraceTable
from polyrag_cli.tui.view import View
from polyrag_cli.types import Answer, Replay

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.stores.activity import TraceRecord

MAX_LISTED = 200
"""Traces in the table; older ones are found with the filters."""
MAX_MEASURED = 500
"""Traces that latencies are taken from."""
_LOOK_EVERY_S = 1.0
_BESIDE = 100
_NOTHING = "No trace matches; x clears the filters (from the box: escape, x)."


class TelemetryView(View):
    """Traces at the left with their filters and times, the chosen one at the right, or below where it is narrow."""

    DEFAULT_CSS = """
    TelemetryView { layout: horizontal; height: 1fr; }
    TelemetryView > #traces { width: 1fr; height: 1fr; }
    TelemetryView TraceTable { height: 1fr; }
    TelemetryView #nothing { display: none; height: auto; padding: 1; }
    TelemetryView > TraceDetail { width: 1fr; height: 1fr; border-left: solid $panel; }
    TelemetryView.-narrow { layout: vertical; }
    TelemetryView.-narrow > #traces { height: 3fr; }
    TelemetryView.-narrow LatencyPanel { max-height: 5; }
    TelemetryView.-narrow > TraceDetail { width: 1fr; height: 2fr; border-left: none; border-top: solid $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "replay", "Replay"),
        Binding("slash", "find", "Find"),
        Binding("o", "next_route", "Next route"),
        Binding("s", "flip('slow')", "Slow ones only", show=False),
        Binding("c", "flip('cached')", "Cached ones only", show=False),
        Binding("f", "flip('failed')", "Failed ones only", show=False),
        Binding("x", "clear", "Clear the filters", show=False),
        Binding("escape", "to_table", "Back to the list", show=False),
    ]

    class Looked(Message):
        """The number of the newest stored trace."""

        def __init__(self, newest: int) -> None:
            super().__init__()
            self.newest = newest

    class Listed(Message):
        """What the filter lists, and the times by route; `p95` is over all routes."""

        def __init__(self, traces: Sequence[TraceRecord], times: tuple[Latency, ...], p95: float, newest: int) -> None:
            super().__init__()
            self.traces = traces
            self.times = times
            self.p95 = p95
            self.newest = newest

    class Loaded(Message):
        """A stored trace's answer."""

        def __init__(self, answer: Answer) -> None:
            super().__init__()
            self.answer = answer

    class Replayed(Message):
        """A stored decision beside today's."""

        def __init__(self, result: Replay) -> None:
            super().__init__()
            self.result = result

    def __init__(self) -> None:
        super().__init__()
        self._shown = False
        self._newest = -1
        self._wanted = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="traces"):
            yield FilterLine()
            yield Static(Content(_NOTHING), id="nothing")
            yield TraceTable()
            yield LatencyPanel()
        yield TraceDetail()

    def on_mount(self) -> None:
        self.set_interval(_LOOK_EVERY_S, self._look)

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width < _BESIDE, "-narrow")

    def on_show(self) -> None:
        self._shown = True
        self._list()

    @property
    def first(self) -> Widget:
        return self.query_one(TraceTable)

    def on_hide(self) -> None:
        self._shown = False

    # ------------------------------------------------------------ what the engine is asked
    @property
    def _ready(self) -> bool:
        engine = self.dashboard.engine
        return engine.done() and engine.exception() is None

    def _look(self) -> None:
        """Another process may have kept a trace: one number tells."""
        if self._shown and self._ready:
            self.ask_engine(lambda engine: self.Looked(engine.traces.newest()), "look")

    def on_telemetry_view_looked(self, message: Looked) -> None:
        if message.newest != self._newest:
            self._list()

    def _list(self) -> None:
        if self._shown:
            chosen = self.query_one(FilterLine).chosen
            self.ask_engine(lambda engine: _listed(engine, chosen), "list")

    def on_telemetry_view_listed(self, message: Listed) -> None:
        self._newest = message.newest
        self.query_one(FilterLine).p95 = message.p95
        self.query_one(LatencyPanel).show(message.times)
        wanted, self._wanted = self._wanted, ""
        if wanted and not any(trace.trace_id.startswith(wanted) for trace in message.traces):
            # It is older than what is listed.
            self.query_one(Input).value = wanted
        self.query_one(TraceTable).show(message.traces, wanted)
        filtered = self.query_one(FilterLine).chosen != Filter()
        self.query_one("#nothing").display = filtered and not message.traces
        if not message.traces:
            self.query_one(TraceDetail).show(None)

    def on_telemetry_view_loaded(self, message: Loaded) -> None:
        self.query_one(TraceDetail).show(message.answer)

    def on_telemetry_view_replayed(self, message: Replayed) -> None:
        self.app.push_screen(ReplayScreen(message.result))

    def open_trace(self, trace_id: str) -> None:
        """Shows a trace: puts the cursor on it, among all traces where it is new enough to be listed with them."""
        self._wanted = trace_id
        self.query_one(FilterLine).chosen = Filter()
        self.query_one(Input).value = ""
        self._list()

    def _load(self, trace_id: str) -> None:
        self.ask_engine(lambda engine: self.Loaded(_answer(engine, trace_id)), "load")

    def shown_answer(self) -> Answer | None:
        """The trace on the screen."""
        return self.query_one(TraceDetail).answer

    # ------------------------------------------------------------ the table and the filter
    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        # Paging through an empty table highlights a row without a key, whatever the event's type says.
        trace_id = getattr(event.row_key, "value", None)
        if trace_id:
            self._load(trace_id)

    def on_data_table_row_selected(self) -> None:
        answer = self.shown_answer()
        if answer is not None:
            self.app.push_screen(TraceScreen(answer, partial(self._replay, answer.trace_id)))

    @on(FilterItem.Flipped)
    def _flipped(self, message: FilterItem.Flipped) -> None:
        if message.name == "route":
            self.action_next_route()
        else:
            self.action_flip(message.name)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._choose(replace(self.query_one(FilterLine).chosen, text=event.value))

    def on_input_submitted(self) -> None:
        self.action_to_table()

    def _choose(self, chosen: Filter) -> None:
        line = self.query_one(FilterLine)
        if chosen != line.chosen:
            line.chosen = chosen
            self._list()

    # ------------------------------------------------------------ keys
    def action_find(self) -> None:
        """Goes to the filter's box."""
        self.query_one(Input).focus()

    def action_to_table(self) -> None:
        """Goes back to the list."""
        self.query_one(TraceTable).focus()

    def action_next_route(self) -> None:
        """Lists the next route's traces only."""
        if self._ready:
            routes = [route.name for route in self.dashboard.engine.result().settings.routes]
            self._choose(self.query_one(FilterLine).chosen.next_route([*routes, "direct"]))

    def action_flip(self, name: str) -> None:
        """Turns one of the filter's switches. name: "slow", "cached" or "failed"."""
        chosen = self.query_one(FilterLine).chosen
        on = {switch: getattr(chosen, switch) for switch in ("slow", "cached", "failed")}
        on[name] = not on[name]
        self._choose(Filter(chosen.route, on["slow"], on["cached"], on["failed"], chosen.text))

    def action_clear(self) -> None:
        """Lists all traces again."""
        self.query_one(Input).value = ""
        self._choose(Filter())

    def action_replay(self) -> None:
        """Recomputes the chosen trace's decision and shows what has changed since."""
        answer = self.shown_answer()
        if answer is not None:
            self._replay(answer.trace_id)

    def _replay(self, trace_id: str) -> None:
        self.ask_engine(lambda engine: self.Replayed(engine.replay(trace_id)), "replay")

    # ------------------------------------------------------------ what survives a restart
    def saved(self) -> dict[str, object]:
        """The filter's text."""
        return {"text": self.query_one(Input).value}

    def restore(self, saved: dict[str, object]) -> None:
        """Puts it back."""
        text = saved.get("text")
        if isinstance(text, str):
            self.query_one(Input).value = text


def _listed(engine: Engine, chosen: Filter) -> TelemetryView.Listed:
    from polyrag_cli.scoring.metrics import percentile

    newest = engine.traces.newest()
    measured = engine.traces.list(MAX_MEASURED)
    p95 = percentile([trace.took_ms for trace in measured], 95) if measured else 0.0
    traces = engine.traces.list(
        MAX_LISTED,
        route=chosen.route or None,
        cached=True if chosen.cached else None,
        failed=True if chosen.failed else None,
        min_ms=chosen.least_ms(p95),
        text=chosen.words,
    )
    return TelemetryView.Listed(traces, latencies(measured), p95, newest)


def _answer(engine: Engine, trace_id: str) -> Answer:
    from polyrag_cli.answering.records import answer_from_fields

    return answer_from_fields(engine.traces.stored(trace_id))
