"""What a subclass has to draw: without it there is no widget, and no half-made one on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from rich.text import Text
from textual.app import App, ComposeResult
from textual.content import Content

from polyrag_cli.tui.widgets.drawn import Drawn
from polyrag_cli.tui.widgets.virtual_list import VirtualList


class Line(Drawn):
    def draw(self, width: int) -> Content:
        return Content("x" * width)


class Numbers(VirtualList[int]):
    has_header = True

    def lines(self, item: int, index: int, width: int) -> Sequence[Text]:
        return [Text(str(item))]


@pytest.mark.parametrize(("kind", "method"), [(Drawn, "draw"), (VirtualList, "lines")])
def test_a_widget_that_lacks_a_method_can_not_be_made(kind: type, method: str) -> None:
    class Partial(kind):  # type: ignore[misc]
        pass

    for incomplete in (kind, Partial):
        with pytest.raises(TypeError, match=f"abstract method {method}"):
            incomplete()


class Shown(App[None]):
    CSS = "Numbers { height: 3; } Line { height: 1; }"

    def compose(self) -> ComposeResult:
        yield Line()
        yield Numbers()


def test_both_are_widgets_of_textual_still() -> None:
    async def flow() -> None:
        async with Shown().run_test(size=(20, 4)) as pilot:
            numbers = pilot.app.query_one(Numbers)
            numbers.set_items([7, 8])
            await pilot.pause()
            assert pilot.app.query_one(Line).render().plain == "x" * 20
            # A list that says nothing of its header has a blank one.
            assert [numbers.render_line(y).text.strip(" ›·") for y in range(3)] == ["", "7", "8"]

    asyncio.run(flow())
