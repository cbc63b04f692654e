"""Names of the graph, one a line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.geometry import Size

from polyrag_cli.tui.widgets.cells import clipped, plain
from polyrag_cli.tui.widgets.virtual_list import VirtualList


class NameList(VirtualList[str]):
    """Names to choose from."""

    def lines(self, item: str, index: int, width: int) -> Sequence[Text]:
        return [plain(clipped(item, width))]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line a name."""
        return max(1, len(self.items))
