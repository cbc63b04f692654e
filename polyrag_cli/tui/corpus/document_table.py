"""The list of ingested files, sorted by any column."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType

from polyrag_cli.tui.corpus.file_columns import COLUMNS, column_at, row_line, selected, title_line
from polyrag_cli.tui.widgets.cells import plain
from polyrag_cli.tui.widgets.virtual_list import MARK_CELLS, VirtualList

if TYPE_CHECKING:
    from polyrag_cli.engine.corpus import FileOverview

_STYLES = {"failed": "bold", "skipped": "italic"}


class DocumentTable(VirtualList["FileOverview"]):
    """Files in rows; the header sorts by a click, a second click turns the order round."""

    has_header = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "sort_next", "Sort", tooltip="Sort by the next column"),
        Binding("S", "turn_round", "Turn the order round", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._files: Sequence[FileOverview] = ()
        self._words = ""
        self.sorted_by = COLUMNS[0].key
        self.backwards = False

    @property
    def total(self) -> int:
        """Number of files, also of those that the filter hides."""
        return len(self._files)

    def set_files(self, files: Sequence[FileOverview]) -> None:
        """Shows other files; the cursor stays on its file."""
        self._files = files
        self._arrange()

    def filter(self, words: str) -> None:
        """Shows only the files whose names hold these words."""
        self._words = words
        self._arrange()

    def sort_by(self, column: str, backwards: bool = False) -> None:
        """Sorts by a column."""
        self.sorted_by, self.backwards = column, backwards
        self._arrange()

    def _arrange(self) -> None:
        self.set_items(selected(self._files, self._words, self.sorted_by, self.backwards))

    def key(self, item: FileOverview) -> Hashable:
        return item.file.document

    def header(self, width: int) -> Text:
        return plain(title_line(width, self.sorted_by, self.backwards))

    def lines(self, item: FileOverview, index: int, width: int) -> Sequence[Text]:
        return [plain((row_line(item, width), _STYLES.get(item.file.status, "")))]

    def header_clicked(self, x: int) -> None:
        column = column_at(max(0, x), self.line_cells - MARK_CELLS)
        self.sort_by(column, column == self.sorted_by and not self.backwards)

    def action_sort_next(self) -> None:
        """Sorts by the next column."""
        keys = [column.key for column in COLUMNS]
        self.sort_by(keys[(keys.index(self.sorted_by) + 1) % len(keys)])

    def action_turn_round(self) -> None:
        """Turns the order round."""
        self.sort_by(self.sorted_by, not self.backwards)
