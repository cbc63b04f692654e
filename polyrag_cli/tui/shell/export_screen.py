"""Asks for a path and writes a text to it; in a browser, has the browser save it."""

from __future__ import annotations

from datetime import date
from io import StringIO
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from polyrag_cli.display.text import clip
from polyrag_cli.errors import StoreError, reason
from polyrag_cli.tui.widgets.modal import Modal
from polyrag_cli.whole_file import write_whole

_HINT = "enter writes · escape closes"
_WEB_HINT = "enter has the browser save it · escape closes"


class ExportScreen(Modal[None]):
    """Writes `text` to the path that is confirmed; an existing file needs a second enter."""

    DEFAULT_CSS = """
    ExportScreen { align: center middle; }
    ExportScreen > Vertical {
        width: 80%; max-width: 100; height: auto; border: round $primary; background: $surface;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Close", priority=True)]

    class Written(Message):
        """The text is written to `path`, or `problem` says why not; `exists` asks for confirmation."""

        def __init__(self, path: Path, problem: str = "", exists: bool = False) -> None:
            super().__init__()
            self.path = path
            self.problem = problem
            self.exists = exists

    def __init__(self, text: str, today: date | None = None) -> None:
        super().__init__()
        self._text = text
        self._today = today or date.today()
        self._confirmed: Path | None = None

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = "Export the conversation as Markdown"
            yield Input(value=f"./polyrag-{self._today.isoformat()}.md", select_on_focus=False)
            yield Static(Content(_WEB_HINT if self.app.is_web else _HINT), id="hint")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            return
        path = Path(event.value.strip()).expanduser()
        if self.app.is_web:
            # A path of the serving machine means nothing to who sits before the browser.
            self.app.deliver_text(StringIO(self._text), save_filename=path.name, mime_type="text/markdown")
            self.dismiss()
            return
        overwrite = self._confirmed == path

        def write() -> None:
            self.post_message(_write(path, self._text, overwrite))

        self.run_worker(write, thread=True, exclusive=True, exit_on_error=False)

    def on_input_changed(self) -> None:
        self._confirmed = None

    def on_export_screen_written(self, message: Written) -> None:
        if message.exists:
            self._confirmed = message.path
        if message.problem:
            self.query_one("#hint", Static).update(Content(clip(message.problem, 300)))
            return
        self.app.notify(f"Written: {message.path}")
        self.dismiss()


def _write(path: Path, text: str, overwrite: bool) -> ExportScreen.Written:
    try:
        if not overwrite:
            # Takes the name, if it is free: a look beforehand would overwrite what appears just after it.
            path.open("x").close()
        try:
            write_whole(path, text)
        except StoreError:
            if not overwrite:
                path.unlink(missing_ok=True)
            raise
    except FileExistsError:
        return ExportScreen.Written(path, f"{path} exists: enter again overwrites it.", exists=True)
    except StoreError as error:
        return ExportScreen.Written(path, error.message)
    except (OSError, ValueError) as error:
        return ExportScreen.Written(path, f"{path}: can't be written: {reason(error)}.")
    return ExportScreen.Written(path)
