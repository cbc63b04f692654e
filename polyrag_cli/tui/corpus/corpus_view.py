"""The corpus view: the ingested files, what is in each, the graph, and adding and removing.

Owns what is selected and which pane is shown; its threads post messages, only its handlers change it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Input, Static

from polyrag_cli.tui.corpus.chunk_card import ChunkCard
from polyrag_cli.tui.corpus.chunk_list import ChunkList
from polyrag_cli.tui.corpus.confirm_screen import ConfirmScreen
from polyrag_cli.tui.corpus.corpus_reading import (
    DocumentRead,
    FilesRead,
    NamesRead,
    NeighboursRead,
    Removed,
    TableRead,
    read_document,
    read_files,
    read_names,
    read_neighbours,
    read_table,
    remove,
)
from polyrag_cli.tui.corpus.document_table import DocumentTable
from polyrag_cli.tui.corpus.file_columns import COLUMNS, shown_line, title_lines
from polyrag_cli.tui.corpus.graph_pane import GraphPane
from polyrag_cli.tui.corpus.ingest_bar import IngestBar
from polyrag_cli.tui.corpus.report_card import ReportCard
from polyrag_cli.tui.corpus.table_card import TableCard
from polyrag_cli.tui.messages import PassageOpened
from polyrag_cli.tui.view import View
from polyrag_cli.tui.widgets.cells import one_line
from polyrag_cli.tui.widgets.virtual_list import VirtualList
from polyrag_cli.types import TableSchema

if TYPE_CHECKING:
    from polyrag_cli.stores.jobs import Job
    from polyrag_cli.stores.records import StoredChunk
    from polyrag_cli.tui.messages import CorpusSummary

# Below this width one pane is shown at a time.
_FOLD_CELLS = 100
# How long the cursor rests on a file before its contents are read.
_REST_S = 0.08
# What takes the keys of each pane on the right.
_TARGETS = {
    "contents": "#contents",
    "chunk": "#chunk-names",
    "table": "#table",
    "report": "#report-files",
}
_EMPTY = "Nothing is ingested yet: press a to add a file or folder."


class CorpusView(View):
    """Files on the left, what is in the selected one on the right; in a narrow terminal one after the other."""

    DEFAULT_CSS = """
    CorpusView {
        & > #corpus-panes { height: 1fr; }
        & #files-pane { width: 55%; height: 1fr; }
        & #file-filter { height: 1; border: none; padding: 0 1; background: $surface; }
        & #file-filter:focus { border: none; background: $boost; }
        & #files-note { height: auto; max-height: 3; padding: 0 1; color: $text-muted; }
        & #detail-pane { width: 1fr; height: 1fr; border-left: solid $panel; }
        & #detail-title { height: auto; max-height: 4; padding: 0 1; background: $panel; }
        & #detail { height: 1fr; }
        &.-folded #files-pane { width: 1fr; }
        &.-folded #detail-pane { display: none; border-left: none; }
        &.-folded.-detail #detail-pane { display: block; }
        &.-folded.-detail #files-pane { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("a", "add", "Add path"),
        Binding("d,delete", "remove", "Remove"),
        Binding("g", "graph", "Graph"),
        Binding("slash", "filter", "Filter", key_display="/"),
        Binding("l", "report", "Last report", show=False),
        Binding("x", "stop", "Stop"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._unread = True
        self._document = ""
        self._chunks: list[StoredChunk] = []
        self._shown_table = ""
        self._before_graph = "contents"
        self._resting: Timer | None = None
        self._jobs: tuple[Job, ...] = ()

    def compose(self) -> ComposeResult:
        yield IngestBar(id="jobs")
        with Horizontal(id="corpus-panes"):
            with Vertical(id="files-pane"):
                yield Input(placeholder="filter by name", id="file-filter")
                yield DocumentTable(id="files")
                yield Static("reading the corpus …", id="files-note", markup=False)
            with Vertical(id="detail-pane"):
                yield Static("no document selected", id="detail-title", markup=False)
                with ContentSwitcher(initial="contents", id="detail"):
                    yield ChunkList(id="contents")
                    yield ChunkCard(id="chunk")
                    yield TableCard(id="table")
                    yield GraphPane(id="graph")
                    yield ReportCard(id="report")

    # ------------------------------------------------------------ what is there
    def corpus_changed(self, summary: CorpusSummary) -> None:
        self._unread = True
        if summary.note and self.is_mounted:
            self.query_one("#files-note", Static).update(one_line(f"{summary.note} {summary.advice}"))
        self._read()

    def on_mount(self) -> None:
        self.query_one(IngestBar).show_jobs(self._jobs)

    def on_show(self) -> None:
        self._read()

    @property
    def first(self) -> Widget:
        alone = self.has_class("-folded") and self.has_class("-detail")
        return self._pane_target() if alone else self.query_one(DocumentTable)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < _FOLD_CELLS, "-folded")

    def _read(self) -> None:
        """Reads the files anew, where they have changed and somebody looks."""
        if self._unread and self.size.width:
            self._unread = False
            self.ask_engine(read_files, "files")

    def on_files_read(self, message: FilesRead) -> None:
        self.query_one(DocumentTable).set_files(message.files)
        self._note()
        self._select(self._document)

    def _note(self) -> None:
        table = self.query_one(DocumentTable)
        if table.total:
            back = " (turned round)" if table.backwards else ""
            shown = shown_line(len(table.items), table.total)
            self.query_one("#files-note", Static).update(f"{shown} · by {table.sorted_by}{back}")
        else:
            self.query_one("#files-note", Static).update(_EMPTY)

    # ------------------------------------------------------------ one file
    @on(VirtualList.Moved, "#files")
    def _file_moved(self) -> None:
        self._note()
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(_REST_S, partial(self._select, ""))

    @on(VirtualList.Chosen, "#files")
    def _file_chosen(self) -> None:
        self._select("")
        self._open("contents")

    def _select(self, again: str) -> None:
        """Shows what is in the file under the cursor. again: the file that is to be read again if it is that one."""
        overview = self.query_one(DocumentTable).current
        if overview is None:
            self._document, self._chunks = "", []
            self.query_one(ChunkList).set_items(())
            self.query_one("#detail-title", Static).update("no document selected")
            return
        document = overview.file.document
        if document == self._document and document != again:
            return
        if document != self._document and self.query_one("#detail", ContentSwitcher).current in ("chunk", "table"):
            self.query_one("#detail", ContentSwitcher).current = "contents"
        self._document = document
        self.query_one("#detail-title", Static).update(title_lines(overview))
        names = {table.name for table in overview.file.tables}
        self.ask_engine(partial(read_document, document, names, bool(overview.file.chunks)), "document")

    def on_document_read(self, message: DocumentRead) -> None:
        if message.document != self._document:
            return
        self._chunks = list(message.chunks)
        contents = self.query_one(ChunkList)
        contents.set_items([*message.tables, *message.chunks])
        shown = self.query_one(ChunkCard).stored
        still = next((s for s in self._chunks if shown and s.chunk.chunk_id == shown.chunk.chunk_id), None)
        if still is not None:
            self._show_chunk(still)

    @on(VirtualList.Chosen, "#contents")
    def _entry_chosen(self) -> None:
        entry = self.query_one(ChunkList).current
        if isinstance(entry, TableSchema):
            self._shown_table = entry.name
            self.ask_engine(partial(read_table, entry), "table")
        elif entry is not None:
            self._show_chunk(entry)
            self._open("chunk")

    def on_table_read(self, message: TableRead) -> None:
        if message.card.name == self._shown_table:
            self.query_one(TableCard).show(message.card, message.rows)
            self._open("table")

    # ------------------------------------------------------------ one chunk
    def _show_chunk(self, stored: StoredChunk) -> None:
        number = self._chunks.index(stored) + 1
        margin = self.dashboard.engine.result().settings.routing.chunk_margin
        chunk_id = stored.chunk.chunk_id
        self.query_one(ChunkCard).show(stored, f"chunk {number:,} of {len(self._chunks):,}", margin)
        self.ask_engine(partial(read_names, "", chunk_id), "chunk names")

    def on_chunk_card_turned(self, message: ChunkCard.Turned) -> None:
        shown = self.query_one(ChunkCard).stored
        ids = [stored.chunk.chunk_id for stored in self._chunks]
        if shown is None or shown.chunk.chunk_id not in ids:
            return
        number = ids.index(shown.chunk.chunk_id) + message.by
        if 0 <= number < len(ids):
            self._show_chunk(self._chunks[number])
            contents = self.query_one(ChunkList)
            contents.go_to(len(contents.items) - len(ids) + number)

    def on_chunk_card_passage_wanted(self, message: ChunkCard.PassageWanted) -> None:
        chunk = message.stored.chunk
        self.app.post_message(PassageOpened(chunk.document, chunk.start - len(chunk.lead), chunk.end))

    @on(VirtualList.Chosen, "#chunk-names")
    def _chunk_name_chosen(self, event: VirtualList.Chosen) -> None:
        name = event.control.current
        if isinstance(name, str):
            self._open_graph()
            self.query_one(GraphPane).start(name)

    # ------------------------------------------------------------ the graph
    def action_graph(self) -> None:
        """Opens the graph at the box where a name is typed."""
        self._open_graph()
        self.query_one(GraphPane).find()

    def _open_graph(self) -> None:
        current = self.query_one("#detail", ContentSwitcher).current or "contents"
        if current != "graph":
            self._before_graph = current
        self._open("graph")

    def on_graph_pane_names_wanted(self, message: GraphPane.NamesWanted) -> None:
        self.ask_engine(partial(read_names, message.like, ""), "names")

    def on_graph_pane_neighbours_wanted(self, message: GraphPane.NeighboursWanted) -> None:
        self.ask_engine(partial(read_neighbours, message.name), "neighbours")

    def on_names_read(self, message: NamesRead) -> None:
        if message.chunk_id:
            self.query_one(ChunkCard).show_names(message.chunk_id, message.names)
        else:
            self.query_one(GraphPane).show_names(message.like, message.names)

    def on_neighbours_read(self, message: NeighboursRead) -> None:
        self.query_one(GraphPane).show(message.name, message.neighbours)

    # ------------------------------------------------------------ adding and removing
    def jobs_changed(self, jobs: tuple[Job, ...]) -> None:
        self._jobs = jobs
        if self.is_mounted:
            self.query_one(IngestBar).show_jobs(jobs)

    def action_add(self) -> None:
        """Asks for a path and ingests it."""
        self.query_one(IngestBar).add()

    def action_stop(self) -> None:
        """Ends the ingest that was started here."""
        self.query_one(IngestBar).stop()

    def on_ingest_bar_ended(self, message: IngestBar.Ended) -> None:
        outcome = message.outcome
        self.query_one(ReportCard).show(outcome)
        self.notify(
            outcome.summary, title="Ingest", severity="error" if outcome.failed else "information", markup=False
        )
        if not self.has_class("-folded") and self.query_one("#detail", ContentSwitcher).current == "contents":
            self.query_one("#detail", ContentSwitcher).current = "report"

    def action_report(self) -> None:
        """Shows what the last ingest did, file by file."""
        self._open("report")

    def action_remove(self) -> None:
        """Removes the selected file from the corpus, after asking."""
        overview = self.query_one(DocumentTable).current
        if overview is None:
            return
        document = overview.file.document
        question = (
            f"Remove {one_line(document)} from the corpus?\nIts content is forgotten here; the file itself stays."
        )

        def answered(yes: bool | None) -> None:
            if yes:
                self.ask_engine(partial(remove, document), f"remove {document}")

        self.app.push_screen(ConfirmScreen(question, "Remove"), answered)

    def on_removed(self, message: Removed) -> None:
        self.notify(f"{one_line(message.document)}: removed from the corpus.", markup=False)
        self._unread = True
        self._read()

    # ------------------------------------------------------------ moving between panes
    def _open(self, pane: str) -> None:
        """Shows a pane on the right (in a narrow terminal: alone) and goes into it."""
        self.query_one("#detail", ContentSwitcher).current = pane
        self.add_class("-detail")
        self._pane_target().focus()

    def _pane_target(self) -> Widget:
        """What takes the keys of the pane on the right."""
        pane = self.query_one("#detail", ContentSwitcher).current or "contents"
        return self.query_one(GraphPane).first if pane == "graph" else self.query_one(_TARGETS[pane])

    def action_back(self) -> None:
        """Goes back: from a chunk or table to the file's contents, from there to the files, from a filter to all."""
        shown, filtering = self.query_one("#detail", ContentSwitcher).current, self.query_one("#file-filter", Input)
        if filtering.has_focus or not self.query_one("#detail-pane").has_pseudo_class("focus-within"):
            filtering.value = ""
            self._to_files()
        elif shown == "graph" and self._before_graph != "contents":
            self._open(self._before_graph)
        elif shown in ("chunk", "table", "graph", "report") and self._document:
            self._open("contents")
        else:
            self._to_files()

    def _to_files(self) -> None:
        self.remove_class("-detail")
        self.query_one(DocumentTable).focus()

    def action_filter(self) -> None:
        """Goes to the box that filters the files by name."""
        self.remove_class("-detail")
        self.query_one("#file-filter").focus()

    @on(Input.Changed, "#file-filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        self.query_one(DocumentTable).filter(event.value)
        self._note()
        self._select("")

    @on(Input.Submitted, "#file-filter")
    def _filter_submitted(self) -> None:
        self.query_one(DocumentTable).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Stop is offered only while there is something to stop."""
        if action == "stop":
            return self.query_one(IngestBar).run is not None
        return True

    # ------------------------------------------------------------ what survives a restart
    def saved(self) -> dict[str, object]:
        table = self.query_one(DocumentTable)
        filter_words = self.query_one("#file-filter", Input).value
        return {"filter": filter_words, "sorted_by": table.sorted_by, "backwards": table.backwards}

    def restore(self, saved: dict[str, object]) -> None:
        table = self.query_one(DocumentTable)
        column, words = saved.get("sorted_by"), saved.get("filter")
        if isinstance(column, str) and column in {c.key for c in COLUMNS}:
            table.sort_by(column, saved.get("backwards") is True)
        if isinstance(words, str):
            self.query_one("#file-filter", Input).value = words
