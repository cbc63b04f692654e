"""The settings that are in force, each with its origin. Must never change one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import DataTable, Input, Static

from polyrag_cli.display.text import clip, printable
from polyrag_cli.tui.modal import Modal

if TYPE_CHECKING:
    from polyrag_cli.config import Settings

_MAX_SHOWN = 2000


class SettingsScreen(Modal[None]):
    """Key, value and origin of every setting; a box narrows them down, the chosen one's whole value stands below."""

    DEFAULT_CSS = """
    SettingsScreen { align: center middle; }
    SettingsScreen > Vertical {
        width: 96%; height: 92%; border: round $primary; background: $surface;
    }
    SettingsScreen DataTable { height: 1fr; }
    SettingsScreen #whole { height: auto; max-height: 6; padding: 0 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close", priority=True),
        Binding("down", "to_table", show=False),
    ]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings.listed()
        self._file = str(settings.file or "no polyrag.toml found: defaults")

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = "Settings"
            box.border_subtitle = "escape closes"
            yield Input(placeholder="part of a key, a value or an origin", compact=True)
            yield DataTable(cursor_type="row", zebra_stripes=True)
            yield Static(Content(printable(self._file)), id="whole")

    def on_mount(self) -> None:
        for position, name in enumerate(("setting", "value", "origin")):
            cells = [_cells(*setting)[position] for setting in self._settings]
            self.query_one(DataTable).add_column(name, width=max(len(name), *map(len, cells)) if cells else None)
        self._fill("")

    def on_input_changed(self, event: Input.Changed) -> None:
        self._fill(event.value)

    def on_input_submitted(self) -> None:
        self.action_to_table()

    def action_to_table(self) -> None:
        """Goes from the box to the list."""
        self.query_one(DataTable).focus()

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        # Paging through an empty table highlights a row without a key, whatever the event's type says.
        chosen = getattr(event.row_key, "value", None)
        value = next((value for key, value, _ in self._settings if key == chosen), "")
        self.query_one("#whole", Static).update(Content(clip(_text(value), _MAX_SHOWN)))

    def _fill(self, wanted: str) -> None:
        table = self.query_one(DataTable)
        table.clear()
        for key, value, origin in self._settings:
            if wanted.casefold() in f"{key} {_text(value)} {origin}".casefold():
                table.add_row(*map(Content, _cells(key, value, origin)), key=key)


def _cells(key: str, value: Any, origin: str) -> tuple[str, str, str]:
    shown = f"{len(value)} sentences" if isinstance(value, list) else clip(_text(value), 24)
    return clip(key, 50), shown, clip(origin, 80)


def _text(value: Any) -> str:
    return " · ".join(map(str, value)) if isinstance(value, list) else str(value)
