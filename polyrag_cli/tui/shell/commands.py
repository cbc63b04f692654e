"""The dashboard's own actions, whatever tab is in front: palette, help, settings, copying, export, themes, pictures."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType

from polyrag_cli.tui.questions import Questions
from polyrag_cli.tui.shell.front_screen import FrontScreen
from polyrag_cli.tui.shell.palette import Palette, ViewCommands
from polyrag_cli.tui.view import ShowsAnswer

if TYPE_CHECKING:
    from textual.screen import Screen

    from polyrag_cli.engine import Engine
    from polyrag_cli.tui.shell.key_list import Entry
    from polyrag_cli.types import Answer

DARK, LIGHT = "textual-dark", "textual-light"


class Commands(App[None]):
    """An application with these actions. engine, questions: set by the subclass."""

    COMMANDS: ClassVar = {ViewCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "command_palette", "Commands", priority=True),
        Binding("f1", "help", "Help", priority=True),
        Binding("f6", "copy", "Copy …", show=False, priority=True),
        Binding("f7", "export", "Export the conversation", show=False, priority=True),
        Binding("f8", "settings", "Settings", show=False, priority=True),
        Binding("f9", "toggle_dark", "Dark or light", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
    ]

    engine: Future[Engine]
    questions: Questions

    def get_default_screen(self) -> FrontScreen:
        """The screen with the views."""
        return FrontScreen(id="_default")

    @property
    def front(self) -> FrontScreen:
        """The screen with the views, whatever stands over it."""
        return cast("FrontScreen", self.screen_stack[0])

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Themes and a picture of the screen; all else comes from the bindings."""
        for name in sorted(self.available_themes):
            kind = "dark" if self.available_themes[name].dark else "light"
            yield SystemCommand(f"Theme: {name}", kind, lambda name=name: setattr(self, "theme", name))
        yield SystemCommand("Save a picture of the screen (SVG)", "", lambda: self.set_timer(0.1, self.save_picture))

    def save_picture(self) -> None:
        """Writes the screen as SVG where the system keeps downloads, or to the browser."""
        self.deliver_screenshot()

    async def perform(self, entry: Entry) -> None:
        """Runs an action of the key list; its tab comes to the front first."""
        if entry.tab:
            self.front.tabs.active = entry.tab
        await self.run_action(entry.action, entry.node)

    def action_command_palette(self) -> None:
        """Offers all commands, once: an earlier palette may still be on its way out."""
        if not any(isinstance(screen, Palette) for screen in self._nodes):
            self.push_screen(Palette(id="--command-palette"))

    def action_toggle_dark(self) -> None:
        """Changes between the dark and the light theme."""
        self.theme = LIGHT if self.current_theme.dark else DARK

    def action_help(self) -> None:
        """Shows all keys."""
        from polyrag_cli.tui.shell.help_screen import HelpScreen
        from polyrag_cli.tui.shell.key_list import entries

        if not self._put_away(HelpScreen):
            self.push_screen(HelpScreen(entries(cast("App[object]", self))))

    def action_settings(self) -> None:
        """Shows the settings with their origin."""
        from polyrag_cli.tui.shell.settings_screen import SettingsScreen

        if self._put_away(SettingsScreen):
            return
        if not self.engine.done() or self.engine.exception() is not None:
            self.notify("There are no settings to show: the engine isn't open.", severity="warning")
        else:
            self.push_screen(SettingsScreen(self.engine.result().settings))

    def action_copy(self) -> None:
        """Offers what of the answer in front can be copied."""
        from polyrag_cli.tui.shell.copy_screen import CopyScreen
        from polyrag_cli.tui.shell.pieces import pieces

        if self._put_away(CopyScreen):
            return
        found = pieces(self._answer_in_front())
        if not found:
            self.notify("There is no answer to copy from yet.", severity="warning")
        else:
            self.push_screen(CopyScreen(found))

    def action_export(self) -> None:
        """Asks where to write the conversation as Markdown."""
        from polyrag_cli.tui.shell.export_screen import ExportScreen
        from polyrag_cli.tui.shell.transcript import markdown

        if self._put_away(ExportScreen):
            return
        if not self.questions.state.turns:
            self.notify("There is no conversation to export yet.", severity="warning")
        else:
            self.push_screen(ExportScreen(markdown(self.questions.state)))

    def _answer_in_front(self) -> Answer | None:
        """What the view in front shows, else the conversation's newest answer."""
        view = self.front.view
        return view.shown_answer() if isinstance(view, ShowsAnswer) else self.questions.last_answer

    def _put_away(self, kind: type[Screen[None]]) -> bool:
        """Closes the screen that is shown when it is of a kind: the key that opens it closes it as well."""
        if isinstance(self.screen, kind):
            self.pop_screen()
            return True
        return False
