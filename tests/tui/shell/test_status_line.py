"""The last line: the keys that work now, pressed by a click, and the status where there is room."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.pilot import Pilot

from polyrag_cli.tui.shell.status_line import StatusFooter, status
from tests.tui.turns import answer


class Keys(App[None]):
    """Three keys, of which one is disabled and one hidden; it keeps what was pressed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a,b", "note('first')", "First"),
        Binding("c", "note('second')", "Second"),
        Binding("d", "note('hidden')", "Hidden", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[str] = []

    def compose(self) -> ComposeResult:
        yield StatusFooter()

    def action_note(self, name: str) -> None:
        self.noted.append(name)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if parameters == ("second",) else True


def driven(flow: Callable[[Keys, Pilot[None], StatusFooter], Awaitable[None]], width: int) -> None:
    async def main() -> None:
        app = Keys()
        async with app.run_test(size=(width, 5)) as pilot:
            footer = app.query_one(StatusFooter)
            async with asyncio.timeout(60):
                while not footer.keys:
                    await pilot.pause(0.01)
            await flow(app, pilot, footer)

    asyncio.run(main())


def test_each_action_has_one_key_and_a_click_presses_it() -> None:
    async def flow(app: Keys, pilot: Pilot[None], footer: StatusFooter) -> None:
        ours = [key for key in footer.keys if key.description in ("First", "Second", "Hidden")]
        assert [(key.key, key.enabled) for key in ours] == [("a", True), ("c", False)]
        line = str(footer.render())
        await pilot.click(footer, offset=(line.index("First"), 0))
        await pilot.click(footer, offset=(line.index("Second"), 0))
        await pilot.click(footer, offset=(79, 0))
        await pilot.press("d")
        assert app.noted == ["first", "hidden"]

    driven(flow, 80)


@pytest.mark.parametrize(("width", "shown"), [(80, True), (36, False)])
def test_the_status_stands_at_the_right_where_there_is_room(width: int, shown: bool) -> None:
    async def flow(app: Keys, pilot: Pilot[None], footer: StatusFooter) -> None:
        footer.status = "14 ms · no model"
        assert str(footer.render()).endswith("14 ms · no model") is shown
        assert len(str(footer.render())) <= width + 1

    driven(flow, width)


def test_a_key_that_does_not_fit_is_left_out_whole() -> None:
    async def flow(app: Keys, pilot: Pilot[None], footer: StatusFooter) -> None:
        line = str(footer.render())
        assert "First" in line and "Second" not in line

    driven(flow, 14)


def test_status_in_words() -> None:
    assert status(None) == ""
    assert status(answer()) == "14 ms · no model · trace 91d0"
    assert status(answer(cached=True, trace_id="")) == "14 ms · from the cache"
