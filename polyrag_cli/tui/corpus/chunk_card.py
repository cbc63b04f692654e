"""One chunk: its place, its home and scores, how near the boundary it lies, its text and the names in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Static

from polyrag_cli.display.text import bar, printable
from polyrag_cli.tui.corpus.boundary_track import boundary_track, boundary_words, home_words
from polyrag_cli.tui.corpus.name_list import NameList
from polyrag_cli.tui.widgets.cells import one_line, padded

if TYPE_CHECKING:
    from polyrag_cli.stores.records import StoredChunk

_BAR = 20


def chunk_text(stored: StoredChunk, position: str, chunk_margin: float) -> Text:
    """All that is said of a chunk, then its text.

    position: which of how many chunks it is. chunk_margin: half the width of the band around the boundary.
    """
    chunk, route = stored.chunk, stored.route
    card = Text()
    card.append(one_line(f"{chunk.document} › {chunk.heading}" if chunk.heading else chunk.document), "bold")
    page = f" · page {chunk.page}" if chunk.page else ""
    language = "" if chunk.language == "und" else f" · {chunk.language}"
    card.append(f"\n{position} · characters {chunk.start:,}–{chunk.end:,}{page}{language}\n\n", "dim")
    card.append(home_words(route), "bold")
    width = max((len(name) for name, _ in route.scores), default=0)
    for name, score in route.scores:
        card.append(f"\n{padded(name, width)} {score:>6.3f} {bar(score, _BAR)}")
    track = boundary_track(route, chunk_margin)
    card.append(f"\n{track}" if track else "")
    card.append(f"\n{boundary_words(route, chunk_margin)}\n\n")
    card.append(printable(chunk.lead + chunk.text))
    return card


class ChunkCard(Vertical):
    """A chunk's view; its names lead into the graph."""

    DEFAULT_CSS = """
    ChunkCard {
        & > VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; padding: 0 1; }
        & > #names-title { height: 1; text-style: bold; padding: 0 1; }
        & > NameList { height: auto; max-height: 30%; min-height: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "passage", "Open in document"),
        Binding("n", "turn(1)", "Next"),
        Binding("p", "turn(-1)", "Previous"),
    ]

    class Turned(Message):
        """Another chunk of the document is wanted. by: 1 for the next, -1 for the one before."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class PassageWanted(Message):
        """The chunk is to be read where it stands."""

        def __init__(self, stored: StoredChunk) -> None:
            super().__init__()
            self.stored = stored

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.stored: StoredChunk | None = None

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="chunk-scroll"):
            yield Static(id="chunk-text", markup=False)
        yield Static(id="names-title", markup=False)
        yield NameList(id="chunk-names")

    def show(self, stored: StoredChunk, position: str, chunk_margin: float) -> None:
        """Shows a chunk; its names come later."""
        same = self.stored is not None and self.stored.chunk.chunk_id == stored.chunk.chunk_id
        self.stored = stored
        self.query_one("#chunk-text", Static).update(chunk_text(stored, position, chunk_margin))
        if not same:
            self.query_one("#chunk-scroll").scroll_home(animate=False)
            self.query_one("#names-title", Static).update("names in it: …")
            self.query_one(NameList).set_items(())

    def show_names(self, chunk_id: str, names: Sequence[str]) -> None:
        """Shows the names in a chunk, unless another chunk is shown by now."""
        if self.stored is None or self.stored.chunk.chunk_id != chunk_id:
            return
        title = "names in it (enter: the graph around one)" if names else "no names of the graph in it"
        self.query_one("#names-title", Static).update(title)
        self.query_one(NameList).set_items(names)

    def action_passage(self) -> None:
        """Opens the chunk where it stands in its document."""
        if self.stored is not None:
            self.post_message(self.PassageWanted(self.stored))

    def action_turn(self, by: int) -> None:
        """Goes to another chunk of the document."""
        self.post_message(self.Turned(by))
