"""What a file holds: its tables, then its chunks with their routes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from polyrag_cli.display.text import counted
from polyrag_cli.tui.widgets.cells import clipped, padded, plain
from polyrag_cli.tui.widgets.virtual_list import VirtualList
from polyrag_cli.types import TableSchema

if TYPE_CHECKING:
    from polyrag_cli.stores.records import StoredChunk

    Entry = StoredChunk | TableSchema


class ChunkList(VirtualList["Entry"]):
    """Two lines an entry: a chunk's route, place and beginning, or a table's name and shape."""

    item_height = 2

    def key(self, item: Entry) -> Hashable:
        return f"table {item.name}" if isinstance(item, TableSchema) else item.chunk.chunk_id

    def lines(self, item: Entry, index: int, width: int) -> Sequence[Text]:
        if isinstance(item, TableSchema):
            shape = f"{counted(item.rows, 'row')} × {counted(len(item.columns), 'column')}"
            names = ", ".join(column.label for column in item.columns)
            return [plain((clipped(f"▦ {item.name} · {shape}", width), "bold")), plain(clipped(f"  {names}", width))]
        chunk, route = item.chunk, item.route
        home = "+".join((route.home or "–", *route.also))
        right = f" {home} {route.margin:.2f}"
        place = chunk.heading or chunk.title or chunk.document
        if "#" in chunk.document:
            place = f"{chunk.document.rpartition('#')[2]} › {place}"
        head = padded(f"¶ {place}", max(8, width - len(right)))
        return [plain((head, "bold"), right), plain(clipped(f"  {chunk.text}", width - 2), "")]
