"""The first line: what corpus this is, how much is in it, and the tabs."""

from __future__ import annotations

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from polyrag_cli.display.text import clip, counted
from polyrag_cli.tui.messages import CorpusSummary
from polyrag_cli.tui.widgets.cells import clipped
from polyrag_cli.tui.widgets.drawn import Drawn

_ROOMY = 100


class TabName(Static):
    """A tab's name, which brings the tab to the front when it is clicked; the active one stands in brackets."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    TabName { width: auto; height: 1; }
    TabName:hover { background: $block-hover-background; }
    TabName.-active { text-style: bold; }
    """

    def __init__(self, tab: str, key: str) -> None:
        super().__init__(Content(f" {tab} "))
        self.tab = tab
        self.key = key

    async def on_click(self) -> None:
        await self.run_action(f"app.show_tab('{self.tab}')")

    def show(self, active: str, roomy: bool) -> None:
        """Draws the name as the active tab's or another's. roomy: whether there is room for its key."""
        self.set_class(active == self.tab, "-active")
        name = f"{self.key} {self.tab}" if roomy and self.key else self.tab
        self.update(Content(f"[{name}]" if active == self.tab else f" {name} "))


class Counts(Drawn):
    """The corpus's name and counts, in as many words as there is room for."""

    DEFAULT_CSS = "Counts { height: 1; padding-right: 1; text-wrap: nowrap; }"

    summary: CorpusSummary | None = None

    def draw(self, width: int) -> Content:
        """The line for a width in cells."""
        return Content(described(self.summary, width))


class HeaderLine(Horizontal):
    """PolyRAG, the corpus's name, its counts and generation; at the right the tabs of the screen."""

    summary: reactive[CorpusSummary | None] = reactive(None)
    active: reactive[str] = reactive("")

    def compose(self) -> ComposeResult:
        yield Counts()

    def on_mount(self) -> None:
        self.call_after_refresh(self._show_tabs)

    def on_resize(self) -> None:
        self._show_tabs()

    def watch_summary(self, summary: CorpusSummary | None) -> None:
        for line in self.query(Counts):
            line.summary = summary
            line.redraw()

    def watch_active(self) -> None:
        self._show_tabs()

    def _show_tabs(self) -> None:
        # The tabs may be there later than this line is.
        if self.query(Counts) and not self.query(TabName):
            panes = [pane.id for pane in self.screen.query("TabbedContent TabPane") if pane.id]
            keys = {binding.action: key for key, binding in self.app._bindings}
            self.mount_all(TabName(tab, keys.get(f"show_tab('{tab}')", "")) for tab in panes)
        for name in self.query(TabName):
            name.show(self.active, self.size.width >= _ROOMY)


def described(summary: CorpusSummary | None, width: int) -> str:
    """A corpus in at most `width` cells: what a narrow terminal has no room for is left out, the least important part
    first, before anything is cut."""
    if summary is None:
        return clipped("PolyRAG ─ opening …", width)
    name = clip(summary.name, 24)
    if summary.note:
        lines = [f"PolyRAG ─ {name} ─ {clip(summary.note, 200)}", f"{name} ─ {clip(summary.note, 200)}"]
    else:
        documents, tables = counted(summary.documents, "document"), counted(summary.tables, "table")
        counts, generation = f"{documents} · {tables}", f"generation {summary.generation}"
        lines = [
            f"PolyRAG ─ {name} ─ {counts} · {generation}",
            f"{name} ─ {counts} · {generation}",
            f"{name} ─ {counts}",
            f"{clip(name, 12)} ─ {counts}",
            f"{clip(name, 12)} ─ {documents}",
        ]
    return next((line for line in lines if cell_len(line) <= width), clipped(lines[-1], width))
