"""What the first line says of a corpus, in the room that there is."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.messages import CorpusSummary
from polyrag_cli.tui.shell.header_line import described
from tests.tui.pilot import FULL, NARROW, WIDE, screen_text, until
from tests.tui.shared import SharedApp

DEMO = CorpusSummary("demo", 21, 6, 3)


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (60, "PolyRAG ─ demo ─ 21 documents · 6 tables · generation 3"),
        (50, "demo ─ 21 documents · 6 tables · generation 3"),
        (44, "demo ─ 21 documents · 6 tables"),
        (30, "demo ─ 21 documents · 6 tables"),
        (29, "demo ─ 21 documents"),
        (10, "demo ─ 21…"),
    ],
)
def test_what_matters_least_goes_first(width: int, line: str) -> None:
    assert described(DEMO, width) == line


def test_a_line_is_never_wider_than_its_room() -> None:
    summaries = (
        None,
        DEMO,
        CorpusSummary("a name of very many letters in all", 1, 1, 12_345),
        CorpusSummary("日本語の文書集", 21, 6, 3),
        CorpusSummary("demo", note="Nothing is ingested in /a/very/long/path yet."),
    )
    for summary in summaries:
        assert all(cell_len(described(summary, width)) <= width for width in range(1, 120))


def test_a_note_is_said_before_the_product_is_named() -> None:
    note = "Nothing is ingested yet."
    assert described(CorpusSummary("demo", note=note), 60) == f"PolyRAG ─ demo ─ {note}"
    assert described(CorpusSummary("demo", note=note), 34) == f"demo ─ {note}"


@pytest.mark.parametrize("size", [NARROW, WIDE, FULL])
def test_nothing_of_the_counts_is_cut_on_a_screen(shared: SharedApp, size: tuple[int, int]) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        def whole() -> bool:
            first = screen_text(app).splitlines()[0]
            # A gap keeps the counts apart from the tabs.
            counted = "6 documents · 1 table" in first and "…" not in first and " [" in first
            return counted and ("PolyRAG" in first) == (size != NARROW)

        await until(pilot, whole, "the counts")
        # A terminal that is made narrower says less, one that is made wider again says all.
        await pilot.resize_terminal(*NARROW)
        await until(pilot, lambda: "PolyRAG" not in screen_text(app).splitlines()[0], "the short line")
        await pilot.resize_terminal(*WIDE)
        await until(pilot, lambda: "generation" in screen_text(app).splitlines()[0], "the long line")

    shared.run(flow, size)
