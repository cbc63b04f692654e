"""What an ingest did, file by file, the failed ones first, and what changed settings changed with it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from polyrag_cli.display.files import contents
from polyrag_cli.display.impact import pending_lines
from polyrag_cli.display.text import printable
from polyrag_cli.tui.widgets.cells import clipped, one_line, padded, plain, wrapped
from polyrag_cli.tui.widgets.virtual_list import VirtualList
from polyrag_cli.types import FileReport

if TYPE_CHECKING:
    from polyrag_cli.tui.corpus.ingest_run import Outcome

_ORDER = {"failed": 0, "skipped": 1, "removed": 2, "updated": 3, "added": 4, "unchanged": 5}
_MARKS = {"failed": "✗", "skipped": "–", "removed": "–", "updated": "✓", "added": "✓", "unchanged": "="}


class FileReports(VirtualList[FileReport]):
    """Two lines a file: its name and state, then what went where and why."""

    item_height = 2

    def key(self, item: FileReport) -> Hashable:
        return item.document

    def lines(self, item: FileReport, index: int, width: int) -> Sequence[Text]:
        state = f" {_MARKS.get(item.status, ' ')} {item.status}"
        head = padded(item.document, max(8, width - len(state)))
        style = "bold" if item.status in ("failed", "skipped") else ""
        return [plain((head + state, style)), plain(clipped(f"  {contents(item)}", width))]


class ReportCard(Vertical):
    """The last ingest's report."""

    DEFAULT_CSS = """
    ReportCard > Static { height: auto; max-height: 4; padding: 0 1; }
    ReportCard > #report-impact { max-height: 10; color: $text-warning; display: none; }
    """

    def compose(self) -> ComposeResult:
        yield Static("nothing was ingested from here yet", id="report-summary", markup=False)
        yield Static(id="report-impact", markup=False)
        yield FileReports(id="report-files")

    def show(self, outcome: Outcome) -> None:
        """Shows how an ingest ended."""
        width = max(30, self.size.width - 2) if self.size.width else 76
        self.query_one("#report-summary", Static).update("\n".join(wrapped(one_line(outcome.summary), width, 4)))
        told = self.query_one("#report-impact", Static)
        told.display = outcome.impact is not None
        if outcome.impact is not None:
            told.update(Content("\n".join(map(printable, pending_lines(outcome.impact, dry_run=False)))))
        files = sorted(outcome.files, key=lambda file: (_ORDER.get(file.status, 9), file.document))
        self.query_one(FileReports).set_items(files, follow=False)
