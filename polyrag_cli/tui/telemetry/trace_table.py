"""The stored traces as a table, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import DataTable

from polyrag_cli.display.text import clip, milliseconds

if TYPE_CHECKING:
    from polyrag_cli.stores.activity import TraceRecord

# The columns' cells, with the space after each; the question takes what is left.
_COLUMNS = (("time", 9), ("trace", 9), ("   took", 8), ("route", 11), ("", 8))
_QUESTION_WIDTH = 12


class TraceTable(DataTable[Content]):
    """One row a trace; the cursor stays with its trace when newer ones arrive."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "Details")]

    def __init__(self) -> None:
        super().__init__(cursor_type="row", zebra_stripes=True, cell_padding=0)
        self._traces: Sequence[TraceRecord] = ()
        self._room = _QUESTION_WIDTH

    def on_mount(self) -> None:
        for name, width in _COLUMNS:
            self.add_column(name, width=width)
        self.add_column("question", key="question", width=_QUESTION_WIDTH)

    def on_resize(self) -> None:
        left = self.size.width - self.styles.scrollbar_size_vertical - sum(width for _, width in _COLUMNS)
        room = max(_QUESTION_WIDTH, left)
        if room != self._room:
            self._room = room
            next(column for key, column in self.columns.items() if key == "question").width = room
            self.show(self._traces)

    @property
    def chosen(self) -> str:
        """The id of the trace under the cursor, "" without one."""
        if not self.is_valid_row_index(self.cursor_row):
            return ""
        return self.coordinate_to_cell_key(self.cursor_coordinate).row_key.value or ""

    def show(self, traces: Sequence[TraceRecord], chosen: str = "") -> None:
        """Lists the traces. chosen: the id to put the cursor on, otherwise where it was, or on the first."""
        wanted = chosen or (self.chosen if self.cursor_row else "")
        offset = self.scroll_y
        self._traces = traces
        self.clear()
        for trace in traces:
            self.add_row(*_cells(trace, self._room), key=trace.trace_id)
        if wanted in (trace.trace_id for trace in traces):
            self.move_cursor(row=self.get_row_index(wanted), scroll=bool(chosen))
            if not chosen:
                self.scroll_to(y=offset, animate=False)


def _cells(trace: TraceRecord, room: int) -> tuple[Content, ...]:
    mark = "cached" if trace.cached else "nothing" if trace.failed else ""
    texts = (
        moment(trace.created),
        trace.trace_id[:8],
        f"{milliseconds(trace.took_ms):>7}",
        went(trace.routes, 10),
        mark,
        clip(trace.question, room),
    )
    return tuple(Content(text) for text in texts)


def went(routes: Sequence[str], width: int) -> str:
    """Where a question's clauses went, in at most `width` characters: the first, and how many others there are."""
    more = f" +{len(routes) - 1}" if len(routes) > 1 else ""
    return clip(routes[0], width - len(more)) + more


def moment(created: float) -> str:
    """A Unix time in seconds as the local time of day, or as the date when that isn't today."""
    when = datetime.fromtimestamp(created)
    return f"{when:%H:%M:%S}" if when.date() == datetime.now().date() else f"{when:%Y-%m-%d}"[2:]
