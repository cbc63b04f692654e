"""A list of what can be copied."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from polyrag_cli.display.text import clip, counted
from polyrag_cli.tui.shell.pieces import Piece
from polyrag_cli.tui.widgets.modal import Modal


class CopyScreen(Modal[None]):
    """Copies the chosen piece and says so."""

    DEFAULT_CSS = """
    CopyScreen { align: center middle; }
    CopyScreen > Vertical {
        width: 80%; max-width: 100; height: auto; max-height: 80%; border: round $primary; background: $surface;
    }
    CopyScreen OptionList, CopyScreen OptionList:focus { height: auto; max-height: 14; border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Close")]

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        super().__init__()
        self._pieces = pieces

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = "Copy"
            yield OptionList(*(Option(Content(f"{p.name}   {clip(p.text, 50)}")) for p in self._pieces))
            yield Static(Content("enter copy · escape close"))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        piece = self._pieces[event.option_index]
        self.app.copy_to_clipboard(piece.text)
        # Whether a browser takes it is said by the page.
        done = "Sent to the browser's clipboard" if self.app.is_web else "Copied"
        self.app.notify(f"{done}: {piece.name} ({counted(len(piece.text), 'character')})")
        self.dismiss()
