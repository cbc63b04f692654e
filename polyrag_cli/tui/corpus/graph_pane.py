"""The graph, walked from name to name: a box to find a name in, the way so far, the neighbourhood.

Owns the way that was walked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from polyrag_cli.display.text import counted
from polyrag_cli.tui.corpus.name_list import NameList
from polyrag_cli.tui.corpus.neighbourhood import Neighbourhood
from polyrag_cli.tui.widgets.cells import clipped
from polyrag_cli.tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from polyrag_cli.graph.base import Neighbour


class GraphPane(Vertical):
    """Finds names as they are typed, and walks the graph from the one that is chosen."""

    DEFAULT_CSS = """
    GraphPane {
        & > Input { height: 1; border: none; padding: 0 1; background: $surface; }
        & > Input:focus { border: none; background: $boost; }
        & > #graph-way { height: 1; padding: 0 1; color: $text-muted; }
        & > NameList { display: none; }
        &.-finding > NameList { display: block; }
        &.-finding > Neighbourhood { display: none; }
    }
    """

    class NamesWanted(Message):
        """Names that hold a text are wanted."""

        def __init__(self, like: str) -> None:
            super().__init__()
            self.like = like

    class NeighboursWanted(Message):
        """A name's neighbours are wanted."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.way: list[str] = []
        self._left = ""

    def compose(self) -> ComposeResult:
        yield Input(placeholder="a name in the graph", id="graph-name")
        yield Static(id="graph-way", markup=False)
        yield NameList(id="graph-names")
        yield Neighbourhood(id="graph-drawing")

    @property
    def first(self) -> Widget:
        """What takes the keys: the box while a name is looked for, else the drawing."""
        return self.query_one(Input) if self.has_class("-finding") else self.query_one(Neighbourhood)

    # ------------------------------------------------------------ finding a name
    def find(self) -> None:
        """Goes to the box; lists the names mentioned most as long as it is empty."""
        self.add_class("-finding")
        self._say("names in the graph, those mentioned most first")
        self.query_one(Input).focus()
        self.post_message(self.NamesWanted(self.query_one(Input).value))

    def show_names(self, like: str, names: Sequence[str]) -> None:
        """Lists the names found, unless something else stands in the box by now."""
        if like == self.query_one(Input).value:
            self.query_one(NameList).set_items(names, follow=False)
            if not names:
                self._say(f"no name in the graph holds “{clipped(like, 40)}”" if like else "the graph holds no names")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.add_class("-finding")
        self.post_message(self.NamesWanted(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._choose()

    def on_key(self, event: events.Key) -> None:
        if event.key == "down" and self.query_one(Input).has_focus:
            event.stop()
            self.query_one(NameList).focus()

    @on(VirtualList.Chosen, "#graph-names")
    def _name_chosen(self, event: VirtualList.Chosen) -> None:
        event.stop()
        self._choose()

    def _choose(self) -> None:
        name = self.query_one(NameList).current
        if name is not None:
            self.start(name)

    # ------------------------------------------------------------ walking
    def start(self, name: str) -> None:
        """Begins a new way at a name."""
        self.way = [name]
        self.post_message(self.NeighboursWanted(name))

    def show(self, name: str, neighbours: Sequence[Neighbour], focus: bool = True) -> None:
        """Draws a name's neighbourhood, unless the way has gone on meanwhile."""
        if not self.way or self.way[-1] != name:
            return
        self.remove_class("-finding")
        drawing = self.query_one(Neighbourhood)
        drawing.show(name, neighbours, self._left)
        if focus:
            drawing.focus()
        links = counted(len(neighbours), "link") if neighbours else "nothing in the graph is linked to it"
        self._say(" › ".join(self.way[-4:]) + f" · {links}")

    def on_neighbourhood_walked(self, event: Neighbourhood.Walked) -> None:
        event.stop()
        self._left = self.way[-1] if self.way else ""
        self.way.append(event.name)
        self.post_message(self.NeighboursWanted(event.name))

    def on_neighbourhood_walked_back(self, event: Neighbourhood.WalkedBack) -> None:
        event.stop()
        if len(self.way) > 1:
            self._left = self.way.pop()
            self.post_message(self.NeighboursWanted(self.way[-1]))
        else:
            self.find()

    def _say(self, text: str) -> None:
        self.query_one("#graph-way", Static).update(clipped(text, max(20, self.size.width - 2) if self.size else 70))
