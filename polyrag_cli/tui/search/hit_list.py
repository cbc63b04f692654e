"""The passages of a search."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.text import Text

from polyrag_cli.tui.search.hit_lines import HIT_LINES, hit_lines
from polyrag_cli.tui.widgets.virtual_list import VirtualList
from polyrag_cli.types import Hit


class HitList(VirtualList[Hit]):
    """Passages, best first."""

    item_height = HIT_LINES

    def key(self, item: Hit) -> Hashable:
        return item.chunk_id

    def lines(self, item: Hit, index: int, width: int) -> Sequence[Text]:
        return hit_lines(item, index + 1, width)
