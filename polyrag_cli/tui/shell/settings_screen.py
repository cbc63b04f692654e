"""The settings that are in force, each with its origin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import DataTable, Input, Static

from polyrag_cli.config import FILE_NAME
from polyrag_cli.config.sections import declaration
from polyrag_cli.display.settings import LEGEND, mark, origin_text, value_text
from polyrag_cli.display.text import clip, printable
from polyrag_cli.tui.widgets.modal import Modal

if TYPE_CHECKING:
    from polyrag_cli.config import Settings

_MAX_SHOWN = 2000
_WIDEST_VALUE, _NARROWEST_VALUE = 24, 10
# The box's border and its list's scrollbar, and a space at either side of each of three columns.
_AROUND = 2 + 2 + 3 * 2


class SettingsScreen(Modal[None]):
    """Key, value and origin of every setting, those that differ from the default marked.

    A box narrows them down; the chosen one's meaning, whole value and origin stand below.
    """

    DEFAULT_CSS = """
    SettingsScreen { align: center middle; }
    SettingsScreen > Vertical {
        width: 96%; height: 92%; border: round $primary; background: $surface;
    }
    SettingsScreen DataTable { height: 1fr; }
    SettingsScreen #file { height: auto; padding: 0 1; color: $text-muted; }
    SettingsScreen #whole { height: auto; max-height: 6; padding: 0 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close", priority=True),
        Binding("down", "to_table", show=False),
    ]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings.listed()
        self._changed = settings.changed()
        self._value_width = _WIDEST_VALUE
        self._file = str(settings.file) if settings.file else None

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = "Settings"
            box.border_subtitle = f"{LEGEND} · escape closes"
            yield Static(Content(printable(self._file or "no polyrag.toml found: defaults")), id="file")
            yield Input(placeholder="part of a key, or of a value or origin where no key has it", compact=True)
            yield DataTable(cursor_type="row", zebra_stripes=True)
            yield Static(id="whole")

    def on_mount(self) -> None:
        # What is left between the longest key and the file's name.
        room = self.size.width * 96 // 100 - _AROUND - max(len(key) + 2 for key, _, _ in self._settings)
        self._value_width = max(_NARROWEST_VALUE, min(_WIDEST_VALUE, room - len(FILE_NAME)))
        for position, name in enumerate(("setting", "value", "origin")):
            cells = [self._cells(*setting)[position] for setting in self._settings]
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
        found = (setting for setting in self._settings if setting[0] == chosen)
        whole = next((f"{_text(k, v)} · {origin_text(origin, self._file)}" for k, v, origin in found), "")
        meaning = f"{declaration(str(chosen)).meaning}\n" if whole else ""
        self.query_one("#whole", Static).update(Content(meaning + clip(whole, _MAX_SHOWN)))

    def _fill(self, wanted: str) -> None:
        table = self.query_one(DataTable)
        table.clear()
        for key, value, origin in chosen_settings(self._settings, wanted):
            table.add_row(*map(Content, self._cells(key, value, origin)), key=key)

    def _cells(self, key: str, value: Any, origin: str) -> tuple[str, str, str]:
        name = f"{mark(key in self._changed)} {clip(key, 50)}"
        return name, clip(value_text(key, value), self._value_width), clip(origin_text(origin, self._file), 80)


def chosen_settings(settings: Sequence[tuple[str, Any, str]], wanted: str) -> list[tuple[str, Any, str]]:
    """The settings with `wanted` in their key; where there are none, those with it in their value or origin.

    settings: key, value, origin.
    """
    part = wanted.strip().casefold()
    named = [setting for setting in settings if part in setting[0].casefold()]
    return named or [(k, v, o) for k, v, o in settings if part in f"{_text(k, v)} {o}".casefold()]


def _text(key: str, value: Any) -> str:
    return " · ".join(map(str, value)) if isinstance(value, list) and value else value_text(key, value)
