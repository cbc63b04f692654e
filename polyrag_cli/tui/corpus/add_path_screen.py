"""Where a path to ingest is chosen: typed with completion, or picked from a tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, DirectoryTree, Input, Static

from polyrag_cli.tui.corpus.path_suggester import PathSuggester
from polyrag_cli.tui.corpus.tick_box import TickBox
from polyrag_cli.tui.widgets.cells import clipped
from polyrag_cli.tui.widgets.modal import Modal


@dataclass(frozen=True, slots=True)
class ChosenPath:
    """What to ingest, and whether without the graph."""

    path: Path
    skip_graph: bool


class VisibleTree(DirectoryTree):
    """A folder's tree without hidden entries and such as hold control characters."""

    def filter_paths(self, paths: Iterable[Path]) -> Iterable[Path]:
        """The entries whose names don't begin with a dot and can be drawn: others are ingested with their folder."""
        return [path for path in paths if not path.name.startswith(".") and path.name.isprintable()]


class AddPathScreen(Modal[ChosenPath | None]):
    """Asks for a file or folder; gives None when it was left. start: the folder that the tree begins at."""

    DEFAULT_CSS = """
    AddPathScreen {
        align: center middle;
        & > Vertical { width: 84; max-width: 98%; height: 80%; border: round $primary; padding: 0 1; }
        & Input { height: 1; border: none; background: $boost; padding: 0 1; }
        & Input:focus { border: none; }
        & #add-trouble { height: auto; max-height: 2; text-style: bold; }
        & VisibleTree { height: 1fr; scrollbar-size: 1 1; }
        & Horizontal { height: 1; }
        & Button { margin-right: 2; }
        & TickBox { height: 1; border: none; padding: 0; margin-right: 2; }
        & TickBox:focus { border: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Cancel"),
        Binding("ctrl+up", "parent", "Folder above"),
    ]

    def __init__(self, start: Path) -> None:
        super().__init__()
        self._start = start

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("Add a file or folder (right completes, tab to the tree)", markup=False)
            yield Input(placeholder="path", suggester=PathSuggester(), id="add-path")
            yield Static(id="add-trouble", markup=False)
            yield VisibleTree(self._start)
            with Horizontal():
                yield TickBox("skip the graph", id="add-skip")
                yield Button("Add", id="add-go", variant="primary", compact=True)
                yield Button("Folder above", id="add-up", compact=True)
                yield Button("Cancel", id="add-leave", compact=True)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_directory_tree_file_selected(self, event: DirectoryTree.FileSelected) -> None:
        self._take(event.path)

    def on_directory_tree_directory_selected(self, event: DirectoryTree.DirectorySelected) -> None:
        self._take(event.path)

    def _take(self, path: Path) -> None:
        self.query_one(Input).value = str(path)
        self._complain("")

    def on_input_changed(self) -> None:
        self._complain("")

    def on_input_submitted(self) -> None:
        self._go()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        {"add-go": self._go, "add-up": self.action_parent, "add-leave": self.action_leave}[event.button.id or ""]()

    def _go(self) -> None:
        typed = self.query_one(Input).value.strip()
        if not typed:
            self._complain("Type a path, or pick one in the tree.")
            return
        try:
            path = Path(typed).expanduser()
            there = path.exists()
        except (OSError, RuntimeError, ValueError) as error:
            self._complain(f"{typed}: no usable path ({type(error).__name__}).")
            return
        if there:
            self.dismiss(ChosenPath(path, self.query_one(TickBox).value))
        else:
            self._complain(f"{typed}: no such file or folder.")

    def _complain(self, text: str) -> None:
        self.query_one("#add-trouble", Static).update(clipped(text, 78))

    def action_parent(self) -> None:
        """Begins the tree one folder higher."""
        tree = self.query_one(VisibleTree)
        tree.path = Path(tree.path).resolve().parent

    def action_leave(self) -> None:
        """Closes the screen without a path."""
        self.dismiss(None)
